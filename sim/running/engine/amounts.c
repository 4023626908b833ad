/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "engine/amounts.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

/* A schedule may come from a file that knows nothing of the costs. */
static enum err_code check_hosts(const struct amounts *a, const struct schedule *s, const char *path, struct err *e)
{
    const struct problem *p = &s->problem;
    for (task_id t = 0; t < p->dag->n_tasks; t++)
        if (isinf(a->flop[t]))
            return err_set_at(e, ERR_INPUT, path, 0, "task '%.100s' is on host '%.100s', where it may not run (%s)",
                              p->dag->tasks[t].name, p->machine->hosts[s->tasks[t].host].name, p->costs->source);
    return ERR_NONE;
}

static void disturb_work(struct amounts *a, const struct schedule *s, const struct noise *noise)
{
    const struct machine *m = s->problem.machine;
    /* a host's speed is drawn once, not once for each of its tasks */
    double *rates = mem_alloc(m->n_hosts * sizeof *rates);
    for (size_t h = 0; h < m->n_hosts; h++)
        rates[h] = noise_rate_ratio(noise, m->hosts[h].name);
    for (task_id t = 0; t < s->problem.dag->n_tasks; t++) {
        host_id h = s->tasks[t].host;
        struct noise_source work =
            noise_source_of(noise, NOISE_WORK, m->hosts[h].name, s->problem.dag->tasks[t].name, NULL);
        /* less work takes as long as a faster host, and the engine knows only the platform's speed */
        a->flop[t] *= noise_draw(&work, 0) / rates[h];
    }
    free(rates);
}

static void disturb_sizes(struct amounts *a, const struct schedule *s, const struct noise *noise)
{
    const struct dag *g = s->problem.dag;
    for (edge_id e = 0; e < g->n_edges; e++) {
        const struct edge *edge = &g->edges[e];
        /* the receiver decides how much noise there is (size.HOST), not which variate: that is the edge's */
        const char *to = s->problem.machine->hosts[s->tasks[edge->dst].host].name;
        struct noise_source size =
            noise_source_of(noise, NOISE_SIZE, to, g->tasks[edge->src].name, g->tasks[edge->dst].name);
        a->bytes[e] *= noise_draw(&size, 0);
    }
}

enum err_code amounts_init(struct amounts *a, const struct schedule *s, const struct replay_options *options,
                           struct err *e)
{
    const struct noise *noise = options->noise;
    const struct dag *g = s->problem.dag;
    *a = (struct amounts){.flop = mem_alloc(((size_t)g->n_tasks + 1) * sizeof *a->flop),
                          .bytes = mem_alloc(((size_t)g->n_edges + 1) * sizeof *a->bytes)};
    for (task_id t = 0; t < g->n_tasks; t++)
        a->flop[t] = problem_compute_flop(&s->problem, t, s->tasks[t].host);
    for (edge_id edge = 0; edge < g->n_edges; edge++)
        a->bytes[edge] = g->edges[edge].size_bytes;
    enum err_code code = check_hosts(a, s, options->schedule_path, e);
    if (noise == NULL || code != ERR_NONE)
        return code;
    disturb_work(a, s, noise);
    disturb_sizes(a, s, noise);
    return noise_check_hosts(noise, s->problem.machine, e);
}

void amounts_clear(struct amounts *a)
{
    free(a->flop);
    free(a->bytes);
    *a = (struct amounts){0};
}
