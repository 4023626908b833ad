/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs of closed forms, in C and C++: each case is carried out by a process of its own, because SimGrid has one
   engine per process, and compares its dates with formulas.

       PROGRAM MODE [CASE] [--cfg=...]

   A case loads a platform, starts actors that note dates with done(), runs, and compares with ends(). MODE says what
   the formulas expect: `charged`, the world interference; `free`, that transfers cost no processor anything. `zero`
   and `tiny` are as `free`, but the platform's interference rates are replaced by 0 and by 1e-30, which a factor near
   1 cannot show. Dates go to stdout with all their digits. The exit status is 0 if all are right.

   Unless a case says otherwise, a host does 1 Gf/s and a link carries 1 MB/s without latency. Amounts are given in
   these units, so that an interference rate is the share of the processor that a transfer takes (doc/model.md,
   World): finish = F/C + IR x bytes where no factor is clamped. */
#ifndef IASIM_TEST_SIMGRID_CLOSED_H
#define IASIM_TEST_SIMGRID_CLOSED_H

#include "platform_text.h"

#include <simgrid/engine.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define GF 1e9
#define MB 1e6
#define HOST_WITH(id, rest, props) "<host id=\"" id "\" " rest ">" props "</host>\n"
#define HOST(id, props) HOST_WITH(id, "speed=\"1Gf\"", props)

/* Three hosts with a link between any two. */
#define HOST_A HOST("a", PROP("ir_send", "0.3") PROP("ir_recv", "0.1"))
#define HOST_B HOST("b", PROP("ir_recv", "0.2"))
#define HOST_C HOST("c", "")
#define ROUTES ROUTE("a", "b", "ab") ROUTE("a", "c", "ac") ROUTE("b", "c", "bc")
#define REST_OF_TRIO HOST_B HOST_C MBPS("ab", "1") MBPS("ac", "1") MBPS("bc", "1") ROUTES END_OF_PLATFORM
#define TRIO CM02 HOST_A REST_OF_TRIO

struct closed_case {
    const char *name;
    void (*run)(void);
};
#define CASE(name)                                                                                                     \
    {                                                                                                                  \
#name, name                                                                                                    \
    }

enum { MAX_DATES = 64 };
static struct closed_date {
    const char *what;
    double at_s;
} closed_dates[MAX_DATES];
static int n_closed_dates, n_closed_checks, n_closed_faults;
static const char *closed_mode;

/* What the world costs: nothing in all modes but `charged`. */
static inline double lost(double s)
{
    return strcmp(closed_mode, "charged") == 0 ? s : 0;
}

/* Notes that something is over now, or has a value. `what` is kept. */
static inline void note(const char *what, double value)
{
    if (n_closed_dates == MAX_DATES)
        abort();
    closed_dates[n_closed_dates].what = what;
    closed_dates[n_closed_dates++].at_s = value;
}

static inline void done(const char *what)
{
    note(what, simgrid_get_clock());
}

/* Compares what was noted under this name, which has to be noted once, to 1e-9. */
static inline void ends(const char *what, double want_s)
{
    int n = 0;
    n_closed_checks++;
    for (int i = 0; i < n_closed_dates; i++) {
        double at_s = closed_dates[i].at_s;
        if (strcmp(closed_dates[i].what, what) != 0)
            continue;
        n++;
        printf("%s %.17g\n", what, at_s);
        if (fabs(at_s - want_s) <= 1e-9 * fabs(want_s))
            continue;
        n_closed_faults++;
        fprintf(stderr, "%s: %.12g, expected %.12g\n", what, at_s, want_s);
    }
    if (n == 1)
        return;
    n_closed_faults++;
    fprintf(stderr, "%s: noted %d times\n", what, n);
}

static inline void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0)
        abort();
}

/* Writes a platform; if `rate` is not NULL, it is the value of each property `ir_...`, and constants are 1. */
static inline void write_platform(const char *name, const char *text, const char *rate)
{
    FILE *f = fopen(name, "w");
    if (f == NULL)
        abort();
    for (const char *at; rate != NULL && (at = strstr(text, "id=\"ir_")) != NULL;) {
        bool is_constant = strncmp(at, "id=\"ir_constant_", strlen("id=\"ir_constant_")) == 0;
        at = strstr(at, "value=\"") + strlen("value=\"");
        fprintf(f, "%.*s%s", (int)(at - text), text, is_constant ? "1" : rate);
        text = at + strcspn(at, "\"");
    }
    if (fputs(text, f) < 0 || fclose(f) != 0)
        abort();
}

/* Loads a platform given as text, by way of a file in the current folder. */
static inline void load(const char *platform)
{
    const char *rate = strcmp(closed_mode, "zero") == 0 ? "0" : strcmp(closed_mode, "tiny") == 0 ? "1e-30" : NULL;
    write_platform("platform.xml", platform, rate);
    simgrid_load_platform("platform.xml");
}

static inline void closed_child(const struct closed_case *c, int argc, char **argv)
{
    alarm(60);
    printf("%s\n", c->name);
    simgrid_init(&argc, argv);
    c->run();
    exit(n_closed_faults > 0 || n_closed_checks == 0);
}

static inline int closed_main(int argc, char **argv, const struct closed_case *cases, size_t n)
{
    const char *only = argc > 2 && argv[2][0] != '-' ? argv[2] : NULL;
    int n_faults = 0, n_run = 0;
    closed_mode = argc > 1 ? argv[1] : "";
    if (strstr(" charged free zero tiny ", closed_mode) == NULL || closed_mode[0] == '\0')
        return fprintf(stderr, "usage: %s charged|free|zero|tiny [CASE] [--cfg=...]\n", argv[0]), 2;
    for (size_t i = 0; i < n; i++) {
        int status = 0;
        if (only != NULL && strcmp(cases[i].name, only) != 0)
            continue;
        n_run++;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            closed_child(&cases[i], argc, argv);
        waitpid(child, &status, 0);
        if (status == 0)
            continue;
        n_faults++;
        fprintf(stderr, "%s: %s: %s %d\n", closed_mode, cases[i].name, WIFSIGNALED(status) ? "signal" : "status",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
    return n_faults > 0 || n_run == 0;
}

#define CLOSED_MAIN(cases)                                                                                             \
    int main(int argc, char **argv)                                                                                    \
    {                                                                                                                  \
        return closed_main(argc, argv, cases, sizeof(cases) / sizeof(cases)[0]);                                       \
    }

#endif
