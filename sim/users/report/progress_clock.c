/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A line with the elapsed time, for computations that cannot report how far they are, such as a linear program.

   The thread writes to the descriptor, not to `stderr`: it must not hold a lock of stdio while the process
   forks, or the child would inherit the lock without the thread that unlocks it. It blocks all signals, so
   the main thread gets them. */
#include "report/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* STATE: the 100 characters that progress.h promises, and NUL. LINE: these, `what` (cut to 60) and the time. */
enum { OUT_BUFFER = 1 << 20, STATE = 101, LINE = 80 + STATE };

/* One clock for the process: there is one terminal. The lock guards `state` and `is_over`. The thread reads `what` and
   `fd`, which do not change while it runs; the others are the main thread's own. */
static struct {
    const char *what;
    int fd;
    bool is_running, is_over;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ends;
    char state[STATE];
} the = {.lock = PTHREAD_MUTEX_INITIALIZER, .ends = PTHREAD_COND_INITIALIZER};

/* A failed write is ignored: the line is a courtesy, and there is no other place to complain. */
static void draw(long elapsed_s)
{
    char line[LINE];
    int n = snprintf(line, sizeof line, "\r%.60s: %ld:%02ld%s%s\r", the.what, elapsed_s / 60, elapsed_s % 60,
                     the.state[0] != '\0' ? "  " : "", the.state);
    (void)!write(the.fd, line, (size_t)n);
}

static void wipe(void)
{
    char blanks[LINE];
    memset(blanks, ' ', sizeof blanks);
    blanks[0] = blanks[sizeof blanks - 1] = '\r';
    (void)!write(the.fd, blanks, sizeof blanks);
}

static void *tick(void *self)
{
    struct timespec next; /* the clock that pthread_cond_timedwait counts by default */
    clock_gettime(CLOCK_REALTIME, &next);
    long elapsed_s = 0;
    pthread_mutex_lock(&the.lock);
    while (!the.is_over) {
        next.tv_sec++; /* from the date before, not from the present: delays do not add up */
        /* 0 means that the condition was signalled, or a spurious wake-up: `is_over` says which. Anything else is the
           time-out (or an error, which must not become an endless loop). */
        while (!the.is_over && pthread_cond_timedwait(&the.ends, &the.lock, &next) == 0)
            continue;
        if (!the.is_over)
            draw(++elapsed_s);
    }
    pthread_mutex_unlock(&the.lock);
    if (elapsed_s > 0) /* a computation of less than a second has drawn nothing */
        wipe();
    return self;
}

void progress_clock_start(const char *what)
{
    sigset_t all, before;
    the.fd = fileno(stderr);
    if (!isatty(the.fd))
        return;
    /* Results printed meanwhile would land in the middle of the line. Held back, they follow when
       the command flushes or ends. */
    if (isatty(STDOUT_FILENO))
        setvbuf(stdout, NULL, _IOFBF, OUT_BUFFER);
    the.what = what;
    /* A new thread inherits the mask of the one that creates it, so signals are blocked before. A thread that
       blocked them itself could be given one in its first moment. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    the.is_running = pthread_create(&the.thread, NULL, tick, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void progress_clock_show(const char *state)
{
    enum { WIDTH = STATE - 1 }; /* blanks wipe what a longer state has left */
    if (!the.is_running)
        return;
    pthread_mutex_lock(&the.lock);
    snprintf(the.state, sizeof the.state, "%-*.*s", WIDTH, WIDTH, state);
    pthread_mutex_unlock(&the.lock);
}

void progress_clock_stop(void)
{
    if (!the.is_running)
        return;
    pthread_mutex_lock(&the.lock);
    the.is_over = true;
    pthread_cond_signal(&the.ends);
    pthread_mutex_unlock(&the.lock);
    pthread_join(the.thread, NULL);
    the.is_running = false;
}
