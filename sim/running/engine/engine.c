/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Interference, exactly: at every instant, once everything of that date has happened, the network is solved, the speed
   factor of each host whose flows, executions or speed have changed is computed by the world model, and its executions
   go on at that speed (processor.c) before time passes. Between instants all rates are constant, so nothing is sampled.

   Cost of an instant: O(flows in progress) to read rates, if the network has changed; for each host that changed, O(its
   flows) for the factor and O(log hosts) for the date of its next end. */
#include "engine/engine.h"

#include "base/foreign.h"
#include "base/instant.h"
#include "base/mem.h"
#include "base/name_index.h"
#include "base/text.h"
#include "engine/engine_state.h"
#include "engine/guard.h"
#include "engine/in_progress.h"
#include "machine/platform_xml.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const double forever_s = 1e30; /* the bridge's horizon: what is in progress then can never proceed */

/* ---- time ---- */

/* Heaps move their entries, so each timer has memory of its own. The transfer counts its timers because it may be over
   before they are: it is freed with the last of them. */
long engine_set_timer(struct engine *engine, struct timer t)
{
    t.number = ++engine->n_timers_set;
    if (t.comm != NULL)
        t.comm->n_timers++;
    struct timer *kept = mem_alloc(sizeof *kept);
    *kept = t;
    heap_add(&engine->timers, (struct heap_entry){.key = t.date_s, .number = t.number, .item = kept});
    return t.number;
}

static struct timer take_timer(struct engine *engine)
{
    struct timer *kept = heap_take(&engine->timers).item, t = *kept;
    free(kept);
    return t;
}

static double next_timer_s(const struct engine *engine)
{
    return engine->timers.n > 0 ? heap_first(&engine->timers)->key : INFINITY;
}

void engine_wake_at(struct engine *engine, double date_s)
{
    engine_set_timer(engine, (struct timer){.date_s = fmax(date_s, engine->now_s), .kind = TIMER_CLIENT});
}

/* The client is called at the very date it has asked for: it compares dates itself. */
static bool is_timer_due(const struct engine *engine)
{
    const struct heap_entry *first = heap_first(&engine->timers);
    if (first == NULL)
        return false;
    const struct timer *t = first->item;
    return t->kind == TIMER_CLIENT ? t->date_s <= engine->now_s : instant_has_come(t->date_s, engine->now_s);
}

/* Timers that are set meanwhile for this date are taken, too: a processor that becomes free is given away at once. */
static void fire_timers(struct engine *engine)
{
    while (is_timer_due(engine)) {
        struct timer t = take_timer(engine);
        if (t.kind == TIMER_CLIENT)
            engine->client_is_due = true;
        else
            occupation_timer(engine, &t);
    }
}

/* ---- transfers ---- */

/* No network card takes part in a transfer within a host, so it takes time but no processor: it is no flow of the host,
   and no world charges for it. */
static bool is_within_host(const struct engine_comm *c)
{
    return c->hosts[DIR_SEND] == c->hosts[DIR_RECV];
}

static void add_flow(struct engine *engine, struct engine_comm *c, enum direction dir)
{
    host_id h = c->hosts[dir], peer = c->hosts[!dir];
    struct host_state *s = &engine->hosts[h];
    if (s->n_flows == s->flows_capacity) {
        s->flows_capacity = s->flows_capacity ? 2 * s->flows_capacity : 4;
        s->flows = mem_resize(s->flows, s->flows_capacity, sizeof *s->flows);
        s->flow_of = mem_resize(s->flow_of, s->flows_capacity, sizeof(struct engine_comm *));
    }
    c->places[dir] = s->n_flows;
    s->flow_of[s->n_flows] = c;
    s->flows[s->n_flows++] = world_flow_of(&engine->machine, h, dir, peer);
}

/* The last flow takes the free place, so an end costs O(1). The order of a host's flows therefore depends on what has
   ended, but only on that: it is the same in every run. */
static void remove_flow(struct engine *engine, struct engine_comm *c, enum direction dir)
{
    struct host_state *s = &engine->hosts[c->hosts[dir]];
    processor_change(engine, c->hosts[dir]);
    size_t place = c->places[dir], last = --s->n_flows;
    /* of the two places that a transfer keeps, the one at this host */
    enum direction moved = s->flows[last].direction;
    s->flows[place] = s->flows[last];
    s->flow_of[place] = s->flow_of[last];
    s->flow_of[place]->places[moved] = place;
}

/* SimGrid reports no end of a transfer that is over at once, and `ended` may not be called while the client is still in
   `decide`: such transfers are kept until report_what_is_over. */
void engine_start_flow(struct engine *engine, struct engine_comm *c)
{
    host_id src = c->hosts[DIR_SEND], dst = c->hosts[DIR_RECV];
    bool takes_no_time = bridge->is_at_one_place(src, dst);
    c->stage = COMM_FLOWING;
    c->bridge = takes_no_time ? NULL : bridge->comm_start(src, dst, c->bytes, c->limit_bytes_per_s, c);
    if (c->bridge == NULL) {
        bool is_done = takes_no_time && bridge->host_is_up(src) && bridge->host_is_up(dst);
        MEM_GROW(engine->over_comms, engine->n_over_comms, engine->over_comms_capacity);
        engine->over_comms[engine->n_over_comms++] = (struct over_comm){c, is_done ? ENGINE_DONE : ENGINE_FAILED};
        return;
    }
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && !is_within_host(c); dir++)
        add_flow(engine, c, dir);
}

struct engine_comm *engine_comm_start(struct engine *engine, host_id src, host_id dst, double bytes, void *tag)
{
    return engine_comm_start_limited(engine, src, dst, bytes, INFINITY, tag);
}

struct engine_comm *engine_comm_start_limited(struct engine *engine, host_id src, host_id dst, double bytes,
                                              double limit_bytes_per_s, void *tag)
{
    struct engine_comm *c = mem_zalloc(1, sizeof *c);
    *c = (struct engine_comm){.hosts = {src, dst},
                              .bytes = bytes,
                              .limit_bytes_per_s = limit_bytes_per_s,
                              .tag = tag,
                              .arrived_s = NAN,
                              .recv_start_s = NAN};
    engine->n_comms++;
    if (engine->world->charges != NULL && !is_within_host(c))
        occupation_start(engine, c);
    else
        engine_start_flow(engine, c);
    return c;
}

void engine_end_comm(struct engine *engine, struct engine_comm *c, enum engine_end end)
{
    engine->client->ended(engine->client->self, c->tag, end);
    engine->client_is_due = true;
    engine->n_comms--;
    c->stage = COMM_OVER;
    engine_free_comm(c);
}

void engine_free_comm(struct engine_comm *c)
{
    if (c->stage == COMM_OVER && c->n_timers == 0)
        free(c);
}

/* The last byte is there. That is the end of the transfer, unless the receiver's processor still has to take it. */
static void flow_has_ended(struct engine *engine, struct engine_comm *c, enum engine_end end)
{
    if (engine->world->charges == NULL || is_within_host(c))
        engine_end_comm(engine, c, end);
    else if (end == ENGINE_FAILED)
        occupation_failed(engine, c);
    else
        occupation_arrived(engine, c);
}

static void note_rate(struct engine *engine, struct engine_comm *c, double bytes_per_s)
{
    if (engine->client->note_rate != NULL && bytes_per_s != c->rate_bytes_per_s)
        engine->client->note_rate(engine->client->self, c->tag, c->rate_bytes_per_s, bytes_per_s);
    c->rate_bytes_per_s = bytes_per_s;
}

/* Called when SimGrid has moved its clock, and before on_instant has taken over the new date: the time until the end
   must be accounted for at the old rates, so the date comes first. */
static void on_comm_ended(void *self, void *owner, bool failed)
{
    struct engine *engine = self;
    struct engine_comm *c = owner;
    engine->now_s = bridge->now_s();
    c->bridge = NULL;
    note_rate(engine, c, 0);
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && !is_within_host(c); dir++)
        remove_flow(engine, c, dir);
    flow_has_ended(engine, c, failed ? ENGINE_FAILED : ENGINE_DONE);
}

static void set_rate(struct engine *engine, const struct engine_comm *c, enum direction dir, double bytes_per_s)
{
    engine->hosts[c->hosts[dir]].flows[c->places[dir]].rate_bytes_per_s = bytes_per_s;
    engine_touch(engine, c->hosts[dir]);
}

/* While the network is solved. New speeds of hosts are found later, once for each host (processors_settle), however
   many of its transfers have a new rate. */
static void on_comm_rate(void *self, void *owner, double bytes_per_s)
{
    struct engine *engine = self;
    struct engine_comm *c = owner;
    const struct engine_client *client = engine->client;
    note_rate(engine, c, bytes_per_s);
    engine->client_is_due = engine->client_is_due || client->watches_rates || client->rate_changed != NULL;
    bool is_charged = !is_within_host(c);
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && is_charged && engine->world->speed_factor_ratio != NULL;
         dir++)
        set_rate(engine, c, dir, bytes_per_s);
    if (engine->world->charges != NULL && is_charged)
        occupation_rate_changed(engine, c);
    if (client->rate_changed != NULL)
        client->rate_changed(client->self, c->tag);
}

void engine_comm_hold(struct engine *engine, struct engine_comm *c, bool stands)
{
    (void)engine;
    if (c->bridge != NULL)
        bridge->comm_hold(c->bridge, stands);
}

double engine_comm_rate_bytes_per_s(const struct engine_comm *c)
{
    return c->rate_bytes_per_s;
}

double engine_comm_remaining_bytes(const struct engine_comm *c)
{
    if (c->bridge != NULL)
        return bridge->comm_remaining_bytes(c->bridge);
    return c->stage == COMM_ARRIVED ? 0 : c->bytes;
}

/* A load needs only one end of a transfer, but flows are kept by transfer: so it holds a whole engine_comm, of which
   one direction is a flow, and which SimGrid never sees. */
/* ---- transfers of the client's own ---- */

struct engine_load *engine_load_start(struct engine *engine, host_id host, enum direction dir, host_id peer)
{
    struct engine_load *l = mem_zalloc(1, sizeof *l);
    l->direction = dir;
    l->comm.hosts[dir] = host;
    l->comm.hosts[!dir] = peer;
    add_flow(engine, &l->comm, dir);
    return l;
}

void engine_load_set_rate(struct engine *engine, struct engine_load *l, double bytes_per_s)
{
    processor_account(engine, l->comm.hosts[l->direction]);
    set_rate(engine, &l->comm, l->direction, bytes_per_s);
}

void engine_load_end(struct engine *engine, struct engine_load *l)
{
    remove_flow(engine, &l->comm, l->direction);
    free(l);
}

/* ---- instants ---- */

/* An event of a profile, while SimGrid moves its clock. What was computed until now was computed at the old speed, so
   it is accounted for before anything else. */
static void on_host_changed(void *self, int host)
{
    struct engine *engine = self;
    if (engine->hosts == NULL)
        return; /* while the platform loads */
    engine->now_s = bridge->now_s();
    processor_change(engine, host);
    if (!bridge->host_is_up(host))
        processor_failed(engine, host);
    if (engine->client == NULL || engine->client->host_changed == NULL)
        return;
    engine->client->host_changed(engine->client->self, host);
    engine->client_is_due = true;
}

static void on_link_changed(void *self, int link)
{
    struct engine *engine = self;
    if (engine->client == NULL || engine->client->link_changed == NULL)
        return;
    engine->now_s = bridge->now_s();
    engine->client->link_changed(engine->client->self, link);
    engine->client_is_due = true;
}

/* SimGrid sees neither executions nor what a client does by dates of its own. With nothing but these in progress, it
   would end the run in place of letting time pass until the next event of a profile. */
void engine_set_waits(struct engine *engine, bool waits)
{
    engine->client_waits = waits;
    bridge->set_waits(waits || engine->n_execs > 0);
}

bool engine_host_is_up(const struct engine *engine, host_id h)
{
    (void)engine;
    return bridge->host_is_up(h);
}

double engine_host_flop_per_s(const struct engine *engine, host_id h)
{
    return bridge->host_flop_per_s(h) * engine->hosts[h].speed_ratio;
}

bool engine_link_is_up(const struct engine *engine, link_id l)
{
    (void)engine;
    return bridge->link_is_up(l);
}

double engine_link_bytes_per_s(const struct engine *engine, link_id l)
{
    (void)engine;
    return bridge->link_bytes_per_s(l);
}

double engine_link_latency_s(const struct engine *engine, link_id l)
{
    (void)engine;
    return bridge->link_latency_s(l);
}

/* After `decide`, because a client cannot take an end while it starts something. `ended` may not start anything, so
   nothing is added meanwhile. */
static void report_what_is_over(struct engine *engine)
{
    while (engine->n_over_comms > 0) {
        struct over_comm over = engine->over_comms[--engine->n_over_comms];
        flow_has_ended(engine, over.comm, over.end);
    }
    for (size_t i = 0; i < engine->n_over_execs; i++)
        engine_end_exec(engine, engine->over_execs[i], engine->over_execs[i]->end);
    engine->n_over_execs = 0;
}

void engine_set_progress(struct engine *engine, struct engine_progress progress)
{
    engine->progress = progress;
}

void engine_show_progress(const struct engine *engine, uint64_t n_done, uint64_t n_total)
{
    if (engine->progress.show != NULL)
        engine->progress.show(engine->progress.self, n_done, n_total);
}

void engine_end_progress(const struct engine *engine)
{
    if (engine->progress.end != NULL)
        engine->progress.end(engine->progress.self);
}

static void show_progress(const struct engine *engine)
{
    uint64_t n_done = 0, n_total = 0;
    engine->client->count(engine->client->self, &n_done, &n_total);
    engine_show_progress(engine, n_done, n_total);
}

/* All of one instant, to a fixed point. What the client starts may end at once, or change rates that it watches; a
   grant may start a transfer; each may make a timer due at this date. Only when none of this is left do hosts get their
   speeds, once, and time may pass. */
static double on_instant(void *self, double now_s)
{
    enum { INSTANTS_PER_LOOK = 64 };
    struct engine *engine = self;
    engine->now_s = now_s;
    /* a display needs far fewer calls than there are instants, and counting may cost the client something */
    if (++engine->n_instants % INSTANTS_PER_LOOK == 0 && engine->progress.show != NULL && engine->client->count != NULL)
        show_progress(engine);
    /* the bridge lets time pass because a profile might still help; by now none has */
    if (now_s >= forever_s) {
        engine->is_stuck = true;
        return -1;
    }
    processors_end_due(engine);
    do {
        fire_timers(engine);
        if (engine->client_is_due)
            engine->client_is_due = engine->client->decide(engine->client->self, now_s);
        report_what_is_over(engine);
        bridge->solve_network(now_s);
        /* late grants come last and only where nothing else is due: they need the rates of all that starts now */
    } while (engine->client_is_due || is_timer_due(engine) || occupation_grant_late(engine));
    processors_settle(engine);
    bridge->set_waits(engine->client_waits || engine->n_execs > 0);
    double next_s = fmin(processors_next_s(engine), next_timer_s(engine));
    return next_s < forever_s ? fmax(next_s - now_s, 0) : -1;
}

double engine_now_s(const struct engine *engine)
{
    return engine->now_s;
}

/* ---- a run ---- */

/* SimGrid names a configuration key that it does not know, and then lists the known ones. */
static enum err_code refuse_platform(const struct platform_xml *xml, const char *name, char *said, struct err *e)
{
    static const char bad_key[] = "Bad config key: ";
    char *next = NULL, *key = strtok_r(said, "\n", &next);
    if (key != NULL && strcmp(key, "std::bad_alloc") == 0)
        return err_set_at(e, ERR_INTERNAL, name, 0, "out of memory while SimGrid loads the platform");
    if (key == NULL || strncmp(key, bad_key, sizeof bad_key - 1) != 0)
        return err_set_at(e, ERR_INPUT, name, 0, "SimGrid rejected it: %s", key ? key : "no reason given");
    key += sizeof bad_key - 1;
    struct name_index *known = name_index_create();
    /* lines of the form " key: (description)"; others are skipped */
    for (char *line; (line = strtok_r(NULL, "\n", &next)) != NULL;) {
        char *colon = strstr(line, ": (");
        line += strspn(line, " ");
        if (colon != NULL) {
            *colon = '\0';
            name_index_add(known, line, 0);
        }
    }
    err_set_at(e, ERR_INPUT, name, platform_xml_config_line(xml, key), "SimGrid has no configuration '%s'%s", key,
               name_index_hint(known, key).text);
    name_index_free(known);
    return ERR_INPUT;
}

static bool has_actors; /* SimGrid's own; else a client */

void engine_leave_to_actors(void)
{
    has_actors = true;
}

void engine_load(void)
{
    if (bridge_find(NULL) == ERR_NONE)
        bridge->begin();
}

/* `name` is what messages call it. */
static enum err_code open_as(const char *name, const char *platform_path, struct engine **out, struct err *e)
{
    static struct engine *opened; /* SimGrid has one per process; it lives as long, also where no bridge keeps it */
    struct platform_xml *xml = NULL;
    /* room for SimGrid's list of all configuration keys, which refuse_platform reads */
    static char said[1 << 15];
    if (opened != NULL)
        return err_set(e, ERR_INTERNAL, "a process can open only one platform");
    enum err_code code = platform_xml_read(platform_path, &xml, e);
    if (code == ERR_NONE && (code = bridge_find(e)) != ERR_NONE)
        platform_xml_free(xml);
    if (code != ERR_NONE)
        return code;
    guard_set_file(name);
    struct engine *engine = opened = mem_zalloc(1, sizeof *engine);
    struct bridge_hooks hooks = {engine, on_instant, on_comm_ended, on_comm_rate, on_host_changed, on_link_changed};
    guard_enter_simgrid();
    bool is_loaded =
        bridge->load(platform_path, has_actors ? NULL : &hooks, platform_xml_may_have_profiles(xml), said, sizeof said);
    guard_leave_simgrid();
    if (!is_loaded)
        code = refuse_platform(xml, name, said, e);
    else
        code = snapshot_take(&engine->machine, xml, name, e);
    platform_xml_free(xml);
    if (code != ERR_NONE)
        return code; /* the bridge keeps `engine`; SimGrid cannot be unloaded */
    size_t n = engine->machine.n_hosts;
    engine->hosts = mem_zalloc(n, sizeof *engine->hosts);
    engine->dirty = mem_zalloc(n, sizeof *engine->dirty);
    for (size_t h = 0; h < n; h++)
        engine->hosts[h] = (struct host_state){.factor_ratio = 1, .flop_per_s = -1, .speed_ratio = 1, .place = -1};
    *out = engine;
    return ERR_NONE;
}

enum err_code engine_open(const char *platform_path, struct engine **out, struct err *e)
{
    return open_as(platform_path, platform_path, out, e);
}

/* SimGrid reads files: this one lives in memory. SimGrid has read all of it when open_as returns, so it is closed
   then. */
enum err_code engine_open_text(const char *name, const char *platform, size_t n, struct engine **out, struct err *e)
{
    char path[64];
    int fd = memfd_create("platform.xml", MFD_CLOEXEC);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    enum err_code code = ERR_NONE;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (file == NULL || fwrite(platform, 1, n, file) != n || fflush(file) != 0)
        code = err_set(e, ERR_IO, "no memory for the platform of %s: %s", name, strerror(errno));
    else
        code = open_as(name, path, out, e);
    if (file != NULL)
        fclose(file);
    else if (fd >= 0)
        close(fd);
    return code;
}

const struct machine *engine_machine(const struct engine *engine)
{
    return &engine->machine;
}

enum err_code engine_override(struct engine *engine, const struct machine_values *values, struct err *e)
{
    return machine_override(&engine->machine, values, e);
}

void engine_scale_speed(struct engine *engine, host_id h, double ratio)
{
    engine->hosts[h].speed_ratio *= ratio;
}

void engine_scale_bandwidth(struct engine *engine, link_id l, double ratio)
{
    engine->machine.links[l].bandwidth_bytes_per_s *= ratio;
    bridge->set_link_bytes_per_s(l, engine->machine.links[l].bandwidth_bytes_per_s);
}

bool engine_hides_latencies(const struct engine *engine)
{
    (void)engine;
    return bridge->hides_latencies();
}

void engine_unshare_links(struct engine *engine)
{
    for (size_t l = 0; l < engine->machine.n_links; l++) {
        engine->machine.links[l].sharing = LINK_FATPIPE;
        bridge->set_link_fatpipe((int)l);
    }
}

static enum err_code report_stuck(const struct engine *engine, struct err *e)
{
    struct in_progress list = {0};
    for (size_t h = 0; h < engine->machine.n_hosts; h++) {
        const struct host_state *s = &engine->hosts[h];
        if (s->execs.n > 0)
            in_progress_add_executions(&list, s->execs.n, engine->machine.hosts[h].name);
        for (size_t i = 0; i < s->n_flows; i++)
            if (s->flows[i].direction == DIR_SEND)
                in_progress_add_transfer(&list, engine->machine.hosts[h].name,
                                         engine->machine.hosts[s->flow_of[i]->hosts[DIR_RECV]].name);
    }
    err_set_at(e, ERR_INPUT, engine->machine.source, 0, "%s", in_progress_sentence(&list));
    text_clear(&list.text);
    return ERR_INPUT;
}

enum err_code engine_run(struct engine *engine, const struct world_model *world, const struct engine_client *client,
                         struct err *e)
{
    assert(engine->client == NULL && !has_actors); /* once per process */
    engine->world = world;
    engine->client = client;
    engine->client_is_due = true;
    for (size_t h = 0; h < engine->machine.n_hosts && client->note_speed != NULL; h++)
        engine_touch(engine, (host_id)h);
    guard_enter_simgrid();
    bridge->run();
    guard_leave_simgrid();
    engine_end_progress(engine);
    engine->is_stuck = engine->is_stuck || engine->n_execs + engine->n_comms > 0;
    return foreign_judge(engine->is_stuck ? report_stuck(engine, e) : ERR_NONE, e);
}

bool engine_is_stuck(const struct engine *engine)
{
    return engine->is_stuck;
}
