/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the time of a task or a transfer went, from the rates that were recorded. All rates are constant between
   changes, so the shares are sums over pieces. For each piece of a task the world is asked again what its flows take of
   the processor, as in the replay. Of a transfer its own rate is constant within a piece; with whom it shared a link is
   read off at the middle of the piece. */
#include "base/mem.h"
#include "explain/explain_state.h"

#include <math.h>
#include <stdlib.h>

/* A share below this is what rounding has left of nothing. */
static const double least_ratio = 1e-10;

void shares_clear(struct shares *s)
{
    free(s->list);
    *s = (struct shares){0};
}

static void add_share(struct shares *to, struct share share)
{
    MEM_GROW(to->list, to->n, to->capacity);
    to->list[to->n++] = share;
}

static size_t first_change(const struct explainer *x, int series)
{
    return x->record->start[series];
}

static size_t last_change(const struct explainer *x, int series) /* behind it */
{
    return x->record->start[series + 1];
}

/* ---- tasks ---- */

struct event { /* of a host: a flow has another rate, or (flow -1) the host another speed */
    double date_s, value;
    int flow;
    size_t number;
};

struct host_flow { /* through the host of a task, at some time while it computes */
    edge_id edge;
    enum direction direction;
    int place;      /* among those that flow now; -1: it does not */
    double taken_s; /* of the processor, in all */
};

struct sweep { /* over the time of a task */
    const struct explainer *x;
    const struct host *host;
    struct event *events;
    size_t n_events, events_capacity;
    struct host_flow *flows;
    size_t n_flows, flows_capacity;
    /* Those that flow now: as the world sees them, what each would take of the processor alone, and which they are. */
    struct world_flow *present;
    double *alone_ratio;
    int *flow_of;
    int n_present;
    double speed_flop_per_s;
    double computing_s, slow_s;
};

static int compare_events(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->date_s != y->date_s)
        return x->date_s < y->date_s ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* The value of a series at the beginning of the interval, and its changes within. All series of a host are put into one
   list and sorted by date; `number` keeps changes of one date in a fixed order, since qsort does not. */
static void add_events(struct sweep *w, int series, int flow, struct span at)
{
    const struct replay_record *r = w->x->record;
    MEM_GROW(w->events, w->n_events, w->events_capacity);
    w->events[w->n_events] = (struct event){at.start_s, replay_record_at(r, series, at.start_s), flow, w->n_events};
    w->n_events++;
    for (size_t i = first_change(w->x, series); i < last_change(w->x, series); i++) {
        if (r->changes[i].from_s <= at.start_s || r->changes[i].from_s >= at.finish_s)
            continue;
        MEM_GROW(w->events, w->n_events, w->events_capacity);
        w->events[w->n_events] = (struct event){r->changes[i].from_s, r->changes[i].value, flow, w->n_events};
        w->n_events++;
    }
}

/* What leaves a host is seen by its first hop's rate, what enters by its last one's: with exclusive links they
   differ. */
static void add_flow(struct sweep *w, edge_id e, enum direction dir, struct span at)
{
    const struct replay_plan *p = w->x->plan;
    int series = record_of_hop(p, dir == DIR_SEND ? p->first_hop[e] : p->first_hop[e + 1] - 1);
    MEM_GROW(w->flows, w->n_flows, w->flows_capacity);
    w->flows[w->n_flows] = (struct host_flow){.edge = e, .direction = dir, .place = -1};
    add_events(w, series, (int)w->n_flows++, at);
}

static void stop_flow(struct sweep *w, struct host_flow *flow)
{
    /* The last of those present moves into the gap: their order has no meaning. */
    int place = flow->place;
    if (place < 0)
        return;
    int last = --w->n_present;
    w->present[place] = w->present[last];
    w->alone_ratio[place] = w->alone_ratio[last];
    w->flow_of[place] = w->flow_of[last];
    w->flows[w->flow_of[place]].place = place;
    flow->place = -1;
}

static void set_flow(struct sweep *w, int id, double bytes_per_s)
{
    const struct replay_plan *p = w->x->plan;
    struct host_flow *flow = &w->flows[id];
    if (flow->place < 0) {
        host_id h = edge_host(p, flow->edge, flow->direction), peer = edge_host(p, flow->edge, !flow->direction);
        flow->place = w->n_present++;
        w->present[flow->place] = world_flow_of(p->machine, h, flow->direction, peer);
        w->flow_of[flow->place] = id;
    }
    struct world_flow *present = &w->present[flow->place];
    present->rate_bytes_per_s = bytes_per_s;
    /* What the flow would take of the processor if it were the only one: pass_time divides by it. */
    w->alone_ratio[flow->place] = 1 - world_factor_ratio(w->x->world, w->host, present, 1);
}

static void apply(struct sweep *w, const struct event *event)
{
    if (event->flow < 0)
        w->speed_flop_per_s = event->value;
    else if (event->value > 0)
        set_flow(w, event->flow, event->value);
    else
        stop_flow(w, &w->flows[event->flow]);
}

/* What communication takes is divided among the flows as each would take it alone: of rates that add up this is what
   each takes, of a processor that is at its floor, or of a world that is not linear, a share. Where none would take
   anything alone, because its line begins above 1, it is divided by their rates. */
static void pass_time(struct sweep *w, double passed_s)
{
    /* The speed that a profile or noise leaves. What communication takes is a part of that. */
    double full_ratio = fmin(1, w->speed_flop_per_s / w->host->speed_flop_per_s), sum_ratio = 0, sum_bytes_per_s = 0;
    double left_ratio = world_factor_ratio(w->x->world, w->host, w->present, (size_t)w->n_present);
    double taken_s = (1 - left_ratio) * full_ratio * passed_s;
    for (int i = 0; i < w->n_present; i++) {
        sum_ratio += w->alone_ratio[i];
        sum_bytes_per_s += w->present[i].rate_bytes_per_s;
    }
    for (int i = 0; i < w->n_present; i++)
        w->flows[w->flow_of[i]].taken_s += taken_s * (sum_ratio > 0 ? w->alone_ratio[i] / sum_ratio
                                                                    : w->present[i].rate_bytes_per_s / sum_bytes_per_s);
    w->computing_s += full_ratio * passed_s - (w->n_present > 0 ? taken_s : 0);
    w->slow_s += (1 - full_ratio) * passed_s;
}

static void add_task_shares(const struct sweep *w, host_id h, double length_s, struct shares *out)
{
    struct explanation *to = w->x->out;
    add_share(out, (struct share){CAUSE_COMPUTING, w->computing_s, h, -1, 0, 0});
    if (w->slow_s > least_ratio * length_s)
        add_share(out, (struct share){CAUSE_SLOW_HOST, w->slow_s, h, -1, 0, 0});
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS; dir++)
        for (size_t i = 0; i < w->n_flows; i++) {
            if (w->flows[i].direction != dir || w->flows[i].taken_s <= least_ratio * length_s)
                continue;
            add_share(out, (struct share){dir == DIR_SEND ? CAUSE_SLOWED_BY_SEND : CAUSE_SLOWED_BY_RECEIVE,
                                          w->flows[i].taken_s, h, -1, to->n_with, 1});
            explain_with(to, (struct explain_item){-1, w->flows[i].edge});
        }
}

void shares_of_task(struct explainer *x, task_id t, struct span at, struct shares *out)
{
    host_id h = x->plan->schedule->tasks[t].host;
    struct sweep w = {.x = x, .host = &x->plan->machine->hosts[h]};
    add_events(&w, record_of_host(x->plan, h), -1, at);
    /* A world without interference has no flows that matter to computing. Only flows that are there at some time of the
       task are looked at; of a host with many edges that is few of them. */
    for (size_t i = x->of_host.start[h]; i < x->of_host.start[h + 1] && x->world->speed_factor_ratio != NULL; i++) {
        edge_id e = x->of_host.list[i];
        if (x->of_host.at[i].start_s < at.finish_s && x->of_host.at[i].finish_s > at.start_s)
            add_flow(&w, e, edge_host(x->plan, e, DIR_SEND) == h ? DIR_SEND : DIR_RECV, at);
    }
    qsort(w.events, w.n_events, sizeof *w.events, compare_events);
    /* As many as there are flows; one more, so that none does not ask for 0 bytes. */
    w.present = mem_alloc((w.n_flows + 1) * sizeof *w.present);
    w.alone_ratio = mem_alloc((w.n_flows + 1) * sizeof *w.alone_ratio);
    w.flow_of = mem_alloc((w.n_flows + 1) * sizeof *w.flow_of);
    for (size_t i = 0; i < w.n_events; i++) {
        /* Several events of one date make pieces of no length, which pass no time. */
        double next_s = i + 1 < w.n_events ? w.events[i + 1].date_s : at.finish_s;
        apply(&w, &w.events[i]);
        if (next_s > w.events[i].date_s)
            pass_time(&w, next_s - w.events[i].date_s);
    }
    add_task_shares(&w, h, at.finish_s - at.start_s, out);
    free(w.events);
    free(w.flows);
    free(w.present);
    free(w.alone_ratio);
    free(w.flow_of);
}

/* ---- transfers that share links ---- */

struct companion { /* another transfer on a link of the route, at the same time */
    edge_id edge;
    double shared_s; /* how long it was there while the link was what slowed us down */
};

struct passed_link {
    link_id link;
    struct companion *companions;
    size_t n, capacity;
    double sharing_s; /* lost on it */
};

struct passing { /* a transfer, and the links that it passes; then those of the way back, which acknowledgements take */
    const struct explainer *x;
    edge_id edge;
    struct passed_link *links;
    size_t n_forth, n_links;
    double full_s, slow_s;
};

static double rate_at(const struct explainer *x, edge_id e, double date_s)
{
    return replay_record_at(x->record, record_of_hop(x->plan, x->plan->first_hop[e]), date_s);
}

double shares_flows_from_s(const struct explainer *x, edge_id e)
{
    int series = record_of_hop(x->plan, x->plan->first_hop[e]);
    for (size_t i = first_change(x, series); i < last_change(x, series); i++)
        if (x->record->changes[i].value > 0)
            return x->record->changes[i].from_s;
    return INFINITY;
}

static void find_companions(const struct explainer *x, edge_id e, struct span at, struct passed_link *l)
{
    for (size_t i = x->of_link.start[l->link]; i < x->of_link.start[l->link + 1]; i++) {
        edge_id other = x->of_link.list[i];
        struct span flows = x->of_link.at[i];
        if (other == e || !(flows.start_s < at.finish_s && flows.finish_s > at.start_s))
            continue;
        MEM_GROW(l->companions, l->n, l->capacity);
        l->companions[l->n++] = (struct companion){other, 0};
    }
}

/* SimGrid's acknowledgements (cross-traffic) use the way back, so a transfer may be slowed down there, too. */
static void begin_passing(struct passing *w, const struct explainer *x, edge_id e, struct span at)
{
    size_t n_forth, n_back;
    const link_id *forth = schedule_route(x->plan->schedule, e, &n_forth);
    const link_id *back = route_links(x->plan->schedule->problem.routes, edge_host(x->plan, e, DIR_RECV),
                                      edge_host(x->plan, e, DIR_SEND), &n_back);
    *w = (struct passing){.x = x, .edge = e, .n_forth = n_forth, .n_links = n_forth + n_back};
    w->links = mem_zalloc(w->n_links + 1, sizeof *w->links);
    for (size_t k = 0; k < w->n_links; k++) {
        w->links[k].link = k < n_forth ? forth[k] : back[k - n_forth];
        find_companions(x, e, at, &w->links[k]);
    }
}

static void end_passing(struct passing *w)
{
    for (size_t k = 0; k < w->n_links; k++)
        free(w->links[k].companions);
    free(w->links);
}

/* How much of a link is used, 0 to about 1; 0 when nobody else is there. And whether the transfer is among the fastest
   on it: on the link that limits it, max-min sharing gives it as much as any other. A link that is full because of
   others, which are faster, does not limit this one. */
static double used_ratio(const struct passing *w, const struct passed_link *l, double date_s, bool *is_among_fastest)
{
    double own = rate_at(w->x, w->edge, date_s), sum = own, most = 0;
    for (size_t i = 0; i < l->n; i++) {
        double rate = rate_at(w->x, l->companions[i].edge, date_s);
        sum += rate;
        most = fmax(most, rate);
    }
    /* The tolerance is far above rounding, and far below what tells two flows apart. */
    *is_among_fastest = own >= most * (1 - 1e-6);
    double bandwidth = replay_record_at(w->x->record, record_of_link(w->x->plan, l->link), date_s);
    return most > 0 && bandwidth > 0 ? sum / bandwidth : 0;
}

/* Of several that are used up, the first on which it is among the fastest. NULL: nobody else is on any of them. */
static struct passed_link *limiting_link(struct passing *w, size_t from, size_t to, double date_s)
{
    struct passed_link *best = NULL;
    double best_ratio = 0;
    bool best_is_among_fastest = false;
    for (size_t k = from; k < to; k++) {
        bool is_among_fastest;
        double ratio = used_ratio(w, &w->links[k], date_s, &is_among_fastest);
        bool is_level = ratio > 0 && fabs(ratio - best_ratio) <= 1e-6 * best_ratio;
        if (is_level ? is_among_fastest && !best_is_among_fastest : ratio > best_ratio) {
            best = &w->links[k];
            best_is_among_fastest = is_among_fastest;
            best_ratio = fmax(ratio, best_ratio);
        }
    }
    return best;
}

/* Blames the lost time on a link: one of the way there if any has other transfers, else one of the way back. The middle
   of the piece stands for all of it, away from the changes at its ends. */
static void share_with(struct passing *w, struct span at, double lost_s)
{
    double middle_s = at.start_s + (at.finish_s - at.start_s) / 2;
    struct passed_link *l = limiting_link(w, 0, w->n_forth, middle_s);
    if (l == NULL)
        l = limiting_link(w, w->n_forth, w->n_links, middle_s);
    if (l == NULL) {
        /* Nobody else was there: something of the network itself. */
        w->slow_s += lost_s;
        return;
    }
    l->sharing_s += lost_s;
    for (size_t i = 0; i < l->n; i++)
        if (rate_at(w->x, l->companions[i].edge, middle_s) > 0)
            l->companions[i].shared_s += at.finish_s - at.start_s;
}

/* What profiles leave of the slowest link of the route, by what the platform says; 1 where there are no links. */
static double bandwidth_left_ratio(const struct passing *w, double date_s)
{
    double now = INFINITY, platform = INFINITY;
    for (size_t k = 0; k < w->n_forth; k++) {
        now = fmin(now, replay_record_at(w->x->record, record_of_link(w->x->plan, w->links[k].link), date_s));
        platform = fmin(platform, w->x->plan->machine->links[w->links[k].link].bandwidth_bytes_per_s);
    }
    return w->n_forth > 0 && platform > 0 ? fmin(1, now / platform) : 1;
}

/* The rate that a transfer would have had alone: as simulated (alone.h), else the bandwidth of its slowest link. */
static double alone_bytes_per_s(const struct explainer *x, edge_id e)
{
    link_id l = explain_narrowest_link(x->plan, e);
    if (x->alone_bytes_per_s != NULL && x->alone_bytes_per_s[e] > 0)
        return x->alone_bytes_per_s[e];
    return l >= 0 ? x->plan->machine->links[l].bandwidth_bytes_per_s : INFINITY;
}

static void pass_piece(struct passing *w, struct span at, double rate, double alone)
{
    /* Splits the piece into three parts of 1: what it would take alone (full), what profiles have taken from the links
       (slow), and the rest, which others took (shared). Parts that are rounding errors are given to the others. */
    double passed_s = at.finish_s - at.start_s, full_ratio = isinf(alone) ? 1 : fmin(1, rate / alone);
    double shared_ratio = bandwidth_left_ratio(w, at.start_s) - full_ratio;
    if (shared_ratio < least_ratio)
        shared_ratio = 0;
    if (1 - full_ratio - shared_ratio < least_ratio)
        full_ratio = 1 - shared_ratio;
    w->full_s += full_ratio * passed_s;
    w->slow_s += (1 - full_ratio - shared_ratio) * passed_s;
    if (shared_ratio > 0)
        share_with(w, at, shared_ratio * passed_s);
}

static int compare_companions(const void *a, const void *b) /* those that were there longest first */
{
    const struct companion *x = a, *y = b;
    if (x->shared_s != y->shared_s)
        return x->shared_s > y->shared_s ? -1 : 1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

static void add_transfer_shares(struct passing *w, double length_s, struct shares *out)
{
    struct explanation *to = w->x->out;
    link_id narrowest = explain_narrowest_link(w->x->plan, w->edge);
    add_share(out, (struct share){CAUSE_TRANSFER, w->full_s, -1, narrowest, 0, 0});
    if (w->slow_s > least_ratio * length_s)
        add_share(out, (struct share){CAUSE_SLOW_LINK, w->slow_s, -1, narrowest, 0, 0});
    for (size_t k = 0; k < w->n_links; k++) {
        struct passed_link *l = &w->links[k];
        if (l->sharing_s <= 0)
            continue;
        struct share share = {CAUSE_SHARING, l->sharing_s, -1, l->link, to->n_with, 0};
        qsort(l->companions, l->n, sizeof *l->companions, compare_companions);
        for (; share.n_with < l->n && l->companions[share.n_with].shared_s > 0; share.n_with++)
            explain_with(to, (struct explain_item){-1, l->companions[share.n_with].edge});
        add_share(out, share);
    }
}

/* Time: changes of its own rate, times the companions on its route, times the time of looking a rate up. */
void shares_of_transfer(struct explainer *x, edge_id e, struct span at, struct shares *out)
{
    struct passing w;
    const struct record_change *changes = x->record->changes;
    int series = record_of_hop(x->plan, x->plan->first_hop[e]);
    double alone = alone_bytes_per_s(x, e);
    begin_passing(&w, x, e, at);
    for (size_t i = first_change(x, series); i < last_change(x, series); i++) {
        double next_s = i + 1 < last_change(x, series) ? changes[i + 1].from_s : at.finish_s;
        /* The part of a change's time that lies in the interval. */
        struct span piece = {fmax(at.start_s, changes[i].from_s), fmin(at.finish_s, next_s)};
        if (piece.finish_s > piece.start_s)
            pass_piece(&w, piece, changes[i].value, alone);
    }
    add_transfer_shares(&w, at.finish_s - at.start_s, out);
    end_passing(&w);
}

/* ---- hops that have their link to themselves ---- */

/* On an exclusive link nothing is shared: time is lost only to a profile of the link. */
void shares_of_hop(struct explainer *x, step_id hop, struct span at, struct shares *out)
{
    link_id l = explain_link_of_hop(x->plan, hop);
    int series = record_of_link(x->plan, l);
    double platform = x->plan->machine->links[l].bandwidth_bytes_per_s, slow_s = 0;
    for (size_t i = first_change(x, series); i < last_change(x, series); i++) {
        double next_s = i + 1 < last_change(x, series) ? x->record->changes[i + 1].from_s : at.finish_s;
        double passed_s = fmin(at.finish_s, next_s) - fmax(at.start_s, x->record->changes[i].from_s);
        slow_s += fmax(0, passed_s) * fmax(0, 1 - x->record->changes[i].value / platform);
    }
    double length_s = at.finish_s - at.start_s;
    add_share(out, (struct share){CAUSE_TRANSFER, length_s - slow_s, -1, l, 0, 0});
    if (slow_s > least_ratio * length_s)
        add_share(out, (struct share){CAUSE_SLOW_LINK, slow_s, -1, l, 0, 0});
}
