/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The measured host is a client like any other: streams of messages and atomic tasks that follow each other. Nothing of
   the world is asked while it runs; the points come from what an observer on that machine would see, bytes at the
   boundaries of intervals and the dates at which tasks ended (measure.h). All randomness is in the load, from the
   stream that the options give. */
#include "engine/measure.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How long a load stays as it is, in intervals: long enough that some intervals see one load only, short
   enough that most see several and the points spread over the whole range of rates. */
static const double min_hold = 0.25, max_hold = 1.75;

struct stream { /* repeats messages while it is on; what has begun is always finished */
    host_id src, dst;
    double message_bytes;
    bool is_on;
    struct engine_comm *comm; /* the message in progress; NULL: none */
    double done_bytes;        /* of whole messages */
};

struct load { /* other traffic on the way of a peer */
    struct stream *streams;
    double change_s; /* when its strength changes; INFINITY: it is over, or not begun */
};

struct measurement {
    struct engine *engine;
    const struct measure_options *options;
    struct random_stream random;
    struct stream *streams; /* of the peers, then of their loads */
    size_t n_streams;
    struct load *loads;
    size_t phase;
    long phase_end;       /* number of the interval that is not in the phase any more */
    long n_samples;       /* boundaries of intervals that have been seen */
    double *sample_bytes; /* by boundary and peer: sent or received so far */
    double *ends_s;       /* of tasks */
    size_t n_ends, ends_capacity;
    bool is_computing, is_over;
    struct err failure;
};

static long n_intervals(const struct measure_options *o)
{
    long n = 0;
    for (size_t i = 0; i < o->n_phases; i++)
        n += o->phases[i].n_intervals;
    return n;
}

enum err_code measure_find_host(const struct machine *m, const char *name, host_id *out, struct err *e)
{
    *out = machine_host_id(m, name);
    if (*out < 0)
        return err_set(e, ERR_INPUT, "host '%s' is not on the platform %s", name, m->source);
    return ERR_NONE;
}

enum err_code measure_add_peers(const struct machine *m, const char *names, enum direction dir,
                                struct measure_peer **peers, size_t *n_peers, struct err *e)
{
    enum err_code code = ERR_NONE;
    char *copy = mem_strdup(names);
    for (char *rest = copy, *name; code == ERR_NONE && (name = strtok_r(rest, ", ", &rest)) != NULL;) {
        *peers = mem_resize(*peers, *n_peers + 1, sizeof **peers);
        (*peers)[*n_peers].direction = dir;
        code = measure_find_host(m, name, &(*peers)[(*n_peers)++].host, e);
    }
    free(copy);
    return code;
}

/* ---- who else can load the way to a peer ---- */

struct way {
    struct route route;
    double bottleneck_bytes_per_s;
};

/* From `from` to `to`, or back when the measured host receives. The caller frees route.links. With FATPIPE links it
   counts all the same: a rate cannot exceed them. */
static enum err_code find_way(const struct machine *m, host_id from, host_id to, enum direction dir, struct way *out,
                              struct err *e)
{
    *out = (struct way){.bottleneck_bytes_per_s = INFINITY};
    enum err_code code = machine_route(m, dir == DIR_SEND ? from : to, dir == DIR_SEND ? to : from, &out->route, e);
    for (size_t i = 0; code == ERR_NONE && i < out->route.n_links; i++)
        out->bottleneck_bytes_per_s =
            fmin(out->bottleneck_bytes_per_s, m->links[out->route.links[i]].bandwidth_bytes_per_s);
    return code;
}

/* A FATPIPE is shared by all without hindering any: load on it would change nothing. */
static bool ways_share_a_link(const struct machine *m, const struct way *a, const struct way *b)
{
    for (size_t i = 0; i < a->route.n_links; i++)
        for (size_t k = 0; k < b->route.n_links; k++)
            if (a->route.links[i] == b->route.links[k] && m->links[a->route.links[i]].sharing != LINK_FATPIPE)
                return true;
    return false;
}

static bool is_measured(const struct measure_options *o, host_id h)
{
    bool found = h == o->host;
    for (size_t i = 0; i < o->n_peers; i++)
        found = found || h == o->peers[i].host;
    return found;
}

/* SimGrid shares a link in inverse proportion to latencies, as TCP does: the more alike two ways are, the
   more equal their shares. 1e-9 s stands for no latency: the logarithm needs some. */
static double unlikeness(const struct way *a, const struct way *b)
{
    double x = a->route.latency_s, y = b->route.latency_s;
    return x == y ? 0 : fabs(log(fmax(x, 1e-9) / fmax(y, 1e-9)));
}

/* The third host whose way to the peer shares a link with the measured one, is at least as wide and most like
   it; one that does not load another peer already, if there is such a host. -1: none. */
static host_id find_loader(const struct machine *m, const struct measure_options *o, const struct measure_peer *peer,
                           const struct way *measured, const bool *is_taken)
{
    host_id best = -1;
    double least = INFINITY;
    for (host_id h = 0; h < (host_id)m->n_hosts; h++) {
        struct way way;
        if (is_measured(o, h) || find_way(m, h, peer->host, peer->direction, &way, NULL) != ERR_NONE)
            continue;
        /* above any unlikeness: a host that loads another peer is taken only if there is no other */
        double cost = unlikeness(&way, measured) + (is_taken[h] ? 1e6 : 0);
        if (cost < least && way.bottleneck_bytes_per_s >= measured->bottleneck_bytes_per_s &&
            ways_share_a_link(m, &way, measured)) {
            best = h;
            least = cost;
        }
        free(way.route.links);
    }
    return best;
}

/* Also of the load: from the third host to a peer that the measured host sends to, or from the peer to the third
   host. */
static void set_stream(struct stream *s, const struct measure_peer *peer, host_id other, double message_bytes)
{
    s->src = peer->direction == DIR_SEND ? other : peer->host;
    s->dst = peer->direction == DIR_SEND ? peer->host : other;
    s->message_bytes = message_bytes;
}

/* On slow links the messages of the load are smaller, so that its strength can change within an interval. */
static double load_message_bytes(const struct measure_options *o, const struct way *w)
{
    double eighth_bytes = ceil(w->bottleneck_bytes_per_s * o->interval_s / 8);
    return fmin(o->message_bytes, eighth_bytes);
}

static enum err_code plan_load(struct measurement *m, size_t i, const struct way *way, bool *is_taken, struct err *e)
{
    const struct machine *machine = engine_machine(m->engine);
    const struct measure_options *o = m->options;
    const struct measure_peer *peer = &o->peers[i];
    host_id loader = find_loader(machine, o, peer, way, is_taken);
    if (loader < 0)
        return err_set(e, ERR_INPUT,
                       "no third host can load the way between '%s' and '%s': none has a route to '%s' that shares a "
                       "link with it and is as wide; measure without load (--loads 0)",
                       machine->hosts[o->host].name, machine->hosts[peer->host].name, machine->hosts[peer->host].name);
    for (int k = 0; k < o->max_load; k++)
        set_stream(&m->loads[i].streams[k], peer, loader, load_message_bytes(o, way));
    is_taken[loader] = true;
    return ERR_NONE;
}

static enum err_code plan_peer(struct measurement *m, size_t i, bool *is_taken, struct err *e)
{
    const struct machine *machine = engine_machine(m->engine);
    const struct measure_options *o = m->options;
    const struct measure_peer *peer = &o->peers[i];
    struct way way;
    if (peer->host == o->host)
        return err_set(e, ERR_INPUT, "host '%s' cannot measure its communication with itself",
                       machine->hosts[peer->host].name);
    enum err_code code = find_way(machine, o->host, peer->host, peer->direction, &way, e);
    if (code != ERR_NONE)
        return code;
    set_stream(&m->streams[i], peer, o->host, o->message_bytes);
    if (o->max_load > 0)
        code = plan_load(m, i, &way, is_taken, e);
    free(way.route.links);
    return code;
}

static enum err_code plan(struct measurement *m, struct err *e)
{
    bool *is_taken = mem_zalloc(engine_machine(m->engine)->n_hosts, sizeof *is_taken);
    enum err_code code = ERR_NONE;
    for (size_t i = 0; i < m->options->n_peers && code == ERR_NONE; i++) {
        /* a load's streams are a part of the one array, so that go_on sees all streams alike */
        m->loads[i].streams = m->streams + m->options->n_peers + i * (size_t)m->options->max_load;
        m->loads[i].change_s = INFINITY;
        code = plan_peer(m, i, is_taken, e);
    }
    free(is_taken);
    return code;
}

/* ---- while it runs ---- */

/* Runs as many streams that the share they leave to the measured one is uniformly distributed. With n streams of load
   each flow gets about 1 / (n + 1). So the wish for a uniform share is rounded to such a number. */
static void change_load(struct measurement *m, struct load *l, double now_s)
{
    int max = m->options->max_load;
    double share = random_between(&m->random, 1.0 / (max + 1), 1);
    int n = (int)(1 / share) - 1;
    for (int k = 0; k < max; k++)
        l->streams[k].is_on = k < n;
    l->change_s = now_s + m->options->interval_s * random_between(&m->random, min_hold, max_hold);
    engine_wake_at(m->engine, l->change_s);
}

/* Messages of the load that are under way go on to their end. */
static void end_load(struct measurement *m, struct load *l)
{
    for (int k = 0; k < m->options->max_load; k++)
        l->streams[k].is_on = false;
    l->change_s = INFINITY;
}

static void begin_phase(struct measurement *m, double now_s)
{
    const struct measure_phase *p = &m->options->phases[m->phase];
    m->phase_end += p->n_intervals;
    for (size_t i = 0; i < m->options->n_peers; i++) {
        bool is_on = i >= p->first_peer && i < p->first_peer + p->n_peers;
        m->streams[i].is_on = is_on;
        if (is_on && p->is_loaded && m->options->max_load > 0)
            change_load(m, &m->loads[i], now_s);
        else
            end_load(m, &m->loads[i]);
    }
}

static double bytes_so_far(const struct stream *s)
{
    return s->done_bytes + (s->comm ? s->message_bytes - engine_comm_remaining_bytes(s->comm) : 0);
}

/* The boundary between two intervals: takes the sample, begins the next phase if one ends here. */
static void pass_boundary(struct measurement *m, double now_s)
{
    const struct measure_options *o = m->options;
    for (size_t i = 0; i < o->n_peers; i++)
        m->sample_bytes[(size_t)m->n_samples * o->n_peers + i] = bytes_so_far(&m->streams[i]);
    while (m->phase < o->n_phases && m->n_samples == m->phase_end)
        if (++m->phase < o->n_phases)
            begin_phase(m, now_s);
    if (o->progress != NULL)
        o->progress(o->progress_self, m->n_samples, n_intervals(o));
    m->n_samples++;
    if (m->phase == o->n_phases)
        m->is_over = true;
    else
        engine_wake_at(m->engine, (double)m->n_samples * o->interval_s);
}

static void begin(struct measurement *m)
{
    begin_phase(m, 0);
    pass_boundary(m, 0);
}

/* Messages and tasks follow each other without a pause. */
static void go_on(struct measurement *m)
{
    for (size_t i = 0; i < m->n_streams; i++) {
        struct stream *s = &m->streams[i];
        if (s->is_on && s->comm == NULL)
            s->comm = engine_comm_start(m->engine, s->src, s->dst, s->message_bytes, s);
    }
    if (!m->is_computing)
        engine_exec_start(m->engine, m->options->host, m->options->task_flop, NULL);
    m->is_computing = true;
}

static bool decide(void *self, double now_s)
{
    struct measurement *m = self;
    m->is_over = m->is_over || m->failure.code != ERR_NONE;
    /* the first call, at date 0 */
    if (m->n_samples == 0)
        begin(m);
    /* boundaries first: a load that changes at a boundary belongs to the interval after it */
    while (!m->is_over && (double)m->n_samples * m->options->interval_s <= now_s)
        pass_boundary(m, now_s);
    for (size_t i = 0; i < m->options->n_peers && !m->is_over; i++)
        if (m->loads[i].change_s <= now_s)
            change_load(m, &m->loads[i], now_s);
    if (!m->is_over)
        go_on(m);
    return false;
}

static void fail(struct measurement *m, const struct stream *s)
{
    const struct host *hosts = engine_machine(m->engine)->hosts;
    if (s == NULL)
        err_set(&m->failure, ERR_INPUT, "at %.9g s host '%s' failed while it was measured", engine_now_s(m->engine),
                hosts[m->options->host].name);
    else
        err_set(&m->failure, ERR_INPUT, "at %.9g s a transfer from host '%s' to host '%s' failed",
                engine_now_s(m->engine), hosts[s->src].name, hosts[s->dst].name);
}

static void on_ended(void *self, void *tag, enum engine_end end)
{
    struct measurement *m = self;
    struct stream *s = tag;
    if (end == ENGINE_FAILED)
        fail(m, s);
    if (s == NULL) {
        MEM_GROW(m->ends_s, m->n_ends, m->ends_capacity);
        m->ends_s[m->n_ends++] = engine_now_s(m->engine);
        m->is_computing = false;
    } else {
        s->comm = NULL;
        s->done_bytes += s->message_bytes;
    }
}

/* ---- what was measured ---- */

/* Tasks over time, of the tasks that end in an interval. `task` is the first that does not end before it; it
   moves on. NAN: none ends. */
static double compute_rate(const struct measurement *m, double until_s, size_t *task)
{
    size_t first = *task;
    while (*task < m->n_ends && m->ends_s[*task] <= until_s)
        ++*task;
    if (*task == first)
        return NAN;
    double begin_s = first > 0 ? m->ends_s[first - 1] : 0;
    return (double)(*task - first) / (m->ends_s[*task - 1] - begin_s);
}

/* The transfers of interval k. */
static void fill_rates(const struct measurement *m, size_t k, double *peer_rates, struct measure_point *p)
{
    size_t n_peers = m->options->n_peers;
    const double *before = m->sample_bytes + k * n_peers, *after = before + n_peers;
    for (size_t i = 0; i < n_peers; i++) {
        /* remaining bytes are rounded: an interval without data must not have a negative rate */
        peer_rates[i] = fmax(0, after[i] - before[i]) / m->options->interval_s;
        p->rate_bytes_per_s[m->options->peers[i].direction] += peer_rates[i];
    }
    p->peer_bytes_per_s = peer_rates;
}

/* Intervals without a point are left out, but their tasks' dates count: `task` goes on through all of them. */
static void fill_points(const struct measurement *m, struct measure_result *out)
{
    const struct measure_options *o = m->options;
    size_t task = 0, k = 0;
    long phase_end = 0;
    for (size_t phase = 0; phase < o->n_phases; phase++) {
        for (phase_end += o->phases[phase].n_intervals; (long)k < phase_end; k++) {
            struct measure_point *p = &out->points[out->n_points];
            double rate = compute_rate(m, (double)(k + 1) * o->interval_s, &task);
            if (isnan(rate))
                continue;
            *p = (struct measure_point){.start_s = (double)k * o->interval_s, .phase = phase, .compute_ratio = rate};
            fill_rates(m, k, out->peer_bytes_per_s + k * o->n_peers, p);
            out->n_points++;
        }
    }
}

static enum err_code fill_result(const struct measurement *m, struct measure_result *out, struct err *e)
{
    size_t n = (size_t)n_intervals(m->options);
    out->points = mem_zalloc(n + 1, sizeof *out->points);
    out->peer_bytes_per_s = mem_zalloc(n * m->options->n_peers + 1, sizeof *out->peer_bytes_per_s);
    fill_points(m, out);
    if (out->n_points == 0)
        return err_set(e, ERR_INPUT,
                       "no task ends before the measurement is over: smaller tasks or longer intervals "
                       "are needed");
    for (size_t k = 0; k < out->n_points; k++)
        out->max_tasks_per_s = fmax(out->max_tasks_per_s, out->points[k].compute_ratio);
    for (size_t k = 0; k < out->n_points; k++)
        out->points[k].compute_ratio /= out->max_tasks_per_s;
    return ERR_NONE;
}

static enum err_code run(struct measurement *m, struct measure_result *out, struct err *e)
{
    struct engine_client client = {.self = m, .ended = on_ended, .decide = decide};
    enum err_code code = engine_run(m->engine, m->options->world, &client, e);
    if (m->failure.code != ERR_NONE) {
        if (e != NULL)
            *e = m->failure;
        return m->failure.code;
    }
    return code == ERR_NONE ? fill_result(m, out, e) : code;
}

enum err_code measure_run(struct engine *engine, const struct measure_options *o, struct measure_result *out,
                          struct err *e)
{
    struct measurement m = {.engine = engine, .options = o, .random = o->random};
    m.n_streams = o->n_peers * (1 + (size_t)o->max_load);
    m.streams = mem_zalloc(m.n_streams + 1, sizeof *m.streams);
    m.loads = mem_zalloc(o->n_peers + 1, sizeof *m.loads);
    m.sample_bytes = mem_zalloc(((size_t)n_intervals(o) + 1) * o->n_peers + 1, sizeof *m.sample_bytes);
    *out = (struct measure_result){0};
    enum err_code code = plan(&m, e);
    if (code == ERR_NONE)
        code = run(&m, out, e);
    free(m.streams);
    free(m.loads);
    free(m.sample_bytes);
    free(m.ends_s);
    return code;
}

void measure_result_clear(struct measure_result *r)
{
    free(r->points);
    free(r->peer_bytes_per_s);
    *r = (struct measure_result){0};
}
