/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects what a Gantt chart shows: lanes, and the bars on them. */
#include "report/gantt.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const gantt_kind_names[N_GANTT_KINDS] = {"task", "send", "receive", "transfer"};

/* ---- bars: lane numbers are those of all hosts, then all links, until lanes are chosen ---- */

static void add_bar(struct gantt *g, struct gantt_bar bar)
{
    if (bar.kind != GANTT_TASK && !(bar.span.finish_s > bar.span.start_s)) {
        g->n_dates++;
        return;
    }
    MEM_GROW(g->bars, g->n_bars, g->capacity);
    g->bars[g->n_bars++] = bar;
    g->n_of_kind[bar.kind]++;
    g->end_s = fmax(g->end_s, bar.span.finish_s);
}

/* How long a message occupies the ports of its hosts does not follow from its send and receive. */
static void add_ports(struct gantt *g, edge_id e, host_id src, host_id dst)
{
    const struct problem *p = &g->schedule->problem;
    const struct planned_edge *planned = &g->schedule->edges[e];
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && p->model->books_ports; dir++) {
        double start_s = dir == DIR_SEND ? planned->send.start_s : planned->recv.start_s;
        double port_s = problem_end(p, e, src, dst, dir).port_s;
        int lane = (int)problem_port(p, dir == DIR_SEND ? src : dst, dir);
        add_bar(g, (struct gantt_bar){GANTT_TRANSFER, e, (int)dir, lane, {start_s, start_s + port_s}, 0});
    }
}

static void add_edge(struct gantt *g, edge_id e)
{
    const struct schedule *s = g->schedule;
    const struct planned_edge *planned = &s->edges[e];
    const struct edge *edge = &s->problem.dag->edges[e];
    if (!planned->is_remote)
        return;
    g->n_remote_edges++;
    if (cost_has_ends(s->problem.model)) {
        add_bar(g, (struct gantt_bar){GANTT_SEND, e, 0, s->tasks[edge->src].host, planned->send, 0});
        add_bar(g, (struct gantt_bar){GANTT_RECEIVE, e, 0, s->tasks[edge->dst].host, planned->recv, 0});
        add_ports(g, e, s->tasks[edge->src].host, s->tasks[edge->dst].host);
    }
    size_t n;
    int n_hosts = (int)s->problem.machine->n_hosts;
    const link_id *links = schedule_route(s, e, &n);
    const struct span *spans = schedule_link_spans(s, e);
    for (size_t k = 0; spans != NULL && k < n; k++)
        add_bar(g, (struct gantt_bar){GANTT_TRANSFER, e, (int)k, n_hosts + links[k], spans[k], 0});
}

/* By lane, then by time; bars of one kind that begin together are ordered by their numbers. */
static int compare_bars(const void *a, const void *b)
{
    const struct gantt_bar *x = a, *y = b;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    if (x->span.start_s != y->span.start_s)
        return x->span.start_s < y->span.start_s ? -1 : 1;
    if (x->span.finish_s != y->span.finish_s)
        return x->span.finish_s < y->span.finish_s ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static void collect_bars(struct gantt *g)
{
    const struct dag *dag = g->schedule->problem.dag;
    for (task_id t = 0; t < dag->n_tasks; t++)
        add_bar(g, (struct gantt_bar){GANTT_TASK, t, 0, g->schedule->tasks[t].host, g->schedule->tasks[t].span, 0});
    for (edge_id e = 0; e < dag->n_edges; e++)
        add_edge(g, e);
    qsort(g->bars, g->n_bars, sizeof *g->bars, compare_bars);
}

/* ---- lanes ---- */

/* Puts each bar into the first free row, or, if none is free, into the one that becomes free first. Bars that overlap only by
   rounding count as disjoint. */
static void set_rows(struct gantt *g, struct gantt_lane *lane)
{
    double free_s[GANTT_MAX_ROWS] = {0}, tolerance_s = 1e-9 * g->end_s;
    lane->n_rows = 1;
    for (size_t i = lane->first; i < lane->first + lane->n; i++) {
        struct gantt_bar *bar = &g->bars[i];
        int row = 0, soonest = 0;
        while (row < lane->n_rows && bar->span.start_s < free_s[row] - tolerance_s) {
            soonest = free_s[row] < free_s[soonest] ? row : soonest;
            row++;
        }
        if (row == GANTT_MAX_ROWS)
            row = soonest;
        lane->n_rows = row >= lane->n_rows ? row + 1 : lane->n_rows;
        free_s[row] = fmax(free_s[row], bar->span.finish_s);
        bar->row = row;
    }
}

/* Makes a lane of the bars of a host or link. */
static void add_lane(struct gantt *g, const char *name, bool is_link, size_t first, size_t n)
{
    struct gantt_lane *lane = &g->lanes[g->n_lanes];
    *lane = (struct gantt_lane){.name = name, .is_link = is_link, .first = first, .n = n};
    set_rows(g, lane);
    for (size_t i = first; i < first + n; i++)
        g->bars[i].lane = g->n_lanes;
    g->n_lanes++;
}

/* Their bars begin at `at`. */
static void add_port_lanes(struct gantt *g, size_t at)
{
    const struct problem *p = &g->schedule->problem;
    size_t first_lane = p->machine->n_hosts + p->machine->n_links, n = problem_n_resources(p) - first_lane;
    g->port_names = mem_zalloc(n + 1, sizeof *g->port_names);
    for (size_t i = 0; i < n; i++) {
        size_t first = at;
        while (at < g->n_bars && g->bars[at].lane == (int)(first_lane + i))
            at++;
        if (at == first)
            continue;
        g->port_names[i] = mem_format("%s %s", p->machine->hosts[i / 2].name, i % 2 == DIR_SEND ? "sends" : "receives");
        add_lane(g, g->port_names[i], true, first, at - first);
    }
}

static size_t count_used_links(const struct problem *p)
{
    size_t n = 0;
    for (size_t l = 0; l < p->machine->n_links; l++)
        n += p->routes->is_used[l];
    return n;
}

static void choose_lanes(struct gantt *g, size_t many_links)
{
    const struct problem *p = &g->schedule->problem;
    const struct machine *m = p->machine;
    bool few_hosts = m->n_hosts <= GANTT_MANY_HOSTS, few_links = count_used_links(p) <= many_links;
    size_t at = 0;
    g->lanes = mem_zalloc(problem_n_resources(p), sizeof *g->lanes);
    for (size_t i = 0; i < m->n_hosts + m->n_links; i++) {
        bool is_link = i >= m->n_hosts,
             counts = !is_link || (p->model->books_links && p->routes->is_used[i - m->n_hosts]);
        size_t first = at;
        while (at < g->n_bars && g->bars[at].lane == (int)i)
            at++;
        if (at > first || (counts && (is_link ? few_links : few_hosts)))
            add_lane(g, is_link ? m->links[i - m->n_hosts].name : m->hosts[i].name, is_link, first, at - first);
        else if (counts && is_link)
            g->n_left_out_links++;
        else if (counts)
            g->n_left_out_hosts++;
    }
    add_port_lanes(g, at);
}

void gantt_init(struct gantt *g, const struct schedule *s, size_t many_links)
{
    *g = (struct gantt){.schedule = s};
    collect_bars(g);
    choose_lanes(g, many_links);
}

void gantt_clear(struct gantt *g)
{
    size_t n = problem_n_resources(&g->schedule->problem) - g->schedule->problem.machine->n_hosts -
               g->schedule->problem.machine->n_links;
    for (size_t i = 0; i < n; i++)
        free(g->port_names[i]);
    free(g->port_names);
    free(g->lanes);
    free(g->bars);
    *g = (struct gantt){0};
}

/* ---- words ---- */

/* "g.dot" of "some/where/g.dot". A generator with its parameters is not a path and stays. */
static const char *base_name(const char *source)
{
    const char *slash = strrchr(source, '/');
    return slash != NULL && slash[1] != '\0' && strchr(source, '[') == NULL ? slash + 1 : source;
}

static const char *plural(int n)
{
    return n == 1 ? "" : "s";
}

void gantt_add_title(const struct gantt *g, struct text *out)
{
    const struct problem *p = &g->schedule->problem;
    text_addf(out, "%s on %s: %.6g s", base_name(p->dag->source), base_name(p->machine->source),
              schedule_length_s(g->schedule));
}

void gantt_add_subtitle(const struct gantt *g, struct text *out)
{
    const struct schedule *s = g->schedule;
    const struct problem *p = &s->problem;
    text_addf(out, "model %s, scheduler %s, %d task%s, %d edge%s (%d remote)", cost_model_text(p->model),
              s->scheduler ? s->scheduler : "unknown", p->dag->n_tasks, plural(p->dag->n_tasks), p->dag->n_edges,
              plural(p->dag->n_edges), g->n_remote_edges);
}

static void add_clause(struct text *out, int n, const char *what, const char *rest)
{
    if (n > 0)
        text_addf(out, "%s%d %s%s %s", out->size > 0 ? "; " : "", n, what, plural(n), rest);
}

void gantt_add_left_out(const struct gantt *g, struct text *out)
{
    struct text words = {0};
    add_clause(&words, g->n_left_out_hosts, "host", "without tasks");
    add_clause(&words, g->n_left_out_links, "link", "without transfers");
    add_clause(&words, g->n_dates, "communication part", "without length");
    if (words.size > 0)
        text_addf(out, "Not shown: %s", text_str(&words));
    text_clear(&words);
}

/* ---- scale ---- */

double gantt_tick_s(double end_s, int at_most)
{
    if (!(end_s > 0))
        return 0;
    double power = pow(10, floor(log10(end_s / at_most)));
    static const double steps[] = {1, 2, 5, 10};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
        if (end_s / (power * steps[i]) <= at_most)
            return power * steps[i];
    return power * 20; /* rounding */
}

const char *gantt_unit(double end_s, double *unit_s)
{
    static const struct unit {
        double s;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (end_s >= units[i].s) {
            *unit_s = units[i].s;
            return units[i].name;
        }
    *unit_s = 1;
    return "s";
}
