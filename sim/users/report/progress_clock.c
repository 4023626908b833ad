/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The thread writes to the descriptor, not to `stderr`: it must not hold a lock of stdio while the process forks. It
   blocks all signals, so the main thread gets them. */
#include "report/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { OUT_BUFFER = 1 << 20, STATE = 101, LINE = 80 + STATE };

static struct {
    const char *what;
    int fd;
    bool is_running, is_over;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t ends;
    char state[STATE];
} the = {.lock = PTHREAD_MUTEX_INITIALIZER, .ends = PTHREAD_COND_INITIALIZER};

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
    struct timespec next;
    clock_gettime(CLOCK_REALTIME, &next);
    long elapsed_s = 0;
    pthread_mutex_lock(&the.lock);
    while (!the.is_over) {
        next.tv_sec++;
        while (!the.is_over && pthread_cond_timedwait(&the.ends, &the.lock, &next) == 0)
            continue;
        if (!the.is_over)
            draw(++elapsed_s);
    }
    pthread_mutex_unlock(&the.lock);
    if (elapsed_s > 0)
        wipe();
    return self;
}

void progress_clock_start(const char *what)
{
    sigset_t all, before;
    the.fd = fileno(stderr);
    if (!isatty(the.fd))
        return;
    if (isatty(STDOUT_FILENO))
        setvbuf(stdout, NULL, _IOFBF, OUT_BUFFER);
    the.what = what;
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
