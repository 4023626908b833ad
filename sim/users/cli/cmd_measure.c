/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/new_file.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/machine_input.h"
#include "engine/measure.h"
#include "models/world.h"
#include "report/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct options {
    const char *platform, *host, *names[N_DIRECTIONS], *world, *out;
    double duration_s, alone_s, interval_s, message_bytes, task_flop;
    long load, seed;
    struct machine_values values;
};

static const long max_intervals = 1000000;

static double bytes_of_mb(double mb)
{
    return rint(mb * 1e6);
}

static const struct command_option options[] = {
    OPTION_PLATFORM(struct options, platform),
    {"host", 'H', "HOST", "the host that is measured", OPTION_AT(struct options, host), .required = true},
    {"send-to", 0, "A,B,..", "hosts it sends to", OPTION_AT(struct options, names[DIR_SEND])},
    {"receive-from", 0, "A,B,..", "hosts it receives from", OPTION_AT(struct options, names[DIR_RECV])},
    {"duration", 'd', "S", "length of the experiment (default 190)", OPTION_AT(struct options, duration_s), .min = 1e-6,
     .max = 1e6},
    {"alone", 0, "S", "its beginning, in which the host only computes (default 20)", OPTION_AT(struct options, alone_s),
     .max = 1e6},
    {"interval", 'i', "S", "rates are averaged over this; each gives a point (default 2)",
     OPTION_AT(struct options, interval_s), .min = 1e-6, .max = 1e6},
    {"loads", 'l', "K",
     "other traffic on the way of each peer: up to K streams, their number changing at random (default 8; 0: none)",
     OPTION_AT(struct options, load), .max = MEASURE_MAX_LOAD},
    {"seed", 's', "N", "of the other traffic (default 1)", OPTION_AT(struct options, seed), .max = INT32_MAX},
    {"message-size", 0, "MB", "size of a message, taken to the whole byte (default: 1, more on fast links)",
     OPTION_AT(struct options, message_bytes), .min = 1e-6, .max = 9e9, .convert = bytes_of_mb},
    {"compute-size", 0, "UNITS", "work of a task; a unit is 1 flop (default: a hundredth of an interval, at least 1)",
     OPTION_AT(struct options, task_flop), .min = 1e-9, .max = 1e18},
    OPTION_WORLD(struct options, world),
    OPTIONS_IR(struct options, values),
    OPTIONS_OCCUPATION(struct options, values),
    {"out", 'o', "FILE", "write the points there (default: standard output)", OPTION_AT(struct options, out),
     .values = "*.csv"},
    {0},
};

static enum err_code check(const struct options *o, struct err *e)
{
    if (o->names[DIR_SEND] == NULL && o->names[DIR_RECV] == NULL)
        return err_set(e, ERR_USAGE, "no host to communicate with: give --send-to, --receive-from or both");
    if (o->duration_s < o->alone_s + o->interval_s)
        return err_set(e, ERR_USAGE, "--duration %g leaves no interval of %g s after %g s alone", o->duration_s,
                       o->interval_s, o->alone_s);
    if (o->duration_s / o->interval_s > (double)max_intervals)
        return err_set(e, ERR_USAGE, "--interval %g makes more than %ld points", o->interval_s, max_intervals);
    return ERR_NONE;
}

static const struct command_line usage = {
    .options = options,
    .about = "Measures, on the simulated machine, how much communication slows the computing of a host: it computes "
             "tasks, alone at first, then while it repeats messages to and from other hosts. Writes points (CSV) that "
             "`iasim fit` takes. No real machine is measured.",
    .examples = "# The interference rate of sending, Figure 1 of the paper.\n"
                "iasim measure --platform platforms/kreaseck-lab.xml --host Lab0 \\\n"
                "  --send-to Lab3 --out points.csv\n"
                "iasim fit linear points.csv\n",
};

static void add_number(struct text *t, double value)
{
    char number[TEXT_NUMBER_SIZE];
    text_addf(t, ",%s", text_number(value, number));
}

static void add_points(const struct machine *m, const struct measure_options *o, const struct measure_result *r,
                       struct text *t)
{
    static const char *const words[] = {"send", "recv"};
    text_addf(t, "start_s,send_rate_MB_per_s,recv_rate_MB_per_s,compute_ratio");
    for (size_t i = 0; i < o->n_peers; i++)
        text_addf(t, ",%s_rate_MB_per_s.%s", words[o->peers[i].direction], m->hosts[o->peers[i].host].name);
    for (size_t k = 0; k < r->n_points; k++) {
        const struct measure_point *p = &r->points[k];
        text_addf(t, "\n%.9g", p->start_s);
        add_number(t, p->rate_bytes_per_s[DIR_SEND] / 1e6);
        add_number(t, p->rate_bytes_per_s[DIR_RECV] / 1e6);
        add_number(t, p->compute_ratio);
        for (size_t i = 0; i < o->n_peers; i++)
            add_number(t, p->peer_bytes_per_s[i] / 1e6);
    }
    text_add(t, "\n", 1);
}

static enum err_code write_points(const char *path, const struct text *t, struct err *e)
{
    if (path != NULL)
        return text_write_file(path, text_str(t), t->size, e);
    fwrite(text_str(t), 1, t->size, stdout);
    return ERR_NONE;
}

static void show(void *self, long n_done, long n_total)
{
    progress_show(self, &(struct progress_counts){.n_total = (uint64_t)n_total, .n_done = (uint64_t)n_done});
}

/* What was not given follows from the platform: a task takes at most a hundredth of an interval, a message at least a
   thousandth; on the paper's slow machine these are its 1 work unit and 1 MB. */
static enum err_code choose_sizes(const struct options *o, const struct machine *m, struct measure_options *how,
                                  struct err *e)
{
    double bytes_per_s = 0;
    enum err_code code = ERR_NONE;
    const struct measure_peer *peer = &how->peers[0];
    if (o->task_flop == 0)
        how->task_flop = fmax(1, m->hosts[how->host].speed_flop_per_s * o->interval_s / 100);
    if (o->message_bytes > 0 || peer->host == how->host)
        return ERR_NONE;
    code = peer->direction == DIR_SEND ? machine_bottleneck_bytes_per_s(m, how->host, peer->host, &bytes_per_s, e)
                                       : machine_bottleneck_bytes_per_s(m, peer->host, how->host, &bytes_per_s, e);
    how->message_bytes = fmax(1e6, isfinite(bytes_per_s) ? rint(bytes_per_s * o->interval_s / 1000) : 0);
    return code;
}

static enum err_code measure(const struct options *o, struct engine *engine, struct measure_options *how, struct err *e)
{
    const struct machine *m = engine_machine(engine);
    struct measure_result result = {0};
    struct text text = {0};
    struct progress bar;
    how->progress = show;
    how->progress_self = &bar;
    progress_init(&bar, stderr, PROGRESS_AUTO);
    enum err_code code = measure_run(engine, how, &result, e);
    progress_end(&bar);
    if (code == ERR_NONE) {
        add_points(m, how, &result, &text);
        code = write_points(o->out, &text, e);
    }
    text_clear(&text);
    measure_result_clear(&result);
    return code;
}

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {
        .world = "interference", .duration_s = 190, .alone_s = 20, .interval_s = 2, .load = 8, .seed = 1};
    command_parse(&usage, argc, argv, &o);
    struct measure_options how = {.message_bytes = o.message_bytes,
                                  .task_flop = o.task_flop,
                                  .interval_s = o.interval_s,
                                  .max_load = (int)o.load};
    struct measure_peer *peers = NULL;
    struct engine *engine;
    random_init(&how.random, (uint64_t)o.seed, 0);
    enum err_code code = check(&o, e);
    if (code == ERR_NONE)
        code = new_file_check_not_input(o.out, &o.platform, 1, e);
    if (code == ERR_NONE)
        code = world_find_of_networks(o.world, &how.world, e);
    if (code == ERR_NONE)
        code = machine_input_open(o.platform, &o.values, &engine, e);
    if (code == ERR_NONE)
        code = measure_find_host(engine_machine(engine), o.host, &how.host, e);
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && code == ERR_NONE; dir++)
        if (o.names[dir] != NULL)
            code = measure_add_peers(engine_machine(engine), o.names[dir], dir, &peers, &how.n_peers, e);
    how.peers = peers;
    long n = (long)floor(o.duration_s / o.interval_s * (1 + 1e-12));
    long n_alone = (long)floor(o.alone_s / o.interval_s * (1 + 1e-12));
    struct measure_phase phases[] = {{n_alone, 0, 0, false}, {n - n_alone, 0, how.n_peers, true}};
    how.phases = phases;
    how.n_phases = 2;
    if (code == ERR_NONE)
        code = choose_sizes(&o, engine_machine(engine), &how, e);
    if (code == ERR_NONE)
        machine_input_warn(world_warning(how.world, engine_machine(engine)));
    if (code == ERR_NONE)
        code = measure(&o, engine, &how, e);
    free(peers);
    return code;
}

extern const struct command command_measure;
const struct command command_measure = {
    .name = "measure",
    .summary = "measure how communication slows the computing of a host",
    .usage = &usage,
    .run = run,
    .simulates = true,
    .has_progress = true,
};
