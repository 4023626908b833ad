/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/search_watch.h"

#include "report/progress_clock.h"

#include <signal.h>

static volatile sig_atomic_t is_signalled;

static void note_signal(int number)
{
    (void)number;
    is_signalled = 1;
}

/* The first question says that there is a search. A second signal ends the program as ever. */
static bool is_stopped(void *self)
{
    (void)self;
    static bool is_listening;
    if (!is_listening) {
        struct sigaction ours = {.sa_handler = note_signal, .sa_flags = (int)SA_RESETHAND};
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
