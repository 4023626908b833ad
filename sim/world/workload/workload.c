/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "workload/workload.h"

#include "base/mem.h"
#include "base/text.h"
#include "base/xml.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 10000000 };

struct reading {
    const char *path;
    char *folder; /* of the file, with its slash; "" here */
    struct workload *out;
};

/* Of an attribute; what `out` has stays where it is not given. */
static enum err_code read_number(const struct reading *r, const xmlNode *n, const char *name, double least, double most,
                                 double *out, struct err *e)
{
    const char *value = xml_attribute(n, name);
    double x;
    if (value == NULL)
        return ERR_NONE;
    if (!text_to_double(value, &x))
        return xml_refuse(e, r->path, n, "%s '%.100s' is not a finite number", name, value);
    if (x < least || x > most)
        return xml_refuse(e, r->path, n, "%s is %g; it must be %g to %g", name, x, least, most);
    *out = x;
    return ERR_NONE;
}

static enum err_code read_whole(const struct reading *r, const xmlNode *n, const char *name, long least, long most,
                                long *out, struct err *e)
{
    const char *value = xml_attribute(n, name);
    long x;
    if (value == NULL)
        return ERR_NONE;
    if (!text_to_whole(value, &x) || x < least || x > most)
        return xml_refuse(e, r->path, n, "%s '%.100s' is not a whole number from %ld to %ld", name, value, least, most);
    *out = x;
    return ERR_NONE;
}

static char *copy_of(const xmlNode *n, const char *name)
{
    const char *value = xml_attribute(n, name);
    return value != NULL ? mem_strdup(value) : NULL;
}

static void clear_group(struct workload_group *g)
{
    free(g->name);
    free(g->graph);
    free(g->generator);
    free(g->arrival);
}

static enum err_code check_group(const struct reading *r, const xmlNode *n, const struct workload_group *g,
                                 struct err *e)
{
    struct release_rule rule;
    struct err why = {0};
    if ((g->graph == NULL) == (g->generator == NULL))
        return xml_refuse(e, r->path, n, "a job needs either a graph (a file) or a generator");
    if (g->name != NULL && g->name[0] == '\0')
        return xml_refuse(e, r->path, n, "name is empty");
    if (g->deadline_s < g->release_s)
        return xml_refuse(e, r->path, n, "the deadline %g s is before the release, %g s", g->deadline_s, g->release_s);
    if (g->arrival == NULL)
        return ERR_NONE;
    if (release_parse(g->arrival, r->folder, &rule, &why) != ERR_NONE)
        return xml_refuse(e, r->path, n, "%s", why.text);
    release_clear(&rule);
    return ERR_NONE;
}

static enum err_code read_group(struct reading *r, const xmlNode *n, struct err *e)
{
    static const char *const of_one[] = {"name",    "graph",  "generator", "ccr",    "seed",
                                         "release", "weight", "deadline",  "within", NULL};
    static const char *const of_many[] = {"name",    "graph",  "generator", "ccr",     "seed", "count",
                                          "release", "weight", "within",    "arrival", NULL};
    bool is_one = xml_is(n, "job");
    const char *graph = xml_attribute(n, "graph");
    struct workload_group g = {.count = 1, .weight = 1, .deadline_s = INFINITY, .within_s = INFINITY, .seed = 1};
    long seed = 1;
    enum err_code code = xml_check_attributes(n, r->path, is_one ? of_one : of_many, NULL, e);
    if (code != ERR_NONE)
        return code;
    g.line = xml_line(n);
    g.name = copy_of(n, "name");
    g.generator = copy_of(n, "generator");
    g.arrival = copy_of(n, "arrival");
    if (graph != NULL)
        g.graph = graph[0] == '/' ? mem_strdup(graph) : mem_format("%s%s", r->folder, graph);
    const struct {
        const char *name;
        double least, most, *to;
    } numbers[] = {{"ccr", 0, 1e12, &g.ccr},
                   {"release", 0, 1e15, &g.release_s},
                   {"weight", 1e-12, 1e12, &g.weight},
                   {"deadline", 0, 1e15, &g.deadline_s},
                   {"within", 0, 1e15, &g.within_s}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && code == ERR_NONE; i++)
        code = read_number(r, n, numbers[i].name, numbers[i].least, numbers[i].most, numbers[i].to, e);
    if (code == ERR_NONE)
        code = read_whole(r, n, "seed", 0, 1000000000000000, &seed, e);
    if (code == ERR_NONE)
        code = read_whole(r, n, "count", 1, MOST_JOBS, &g.count, e);
    g.seed = (uint64_t)seed;
    if (code == ERR_NONE)
        code = check_group(r, n, &g, e);
    if (code != ERR_NONE) {
        clear_group(&g);
        return code;
    }
    MEM_GROW(r->out->groups, r->out->n_groups, r->out->capacity);
    r->out->groups[r->out->n_groups++] = g;
    return ERR_NONE;
}

static enum err_code read_element(void *self, const xmlNode *n, struct err *e)
{
    static const char *const attributes[] = {"version", NULL};
    struct reading *r = self;
    if (xml_is_root(n)) {
        const char *version = xml_attribute(n, "version");
        if (!xml_is(n, "workload"))
            return xml_refuse(e, r->path, n, "expected <workload>, found <%.100s>", xml_name(n));
        if (version == NULL || strcmp(version, "1") != 0)
            return xml_refuse(e, r->path, n, "version is %s%.100s; this program reads version 1",
                              version != NULL ? "" : "missing", version != NULL ? version : "");
        return xml_check_attributes(n, r->path, attributes, NULL, e);
    }
    if (!xml_is(n, "job") && !xml_is(n, "jobs"))
        return xml_refuse(e, r->path, n, "unknown element <%.100s>; known: job, jobs", xml_name(n));
    return read_group(r, n, e);
}

enum err_code workload_parse(const char *bytes, size_t n, const char *path, struct workload *out, struct err *e)
{
    const char *slash = strrchr(path, '/');
    *out = (struct workload){.source = mem_strdup(path)};
    struct reading r = {path, slash != NULL ? mem_format("%.*s/", (int)(slash - path), path) : mem_strdup(""), out};
    enum err_code code = xml_visit(bytes, n, path, read_element, &r, e);
    if (code == ERR_NONE && out->n_groups == 0)
        code = err_set_at(e, ERR_INPUT, path, 0, "the workload has no jobs");
    free(r.folder);
    if (code != ERR_NONE)
        workload_clear(out);
    return code;
}

enum err_code workload_read(const char *path, struct workload *out, struct err *e)
{
    struct text bytes = {0};
    enum err_code code = text_read_file(&bytes, path, 1000000000, e);
    if (code == ERR_NONE)
        code = workload_parse(text_str(&bytes), bytes.size, path, out, e);
    text_clear(&bytes);
    return code;
}

void workload_clear(struct workload *w)
{
    for (size_t i = 0; i < w->n_groups; i++)
        clear_group(&w->groups[i]);
    free(w->groups);
    free(w->source);
    *w = (struct workload){0};
}
