/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Profiles (how a speed, bandwidth, latency or state changes with time): the text in a <trace> or in a file
   of its own, and which elements use it. SimGrid aborts on nearly every mistake in them, while it loads or when the
   date has come, and hangs if a profile repeats after 0 s. */
#include "machine/platform_check.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* At most six words of a line count: two distributions with two parameters each. */
enum { MAX_PROFILE_BYTES = 100000000, MAX_WORDS = 8 };

struct profile {
    const char *source;
    int line;
    struct err *e;
    bool is_stochastic, repeats;
    double period_s, loop_delay_s, last_date_s;
    size_t n_events;
};

/* How many numbers follow the name of a distribution; 0: `word` is not such a name. */
static int n_parameters(const char *word)
{
    static const struct {
        const char *name;
        int n;
    } laws[] = {{"DET", 1}, {"NORM", 2},        {"NORMAL", 2}, {"GAUSS", 2},  {"GAUSSIAN", 2},
                {"EXP", 1}, {"EXPONENTIAL", 1}, {"UNIF", 2},   {"UNIFORM", 2}};
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++)
        if (strcmp(laws[i].name, word) == 0)
            return laws[i].n;
    return 0;
}

static int split(char *line, char *words[MAX_WORDS])
{
    int n = 0;
    /* Blanks and tabs, but no carriage return: profile_check has ended the line there. */
    char *rest;
    for (char *w = strtok_r(line, " \t\v\f", &rest); w != NULL && n < MAX_WORDS; w = strtok_r(NULL, " \t\v\f", &rest))
        words[n++] = w;
    return n;
}

static enum err_code read_number(const struct profile *p, const char *word, double *out)
{
    char *end;
    *out = strtod(word, &end);
    if (end == word || *end != '\0' || !isfinite(*out))
        return err_set_at(p->e, ERR_INPUT, p->source, p->line, "profile: '%s' is not a finite number", word);
    return ERR_NONE;
}

/* A date or a value: a number, or a distribution with its parameters. `first` is the number or the first parameter. */
static enum err_code read_part(const struct profile *p, char **words, int n_words, int *at, double *first,
                               bool *is_exact)
{
    static const char form[] = "a line has a date and a value, such as '12.5 0.8'";
    if (*at >= n_words)
        return err_set_at(p->e, ERR_INPUT, p->source, p->line, "profile: %s", form);
    int n = n_parameters(words[*at]);
    /* A stochastic profile needs a distribution for every part; a plain number is refused there. DET is a
       distribution that always gives its parameter. */
    *is_exact = n == 0 || strcmp(words[*at], "DET") == 0;
    if (n == 0 && p->is_stochastic)
        return err_set_at(p->e, ERR_INPUT, p->source, p->line,
                          "profile: found '%s' where a stochastic profile needs DET, NORM, EXP or UNIF", words[*at]);
    *at += n > 0;
    for (int i = 0; i < (n > 0 ? n : 1); i++, (*at)++) {
        /* A part without a name is one number. */
        double x;
        if (*at >= n_words)
            return err_set_at(p->e, ERR_INPUT, p->source, p->line, "profile: %s", form);
        enum err_code code = read_number(p, words[*at], &x);
        if (code != ERR_NONE)
            return code;
        if (i == 0)
            *first = x;
    }
    return ERR_NONE;
}

static enum err_code read_event(struct profile *p, char *line)
{
    char *words[MAX_WORDS];
    int n = split(line, words), at = 0;
    double date_s = 0, value = 0;
    bool date_is_exact, value_is_exact;
    enum err_code code = read_part(p, words, n, &at, &date_s, &date_is_exact);
    if (code == ERR_NONE)
        code = read_part(p, words, n, &at, &value, &value_is_exact);
    if (code != ERR_NONE)
        return code;
    /* Of a distribution the values are not known yet. */
    if (value_is_exact && value < 0)
        return err_set_at(p->e, ERR_INPUT, p->source, p->line, "profile: the value %g is negative", value);
    /* Dates of a stochastic profile are drawn, so there is nothing to compare. */
    if (!p->is_stochastic && date_s < 0)
        return err_set_at(p->e, ERR_INPUT, p->source, p->line, "profile: the date %g is negative", date_s);
    if (!p->is_stochastic && date_s < p->last_date_s)
        return err_set_at(p->e, ERR_INPUT, p->source, p->line,
                          "profile: the date %g follows %g; dates must not decrease", date_s, p->last_date_s);
    if (!p->is_stochastic)
        p->last_date_s = date_s;
    p->n_events++;
    return ERR_NONE;
}

static enum err_code read_line(struct profile *p, char *line)
{
    if (*line == '\0' || *line == '#' || *line == '%')
        return ERR_NONE;
    /* By the beginning of the line: what follows the number is ignored. */
    if (sscanf(line, "PERIODICITY %lg", &p->period_s) == 1 || sscanf(line, "LOOPAFTER %lg", &p->loop_delay_s) == 1) {
        p->repeats = true;
        return ERR_NONE;
    }
    if (strcmp(line, "STOCHASTIC") == 0 || strcmp(line, "STOCHASTIC LOOP") == 0) {
        p->is_stochastic = true;
        /* "STOCHASTIC LOOP": there is something after the tenth character. */
        p->repeats = p->repeats || line[10] != '\0';
        return ERR_NONE;
    }
    return read_event(p, line);
}

/* SimGrid hangs on a profile that repeats every 0 s; the others make it abort. */
static enum err_code check_repetition(const struct profile *p, int first_line)
{
    const char *why = NULL;
    bool has_period = p->period_s > 0;
    if (!isfinite(p->period_s) || !isfinite(p->loop_delay_s))
        why = "its period is not finite";
    else if (has_period && p->is_stochastic)
        why = "a stochastic profile has no period; use LOOPAFTER";
    else if (has_period && (p->loop_delay_s < 0 || p->loop_delay_s > 0))
        why = "it has both a period and LOOPAFTER";
    else if (has_period && p->period_s < p->last_date_s)
        why = "its period is shorter than its last date";
    else if (p->loop_delay_s < 0)
        why = "LOOPAFTER is negative";
    else if (p->repeats && !p->is_stochastic && p->n_events > 0 && !has_period && p->loop_delay_s + p->last_date_s <= 0)
        why = "it repeats every 0 s and would never end";
    return why ? err_set_at(p->e, ERR_INPUT, p->source, first_line, "profile: %s", why) : ERR_NONE;
}

static char *trim(char *line)
{
    size_t n = strlen(line);
    while (n > 0 && strchr(" \t\v\f", line[n - 1]) != NULL)
        line[--n] = '\0';
    return line + strspn(line, " \t\v\f");
}

enum err_code profile_check(const char *text, double period_s, const char *source, int line, struct err *e)
{
    struct profile p = {.source = source, .line = line, .e = e, .period_s = period_s, .repeats = period_s > 0};
    char *copy = mem_strdup(text), *rest = copy;
    enum err_code code = ERR_NONE;
    /* By hand instead of strtok: empty lines must be counted for messages. Lines may end with "\n", "\r\n" or "\r". */
    while (code == ERR_NONE && rest != NULL) {
        char *end = rest + strcspn(rest, "\n\r"), stop = *end;
        *end = '\0';
        code = read_line(&p, trim(rest));
        /* Only "\n" counts, so "\r\n" is one line. */
        p.line += stop == '\n';
        rest = stop != '\0' ? end + 1 : NULL;
    }
    free(copy);
    return code == ERR_NONE ? check_repetition(&p, line) : code;
}

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Looks where SimGrid looks: in the current folder, beside the platform, in the configured path. Fresh memory; NULL:
   not found. */
static char *find_file(const struct platform_check *c, const char *name)
{
    const char *slash = strrchr(c->path, '/');
    int n_dir = slash ? (int)(slash - c->path) : 1;
    /* In this order, so that we check the file that SimGrid will open. */
    char *candidates[] = {
        mem_format("./%s", name),
        mem_format("%.*s/%s", n_dir, slash ? c->path : ".", name),
        c->search_path ? mem_format("%s/%s", c->search_path, name) : NULL,
    };
    char *found = NULL;
    /* All are made first, then all but the one found are freed. */
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++) {
        if (found == NULL && candidates[i] != NULL && is_file(candidates[i]))
            found = candidates[i];
        else
            free(candidates[i]);
    }
    return found;
}

static void keep_file(struct platform_xml *xml, char *path)
{
    MEM_GROW(xml->files, xml->n_files, xml->files_capacity);
    xml->files[xml->n_files++] = path;
}

/* SimGrid identifies a profile by the name of its file or <trace>, and accepts each name only once. */
static enum err_code check_first_use(const struct platform_check *c, struct name_index *used, const xmlNode *element,
                                     const char *name)
{
    int first = name_index_find(used, name);
    name_index_add(used, name, xml_line(element));
    if (first < 0)
        return ERR_NONE;
    return xml_refuse(c->e, c->path, element,
                      "profile '%s' is already used on line %d; SimGrid accepts each name only once (for a file, ./%s "
                      "counts as another name)",
                      name, first, name);
}

static enum err_code check_file(const struct platform_check *c, struct name_index *used, const xmlNode *element,
                                const char *attribute)
{
    const char *name = xml_attribute(element, attribute);
    if (name == NULL || *name == '\0')
        return ERR_NONE;
    if (*name == '/')
        return xml_refuse(c->e, c->path, element,
                          "%s='%s': SimGrid does not find files by absolute paths; give it relative to the platform",
                          attribute, name);
    char *found = find_file(c, name);
    if (found == NULL)
        return xml_refuse(c->e, c->path, element, "%s='%s': no such file in the current folder or beside the platform",
                          attribute, name);
    /* Kept even if it is refused below: the list is freed with the document. */
    keep_file(c->xml, found);
    struct text text = {0};
    enum err_code code = check_first_use(c, used, element, name);
    if (code == ERR_NONE)
        code = text_read_file(&text, found, MAX_PROFILE_BYTES, c->e);
    if (code == ERR_NONE)
        code = profile_check(text_str(&text), -1, found, 1, c->e);
    text_clear(&text);
    return code;
}

static enum err_code check_trace_text(const struct platform_check *c, struct name_index *used, const xmlNode *trace)
{
    const char *period = xml_attribute(trace, "periodicity");
    char *end;
    double period_s = period ? strtod(period, &end) : -1;
    /* In seconds, with or without the unit. */
    if (period != NULL && (end == period || (*end != '\0' && strcmp(end, "s") != 0)))
        return xml_refuse(c->e, c->path, trace, "trace '%s': periodicity '%s' is not a number of seconds", id_of(trace),
                          period);
    /* The content may be in several pieces (CDATA, comments), so libxml2 joins them. */
    xmlChar *text = xmlNodeGetContent(trace);
    enum err_code code = check_first_use(c, used, trace, id_of(trace));
    if (code == ERR_NONE && (text == NULL || *text == '\0'))
        code = xml_refuse(c->e, c->path, trace, "trace '%s' has neither a file nor any text", id_of(trace));
    if (code == ERR_NONE)
        code = profile_check((const char *)text, period_s, c->path, xml_line(trace), c->e);
    xmlFree(text);
    return code;
}

/* SimGrid keeps one connection of each kind for a trace, and before 4.0 it aborts on connections to links. */
static enum err_code check_connection(struct platform_check *c, struct name_index *connected, const xmlNode *element)
{
    const char *kind = xml_attribute(element, "kind"), *trace = xml_attribute(element, "trace");
    if (kind == NULL)
        kind = "SPEED"; /* SimGrid's default */
    if (trace == NULL)
        return ERR_NONE;
    bool is_of_link = strcmp(kind, "BANDWIDTH") == 0 || strcmp(kind, "LATENCY") == 0 || strcmp(kind, "LINK_AVAIL") == 0;
    if (is_of_link && SIMGRID_MAJOR < 4)
        return xml_refuse(c->e, c->path, element,
                          "trace_connect of kind %s: SimGrid 3 aborts on it; use bandwidth_file, latency_file or "
                          "state_file of the <link>",
                          kind);
    /* One trace can drive a speed and a bandwidth, but two hosts' speeds only by two traces. */
    char *name = mem_format("%s\n%s", kind, trace);
    int first = name_index_find(connected, name);
    MEM_GROW(c->owned, c->n_owned, c->owned_capacity);
    c->owned[c->n_owned++] = name;
    name_index_add(connected, name, xml_line(element));
    if (first < 0)
        return ERR_NONE;
    return xml_refuse(c->e, c->path, element,
                      "trace '%s' is already connected on line %d as %s; SimGrid keeps only the first connection",
                      trace, first, kind);
}

static enum err_code check_element(struct platform_check *c, struct name_index *used, struct name_index *connected,
                                   const xmlNode *element)
{
    static const char *const of_host[] = {"availability_file", "speed_file", "state_file", NULL};
    static const char *const of_link[] = {"bandwidth_file", "latency_file", "state_file", NULL};
    static const char *const none[] = {NULL};
    bool is_host = xml_is(element, "host") || xml_is(element, "peer");
    const char *const *attributes = is_host ? of_host : xml_is(element, "link") ? of_link : none;
    enum err_code code = ERR_NONE;
    for (; code == ERR_NONE && *attributes != NULL; attributes++)
        code = check_file(c, used, element, *attributes);
    if (code == ERR_NONE && xml_is(element, "trace")) {
        const char *file = xml_attribute(element, "file");
        bool has_file = file != NULL && *file != '\0';
        code = has_file ? check_file(c, used, element, "file") : check_trace_text(c, used, element);
    }
    if (code == ERR_NONE && xml_is(element, "trace_connect")) {
        c->xml->connects_traces = true;
        code = check_connection(c, connected, element);
    }
    return code;
}

enum err_code check_profiles(struct platform_check *c)
{
    struct name_index *used = name_index_create(), *connected = name_index_create();
    enum err_code code = ERR_NONE;
    for (const xmlNode *n = c->root; code == ERR_NONE && n != NULL; n = xml_following(c->root, n))
        code = check_element(c, used, connected, n);
    name_index_free(used);
    name_index_free(connected);
    return code;
}
