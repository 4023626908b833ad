/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/new_file.h"
#include "base/text.h"
#include "cli/command.h"
#include "engine/measure.h"
#include "models/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct options {
    const char *platform, *host, *names[N_DIRECTIONS], *world, *out;
    double duration_s, alone_s, interval_s, message_bytes, task_flop;
    long load, seed;
};

enum { OPT_SEND_TO = 256, OPT_RECEIVE_FROM, OPT_ALONE, OPT_MESSAGE_SIZE, OPT_COMPUTE_SIZE };

static const struct argp_option options[] = {
    {"platform", 'p', "FILE", 0, "SimGrid platform (required)", 0},
    {"host", 'H', "HOST", 0, "the host that is measured (required)", 0},
    {"send-to", OPT_SEND_TO, "A,B,..", 0, "hosts it sends to", 0},
    {"receive-from", OPT_RECEIVE_FROM, "A,B,..", 0, "hosts it receives from", 0},
    {"duration", 'd', "S", 0, "length of the experiment (default 190)", 0},
    {"alone", OPT_ALONE, "S", 0, "its beginning, in which the host only computes (default 20)", 0},
    {"interval", 'i', "S", 0, "rates are averaged over this; each gives a point (default 2)", 0},
    {"loads", 'l', "K", 0,
     "other traffic on the way of each peer: up to K streams, their number changing at random "
     "(default 8; 0: none)",
     0},
    {"seed", 's', "N", 0, "of the other traffic (default 1)", 0},
    {"message-size", OPT_MESSAGE_SIZE, "MB", 0, "size of a message, taken to the whole byte (default 1)", 0},
    {"compute-size", OPT_COMPUTE_SIZE, "UNITS", 0, "work of a task; a unit is 1 flop (default 1)", 0},
    {"world", 'w', "MODEL", 0, "what communication costs the processor: none, interference (default), involvement", 0},
    {"out", 'o', "FILE", 0, "write the points there (default: standard output)", 0},
    {0},
};

static const double max_s = 1e6;
static const long max_intervals = 1000000;

static void check(const struct options *o, struct argp_state *state)
{
    command_require(state, "platform", o->platform != NULL);
    command_require(state, "host", o->host != NULL);
    if (o->names[DIR_SEND] == NULL && o->names[DIR_RECV] == NULL)
        argp_error(state, "nobody to communicate with: give --send-to, --receive-from or both");
    if (o->duration_s < o->alone_s + o->interval_s)
        argp_error(state, "--duration %g leaves no interval of %g s after %g s alone", o->duration_s, o->interval_s,
                   o->alone_s);
    if (o->duration_s / o->interval_s > (double)max_intervals)
        argp_error(state, "--interval %g makes more than %ld points", o->interval_s, max_intervals);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'p':
        o->platform = command_input(arg);
        return 0;
    case 'H':
        o->host = arg;
        return 0;
    case OPT_SEND_TO:
        o->names[DIR_SEND] = arg;
        return 0;
    case OPT_RECEIVE_FROM:
        o->names[DIR_RECV] = arg;
        return 0;
    case 'd':
        o->duration_s = command_number(state, "duration", arg, 1e-6, max_s);
        return 0;
    case OPT_ALONE:
        o->alone_s = command_number(state, "alone", arg, 0, max_s);
        return 0;
    case 'i':
        o->interval_s = command_number(state, "interval", arg, 1e-6, max_s);
        return 0;
    case 'l':
        o->load = command_integer(state, "loads", arg, 0, MEASURE_MAX_LOAD);
        return 0;
    case 's':
        o->seed = command_integer(state, "seed", arg, 0, INT32_MAX);
        return 0;
    case OPT_MESSAGE_SIZE:
        o->message_bytes = rint(command_number(state, "message-size", arg, 1e-6, 9e9) * 1e6);
        return 0;
    case OPT_COMPUTE_SIZE:
        o->task_flop = command_number(state, "compute-size", arg, 1e-9, 1e18);
        return 0;
    case 'w':
        o->world = arg;
        return 0;
    case 'o':
        o->out = arg;
        return 0;
    case ARGP_KEY_END:
        check(o, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {
    options,
    parse,
    NULL,
    "Measures how much communication slows the computing of a host: it computes tasks, alone at first, then "
    "while it "
    "repeats messages to and from other hosts. Writes points (CSV) that `iasim fit` takes.\v"
    "Example: the interference rate of sending, Figure 1 of the paper:\n"
    "  iasim measure --platform platforms/kreaseck-lab.xml --host Lab0 --send-to Lab3 --out points.csv\n"
    "  iasim fit linear points.csv\n",
    NULL,
    NULL,
    NULL};

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

static enum err_code measure(const struct options *o, struct engine *engine, struct measure_options *how, struct err *e)
{
    const struct machine *m = engine_machine(engine);
    struct measure_result result = {0};
    struct text text = {0};
    enum err_code code = measure_run(engine, how, &result, e);
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
    struct options o = {.world = "interference",
                        .duration_s = 190,
                        .alone_s = 20,
                        .interval_s = 2,
                        .load = 8,
                        .seed = 1,
                        .message_bytes = 1e6,
                        .task_flop = 1};
    command_parse(&argp, argc, argv, &o);
    struct measure_options how = {.message_bytes = o.message_bytes,
                                  .task_flop = o.task_flop,
                                  .interval_s = o.interval_s,
                                  .max_load = (int)o.load};
    struct measure_peer *peers = NULL;
    struct engine *engine;
    random_init(&how.random, (uint64_t)o.seed, 0);
    enum err_code code = new_file_check_not_input(o.out, &o.platform, 1, e);
    if (code == ERR_NONE)
        code = world_find(o.world, &how.world, e);
    if (code == ERR_NONE)
        code = engine_open(o.platform, &engine, e);
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
        code = measure(&o, engine, &how, e);
    free(peers);
    return code;
}

extern const struct command command_measure;
const struct command command_measure = {
    .name = "measure",
    .summary = "measure how communication slows the computing of a host",
    .run = run,
    .simulates = true,
};
