/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim platform check|generate`. Checking means loading each file as a run would, with SimGrid, which may abort: each
   file has a child process of its own, and a bad one does not hide the others. Generating writes a random platform with
   a deployment for a farm on it; it needs no SimGrid. */
#include "base/isolate.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "engine/engine.h"
#include "engine/guard.h"
#include "farm/farm_generate.h"
#include "report/json_bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum verb { CHECK, GENERATE };

struct options {
    enum verb verb;
    bool json;
    const char *out;
    struct words files; /* of check */
    struct generate_options generate;
};

#define TEXT_OF(x) #x
#define DEFAULT_RANGE(least, most) TEXT_OF(least) ":" TEXT_OF(most)

/* A single number is a range of one value. */
static enum err_code parse_range(const char *arg, void *field, struct err *e)
{
    return generate_parse_range(arg, field) ? ERR_NONE
                                            : err_set(e, ERR_USAGE, "'%s' is neither MIN:MAX nor a number", arg);
}

static const struct command_option options[] = {
    {NULL, 0, "check|generate", "what to do", OPTION_AT(struct options, verb), .required = true},
    {NULL, 0, "FILE", "a platform to check", OPTION_AT(struct options, files), .required = true, .shipped = true,
     .values = "platforms/ *.xml", .verbs = VERB(CHECK)},
    {NULL, 0, "star|tree", "a shape", OPTION_AT(struct options, generate.shape), .required = true,
     .verbs = VERB(GENERATE)},
    {"hosts", 'n', "N", "number of hosts, the root included", OPTION_AT(struct options, generate.n_hosts),
     .required = true, .min = 1, .max = GENERATE_MAX_HOSTS, .verbs = VERB(GENERATE)},
    {"seed", 's', "S", "the same seed gives the same files", OPTION_AT(struct options, generate.seed), .required = true,
     .max = 9223372036854774784.0, .verbs = VERB(GENERATE)},
    {"out", 'o', "PREFIX", "write PREFIX.platform.xml and PREFIX.deployment.xml (default PREFIX: SHAPE-N-S)",
     OPTION_AT(struct options, out), .prefix = true, .values = "*", .verbs = VERB(GENERATE)},
    {"max-children", 0, "K", "the most children of a tree's node (default 4)",
     OPTION_AT(struct options, generate.max_children), .min = 1, .max = GENERATE_MAX_HOSTS, .verbs = VERB(GENERATE)},
#define X(field, option, unit, least, most, may_be_zero, meaning)                                                      \
    {option,                                                                                                           \
     0,                                                                                                                \
     "MIN:MAX",                                                                                                        \
     meaning ", " unit " (" DEFAULT_RANGE(least, most) ")",                                                            \
     OPTION_AT(struct options, generate.field),                                                                        \
     .parse = parse_range,                                                                                             \
     .verbs = VERB(GENERATE)},
    GENERATE_RANGE_LIST(X)
#undef X
        {"draw", 0, GENERATE_DRAW_NAMES, GENERATE_DRAW_MEANING " (uniform)",
         OPTION_AT(struct options, generate.draws_logs), .verbs = VERB(GENERATE)},
    {"root-speed", 0, "MIN:MAX", GENERATE_ROOT_SPEED_MEANING ", flop/s",
     OPTION_AT(struct options, generate.root_speed_flop_per_s), .parse = parse_range, .verbs = VERB(GENERATE)},
    {"shared", 0, "SHARE", GENERATE_SHARED_MEANING " (0)", OPTION_AT(struct options, generate.shared_ratio), .max = 1,
     .verbs = VERB(GENERATE)},
    {"own-links", 0, "SHARE", GENERATE_OWN_LINKS_MEANING " (0)", OPTION_AT(struct options, generate.own_links_ratio),
     .max = 1, .verbs = VERB(GENERATE)},
    {"json", 'j', NULL, "print what was found as JSON", OPTION_AT(struct options, json), .verbs = VERB(CHECK)},
    {0},
};

/* In memory that the guard's child shares with us: a child returns only a code and a message. */
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

/* Both outcomes on standard output: they are the answers that were asked for. */
static void print_found(const struct found *f, const struct err *why)
{
    char line[2048];
    if (why == NULL)
        printf("%s: in order, %zu hosts, %zu links\n", f->path, f->n_hosts, f->n_links);
    else
        puts(err_describe(why, line, sizeof line));
}

/* All keys in both cases, null for what is not known. */
static json_t *json_found(const struct found *f, const struct err *why)
{
    char line[2048];
    if (why != NULL)
        return json_pack("{s:o, s:b, s:n, s:n, s:o}", "file", json_bytes(f->path), "ok", false, "n_hosts", "n_links",
                         "error", json_bytes(err_describe(why, line, sizeof line)));
    return json_pack("{s:o, s:b, s:I, s:I, s:n}", "file", json_bytes(f->path), "ok", true, "n_hosts",
                     (json_int_t)f->n_hosts, "n_links", (json_int_t)f->n_links, "error");
}

/* One engine a process, so each file has its own; the guard makes it. Returns ERR_NO if a file is wrong, and ERR_IO,
   with the first such file in `e`, if one could not be read at all: that is no answer about its content. */
static enum err_code check_files(const struct options *o, struct found *found, json_t *list, struct err *e)
{
    enum err_code all = ERR_NONE;
    for (size_t i = 0; i < o->files.n; i++) {
        struct err why = {0};
        *found = (struct found){.path = o->files.list[i]};
        bool is_good = guard_run(load, found, &why) == ERR_NONE;
        if (list != NULL)
            json_array_append_new(list, json_found(found, is_good ? NULL : &why));
        /* A file that is not there is reported once, as the command's error. */
        else if (is_good || why.code != ERR_IO)
            print_found(found, is_good ? NULL : &why);
        /* The first unreadable file is the command's error; a wrong one only makes the answer no. */
        if (!is_good && all != ERR_IO)
            all = why.code == ERR_IO ? err_set_at(e, ERR_IO, why.source, why.line, "%s", why.text) : ERR_NO;
    }
    return all;
}

static enum err_code check(const struct options *o, struct err *e)
{
    struct found *found = isolate_shared(sizeof *found);
    if (found == NULL)
        return err_set(e, ERR_INTERNAL, "no memory to share with another process");
    json_t *list = o->json ? json_array() : NULL;
    enum err_code code = check_files(o, found, list, e);
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

/* The default name says how the files can be made again. */
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

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    return o->verb == CHECK ? check(o, e) : generate(o, e);
}

/* Defaults that the generator computes do not fit a constant struct, so they are set before the words are read. */
static int set_defaults(int argc, char **argv, void *self)
{
    (void)argv;
    ((struct options *)self)->generate = generate_defaults();
    return argc;
}

const struct command command_platform = {
    .name = "platform",
    .summary = "check platforms, or generate one with a farm's deployment",
    .size = sizeof(struct options),
    .options = options,
    .about = "Checks platforms before they are used, or generates a random platform and a farm's deployment for it.",
    .notes = "check loads each file as a run would and prints its size or what is wrong with it; the exit status is 1 "
             "if something is. generate replaces files that exist: the same options give the same files.",
    .examples = "iasim platform generate tree --hosts 100 --seed 7 --out farm\n"
                "iasim platform check farm.platform.xml platforms/sinnen-bus.xml\n"
                "iasim farm -p farm.platform.xml -d farm.deployment.xml \\\n"
                "  --policy ia_multi --send-size 1 --compute-size 5\n",
    .run = run,
    .before = set_defaults,
};
