/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/search_watch.h"

#include "base/clock.h"
#include "report/progress_clock.h"

#include <signal.h>

static volatile sig_atomic_t is_signalled;
static double signalled_s; /* of the clock; only the handler reads it */

/* One request may arrive twice, for example from `timeout`, which signals the process and then its group. A second
   request ends the program as ever. */
static void note_signal(int number)
{
    if (!is_signalled) {
        signalled_s = clock_now_s(); /* may be called here, as clock_gettime may */
        is_signalled = 1;
    } else if (clock_now_s() > signalled_s + 0.5) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

/* The first question shows that there is a search. */
static bool is_stopped(void *self)
{
    (void)self;
    static bool is_listening;
    if (!is_listening) {
        struct sigaction ours = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
        sigaction(SIGINT, &ours, NULL);
        sigaction(SIGTERM, &ours, NULL);
        is_listening = true;
    }
    return is_signalled != 0;
}

static void show(void *self, const char *state)
{
    (void)self;
    progress_clock_show(state);
}

const struct search_watch search_watch_user = {.is_stopped = is_stopped, .show = show};

bool search_watch_was_stopped(void)
{
    return is_signalled != 0;
}
