/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Aligned scheduling, which [S] 8.2.1 describes and argues against: the processors are involved at the same time as the
   links, so that an edge needs idle intervals that are common to both:

       source processor       |-o_s-|---i_s---|
       first link                   |==============|
       last link                          |==============|
       destination processor                   |---i_r---|-o_r-|     later by the latency

   The first link and the source are booked together, and the last link and the destination; over a single link, all
   three. Links in between are booked as ever. A route without links has nothing to align. */
#include "plan/draft_own.h"

struct part { /* of what is booked together: from offset_s after the common start */
    size_t resource;
    double offset_s, duration_s;
    bool is_shared; /* a FATPIPE: always free */
    struct span *span;
};

/* The earliest common start from `release_s` on. A resource that is busy moves it on, until none is. Dates only grow,
   and after the last booking of all resources everything is free: so it ends. Resources are asked in turn because an
   idle interval of one says nothing of the others. */
static double fit_together(const struct draft *d, const struct part *parts, int n, double release_s)
{
    double start_s = release_s;
    for (double before_s = -1; before_s != start_s;) {
        before_s = start_s;
        for (int i = 0; i < n; i++) {
            double from_s = start_s + parts[i].offset_s;
            double free_s = parts[i].is_shared
                                ? from_s
                                : timeline_fit(d->timelines, parts[i].resource, from_s, parts[i].duration_s);
            if (free_s > from_s)
                start_s = later_s(start_s, free_s - parts[i].offset_s);
        }
    }
    return start_s;
}

static void book_part(struct draft *d, const struct part *x, double start_s)
{
    double from_s = start_s + x->offset_s, at_s = from_s;
    if (!x->is_shared) /* may be later by a rounding */
        at_s = timeline_fit(d->timelines, x->resource, from_s, x->duration_s);
    bool is_lost = span_is_lost_at(from_s, x->duration_s);
    *x->span = (struct span){at_s, is_lost ? at_s : span_finish_s(at_s, x->duration_s)};
    if (!x->is_shared)
        timeline_book(d->timelines, x->resource, x->span->start_s, x->span->finish_s);
}

static void book_together(struct draft *d, const struct part *parts, int n, double release_s)
{
    double start_s = fit_together(d, parts, n, release_s);
    for (int i = 0; i < n; i++)
        book_part(d, &parts[i], start_s);
}

static struct part processor_part(host_id h, double offset_s, struct cost_end end, struct span *span)
{
    return (struct part){problem_processor(h), offset_s, cost_end_busy_s(end), false, span};
}

static struct part link_part(const struct problem *p, edge_id e, link_id l, double offset_s, struct span *span)
{
    const struct link *link = &p->machine->links[l];
    return (struct part){problem_link(p, l), offset_s, p->dag->edges[e].size_bytes / link->bandwidth_bytes_per_s,
                         link->sharing == LINK_FATPIPE, span};
}

void draft_align(struct draft *d, edge_id e, host_id src, host_id dst, struct span *spans)
{
    const struct problem *p = &d->s->problem;
    struct planned_edge *edge = &d->s->edges[e];
    size_t n;
    const link_id *links = route_links(p->routes, src, dst, &n);
    struct cost_end send = problem_end(p, e, src, dst, DIR_SEND), recv = problem_end(p, e, src, dst, DIR_RECV);
    double release_s = d->s->tasks[p->dag->edges[e].src].span.finish_s;
    const struct part sent = processor_part(src, 0, send, &edge->send);
    /* nothing to align with: send and receive as in a model that is not aligned */
    if (n == 0) {
        book_together(d, &sent, 1, release_s);
        const struct part received = processor_part(dst, -recv.involvement_s, recv, &edge->recv);
        book_together(d, &received, 1, schedule_last_byte_s(d->s, e, src, dst, spans));
    }
    for (size_t k = 0; k < n; k++) {
        struct part together[3];
        int n_together = 0;
        double latency_s = p->machine->links[links[k]].latency_s;
        struct part link = link_part(p, e, links[k], k == 0 ? send.overhead_s : 0, &spans[k]);
        together[n_together++] = link;
        if (k == 0)
            together[n_together++] = sent;
        /* over a single link, k is both first and last: all three are booked together */
        if (k == n - 1)
            together[n_together++] = processor_part(
                dst, link.offset_s + link.duration_s + latency_s - recv.involvement_s, recv, &edge->recv);
        if (k > 0)
            release_s = schedule_hop_release_s(spans, k, 0, link.duration_s, p->machine->links[links[k - 1]].latency_s);
        book_together(d, together, n_together, release_s);
    }
}
