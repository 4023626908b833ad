/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From the XML to axes: elements in document order, then what the command line sets, then the defaults of all other
   parameters. Each step may replace what the one before has given, so the checks that look at the whole come last
   (finish).

   The schema (scenario.xsd) checks structure: which elements and attributes there are. Names and values are checked
   here, because they depend on the experiment. */
#include "scenario/scenario.h"

#include "base/mem.h"
#include "base/text.h"
#include "base/xml.h"
#include "scenario/axis.h"
#include "scenario/element.h"
#include "scenario/turn.h"
#include "scenario/wanted.h"

#include <inttypes.h>
#include <libxml/xmlschemas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Scenarios are written by people; this guards against a wrong file. */
enum { MAX_FILE_BYTES = 100000000 };

struct reading {
    struct scenario *s;
    char *folder; /* of the scenario file */
    struct axis_source file, command_line;
    const struct scenario_options *options;
};

/* --- life --- */

void scenario_clear(struct scenario *s)
{
    for (size_t i = 0; i < s->n_axes; i++)
        axis_clear(&s->axes[i]);
    for (size_t i = 0; i < s->n_tables; i++)
        wanted_clear(&s->tables[i]);
    free(s->axes);
    free(s->tables);
    free(s->path);
    free(s->name);
    free(s->description);
    *s = (struct scenario){0};
}

static struct scenario_axis *find_axis(const struct scenario *s, const char *param)
{
    for (size_t i = 0; i < s->n_axes; i++)
        if (strcmp(s->axes[i].param->name, param) == 0)
            return &s->axes[i];
    return NULL;
}

static bool is_given(const void *scenario, const char *param)
{
    return scenario_axis(scenario, param) != NULL;
}

/* By what is given, not by what could be: an experiment with `noise` is deterministic in a scenario without it. */
bool scenario_is_random(const struct scenario *s)
{
    return run_is_random(s->experiment, is_given, s);
}

/* For others, who may only read it. */
const struct scenario_axis *scenario_axis(const struct scenario *s, const char *param)
{
    return find_axis(s, param);
}

const struct scenario_axis *scenario_axis_of(const struct scenario *s, size_t param_id)
{
    return scenario_axis(s, run_params(s->experiment)[param_id].name);
}

long scenario_axis_place(const struct scenario_axis *a, const char *value)
{
    for (size_t i = 0; i < a->n_values; i++)
        if (strcmp(a->values[i].text, value) == 0)
            return (long)i;
    return -1;
}

/* --- params and sweeps --- */

static struct scenario_axis *add_axis(struct scenario *s, const struct param *p, int line)
{
    MEM_GROW(s->axes, s->n_axes, s->axes_capacity);
    /* Borrowed until the next axis is added, which may move all of them. */
    struct scenario_axis *a = &s->axes[s->n_axes++];
    *a = (struct scenario_axis){.param = p, .line = line};
    return a;
}

/* NULL: nothing. */
static void remove_axis(struct scenario *s, struct scenario_axis *a)
{
    if (a == NULL)
        return;
    axis_clear(a);
    s->n_axes--;
    memmove(a, a + 1, (size_t)(s->axes + s->n_axes - a) * sizeof *a);
}

/* The empty axis for an element <param name=> or <sweep name=>. */
static enum err_code begin_axis(struct reading *r, const xmlNode *element, struct scenario_axis **out, struct err *e)
{
    struct err found = {0};
    const struct param *p = NULL;
    char *name = element_attribute(element, "name");
    enum err_code code = run_find_param(r->s->experiment, name, &p, &found);
    free(name);
    if (code != ERR_NONE)
        return err_set_at(e, code, r->s->path, xml_line(element), "%s", found.text);
    const struct scenario_axis *before = scenario_axis(r->s, p->name);
    /* Two elements for one parameter would be a cross product with itself. */
    if (before != NULL)
        return xml_refuse(e, r->s->path, element, "parameter %s is given twice; the first is on line %d", p->name,
                          before->line);
    *out = add_axis(r->s, p, xml_line(element));
    return ERR_NONE;
}

/* Takes the text. */
static enum err_code add_text(struct reading *r, struct scenario_axis *a, char *text, int line, struct err *e)
{
    enum err_code code = axis_add(a, &r->file, text, line, e);
    free(text);
    return code;
}

static enum err_code number_attribute(const struct reading *r, const xmlNode *element, const char *name, double *out,
                                      struct err *e)
{
    char *text = element_attribute(element, name);
    *out = NAN;
    bool ok = text == NULL || text_to_double(text, out);
    free(text);
    return ok ? ERR_NONE : xml_refuse(e, r->s->path, element, "%s is not a finite number", name);
}

static enum err_code read_range(struct reading *r, struct scenario_axis *a, const xmlNode *element, struct err *e)
{
    struct axis_range range;
    if (number_attribute(r, element, "from", &range.from, e) != ERR_NONE ||
        number_attribute(r, element, "to", &range.to, e) != ERR_NONE ||
        number_attribute(r, element, "step", &range.step, e) != ERR_NONE ||
        number_attribute(r, element, "factor", &range.factor, e) != ERR_NONE)
        return ERR_INPUT;
    return axis_add_range(a, &r->file, &range, xml_line(element), e);
}

/* Values that --set replaces are not looked at: it is how to run a file whose scheduler is not there. */
static bool is_replaced(const struct reading *r, const struct scenario_axis *a)
{
    /* The name and the '=' behind it: "tasks=" must not match "tasks_done=". */
    size_t n = strlen(a->param->name);
    for (size_t i = 0; i < r->options->n_sets; i++)
        if (strncmp(r->options->sets[i], a->param->name, n) == 0 && r->options->sets[i][n] == '=')
            return true;
    return false;
}

static enum err_code read_param(struct reading *r, const xmlNode *element, struct err *e)
{
    struct scenario_axis *a = NULL;
    enum err_code code = begin_axis(r, element, &a, e);
    return code == ERR_NONE && !is_replaced(r, a)
               ? add_text(r, a, element_attribute(element, "value"), xml_line(element), e)
               : code;
}

static enum err_code read_sweep(struct reading *r, const xmlNode *element, struct err *e)
{
    struct scenario_axis *a = NULL;
    enum err_code code = begin_axis(r, element, &a, e);
    /* The axis stays, empty, in its place of the document: the order of axes is the order of points, whether or not
       values are replaced. */
    bool is_read = code == ERR_NONE && !is_replaced(r, a);
    for (const xmlNode *v = xml_first(element); is_read && code == ERR_NONE && v != NULL; v = xml_next(v))
        code = xml_is(v, "value") ? add_text(r, a, element_content(v), xml_line(v), e) : read_range(r, a, v, e);
    return code;
}

/* --- the head: name, experiment, seed, replications --- */

static enum err_code set_seed(struct scenario *s, const char *text, struct err *e)
{
    /* text_to_whole stops at 2^63 - 1 for plain digits. */
    long value;
    if (!text_to_whole(text, &value) || value < 0)
        return err_set(e, ERR_INPUT, "seed is '%s'; it must be a whole number from 0 to 2^63 - 1", text);
    s->seed = (uint64_t)value;
    return ERR_NONE;
}

static enum err_code set_replications(struct scenario *s, const char *text, struct err *e)
{
    long value;
    if (!text_to_whole(text, &value) || value < 1 || value > SCENARIO_MAX_POINTS)
        return err_set(e, ERR_INPUT, "replications is '%s'; it must be between 1 and %d", text, SCENARIO_MAX_POINTS);
    /* Refused here where no parameter could make the experiment random; whether one is given is known at the end. */
    if (value > 1 && !s->experiment->is_random && run_row_that_is(s->experiment, RUN_RANDOM) == NULL)
        return err_set(e, ERR_INPUT, "experiment %s has no randomness: %ld replications would all be the same",
                       s->experiment->name, value);
    s->n_replications = value;
    return ERR_NONE;
}

static enum err_code read_head(struct reading *r, const xmlNode *root, const struct run_kind *const *list,
                               struct err *e)
{
    struct scenario *s = r->s;
    char *experiment = element_attribute(root, "experiment"), *seed = element_attribute(root, "seed");
    char *replications = element_attribute(root, "replications");
    s->name = element_attribute(root, "name");
    /* Without the attribute. */
    s->n_replications = 1;
    enum err_code code = run_kind_find(list, experiment, &s->experiment, e);
    if (code == ERR_NONE && seed != NULL)
        code = set_seed(s, seed, e);
    if (code == ERR_NONE && replications != NULL)
        code = set_replications(s, replications, e);
    free(experiment);
    free(seed);
    free(replications);
    return code;
}

/* --- the command line --- */

static enum err_code set_axis(struct reading *r, const struct param *p, const char *values, struct err *e)
{
    struct scenario_axis *a = find_axis(r->s, p->name);
    /* For an optional parameter "back to the default" means that it is not there. */
    if (values[0] == '\0' && run_param_is(r->s->experiment, p->name, RUN_OPTIONAL)) {
        remove_axis(r->s, a);
        return ERR_NONE;
    }
    /* At the end: the command line adds parameters behind those of the file. */
    if (a == NULL)
        a = add_axis(r->s, p, 0);
    axis_clear(a);
    enum err_code code = ERR_NONE;
    if (values[0] == '\0' && p->default_text != NULL)
        return axis_add(a, &r->command_line, p->default_text, 0, e);
    /* Pieces between commas outside of brackets: "heft[a=1,b=2],cpop" are two. */
    for (const char *at = values, *end; code == ERR_NONE && at != NULL; at = *end != '\0' ? end + 1 : NULL) {
        end = text_item_end(at);
        char *piece = mem_format("%.*s", (int)(end - at), at), *value = element_trimmed(piece);
        code = value[0] != '\0' ? axis_add_piece(a, &r->command_line, value, e)
                                : err_set(e, ERR_INPUT, "a value of %s is empty", p->name);
        free(piece);
        free(value);
    }
    return code;
}

static enum err_code apply_pair(struct reading *r, const char *name, const char *values, struct err *e)
{
    struct scenario *s = r->s;
    const struct param *p = param_find(run_params(s->experiment), name);
    /* Parameters come first, so an experiment may have one called `seed`. */
    if (p == NULL && strcmp(name, "seed") == 0)
        return set_seed(s, values, e);
    if (p == NULL && strcmp(name, "replications") == 0)
        return set_replications(s, values, e);
    enum err_code code = run_find_param(s->experiment, name, &p, e);
    return code == ERR_NONE ? set_axis(r, p, values, e) : code;
}

static enum err_code apply_set(struct reading *r, const char *set, struct err *e)
{
    /* For messages that begin with the words the user typed. */
    struct err found = {0};
    const char *equals = strchr(set, '=');
    if (equals == NULL || equals == set)
        return err_set(e, ERR_USAGE, "--set '%s' is not of the form name=value", set);
    char *name = mem_format("%.*s", (int)(equals - set), set);
    enum err_code code = apply_pair(r, name, equals + 1, &found);
    free(name);
    return code == ERR_NONE ? code : err_set(e, code, "--set %s: %s", set, found.text);
}

/* --- everything together --- */

static enum err_code add_defaults(struct reading *r, struct err *e)
{
    struct scenario *s = r->s;
    for (const struct param *p = run_params(s->experiment); p->name != NULL; p++) {
        /* Optional parameters are there only if given. */
        if (scenario_axis(s, p->name) != NULL || run_param_is(s->experiment, p->name, RUN_OPTIONAL))
            continue;
        if (p->default_text == NULL)
            return err_set_at(e, ERR_INPUT, s->path, 0, "parameter %s (%s) is not given", p->name, p->meaning);
        enum err_code code = axis_add(add_axis(s, p, 0), &r->file, p->default_text, 0, e);
        if (code != ERR_NONE)
            return code;
    }
    return ERR_NONE;
}

static enum err_code count_points(struct scenario *s, struct err *e)
{
    /* Divided, so that the product below cannot overflow before it is compared: each axis has at most a million
       values. */
    uint64_t most = (uint64_t)SCENARIO_MAX_POINTS / (uint64_t)s->n_replications;
    s->n_points = 1;
    for (size_t i = 0; i < s->n_axes; i++) {
        const struct scenario_axis *a = &s->axes[i];
        s->n_points *= a->n_values;
        if (s->n_points > most)
            return err_set_at(e, ERR_INPUT, s->path, a->line, "with the %zu values of %s there are more than %d runs",
                              a->n_values, a->param->name, SCENARIO_MAX_POINTS);
    }
    return ERR_NONE;
}

static void add_number(struct digest *d, uint64_t number)
{
    char text[TEXT_NUMBER_SIZE];
    snprintf(text, sizeof text, "%" PRIu64, number);
    digest_add_text(d, text);
}

/* By the parameters of the experiment, whatever the order of the axes in the file: the points are the same. */
static void digest_scenario(struct scenario *s)
{
    struct digest d;
    digest_init(&d);
    digest_add_text(&d, s->name);
    digest_add_text(&d, s->experiment->name);
    add_number(&d, (uint64_t)s->experiment->results_version);
    /* As in keys: a seed without effect does not count. */
    add_number(&d, scenario_is_random(s) ? s->seed : 0);
    add_number(&d, (uint64_t)s->n_replications);
    for (size_t i = 0; run_params(s->experiment)[i].name != NULL; i++) {
        const struct scenario_axis *a = scenario_axis_of(s, i);
        if (a == NULL)
            continue;
        digest_add_text(&d, a->param->name);
        /* The number of values, so that the end of one list and the beginning of the next cannot be mistaken for
           each other. */
        add_number(&d, a->n_values);
        for (size_t v = 0; v < a->n_values; v++)
            digest_add_text(&d, axis_key_text(&a->values[v]));
    }
    digest_finish(&d, s->digest);
}

static enum err_code check_given(const struct scenario *s, struct err *e)
{
    struct err found = {0};
    if (s->experiment->check_given == NULL)
        return ERR_NONE;
    /* One point stands for all: what is given is given at every point. */
    struct param_set *params = turn_params(s, 0);
    enum err_code code = s->experiment->check_given(params, &found);
    param_set_free(params);
    return code == ERR_NONE ? code : err_set_at(e, code, s->path, 0, "%s", found.text);
}

/* Identical runs must not count as independent samples. */
static enum err_code check_replications(const struct scenario *s, struct err *e)
{
    if (s->n_replications == 1 || scenario_is_random(s))
        return ERR_NONE;
    char *names = run_names_that_are(s->experiment, RUN_RANDOM, "");
    err_set_at(e, ERR_INPUT, s->path, 0,
               "experiment %s has no randomness without %s: %ld replications would all be the same",
               s->experiment->name, names, s->n_replications);
    free(names);
    return ERR_INPUT;
}

/* Likewise: seeds of a generator (`instance`) without a generator would all give the same run. */
static enum err_code check_seeds(const struct scenario *s, struct err *e)
{
    const struct run_param *seed = run_row_that_is(s->experiment, RUN_SEED),
                           *what = run_row_that_is(s->experiment, RUN_SEEDED);
    if (seed == NULL)
        return ERR_NONE;
    const struct scenario_axis *seeds = scenario_axis(s, seed->is.name), *seeded = scenario_axis(s, what->is.name);
    if (seeds->n_values == 1 || seeded->values[0].text[0] != '\0')
        return ERR_NONE;
    return err_set_at(e, ERR_INPUT, s->path, seeds->line, "without a %s the %zu values of %s would all be the same",
                      what->is.name, seeds->n_values, seed->is.name);
}

static enum err_code finish(struct reading *r, struct err *e)
{
    enum err_code code = add_defaults(r, e);
    /* Files are digested before anything else looks at values: keys need their content. */
    for (size_t i = 0; code == ERR_NONE && i < r->s->n_axes; i++)
        code = axis_finish(&r->s->axes[i], &r->file, e);
    for (size_t i = 0; code == ERR_NONE && i < r->s->n_axes; i++)
        r->s->uses_plugins = r->s->uses_plugins || axis_uses_plugin(&r->s->axes[i], r->s->experiment);
    if (code == ERR_NONE)
        code = wanted_check(r->s, e);
    if (code == ERR_NONE)
        code = check_replications(r->s, e);
    if (code == ERR_NONE)
        code = count_points(r->s, e);
    /* After count_points: there is a first point to ask about. */
    if (code == ERR_NONE)
        code = check_given(r->s, e);
    if (code == ERR_NONE)
        code = check_seeds(r->s, e);
    if (code == ERR_NONE)
        digest_scenario(r->s);
    return code;
}

static enum err_code read_element(struct reading *r, const xmlNode *element, struct err *e)
{
    if (xml_is(element, "param"))
        return read_param(r, element, e);
    if (xml_is(element, "sweep"))
        return read_sweep(r, element, e);
    if (xml_is(element, "table"))
        return wanted_read(r->s, element, e);
    /* The schema lets only <description> through here. */
    r->s->description = element_content(element);
    return ERR_NONE;
}

static enum err_code read_content(struct reading *r, const xmlNode *root, const struct scenario_options *o,
                                  struct err *e)
{
    /* One scratch set for all values; what it holds is not used. */
    struct param_set *scratch = param_set_create(run_params(r->s->experiment));
    enum err_code code = ERR_NONE;
    /* Relative names start at the scenario's folder, for the command line at the current one. */
    r->file = (struct axis_source){r->s->experiment, scratch, r->folder, r->s->path};
    r->command_line = (struct axis_source){r->s->experiment, scratch, "", NULL};
    r->options = o;
    for (const xmlNode *el = xml_first(root); code == ERR_NONE && el != NULL; el = xml_next(el))
        code = read_element(r, el, e);
    for (size_t i = 0; code == ERR_NONE && i < o->n_sets; i++)
        code = apply_set(r, o->sets[i], e);
    if (code == ERR_NONE)
        code = finish(r, e);
    param_set_free(scratch);
    return code;
}

/* --- the schema: scenario.xsd, which the build puts into the library --- */

extern const unsigned char scenario_xsd[];
extern const size_t scenario_xsd_size;

struct finding {
    const char *path;
    struct err *e;
};

#if LIBXML_VERSION >= 21200
typedef const xmlError *found_error;
#else
typedef xmlErrorPtr found_error;
#endif

/* libxml2 reports every violation; err_set keeps the first. */
static void note(void *context, found_error found)
{
    struct finding *f = context;
    int n = (int)strcspn(found->message, "\n");
    /* libxml2 ends its sentences with a full stop, our messages do not. */
    n -= n > 0 && found->message[n - 1] == '.';
    err_set_at(f->e, ERR_PARSE, f->path, found->line, "%.*s", n, found->message);
}

static enum err_code validate(xmlSchemaPtr schema, xmlDocPtr doc, const char *path, struct err *e)
{
    struct finding finding = {path, e};
    xmlSchemaValidCtxtPtr context = xmlSchemaNewValidCtxt(schema);
    if (context == NULL)
        return err_set(e, ERR_INTERNAL, "libxml2 cannot make a validator");
    xmlSchemaSetValidStructuredErrors(context, note, &finding);
    int result = xmlSchemaValidateDoc(context, doc);
    xmlSchemaFreeValidCtxt(context);
    return result == 0 ? ERR_NONE : err_set_at(e, ERR_PARSE, path, 0, "does not follow the scenario schema");
}

/* Errors: ERR_PARSE with the line and libxml2's words for the first thing that is not as the schema has it. */
static enum err_code check_schema(xmlDocPtr doc, const char *path, struct err *e)
{
    /* From memory: the schema belongs to the program's version, not to a file that could be missing or another one. */
    xmlSchemaParserCtxtPtr parser = xmlSchemaNewMemParserCtxt((const char *)scenario_xsd, (int)scenario_xsd_size);
    xmlSchemaPtr schema = parser != NULL ? xmlSchemaParse(parser) : NULL;
    enum err_code code = schema != NULL ? validate(schema, doc, path, e)
                                        : err_set(e, ERR_INTERNAL, "libxml2 cannot read the scenario schema");
    xmlSchemaFree(schema);
    xmlSchemaFreeParserCtxt(parser);
    return code;
}

/* --- the document --- */

static enum err_code read_document(struct reading *r, xmlDocPtr doc, const struct scenario_options *o, struct err *e)
{
    struct err found = {0};
    const xmlNode *root = xmlDocGetRootElement(doc);
    enum err_code code = check_schema(doc, r->s->path, e);
    if (code != ERR_NONE)
        return code;
    code = read_head(r, root, o->experiments != NULL ? o->experiments : run_kinds, &found);
    /* Errors of the head have no place of their own. */
    if (code != ERR_NONE)
        return err_set_at(e, code, r->s->path, xml_line(root), "%s", found.text);
    return read_content(r, root, o, e);
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    /* "/scenario.xml" is in "/". */
    return slash != NULL ? mem_format("%.*s", (int)(slash - path + (slash == path)), path) : mem_strdup("");
}

enum err_code scenario_parse(const char *bytes, size_t n, const char *path, const struct scenario_options *options,
                             struct scenario *out, struct err *e)
{
    static const struct scenario_options none = {0};
    xmlDocPtr doc = NULL;
    *out = (struct scenario){.path = mem_strdup(path)};
    struct reading r = {.s = out, .folder = folder_of(path)};
    enum err_code code = xml_read(bytes, n, path, &doc, e);
    if (code == ERR_NONE)
        code = read_document(&r, doc, options != NULL ? options : &none, e);
    xmlFreeDoc(doc);
    free(r.folder);
    /* The caller need not clear a scenario that was not read. */
    if (code != ERR_NONE)
        scenario_clear(out);
    return code;
}

enum err_code scenario_read(const char *path, const struct scenario_options *options, struct scenario *out,
                            struct err *e)
{
    struct text t = {0};
    enum err_code code = text_read_file(&t, path, MAX_FILE_BYTES, e);
    if (code == ERR_NONE)
        code = scenario_parse(text_str(&t), t.size, path, options, out, e);
    text_clear(&t);
    return code;
}
