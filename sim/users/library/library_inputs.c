/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Platforms and graphs of the interface, and what there is to choose from; also what every function does first and last
   (call.h). What is made here is handed out complete or not at all: *out stays as it was after an error. */
#include "base/mem.h"
#include "cli/command.h"
#include "cli/registered.h"
#include "dag/format.h"
#include "library/call.h"
#include "plugin/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

locale_t call_begin(struct err *e)
{
    /* Made once and kept. uselocale changes the calling thread only: a program with a German locale keeps its own. */
    static locale_t c_locale;
    if (c_locale == (locale_t)0)
        c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (e != NULL)
        *e = (struct err){0};
    return uselocale(c_locale);
}

enum err_code call_end(locale_t before, enum err_code code)
{
    uselocale(before);
    return code;
}

/* Only after success, so that no error is overwritten. */
void call_warn(struct err *e, char *warning)
{
    if (warning != NULL && e != NULL)
        snprintf(e->text, sizeof e->text, "%s", warning);
    free(warning);
}

/* The child's error is taken as it is. A crash has no place (source) yet, so it gets the platform's. */
enum err_code call_in_child(isolate_work *work, void *self, const char *platform, struct err *e)
{
    struct err found = {0};
    enum err_code code = isolate_run(work, self, &found);
    if (code == ERR_INTERNAL && found.source[0] == '\0')
        return err_set_at(e, code, platform, 0, "the process that simulates on it: %s", found.text);
    if (code != ERR_NONE && e != NULL)
        *e = found;
    return code;
}

/* ---- platforms ---- */

static enum err_code try_to_open(void *path, struct err *e)
{
    struct engine *engine;
    return engine_open(path, &engine, e);
}

/* SimGrid aborts on some platforms, which must not end the caller's program: a child opens it first. */
static enum err_code open_platform(char *path, struct engine **out, struct err *e)
{
    static bool is_taken;
    if (is_taken)
        return err_set_at(e, ERR_INPUT, path, 0, "this process has already loaded a platform, and can load only one");
    enum err_code code = call_in_child(try_to_open, path, path, e);
    if (code != ERR_NONE)
        return code;
    /* From here on SimGrid's one engine is used up, even if opening fails after all. */
    is_taken = true;
    return engine_open(path, out, e);
}

enum err_code iasim_platform_load(const char *path, struct iasim_platform **out, struct err *e)
{
    locale_t before = call_begin(e);
    char *found = command_data_path(path);
    struct engine *engine = NULL;
    enum err_code code = open_platform(found, &engine, e);
    if (code == ERR_NONE) {
        *out = mem_zalloc(1, sizeof **out);
        (*out)->engine = engine;
        (*out)->machine = engine_machine(engine);
    }
    free(found);
    return call_end(before, code);
}

static enum err_code find_routes(void *platform, struct err *e)
{
    struct iasim_platform *p = platform;
    return route_table_init(&p->routes, p->machine, e);
}

/* Routes are found when the first plan needs them: there are hosts squared, and simulations of farms do without.
   SimGrid finds some routes wrong, and aborts, only when asked for them: again a child asks first. */
enum err_code platform_need_routes(struct iasim_platform *platform, struct err *e)
{
    if (platform->has_routes)
        return ERR_NONE;
    enum err_code code = call_in_child(find_routes, platform, platform->machine->source, e);
    if (code == ERR_NONE)
        code = find_routes(platform, e);
    platform->has_routes = code == ERR_NONE;
    return code;
}

/* The engine cannot be freed: SimGrid keeps it until the process ends. */
void iasim_platform_free(struct iasim_platform *platform)
{
    if (platform != NULL && platform->has_routes)
        route_table_clear(&platform->routes);
    free(platform);
}

/* ---- graphs ---- */

enum err_code iasim_graph_load(const char *path, struct iasim_graph **out, struct err *e)
{
    locale_t before = call_begin(e);
    char *found = command_data_path(path);
    struct iasim_graph *graph = mem_zalloc(1, sizeof *graph);
    /* The format from name and content, and the reference speed for graphs of run times. */
    enum err_code code = dag_read(found, NULL, NULL, &graph->dag, e);
    if (code == ERR_NONE)
        *out = graph;
    else
        free(graph);
    free(found);
    return call_end(before, code);
}

void iasim_graph_free(struct iasim_graph *graph)
{
    if (graph != NULL) {
        task_costs_clear(&graph->costs);
        dag_clear(&graph->dag);
    }
    free(graph);
}

/* ---- times on unrelated hosts ---- */

const struct task_costs *graph_costs(const struct iasim_graph *graph)
{
    return graph->costs.compute_s != NULL ? &graph->costs : NULL;
}

/* Schedules that exist were made with the times that the graph had then; a second set would make them wrong. */
static enum err_code check_has_none(const struct iasim_graph *graph, const char *source, struct err *e)
{
    if (graph_costs(graph) == NULL)
        return ERR_NONE;
    return err_set_at(e, ERR_INPUT, source, 0, "the graph already has times on unrelated hosts, from %s",
                      graph->costs.source);
}

enum err_code iasim_costs_load(struct iasim_graph *graph, const struct iasim_platform *platform, const char *path,
                               struct err *e)
{
    locale_t before = call_begin(e);
    char *found = command_data_path(path);
    enum err_code code = check_has_none(graph, found, e);
    if (code == ERR_NONE)
        code = task_costs_read(found, &graph->dag, platform->machine, &graph->costs, e);
    free(found);
    return call_end(before, code);
}

enum err_code iasim_costs_parse(struct iasim_graph *graph, const struct iasim_platform *platform, const char *text,
                                struct err *e)
{
    static const char source[] = "the text of times";
    locale_t before = call_begin(e);
    enum err_code code = check_has_none(graph, source, e);
    if (code == ERR_NONE)
        code = task_costs_parse(text, strlen(text), source, &graph->dag, platform->machine, &graph->costs, e);
    return call_end(before, code);
}

/* ---- what there is ---- */

bool iasim_list(const char *kind, size_t i, struct iasim_listed *out)
{
    struct registered x;
    bool is_there = registered_find(kind, i, &x);
    if (is_there)
        *out = (struct iasim_listed){x.name, x.summary, x.source};
    return is_there;
}

enum err_code iasim_plugin_load(const char *path, struct err *e)
{
    locale_t before = call_begin(e);
    /* The registry borrows the path until the program ends, but the caller's string may not live that long. */
    char *kept = mem_strdup(path);
    enum err_code code = plugin_load(kept, e);
    if (code != ERR_NONE)
        free(kept);
    return call_end(before, code);
}

const char *iasim_version(void)
{
    return IASIM_VERSION;
}
