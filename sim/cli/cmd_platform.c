/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/isolate.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "engine/engine.h"
#include "engine/guard.h"
#include "farm/generate.h"
#include "report/json_bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum verb { NO_VERB, CHECK, GENERATE };

enum option_key {
    KEY_MAX_CHILDREN = 256,
    KEY_FIRST_RANGE,
    KEY_BEFORE_RANGES = KEY_FIRST_RANGE - 1,
#define X(field, option, unit, least, most, may_be_zero, meaning) KEY_##field,
    GENERATE_RANGE_LIST(X)
#undef X
};

struct options {
    enum verb verb;
    bool has_shape, has_hosts, has_seed, json;
    const char *out;
    const char **files; /* of check; the texts are borrowed */
    int n_files;
    struct generate_options generate;
};

struct range_option {
    const char *name;
    struct generate_range *(*field)(struct generate_options *o);
};

#define X(field, option, unit, least, most, may_be_zero, meaning)                                                      \
    static struct generate_range *range_##field(struct generate_options *o)                                            \
    {                                                                                                                  \
        return &o->field;                                                                                              \
    }
GENERATE_RANGE_LIST(X)
#undef X

static const struct range_option ranges[] = {
#define X(field, option, unit, least, most, may_be_zero, meaning) {option, range_##field},
    GENERATE_RANGE_LIST(X)
#undef X
};
enum { N_RANGES = sizeof ranges / sizeof ranges[0] };

#define TEXT_OF(x) #x
#define DEFAULT_RANGE(least, most) TEXT_OF(least) ":" TEXT_OF(most)

static const struct argp_option options[] = {
    {"hosts", 'n', "N", 0, "generate: number of hosts, the root included (required)", 0},
    {"seed", 's', "S", 0, "generate: the same seed gives the same files (required)", 0},
    {"out", 'o', "PREFIX", 0,
     "generate: write PREFIX.platform.xml and PREFIX.deployment.xml (SHAPE-N-S); replaces them", 0},
    {"max-children", KEY_MAX_CHILDREN, "K", 0, "generate tree: most children of a node (4)", 0},
#define X(field, option, unit, least, most, may_be_zero, meaning)                                                      \
    {option, KEY_##field, "MIN:MAX", 0, "generate: " meaning ", " unit " (" DEFAULT_RANGE(least, most) ")", 0},
    GENERATE_RANGE_LIST(X)
#undef X
        {"json", 'J', NULL, 0, "check: print what was found as JSON", 0},
    {0},
};

static struct generate_range parse_range(struct argp_state *state, const char *option, const char *arg)
{
    struct generate_range r = {0};
    if (!generate_parse_range(arg, &r))
        argp_error(state, "--%s '%s' is neither MIN:MAX nor a number", option, arg);
    return r;
}

static void parse_word(struct options *o, char *arg, struct argp_state *state)
{
    if (o->verb == NO_VERB) {
        o->verb = strcmp(arg, "check") == 0 ? CHECK : strcmp(arg, "generate") == 0 ? GENERATE : NO_VERB;
        if (o->verb == NO_VERB)
            argp_error(state, "unknown '%s'; known: check, generate", arg);
    } else if (o->verb == CHECK) {
        o->files = mem_resize(o->files, (size_t)o->n_files + 1, sizeof o->files[0]);
        o->files[o->n_files++] = arg;
    } else {
        if (o->has_shape || (strcmp(arg, "star") != 0 && strcmp(arg, "tree") != 0))
            argp_error(state, "generate one shape: star or tree, not '%s'", arg);
        o->has_shape = true;
        o->generate.shape = strcmp(arg, "star") == 0 ? GENERATE_STAR : GENERATE_TREE;
    }
}

static void check_complete(const struct options *o, struct argp_state *state)
{
    if (o->verb == NO_VERB)
        argp_error(state, "what to do is missing; known: check, generate");
    if (o->verb == CHECK && o->n_files == 0)
        argp_error(state, "a platform to check is missing");
    if (o->verb == GENERATE && o->json)
        argp_error(state, "--json is for check; generate prints the names of its files");
    if (o->verb == GENERATE && !o->has_shape)
        argp_error(state, "a shape is missing; known: star, tree");
    if (o->verb == GENERATE) {
        command_require(state, "hosts", o->has_hosts);
        command_require(state, "seed", o->has_seed);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    if (key >= KEY_FIRST_RANGE && key < KEY_FIRST_RANGE + N_RANGES) {
        const struct range_option *r = &ranges[key - KEY_FIRST_RANGE];
        *r->field(&o->generate) = parse_range(state, r->name, arg);
        return 0;
    }
    switch (key) {
    case 'n':
        o->generate.n_hosts = command_integer(state, "hosts", arg, 1, GENERATE_MAX_HOSTS);
        o->has_hosts = true;
        return 0;
    case 's':
        o->generate.seed = (uint64_t)command_integer(state, "seed", arg, 0, INT64_MAX);
        o->has_seed = true;
        return 0;
    case 'o':
        o->out = arg;
        return 0;
    case 'J':
        o->json = true;
        return 0;
    case KEY_MAX_CHILDREN:
        o->generate.max_children = command_integer(state, "max-children", arg, 1, GENERATE_MAX_HOSTS);
        return 0;
    case ARGP_KEY_ARG:
        parse_word(o, arg, state);
        return 0;
    case ARGP_KEY_END:
        check_complete(o, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    "check FILE...\ngenerate star|tree",
    "Checks platforms before they are used, or generates a random platform and a farm's deployment for it.\v"
    "check loads each file as a run would and prints its size or what is wrong with it; the exit status is 1 "
    "if something is. generate replaces files that exist: the same options give the same files.\n\n"
    "Examples:\n"
    "  iasim platform check platforms/*.xml\n"
    "  iasim platform generate tree --hosts 100 --seed 7 --out farm\n"
    "  iasim farm -p farm.platform.xml -d farm.deployment.xml --policy ia_multi --tasks 1000 --send-size 1 "
    "--compute-size 5\n",
    NULL,
    NULL,
    NULL};

/* In memory that the guard's child shares with us. */
struct found {
    const char *path;
    size_t n_hosts, n_links;
};

static enum err_code load(void *self, struct err *e)
{
    struct found *found = self;
    struct engine *engine;
    enum err_code code = engine_open(found->path, &engine, e);
    if (code == ERR_NONE) {
        found->n_hosts = engine_machine(engine)->n_hosts;
        found->n_links = engine_machine(engine)->n_links;
    }
    return code;
}

static void print_found(const struct found *f, const struct err *why)
{
    char line[2048];
    if (why == NULL)
        printf("%s: in order, %zu hosts, %zu links\n", f->path, f->n_hosts, f->n_links);
    else
        puts(err_describe(why, line, sizeof line));
}

static json_t *json_found(const struct found *f, const struct err *why)
{
    char line[2048];
    if (why != NULL)
        return json_pack("{s:o, s:b, s:n, s:n, s:o}", "file", json_bytes(f->path), "ok", false, "n_hosts", "n_links",
                         "error", json_bytes(err_describe(why, line, sizeof line)));
    return json_pack("{s:o, s:b, s:I, s:I, s:n}", "file", json_bytes(f->path), "ok", true, "n_hosts",
                     (json_int_t)f->n_hosts, "n_links", (json_int_t)f->n_links, "error");
}

/* One engine a process, so each file has its own; the guard makes it. */
static enum err_code check_files(const struct options *o, struct found *found, json_t *list)
{
    enum err_code all = ERR_NONE;
    for (int i = 0; i < o->n_files; i++) {
        struct err why = {0};
        *found = (struct found){.path = o->files[i]};
        bool is_good = guard_run(load, found, &why) == ERR_NONE;
        if (list != NULL)
            json_array_append_new(list, json_found(found, is_good ? NULL : &why));
        else
            print_found(found, is_good ? NULL : &why);
        all = is_good ? all : ERR_NO;
    }
    return all;
}

static enum err_code check(const struct options *o, struct err *e)
{
    struct found *found = isolate_shared(sizeof *found);
    if (found == NULL)
        return err_set(e, ERR_INTERNAL, "no memory to share with another process");
    json_t *list = o->json ? json_array() : NULL;
    enum err_code code = check_files(o, found, list);
    if (list != NULL)
        command_print_json(list);
    isolate_unshare(found, sizeof *found);
    return code;
}

static enum err_code write_file(const char *prefix, const char *kind, const struct text *t, struct err *e)
{
    char *path = mem_format("%s.%s.xml", prefix, kind);
    enum err_code code = text_write_file(path, text_str(t), t->size, e);
    if (code == ERR_NONE)
        puts(path);
    free(path);
    return code;
}

static enum err_code generate(const struct options *o, struct err *e)
{
    struct text platform = {0}, deployment = {0};
    char *prefix = o->out ? mem_strdup(o->out)
                          : mem_format("%s-%ld-%llu", generate_shape_name(o->generate.shape), o->generate.n_hosts,
                                       (unsigned long long)o->generate.seed);
    enum err_code code = generate_farm(&o->generate, &platform, &deployment, e);
    if (code == ERR_NONE)
        code = write_file(prefix, "platform", &platform, e);
    if (code == ERR_NONE)
        code = write_file(prefix, "deployment", &deployment, e);
    free(prefix);
    text_clear(&platform);
    text_clear(&deployment);
    return code;
}

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {.generate = generate_defaults()};
    command_parse(&argp, argc, argv, &o);
    enum err_code code = o.verb == CHECK ? check(&o, e) : generate(&o, e);
    free(o.files);
    return code;
}

extern const struct command command_platform;
const struct command command_platform = {
    .name = "platform",
    .summary = "check platforms, or generate one with a farm's deployment",
    .run = run,
    .simulates = false,
};
