/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Collects what a Gantt chart shows: lanes, and the bars on them. Both pictures (gantt_svg.c, gantt_text.c) are drawn
   from this, so they cannot differ in content.

   First all bars are made, then sorted, so that those of a lane are neighbours, and last the lanes are chosen: which
   hosts and links are worth one depends on their bars. Time: O(n log n) of the bars. */
#include "report/gantt.h"

#include "base/mem.h"
#include "report/svg_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const gantt_kind_names[N_GANTT_KINDS] = {"task",    "send", "receive", "transfer",
                                                     "starved", "done", "delay",   "stolen"};

/* ---- bars: lane numbers are resource * layers + layer, for all hosts, links and ports, until lanes are chosen ---- */

void gantt_add_bar(struct gantt *g, int layer, size_t resource, struct gantt_bar bar)
{
    bar.lane = (int)resource * g->subject->n_layers + layer;
    /* A send without overhead is a date, not a duration: hundreds of them would be ticks that hide the tasks. They are
       counted for the note below the chart. A task is shown however short it is. */
    if (bar.kind != GANTT_TASK && !(bar.span.finish_s > bar.span.start_s)) {
        g->n_dates++;
        return;
    }
    MEM_GROW(g->bars, g->n_bars, g->capacity);
    g->bars[g->n_bars++] = bar;
    g->n_of_kind[bar.kind]++;
    g->end_s = fmax(g->end_s, bar.span.finish_s);
}

struct span gantt_port(const struct gantt_layer *x, edge_id e, enum direction dir)
{
    const struct schedule *s = x->schedule;
    const struct edge *edge = &s->problem.dag->edges[e];
    if (x->result == NULL) {
        double start_s = dir == DIR_SEND ? s->edges[e].send.start_s : s->edges[e].recv.start_s;
        /* A plan has no port spans of its own: the model says how long each end of the message occupies its port. */
        struct cost_end end = problem_end(&s->problem, e, s->tasks[edge->src].host, s->tasks[edge->dst].host, dir);
        return (struct span){start_s - end.port_before_s, start_s + end.port_s};
    }
    const struct replayed_edge *at = &x->result->edges[e];
    const struct passage *passage = &x->record->plan.passages[e];
    double start_s = dir == DIR_SEND ? at->send.start_s : at->recv.start_s;
    if (dir == DIR_RECV && x->record->plan.is_active) /* it begins before its data come, which take the port */
        start_s = fmax(start_s, at->transfer.finish_s - passage->involvement_s[dir]);
    return (struct span){start_s - passage->port_before_s[dir], start_s + passage->port_s[dir]};
}

bool gantt_has_ports(const struct gantt_layer *x)
{
    if (x->result != NULL)
        return x->record != NULL && x->record->plan.port_after != NULL;
    return x->schedule->problem.model->books_ports;
}

/* On lanes of their own beside the host's: a port may be busy while the processor computes. */
void gantt_add_ports(struct gantt *g, int layer, edge_id e)
{
    const struct gantt_layer *x = &g->subject->layers[layer];
    const struct edge *edge = &x->schedule->problem.dag->edges[e];
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && gantt_has_ports(x); dir++) {
        host_id h = x->schedule->tasks[dir == DIR_SEND ? edge->src : edge->dst].host;
        gantt_add_bar(
            g, layer, problem_port(&x->schedule->problem, h, dir),
            (struct gantt_bar){.kind = GANTT_TRANSFER, .id = e, .hop = (int)dir, .span = gantt_port(x, e, dir)});
    }
}

static void add_edge(struct gantt *g, int layer, edge_id e)
{
    const struct schedule *s = g->subject->layers[layer].schedule;
    const struct planned_edge *planned = &s->edges[e];
    const struct edge *edge = &s->problem.dag->edges[e];
    host_id src = s->tasks[edge->src].host, dst = s->tasks[edge->dst].host;
    if (!planned->is_remote)
        return;
    /* A model without ends (classic) has no sends and receives, and no ports either. */
    if (cost_has_ends(s->problem.model)) {
        gantt_add_bar(g, layer, (size_t)src, (struct gantt_bar){.kind = GANTT_SEND, .id = e, .span = planned->send});
        gantt_add_bar(g, layer, (size_t)dst, (struct gantt_bar){.kind = GANTT_RECEIVE, .id = e, .span = planned->recv});
        gantt_add_ports(g, layer, e);
    }
    /* Without links to book, data are under way for a time that occupies nothing. It is shown where it ends, thinly. */
    if (cost_is_plain_delay(s->problem.model)) {
        struct span delay = {s->tasks[edge->src].span.finish_s, schedule_arrival_s(s, e)};
        gantt_add_bar(g, layer, (size_t)dst, (struct gantt_bar){.kind = GANTT_DELAY, .id = e, .span = delay});
    }
    size_t n;
    const link_id *links = schedule_route(s, e, &n);
    const struct span *spans = schedule_link_spans(s, e);
    for (size_t k = 0; spans != NULL && k < n; k++) /* spans NULL: the model books no links */
        gantt_add_bar(g, layer, problem_link(&s->problem, links[k]),
                      (struct gantt_bar){.kind = GANTT_TRANSFER, .id = e, .hop = (int)k, .span = spans[k]});
}

static void add_plan(struct gantt *g, int layer)
{
    const struct schedule *s = g->subject->layers[layer].schedule;
    for (task_id t = 0; t < s->problem.dag->n_tasks; t++)
        gantt_add_bar(g, layer, (size_t)s->tasks[t].host,
                      (struct gantt_bar){.kind = GANTT_TASK, .id = t, .span = s->tasks[t].span});
    for (edge_id e = 0; e < s->problem.dag->n_edges; e++)
        add_edge(g, layer, e);
}

/* By lane, then by time; bars of one kind that begin together are ordered by their numbers. So
   the same subject gives the same bytes. */
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
    const struct schedule *s = g->schedule;
    for (int i = 0; i < g->subject->n_layers; i++)
        if (g->subject->layers[i].result != NULL)
            gantt_add_replay(g, i);
        else
            add_plan(g, i);
    /* Both layers are of one graph; whether an edge is remote is counted in the first. */
    for (edge_id e = 0; e < s->problem.dag->n_edges; e++)
        g->n_remote_edges += s->edges[e].is_remote;
    gantt_sort_bars(g);
}

void gantt_sort_bars(struct gantt *g)
{
    qsort(g->bars, g->n_bars, sizeof *g->bars, compare_bars);
}

/* ---- lanes ---- */

/* Puts each bar into the first free row, or, if none is free, into the one that becomes free first. Bars that overlap
   only by rounding count as disjoint. Overlays lie on other bars and take no row. Time: bars times GANTT_MAX_ROWS,
   which also keeps a link with a thousand concurrent transfers from becoming a thousand rows high. */
void gantt_set_rows(struct gantt *g, struct gantt_lane *lane)
{
    double free_s[GANTT_MAX_ROWS] = {0}, tolerance_s = 1e-9 * g->end_s;
    lane->n_rows = 1;
    for (size_t i = lane->first; i < lane->first + lane->n; i++) {
        struct gantt_bar *bar = &g->bars[i];
        int row = 0, soonest = 0;
        if (gantt_is_overlay(bar->kind))
            continue;
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

/* Bars are sorted by resource, and `at` is where those of this one begin, if it has any. */
size_t gantt_count_bars(const struct gantt *g, size_t at, size_t resource)
{
    size_t n = 0;
    while (at + n < g->n_bars && g->bars[at + n].lane / g->subject->n_layers == (int)resource)
        n++;
    return n;
}

/* What a plan cannot book has no lane; what happens has one even when nothing did. */
static bool has_lane(const struct gantt_layer *layer, bool is_link, size_t n)
{
    return n > 0 || !is_link || layer->result != NULL || layer->schedule->problem.model->books_links;
}

/* Makes lanes, one for each layer, of the n bars of a resource. */
static void add_lanes(struct gantt *g, const char *name, bool is_link, size_t first, size_t n)
{
    struct gantt_lane *group = &g->lanes[g->n_lanes];
    for (int layer = 0; layer < g->subject->n_layers; layer++) {
        /* The next lane of the list. It stays unused, and is filled again for the next layer, if this one has no
           lane. */
        struct gantt_lane *lane = &g->lanes[g->n_lanes];
        *lane = (struct gantt_lane){.name = name, .is_link = is_link, .layer = layer, .first = first};
        while (lane->n < n && g->bars[first + lane->n].lane % g->subject->n_layers == layer)
            lane->n++;
        if (!has_lane(&g->subject->layers[layer], is_link, lane->n))
            continue;
        group->n_group++;
        gantt_set_rows(g, lane);
        /* From here on `lane` is the lane's place in the list, no longer the number that bars were sorted by. */
        for (size_t i = first; i < first + lane->n; i++)
            g->bars[i].lane = g->n_lanes;
        first += lane->n;
        n -= lane->n;
        g->n_lanes++;
    }
}

/* Their bars begin at `at`. */
static void add_port_lanes(struct gantt *g, size_t at)
{
    const struct problem *p = &g->schedule->problem;
    size_t n_ports = 2 * p->machine->n_hosts; /* two for each host */
    g->port_names = mem_zalloc(n_ports + 1, sizeof *g->port_names);
    for (size_t i = 0; i < n_ports; i++) {
        size_t n = gantt_count_bars(g, at, problem_port(p, 0, 0) + i);
        if (n == 0)
            continue;
        g->port_names[i] = mem_format("%s %s", p->machine->hosts[i / 2].name, i % 2 == DIR_SEND ? "sends" : "receives");
        add_lanes(g, g->port_names[i], true, at, n);
        at += n;
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
    /* A large machine with a small graph would be a page of empty lanes. Below the limits idle hosts are shown, because
       that a host does nothing is a result, too. */
    bool shows_idle = !g->subject->folds_idle;
    bool few_hosts = shows_idle && m->n_hosts <= GANTT_MANY_HOSTS,
         few_links = shows_idle && count_used_links(p) <= many_links;
    /* Hosts, links, and both ports of each host, in each layer: more than can be needed. */
    size_t at = 0, n_lanes = (3 * m->n_hosts + m->n_links) * (size_t)g->subject->n_layers;
    g->lanes = mem_zalloc(n_lanes, sizeof *g->lanes);
    for (size_t i = 0; i < m->n_hosts + m->n_links; i++) {
        /* Links that no route uses, or that the plan cannot book, are not even counted as left out. */
        bool is_link = i >= m->n_hosts,
             counts = !is_link || (p->model->books_links && p->routes->is_used[i - m->n_hosts]);
        size_t n = gantt_count_bars(g, at, i);
        if (n > 0 || (counts && (is_link ? few_links : few_hosts)))
            add_lanes(g, is_link ? m->links[i - m->n_hosts].name : m->hosts[i].name, is_link, at, n);
        else if (counts && is_link)
            g->n_left_out_links++;
        else if (counts)
            g->n_left_out_hosts++;
        /* The bars of lanes that are left out do not exist (n is 0 there), so nothing is skipped. */
        at += n;
    }
    add_port_lanes(g, at);
}

void gantt_init(struct gantt *g, const struct gantt_subject *subject, size_t many_links)
{
    *g = (struct gantt){.subject = subject, .schedule = subject->layers[0].schedule};
    if (subject->farm != NULL) {
        gantt_init_farm(g);
        return;
    }
    collect_bars(g);
    choose_lanes(g, many_links);
}

void gantt_clear(struct gantt *g)
{
    /* Allocated for graphs only: a farm has no ports. */
    for (size_t i = 0; g->port_names != NULL && i < 2 * g->schedule->problem.machine->n_hosts; i++)
        free(g->port_names[i]);
    free(g->port_names);
    free(g->lanes);
    free(g->bars);
    *g = (struct gantt){0};
}

/* ---- words ---- */

int gantt_n_tasks(const struct gantt *g)
{
    return g->subject->farm != NULL ? (int)g->subject->farm->options->app.n_tasks : g->schedule->problem.dag->n_tasks;
}

char *gantt_bar_name(const struct gantt *g, const struct gantt_bar *b, const char *arrow, double most_em,
                     enum gantt_name length)
{
    if (b->kind == GANTT_STOLEN) /* the same words in graphs and farms */
        return mem_format("%.7g %% of the processor", 100 * b->ratio);
    if (g->subject->farm != NULL)
        return gantt_farm_bar_name(g, b, arrow, most_em, length);
    if (length == GANTT_SHORTEST_NAME) /* an edge without both its tasks would have no name */
        return NULL;
    const struct dag *dag = g->schedule->problem.dag;
    if (b->kind == GANTT_TASK)
        return svg_shorten(dag->tasks[b->id].name, most_em);
    char *src = svg_shorten(dag->tasks[dag->edges[b->id].src].name, most_em);
    char *dst = svg_shorten(dag->tasks[dag->edges[b->id].dst].name, most_em);
    char *name = mem_format("%s%s%s", src, arrow, dst);
    free(src);
    free(dst);
    return name;
}

/* A slash among the parameters of a generator separates no folders. */
const char *gantt_base_name(const char *source)
{
    const char *slash = strrchr(source, '/');
    return slash != NULL && slash[1] != '\0' && strchr(source, '[') == NULL ? slash + 1 : source;
}

static const char *plural(int n)
{
    return n == 1 ? "" : "s";
}

static double layer_length_s(const struct gantt_layer *layer)
{
    return layer->result != NULL ? layer->result->makespan_s : schedule_length_s(layer->schedule);
}

void gantt_add_title(const struct gantt *g, struct text *out)
{
    if (g->subject->farm != NULL) {
        gantt_add_farm_title(g, out);
        return;
    }
    const struct problem *p = &g->schedule->problem;
    const struct gantt_subject *subject = g->subject;
    text_addf(out, "%s on %s:", gantt_base_name(p->dag->source), gantt_base_name(p->machine->source));
    for (int i = 0; i < subject->n_layers; i++)
        text_addf(out, "%s%s%s %.6g s", i > 0 ? "," : "", subject->n_layers > 1 ? " " : "",
                  subject->n_layers > 1 ? subject->layers[i].name : "", layer_length_s(&subject->layers[i]));
}

static void add_origin(const struct gantt_layer *layer, struct text *out)
{
    const struct schedule *s = layer->schedule;
    if (layer->result != NULL)
        text_addf(out, "world %s, %s links", world_text(layer->world),
                  layer->record != NULL && layer->record->plan.is_exclusive ? "exclusive" : "fluid");
    else
        text_addf(out, "model %s, scheduler %s", cost_model_text(s->problem.model),
                  s->scheduler ? s->scheduler : "unknown");
}

void gantt_add_subtitle(const struct gantt *g, struct text *out)
{
    if (g->subject->farm != NULL) {
        gantt_add_farm_subtitle(g, out);
        return;
    }
    const struct gantt_subject *subject = g->subject;
    const struct dag *dag = g->schedule->problem.dag;
    for (int i = 0; i < subject->n_layers; i++) {
        if (subject->n_layers > 1)
            text_addf(out, "%s: ", subject->layers[i].name);
        add_origin(&subject->layers[i], out);
        /* The last clause goes on with the counts: a comma, or a semicolon where several layers came before. */
        text_addf(out, i + 1 < subject->n_layers ? "; " : subject->n_layers > 1 ? "; " : ", ");
    }
    text_addf(out, "%d task%s, %d edge%s (%d remote)", dag->n_tasks, plural(dag->n_tasks), dag->n_edges,
              plural(dag->n_edges), g->n_remote_edges);
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

/* As many ticks as fit: 1, 2, 5, 10 times the power of ten below end_s / at_most. Rounding in log10 may put that power
   one too low, hence 20 at the end. */
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

/* The largest unit in which the end is at least 1; below a nanosecond, and for an empty chart, seconds. */
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
