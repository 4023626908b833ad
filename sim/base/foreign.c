/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handlers are in place only while foreign code runs: SimGrid and sanitizers have their own for the rest.
   They run on a stack of their own, since endless recursion leaves none. */
#include "base/foreign.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { N_SIGNALS = sizeof signals / sizeof signals[0], STACK_BYTES = 1 << 16, GOES_ON = -1 };

static struct {
    volatile sig_atomic_t is_inside, exit_status; /* GOES_ON: the process ends as it was going to */
    char line[700];
    size_t n;
    struct sigaction before[N_SIGNALS];
    stack_t stack_before;
} call;

static void say(void)
{
    (void)!write(STDERR_FILENO, call.line, call.n);
}

static void on_signal(int number)
{
    say();
    if (call.exit_status != GOES_ON)
        _exit(call.exit_status);
    signal(number, SIG_DFL);
    raise(number); /* delivered on return */
}

static void on_process_exit(int status, void *unused)
{
    (void)status;
    (void)unused;
    if (!call.is_inside)
        return;
    say();
    if (call.exit_status != GOES_ON)
        _exit(call.exit_status);
}

static void take_signals(void)
{
    static char stack[STACK_BYTES];
    static bool watches_exit;
    const stack_t ours = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    sigaltstack(&ours, &call.stack_before);
    for (int i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i], &action, &call.before[i]);
    if (!watches_exit)
        on_exit(on_process_exit, NULL);
    watches_exit = true;
}

static void enter(int exit_status, const char *before, const char *path, const char *words)
{
    int n = snprintf(call.line, sizeof call.line, "%s" FOREIGN_MARK "%s: %s", before, path, words);
    call.n = (size_t)n < sizeof call.line - 1 ? (size_t)n : sizeof call.line - 2;
    call.line[call.n++] = '\n';
    call.exit_status = exit_status;
    take_signals();
    call.is_inside = true;
}

void foreign_enter(const struct origin *from, const char *function, const char *owner)
{
    char words[200];
    if (from == NULL)
        return;
    snprintf(words, sizeof words, "%s of %s", function, owner);
    enter(GOES_ON, "\n", from->path, words);
}

void foreign_enter_loading(const char *path, int status)
{
    enter(status, "iasim: ", path, "crashed or called exit while it was loaded");
}

void foreign_leave(void)
{
    if (!call.is_inside)
        return;
    call.is_inside = false;
    for (int i = 0; i < N_SIGNALS; i++)
        sigaction(signals[i], &call.before[i], NULL);
    sigaltstack(&call.stack_before, NULL);
}
