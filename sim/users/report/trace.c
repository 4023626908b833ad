/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Chooses the format and passes events on. Nothing is kept here, so the length of a trace is limited by the disk
   alone. */
#include "report/trace_format.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* In the order of enum trace_what. CSV and Chrome traces show these names; trace_paje.c has a table of its own. */
const char *const trace_what_names[] = {"compute", "send", "transfer",     "receive", "receive_end",
                                        "request", "rate", "speed factor", "arrive"};

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* Longer endings cannot be mistaken for shorter ones here: .wfcommons.json is taken out before (trace_is_wfcommons). */
static const struct trace_format *format_of(const char *path)
{
    static const struct trace_format *const formats[] = {&trace_perfetto, &trace_paje};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (const char *const *end = formats[i]->extensions; *end != NULL; end++)
            if (ends_with(path, *end))
                return formats[i];
    return &trace_csv;
}

bool trace_is_wfcommons(const char *path)
{
    return ends_with(path, ".wfcommons.json");
}

bool trace_shows_rates(const char *path)
{
    return !trace_is_wfcommons(path) && format_of(path)->shows_rates;
}

struct trace_names trace_names_of(size_t n_hosts, const struct machine *of_links)
{
    struct trace_names names = {.n_hosts = n_hosts, .n_links = of_links != NULL ? of_links->n_links : 0};
    names.hosts = mem_alloc((n_hosts + 1) * sizeof *names.hosts);
    names.links = mem_alloc((names.n_links + 1) * sizeof *names.links);
    for (size_t l = 0; l < names.n_links; l++)
        names.links[l] = of_links->links[l].name;
    return names;
}

static void free_names(const struct trace_names *names) /* the lists are ours, their names are borrowed */
{
    free((void *)names->hosts);
    free((void *)names->links);
}

enum err_code trace_create(const char *path, const struct trace_names *names, struct trace **out, struct err *e)
{
    struct new_file new_file;
    /* Nothing appears under `path` before trace_close: a run that is stopped leaves no half trace. */
    enum err_code code = new_file_open(path, &new_file, e);
    if (code != ERR_NONE) {
        free_names(names);
        return code;
    }
    struct trace *t = mem_zalloc(1, sizeof *t);
    *t = (struct trace){.new_file = new_file, .format = format_of(path), .names = *names};
    t->self = t->format->begin(new_file.out, &t->names);
    *out = t;
    return ERR_NONE;
}

void trace_put(struct trace *t, const struct trace_event *x)
{
    t->last_s = fmax(t->last_s, x->time_s); /* Paje closes its containers at the end */
    t->format->write(t->self, t->new_file.out, &t->names, x);
}

enum err_code trace_close(struct trace *t, bool keep, struct err *e)
{
    if (t == NULL)
        return ERR_NONE;
    /* What a farm has not written yet belongs before the end of the format. */
    trace_farm_end(t);
    t->format->end(t->self, t->new_file.out, &t->names, t->last_s);
    enum err_code code = new_file_close(&t->new_file, keep, e);
    free_names(&t->names);
    free(t);
    return code;
}
