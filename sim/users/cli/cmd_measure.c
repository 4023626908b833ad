/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim measure`: the paper's measurement of interference ([K] 2) on the simulated machine, for peers and sizes of
   one's own choice; engine/measure.h describes it. The experiment of that kind has rows for a sweep; here each
   direction has its own list of peers, and sizes follow from the platform where they are not given. */
#include "base/text.h"
#include "cli/command.h"
#include "cli/run_options.h"
#include "engine/measure.h"
#include "models/world.h"
#include "report/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct options {
    struct run_given given;
    const char *names[N_DIRECTIONS], *out;
    double duration_s, message_bytes, task_flop;
    long seed;
};

/* Each interval makes a point, and all points are kept in memory. */
static const long max_intervals = 1000000;

/* Whole bytes, as a message has. */
static double bytes_of_mb(double mb)
{
    return rint(mb * 1e6);
}

static const struct command_option options[] = {
    {"send-to", 0, "A,B,..", "hosts it sends to", OPTION_AT(struct options, names[DIR_SEND])},
    {"receive-from", 0, "A,B,..", "hosts it receives from", OPTION_AT(struct options, names[DIR_RECV])},
    {"duration", 'd', "S", "length of the experiment (default 190)", OPTION_AT(struct options, duration_s), .min = 1e-6,
     .max = 1e6},
    {"seed", 's', "N", "of the other traffic (default 1)", OPTION_AT(struct options, seed), .max = INT32_MAX},
    {"message-size", 0, "MB", "size of a message, taken to the whole byte (default: 1, more on fast links)",
     OPTION_AT(struct options, message_bytes), .min = 1e-6, .max = 9e9, .convert = bytes_of_mb},
    {"compute-size", 0, "UNITS", "work of a task; a unit is 1 flop (default: a hundredth of an interval, at least 1)",
     OPTION_AT(struct options, task_flop), .min = 1e-9, .max = 1e18},
    {"out", 'o', "FILE", "write the points there (default: standard output)", OPTION_AT(struct options, out),
     .output = true, .values = "*.csv"},
    {0},
};

static enum err_code refuse_no_peers(struct err *e)
{
    return err_set(e, ERR_USAGE, "no host to communicate with: give --send-to, --receive-from or both");
}

/* Before the platform is loaded. */
static enum err_code check(const struct options *o, const struct measure_options *how, double alone_s, struct err *e)
{
    if (o->names[DIR_SEND] == NULL && o->names[DIR_RECV] == NULL)
        return refuse_no_peers(e);
    if (o->duration_s < alone_s + how->interval_s)
        return err_set(e, ERR_USAGE, "--duration %g leaves no interval of %g s after %g s alone", o->duration_s,
                       how->interval_s, alone_s);
    if (o->duration_s / how->interval_s > (double)max_intervals)
        return err_set(e, ERR_USAGE, "--interval %g makes more than %ld points", how->interval_s, max_intervals);
    return ERR_NONE;
}

static void add_number(struct text *t, double value)
{
    char number[TEXT_NUMBER_SIZE];
    text_addf(t, ",%s", text_number(value, number));
}

/* The columns of `iasim fit`, with the rate to each peer besides: "send_rate_MB_per_s.Lab3". */
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
    /* Sizes are for all peers; the link to the first one stands for all. */
    const struct measure_peer *peer = &how->peers[0];
    if (o->task_flop == 0)
        how->task_flop = fmax(1, m->hosts[how->host].speed_flop_per_s * how->interval_s / 100);
    /* A peer that is the host itself is refused by measure_run, by name. */
    if (o->message_bytes > 0 || peer->host == how->host)
        return ERR_NONE;
    code = peer->direction == DIR_SEND ? machine_bottleneck_bytes_per_s(m, how->host, peer->host, &bytes_per_s, e)
                                       : machine_bottleneck_bytes_per_s(m, peer->host, how->host, &bytes_per_s, e);
    /* Fast links get larger messages, so that an interval has no more than about a thousand and the simulation stays
       short. */
    how->message_bytes = fmax(1e6, isfinite(bytes_per_s) ? rint(bytes_per_s * how->interval_s / 1000) : 0);
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

/* Who is measured, with whom, and in which world. `peers` is freed by the caller. */
static enum err_code find_hosts(const struct options *o, const struct machine *m, struct measure_options *how,
                                struct measure_peer **peers, struct err *e)
{
    enum err_code code = world_find_of_networks(param_text(o->given.params, "world"), &how->world, e);
    if (code == ERR_NONE)
        code = measure_find_host(m, param_text(o->given.params, "host"), &how->host, e);
    for (enum direction dir = DIR_SEND; dir < N_DIRECTIONS && code == ERR_NONE; dir++)
        if (o->names[dir] != NULL)
            code = measure_add_peers(m, o->names[dir], dir, peers, &how->n_peers, e);
    how->peers = *peers;
    if (code != ERR_NONE)
        return code;
    /* --send-to "" names nobody. */
    return how->n_peers > 0 ? choose_sizes(o, m, how, e) : refuse_no_peers(e);
}

static enum err_code measure_on(const struct options *o, struct engine *engine, double alone_s,
                                struct measure_options *how, struct err *e)
{
    struct measure_peer *peers = NULL;
    enum err_code code = find_hosts(o, engine_machine(engine), how, &peers, e);
    /* The factor absorbs the rounding of a quotient that is meant to be whole: 190 / 0.1 must be 1900. */
    long n = (long)floor(o->duration_s / how->interval_s * (1 + 1e-12));
    long n_alone = (long)floor(alone_s / how->interval_s * (1 + 1e-12));
    /* First alone, to know the full speed, then with all peers and with other traffic, which makes their rates vary. */
    struct measure_phase phases[] = {{n_alone, 0, 0, false}, {n - n_alone, 0, how->n_peers, true}};
    how->phases = phases;
    how->n_phases = 2;
    if (code == ERR_NONE) {
        run_options_warn(world_warning(how->world, engine_machine(engine)));
        code = measure(o, engine, how, e);
    }
    free(peers);
    return code;
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    double alone_s = param_number(o->given.params, "alone");
    struct measure_options how = {.message_bytes = o->message_bytes,
                                  .task_flop = o->task_flop,
                                  .interval_s = param_number(o->given.params, "interval"),
                                  .max_load = (int)param_integer(o->given.params, "loads")};
    /* Stream 0: the seed is used for nothing else. */
    random_init(&how.random, (uint64_t)o->seed, 0);
    enum err_code code = check(o, &how, alone_s, e);
    if (code == ERR_NONE)
        code = run_given_begin(&o->given, e);
    if (code == ERR_NONE)
        code = measure_on(o, o->given.point.shared, alone_s, &how, e);
    return code;
}

const struct command command_measure = {
    .name = "measure",
    .summary = "measure how communication slows the computing of a host",
    /* A scenario has peers and one mode; here each way has its own, and sizes that are not given follow from the
       platform. */
    .kind = &run_interference,
    .without = "peers mode duration message_size compute_size",
    .size = sizeof(struct options),
    .defaults = &(const struct options){.duration_s = 190, .seed = 1},
    .options = options,
    .about = "Measures, on the simulated machine, how much communication slows the computing of a host: it computes "
             "tasks, alone at first, then while it repeats messages to and from other hosts. Writes points (CSV) that "
             "`iasim fit` takes. No real machine is measured.",
    .examples = "# The interference rate of sending, Figure 1 of the paper.\n"
                "iasim measure --platform platforms/kreaseck-lab.xml --host Lab0 \\\n"
                "  --send-to Lab3 --out points.csv\n"
                "iasim fit linear points.csv\n",
    .run = run,
    .simulates = true,
    .has_progress = true,
};
