/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim calibrate`: interference rates of real machines. Two processes, one on each machine, meet over the network;
   each host is measured in turn while the other one sends or receives (running/calibrate). This file checks options,
   finds the token, prints and writes. With --runs nothing is measured: points come from files, and the rest is the
   same. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "calibrate/kernel.h"
#include "calibrate/listener.h"
#include "calibrate/session.h"
#include "cli/calibrate_result.h"
#include "cli/command.h"
#include "report/progress.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
    const char *listen, *to, *token, *token_file, *name, *out, *emit;
    struct words runs;
    double seconds, wait_s, speed_flop_per_s, latency_s;
    long pin, matrix;
    bool anyway, json;
    char found_token[PROTOCOL_TOKEN + 1]; /* "": none is given */
};

static const struct command_option options[] = {
    {"listen", 'l', "ADDR:PORT", "wait here for the other side; prints what to give there. Port 0: any free port",
     OPTION_AT(struct options, listen)},
    {"to", 't', "ADDR:PORT", "connect to the side that listens there", OPTION_AT(struct options, to)},
    {"token", 0, "T", "what the listening side has printed; others on this machine can read it in `ps`",
     OPTION_AT(struct options, token)},
    {"token-file", 0, "FILE", "a file with the token, of either side; so is the environment variable IASIM_TOKEN",
     OPTION_AT(struct options, token_file), .values = "*"},
    {"runs", 'r', "FILE", "no measurement: points of a host (CSV); given twice: those of its peer, too",
     OPTION_AT(struct options, runs), .values = "*.csv"},
    {"seconds", 's', "S", "for all measuring together (default 20); the shorter time of the two sides counts",
     OPTION_AT(struct options, seconds), .min = 1, .max = 3600},
    {"wait", 0, "S", "how long to listen for a caller (default 600)", OPTION_AT(struct options, wait_s), .min = 0.1,
     .max = 86400},
    {"pin", 0, "CPU", "keep computing and transfers on this processor, by number (default: where the system puts them)",
     OPTION_AT(struct options, pin), .max = CPU_SETSIZE - 1},
    {"matrix", 0, "N", "rows of the matrix that is computed with: 4 N^2 bytes (default 256; 1024 in the paper)",
     OPTION_AT(struct options, matrix), .min = KERNEL_MIN, .max = KERNEL_MAX},
    {"name", 0, "HOST", "what this host is called (default: its name)", OPTION_AT(struct options, name)},
    {"speed", 0, "FLOP/S", "with --runs: the host's speed alone (default: from the column compute_flop_per_s)",
     OPTION_AT(struct options, speed_flop_per_s), .min = 1e-9, .max = 1e18},
    {"latency", 0, "S", "with --runs: the network's latency (default 0)", OPTION_AT(struct options, latency_s),
     .max = 1e6},
    {"out", 'o', "FILE", "write this host's points there (CSV), for --runs and `iasim fit`",
     OPTION_AT(struct options, out), .output = true, .values = "*.csv"},
    {"emit", 'e', "FILE.xml", "write both hosts there as a platform, and FILE.deployment.xml beside it",
     OPTION_AT(struct options, emit), .output = true, .values = "*.xml"},
    {"anyway", 0, NULL, "with --emit: write the platform also where a rate is lost in noise",
     OPTION_AT(struct options, anyway)},
    OPTION_JSON(struct options),
    {0},
};

/* The listener does not know how long the caller wants to measure, so it grants up to an hour; the shorter time
   counts. */
static const double default_seconds = 20, max_seconds = 3600;

/* ---- checks ---- */

/* What the table of options cannot say: which options exclude each other. */
static enum err_code check(const struct options *o, struct err *e)
{
    int n = (o->listen != NULL) + (o->to != NULL) + (o->runs.n > 0);
    if (n != 1)
        return err_set(e, ERR_USAGE, "%s: give one of --listen, --to and --runs",
                       n == 0 ? "what is to be measured is missing" : "these exclude each other");
    if (o->runs.n > 0 && (o->token != NULL || o->token_file != NULL))
        return err_set(e, ERR_USAGE, "--token and --token-file are not for --runs, which connects to no other machine");
    if (o->runs.n > 2)
        return err_set(e, ERR_USAGE, "--runs may be given twice, for a host and its peer");
    if (o->runs.n == 0 && (o->speed_flop_per_s > 0 || o->latency_s > 0))
        return err_set(e, ERR_USAGE, "--speed and --latency are for --runs; here they are measured");
    if (o->runs.n > 0 && (o->out != NULL || o->pin >= 0))
        return err_set(e, ERR_USAGE, "--out and --pin are not for --runs, which measures nothing");
    if (o->name != NULL && !protocol_is_name(o->name))
        return err_set(e, ERR_USAGE, "--name must be 1 to %d letters, digits, dots, hyphens and underscores",
                       (int)PROTOCOL_NAME);
    return ERR_NONE;
}

/* The host's own name, with hyphens for what a name may not have. */
static void set_own_name(const struct options *o, char out[PROTOCOL_NAME + 1])
{
    /* gethostname does not end a name that it cut, hence the '\0' below. */
    if (o->name != NULL || gethostname(out, PROTOCOL_NAME + 1) != 0)
        snprintf(out, PROTOCOL_NAME + 1, "%s", o->name != NULL ? o->name : "host");
    out[PROTOCOL_NAME] = '\0';
    for (char *c = out; *c != '\0'; c++)
        if (!protocol_is_name((char[]){*c, '\0'}))
            *c = '-';
    if (out[0] == '\0')
        snprintf(out, PROTOCOL_NAME + 1, "host");
}

/* Before any thread is made: they inherit the processor. */
static enum err_code pin(long cpu, struct err *e)
{
    cpu_set_t one, allowed;
    if (cpu < 0)
        return ERR_NONE;
    CPU_ZERO(&one);
    CPU_SET((size_t)cpu, &one);
    /* A processor outside the process's set (taskset, a container) would be refused by the kernel with a bare
       EINVAL. */
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 && !CPU_ISSET((size_t)cpu, &allowed))
        return err_set(e, ERR_USAGE, "--pin %ld: there is no such processor, or this process may not use it", cpu);
    return sched_setaffinity(0, sizeof one, &one) == 0
               ? ERR_NONE
               : err_set(e, ERR_INPUT, "--pin %ld: the system does not allow it", cpu);
}

/* ---- the token ---- */

static enum err_code check_token(const char *token, const char *where, struct err *e)
{
    if (protocol_is_token(token))
        return ERR_NONE;
    return err_set(e, ERR_USAGE, "%s is not a token: expected %d hexadecimal digits, as a listener prints them", where,
                   (int)PROTOCOL_TOKEN);
}

/* The file holds the token and blanks around it, nothing else: a file with more is likely another one. */
static enum err_code read_token(const char *path, char out[PROTOCOL_TOKEN + 1], struct err *e)
{
    enum { MOST_BYTES = 1000 };
    struct text t = {0};
    enum err_code code = text_read_file(&t, path, MOST_BYTES, e);
    if (code == ERR_NONE) {
        char *where = mem_format("the content of %s", path);
        const char *begin = text_str(&t) + strspn(text_str(&t), " \t\r\n");
        size_t n = strcspn(begin, " \t\r\n");
        bool is_alone = begin[n + strspn(begin + n, " \t\r\n")] == '\0';
        /* Anything else becomes "", which check_token refuses; the content is not shown, as it may be a secret of
           another kind. */
        snprintf(out, PROTOCOL_TOKEN + 1, "%.*s", is_alone && n == PROTOCOL_TOKEN ? (int)n : 0, begin);
        code = check_token(out, where, e);
        free(where);
    }
    text_clear(&t);
    return code;
}

/* `out` is --token, what is in the file of --token-file, or the environment variable IASIM_TOKEN; "": none is given.
   The words of a command are in the list of processes, which every user of the machine can read; files and the
   environment are not. */
static enum err_code find_token(const char *option, const char *file, char out[PROTOCOL_TOKEN + 1], struct err *e)
{
    const char *variable = getenv("IASIM_TOKEN"), *given = option != NULL ? option : variable;
    out[0] = '\0';
    if (option != NULL && file != NULL)
        return err_set(e, ERR_USAGE, "--token and --token-file exclude each other");
    if (file != NULL)
        return read_token(file, out, e);
    if (given == NULL)
        return ERR_NONE;
    enum err_code code = check_token(given, option != NULL ? "--token" : "IASIM_TOKEN", e);
    if (code == ERR_NONE)
        snprintf(out, PROTOCOL_TOKEN + 1, "%s", given);
    return code;
}

/* ---- measuring ---- */

/* Of 1000 parts of the time (calibrate/session.c). */
static void show(void *self, long n_done, long n_total)
{
    progress_show(self, &(struct progress_counts){.n_total = (uint64_t)n_total, .n_done = (uint64_t)n_done});
}

/* All addresses of this machine: to the other one they would mean itself. */
static void replace_wildcard(struct address *a)
{
    if (strcmp(a->host, "0.0.0.0") == 0 || strcmp(a->host, "::") == 0)
        gethostname(a->host, sizeof a->host - 1);
}

/* A token that the user gave is known on the other machine, and stays between the two. */
static void print_what_to_call(const struct options *o, const struct address *a, const char *token)
{
    char text[ADDRESS_TEXT];
    fprintf(stderr, "  iasim calibrate --to %s", address_text(a, text));
    if (o->found_token[0] == '\0')
        fprintf(stderr, " --token %s\n", token);
    else
        fprintf(stderr, "  # with the same token\n");
}

/* The token is printed only if it was made here. */
static enum err_code listen_for_caller(const struct options *o, const struct listener_side *side, struct meeting *m,
                                       struct err *e)
{
    struct address wanted, got;
    char token[PROTOCOL_TOKEN + 1], text[ADDRESS_TEXT];
    int fd;
    memcpy(token, o->found_token, sizeof token);
    enum err_code code = address_parse(o->listen, 0, &wanted, e);
    /* Before listening, so that no caller is ever without one. */
    if (code == ERR_NONE && token[0] == '\0')
        code = listener_make_token(token, e);
    if (code == ERR_NONE)
        code = address_listen(&wanted, &fd, &got, e);
    if (code != ERR_NONE)
        return code;
    /* The port that the system chose where --listen says 0. */
    fprintf(stderr, "listening on %s for %g s; on the other machine:\n", address_text(&got, text), o->wait_s);
    replace_wildcard(&got);
    print_what_to_call(o, &got, token);
    code = listener_await(side, fd, token, clock_now_s() + o->wait_s, m, e);
    close(fd);
    return code;
}

static enum err_code call_listener(const struct options *o, const struct listener_side *side, struct meeting *m,
                                   struct err *e)
{
    struct address a;
    /* A listener may ask for any free port (0); a caller must name one. */
    enum err_code code = address_parse(o->to, 1, &a, e);
    return code == ERR_NONE ? listener_call(side, &a, o->found_token, m, e) : code;
}

/* Two sides of one machine have one name. */
static void tell_names_apart(struct measured *own, struct measured *peer)
{
    if (strcmp(own->name, peer->name) == 0)
        snprintf(peer->name, sizeof peer->name, "%.*s-peer", (int)PROTOCOL_NAME - 5, own->name);
}

static enum err_code measure(const struct options *o, struct measured *own, struct measured *peer, struct err *e)
{
    struct meeting m;
    struct progress bar;
    /* 0: not given. */
    double seconds = o->seconds > 0 ? o->seconds : o->listen != NULL ? max_seconds : default_seconds;
    const struct listener_side side = {.own_name = own->name, .seconds = seconds, .talk = stderr};
    enum err_code code = pin(o->pin, e);
    if (code == ERR_NONE)
        code = o->listen != NULL ? listen_for_caller(o, &side, &m, e) : call_listener(o, &side, &m, e);
    if (code != ERR_NONE)
        return code;
    snprintf(peer->name, sizeof peer->name, "%s", m.peer);
    tell_names_apart(own, peer);
    /* Only when both sides have met: waiting for a caller has no measure. */
    progress_init(&bar, stderr, PROGRESS_AUTO);
    const struct session_options how = {
        .is_caller = o->to != NULL, .matrix = (size_t)o->matrix, .progress = show, .progress_self = &bar};
    code = session_run(&m, &how, own, peer, e);
    progress_end(&bar);
    return code;
}

/* ---- points from files ---- */

static enum err_code read_one(const struct options *o, const char *path, const char *name, struct measured *out,
                              struct err *e)
{
    points_clear(out);
    enum err_code code = points_read(path, name, out, e);
    if (o->speed_flop_per_s > 0) {
        out->alone_flop_per_s = o->speed_flop_per_s;
        /* A speed that the user gives has no interval. */
        out->alone_half_flop_per_s = NAN;
    }
    out->latency_s = o->latency_s;
    return code;
}

/* A peer of which nothing is known is taken to be like the host. */
static enum err_code read_runs(const struct options *o, struct measured *own, struct measured *peer, struct err *e)
{
    const char *name = o->name != NULL ? o->name : "host";
    enum err_code code = read_one(o, o->runs.list[0], name, own, e);
    if (code == ERR_NONE)
        code = read_one(o, o->runs.list[o->runs.n - 1], "peer", peer, e);
    tell_names_apart(own, peer);
    return code;
}

/* Everything is printed, and the points are written, before it is decided whether the platform is good enough: a
   refusal loses no measurement. */
static enum err_code conclude(const struct options *o, struct calibrate_result *r, struct err *e)
{
    enum err_code code = ERR_NONE;
    r->has_peer = o->runs.n != 1;
    for (int i = 0; i < 2 && code == ERR_NONE; i++)
        code = rates_fit(&r->hosts[i].points, &r->rates[i], e);
    /* An unknown speed is an error before output, since another option (--speed) mends it. */
    for (int i = 0; i < 2 && code == ERR_NONE && o->emit != NULL; i++)
        code = emit_check(&r->hosts[i], e);
    if (code == ERR_NONE && o->out != NULL)
        code = calibrate_write_points(&r->hosts[0], o->out, e);
    if (code == ERR_NONE && o->json)
        calibrate_print_json(r);
    else if (code == ERR_NONE)
        calibrate_print_table(r);
    if (code == ERR_NONE && o->emit != NULL && !o->anyway)
        code = calibrate_check_usable(r, e);
    return code == ERR_NONE && o->emit != NULL ? calibrate_emit(r, o->emit, e) : code;
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct calibrate_result r = {.has_peer = true};
    char name[PROTOCOL_NAME + 1];
    set_own_name(o, name);
    /* Cleared at the end in any case, so initialised before the first error. */
    points_init(&r.hosts[0], name);
    points_init(&r.hosts[1], "peer");
    enum err_code code = check(o, e);
    if (code == ERR_NONE && o->runs.n == 0)
        code = find_token(o->token, o->token_file, o->found_token, e);
    if (code == ERR_NONE && o->to != NULL && o->found_token[0] == '\0')
        code = err_set(e, ERR_USAGE, "--to needs the listener's token: --token, --token-file or IASIM_TOKEN");
    /* The names of the files, before minutes of measuring. */
    if (code == ERR_NONE && o->emit != NULL)
        code = calibrate_check_emit(o->emit, &o->runs, e);
    if (code == ERR_NONE)
        code = o->runs.n > 0 ? read_runs(o, &r.hosts[0], &r.hosts[1], e) : measure(o, &r.hosts[0], &r.hosts[1], e);
    if (code == ERR_NONE)
        code = conclude(o, &r, e);
    points_clear(&r.hosts[0]);
    points_clear(&r.hosts[1]);
    return code;
}

const struct command command_calibrate = {
    .name = "calibrate",
    .summary = "measure the interference rates of real machines",
    .size = sizeof(struct options),
    .defaults = &(const struct options){.wait_s = 600, .pin = -1, .matrix = KERNEL_DEFAULT},
    .options = options,
    .about =
        "Measures how communication slows computing down on real machines. One side listens, the other connects to it. "
        "Each of the two hosts is measured in turn: it computes (diagonals of the square of a matrix), alone and while "
        "it sends, receives or does both at several rates. Both sides print the interference rates of both hosts, "
        "their own first, with R2 and the 95 % interval. With --runs the points come from files instead; their columns "
        "are those of `iasim fit`, and optionally compute_flop_per_s.",
    .notes =
        "Nothing is encrypted, no rights are needed, and only the given address is listened on. Rates are per "
        "MB/s and relative to the speed alone. The rate of both is per MB/s of sent plus received data. The "
        "column 'stolen' is the part of a rate in which the computing thread did not have the processor. A rate whose "
        "interval is wider than half of it to each side, and than 5 % of the processor at the highest rate, is "
        "lost in noise: the other programs of the host are the usual reason, and --emit then writes nothing.",
    .examples = "# On one machine:\n"
                "iasim calibrate --listen 127.0.0.1:0 --name a 2>listener.txt &\n"
                "# On the other (the same one here, for 2 s in all):\n"
                "until grep -qs token listener.txt; do sleep 0.1; done\n"
                "$(grep -o 'iasim calibrate --to.*' listener.txt) --name b --seconds 2 \\\n"
                "  --out b.csv --emit ab.xml --anyway\n"
                "iasim fit planar b.csv\n"
                "iasim farm -p ab.xml -d ab.deployment.xml --policy ia_multi \\\n"
                "  --tasks 100 --send-size 1 --compute-size 1e8\n"
                "wait\n",
    .run = run,
    .has_progress = true,
};
