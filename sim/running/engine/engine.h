/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The simulated machine: executions and transfers on a loaded platform, in a world model, with exact dates.

   One engine per process (SimGrid has no more), so each run that must be repeatable to the last bit is in a forked
   child of a process that has loaded the platform.

       engine_open -> engine_machine, engine_route ... -> engine_run, once -> exit of the process

   While it runs, everything is driven by one client. At one instant SimGrid ends what is due (`ended`, once for each
   activity); when all endings of the instant have been reported, `decide` may start activities; then the
   network is solved, and as long as `decide` returns true it is called again with the rates of that solution. Time
   passes only after that. No actor and no event is added: a run costs what its activities cost. */
#ifndef IASIM_ENGINE_ENGINE_H
#define IASIM_ENGINE_ENGINE_H

#include "base/err.h"
#include "machine/machine.h"
#include "models/world.h"

#include <stdbool.h>
#include <stdint.h>

struct engine;
struct engine_exec; /* an execution in progress: lives until its `ended` has returned */
struct engine_comm; /* a transfer in progress, likewise */

enum engine_end { ENGINE_DONE, ENGINE_FAILED };

struct engine_client {
    void *self;
    /* `tag` is what the activity was started with. May not start anything. */
    void (*ended)(void *self, void *tag, enum engine_end end);
    /* Returns whether it wants to be called again in this instant, with the rates of what it has started. */
    bool (*decide)(void *self, double now_s);
    bool watches_rates; /* call `decide` also when a rate has changed */
    bool splits_stolen; /* wants engine_use.stolen_recv_s */
    /* OPTIONAL; may not start anything, and `decide` is called after them. The rate of a transfer has changed; a host's
       speed or a link's bandwidth, or whether it is up. */
    void (*rate_changed)(void *self, void *tag);
    void (*host_changed)(void *self, host_id h);
    void (*link_changed)(void *self, link_id l);
    /* OPTIONAL, for records; they change nothing, not even when `decide` is called. The rate of a transfer changes,
       at its end to 0. And what communication leaves of a host's processor, or its speed (of one core, communication
       aside), is another from now on: once for each host when the run begins, then at most once in an instant. */
    void (*note_rate)(void *self, void *tag, double before_bytes_per_s, double bytes_per_s);
    void (*note_speed)(void *self, host_id h, double factor_ratio, double flop_per_s);
    /* OPTIONAL: how much of the work is done, for progress. */
    void (*count)(void *self, uint64_t *n_done, uint64_t *n_total);
};

/* `show` is called now and then while a client that counts is run, often enough for a display; `end` once. */
struct engine_progress {
    void *self;
    void (*show)(void *self, uint64_t n_done, uint64_t n_total);
    void (*end)(void *self);
};

/* Checks and loads a platform. Errors: those of platform_xml_read; ERR_INPUT for what SimGrid refuses, a bad property
   (with line), a platform without hosts; ERR_INTERNAL when an engine has been opened before in this process. */
enum err_code engine_open(const char *platform_path, struct engine **out, struct err *e);
/* OPTIONAL, before that: what opening a platform loads once in a process, without a platform. Processes that are forked
   later have it. If it cannot be loaded, opening a platform says so. */
void engine_load(void);
/* Before that: what will run on the platform are SimGrid's own actors (sim/running/actors), not a client. The
   machine can be asked as ever, but engine_run must not be called. */
void engine_leave_to_actors(void);

/* The same for a platform that is not in a file; messages call it `name`. */
enum err_code engine_open_text(const char *name, const char *platform, size_t n, struct engine **out, struct err *e);
const struct machine *engine_machine(const struct engine *engine);

/* machine_override, before the run. */
enum err_code engine_override(struct engine *engine, const struct machine_values *values, struct err *e);

/* Other changes of the machine, before the run; profiles go on as they are. A host computes `ratio` times as fast:
   what engine_machine says of it stays, and with it the work of tasks whose times are given in seconds. The
   bandwidth of a link, which is then also engine_machine's. And no transfer hinders another: every link is a
   FATPIPE. */
void engine_scale_speed(struct engine *engine, host_id h, double ratio);
void engine_scale_bandwidth(struct engine *engine, link_id l, double ratio);
void engine_unshare_links(struct engine *engine);
/* Whether transfers that are held begin their latency anew. */
bool engine_hides_latencies(const struct engine *engine);

/* Runs `client` in `world` until nothing is in progress and no timer is set. Once per process. Errors: ERR_INPUT when
   activities remain that can never proceed (a deadlock: a speed or bandwidth that stays 0). */
enum err_code engine_run(struct engine *engine, const struct world_model *world, const struct engine_client *client,
                         struct err *e);

/* Before a run. */
void engine_set_progress(struct engine *engine, struct engine_progress progress);
/* Shows or ends it, for a run that is not a client's. */
void engine_show_progress(const struct engine *engine, uint64_t n_done, uint64_t n_total);
void engine_end_progress(const struct engine *engine);

/* After a run: whether it ended because what was in progress could never proceed. */
bool engine_is_stuck(const struct engine *engine);

double engine_now_s(const struct engine *engine);

/* Ask for a call of `decide` at `date_s` (now or later). */
void engine_wake_at(struct engine *engine, double date_s);

/* Something of the client's own waits for a profile's event: the run goes on even if nothing is in progress. */
void engine_set_waits(struct engine *engine, bool waits);

/* As they are now. */
bool engine_host_is_up(const struct engine *engine, host_id h);
double engine_host_flop_per_s(const struct engine *engine, host_id h); /* of one core, communication aside */
bool engine_link_is_up(const struct engine *engine, link_id l);
double engine_link_bytes_per_s(const struct engine *engine, link_id l);
double engine_link_latency_s(const struct engine *engine, link_id l);

/* Start an activity, from `decide` only. Amounts are finite and not negative; src and dst have a route (ask
   machine_route before the run). If the host or link is down, it ends as failed in this instant. */
struct engine_exec *engine_exec_start(struct engine *engine, host_id host, double flop, void *tag);
struct engine_comm *engine_comm_start(struct engine *engine, host_id src, host_id dst, double bytes, void *tag);
/* The same; its links give it no more than the limit, which is positive. INFINITY: none. */
struct engine_comm *engine_comm_start_limited(struct engine *engine, host_id src, host_id dst, double bytes,
                                              double limit_bytes_per_s, void *tag);

/* From `decide` only: the transfer stands still, in its latency, too, and takes no bandwidth, until it is let go. */
void engine_comm_hold(struct engine *engine, struct engine_comm *c, bool stands);

double engine_comm_rate_bytes_per_s(const struct engine_comm *c); /* 0 while in latency or just started */
double engine_comm_remaining_bytes(const struct engine_comm *c);

/* What a transfer that the client carries out by itself is to one of its two hosts: to the world it is a flow like any
   other. From `decide` only. */
struct engine_load;
struct engine_load *engine_load_start(struct engine *engine, host_id host, enum direction dir, host_id peer);
void engine_load_set_rate(struct engine *engine, struct engine_load *l, double bytes_per_s); /* 0 at first */
void engine_load_end(struct engine *engine, struct engine_load *l);

/* Per host, so far: time with an execution in progress; of that, the part of the processor that communication took
   (1 - factor, integrated), and the same in flop. And what it took of all time, used or not. Of stolen_s, what
   receives took: flows share what they take together as each would take it alone. 0 unless the client asks for it. */
struct engine_use {
    double busy_s, stolen_s, stolen_flop, charged_s, stolen_recv_s;
};
struct engine_use engine_host_use(const struct engine *engine, host_id h);

#endif
