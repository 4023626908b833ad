/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Each thread counts what it has moved in an atomic counter, which the measuring thread reads. The rate, and whether
   the sender is between two pieces, are under a lock. The socket blocks, as most programs' do; threads that wait in it
   are woken by shutdown(). So that little is left to be sent when an interval of a slow link ends, the system takes
   only a little more than it can send at once (TCP_NOTSENT_LOWAT). */
#include "calibrate/flow.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/random.h"
#include "calibrate/bucket.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { DATA_BYTES = 1 << 20, RECEIVE_BYTES = 1 << 16, MAX_UNSENT_BYTES = 1 << 17 };

struct flow {
    int fd;
    pthread_t sender, receiver;
    atomic_uint_fast64_t n_sent, n_received;
    atomic_bool is_broken;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* by CLOCK_MONOTONIC, as clock_now_s */
    double rate_bytes_per_s;
    unsigned long n_changes; /* of the rate */
    bool is_idle, is_over;
    uint64_t data[DATA_BYTES / sizeof(uint64_t)];
    char received[RECEIVE_BYTES];
};

/* For at most a second: a peer may ask for a rate at which the next piece would be due in more time than a clock can
   say. Callers look again in any case. */
static void wait_for(struct flow *f, double wait_s)
{
    double whole, until_s = clock_now_s() + fmin(wait_s, 1);
    /* until_s is split into whole seconds and nanoseconds. */
    long ns = (long)(modf(until_s, &whole) * 1e9);
    pthread_cond_timedwait(&f->changed, &f->lock, &(struct timespec){.tv_sec = (time_t)whole, .tv_nsec = ns});
}

/* Waits until `b` has a piece to send; a changed rate starts a new bucket. False: the flow is over. */
static bool next_piece(struct flow *f, struct bucket *b, unsigned long *n_seen)
{
    pthread_mutex_lock(&f->lock);
    for (;;) {
        double now_s = clock_now_s(), wait_s = 0;
        /* A new rate begins without debts or savings of the one before. */
        if (*n_seen != f->n_changes) {
            *n_seen = f->n_changes;
            bucket_init(b, f->rate_bytes_per_s, now_s);
        }
        if (b->rate_bytes_per_s > 0)
            wait_s = bucket_wait_s(b, now_s);
        /* Set under the lock, so flow_pause sees it only between two pieces. */
        f->is_idle = b->rate_bytes_per_s == 0;
        if (f->is_over || (!f->is_idle && wait_s == 0))
            break;
        if (f->is_idle) {
            pthread_cond_broadcast(&f->changed);
            pthread_cond_wait(&f->changed, &f->lock);
        } else {
            wait_for(f, wait_s);
        }
    }
    bool goes_on = !f->is_over;
    pthread_mutex_unlock(&f->lock);
    return goes_on;
}

static void *send_pieces(void *self)
{
    struct flow *f = self;
    struct bucket b = {0};
    unsigned long n_seen = 0;
    size_t at = 0;
    while (next_piece(f, &b, &n_seen)) {
        /* Pieces come from one block of random bytes, again and again: what a link would need to see to
           compress them is a megabyte away. */
        if (at + b.piece_bytes > DATA_BYTES)
            at = 0;
        ssize_t n = send(f->fd, (const char *)f->data + at, b.piece_bytes, MSG_NOSIGNAL);
        if (n > 0) {
            at += (size_t)n;
            /* What the system took may be less than a piece, and is not yet sent (flow_delivered_bytes). */
            atomic_fetch_add(&f->n_sent, (uint64_t)n);
            bucket_take(&b, (size_t)n);
        } else if (n < 0 && errno != EINTR && errno != EAGAIN) {
            /* EAGAIN is no error but the time limit of set_up_socket: time to see whether the rate has changed. Rate 0
               makes the thread idle: flow_pause returns, and the caller finds the flow broken. */
            atomic_store(&f->is_broken, true);
            flow_set_rate(f, 0);
        }
    }
    return NULL;
}

/* Receives even where nothing is to be measured: a sender that is kept waiting would not be at its rate. */
static void *receive_all(void *self)
{
    struct flow *f = self;
    for (;;) {
        ssize_t n = recv(f->fd, f->received, sizeof f->received, 0);
        if (n > 0)
            atomic_fetch_add(&f->n_received, (uint64_t)n);
        else if (n == 0 || (errno != EINTR && errno != EAGAIN))
            break;
    }
    atomic_store(&f->is_broken, true);
    return NULL;
}

/* Blocking: a sender that polls would take processor time that a program's own sends do not. */
static void set_up_socket(int fd)
{
    const int unsent = MAX_UNSENT_BYTES;
    const struct timeval patience = {.tv_usec = 200000}; /* a sender that is stuck looks at the rate now and then */
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

static void stop_sending(struct flow *f)
{
    pthread_mutex_lock(&f->lock);
    f->is_over = true;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

/* The threads take no signals: these are for the main thread, which they may be meant to end. */
static int start_threads(struct flow *f)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int status = pthread_create(&f->sender, NULL, send_pieces, f);
    /* The first thread must not outlive a failure of the second. */
    if (status == 0 && (status = pthread_create(&f->receiver, NULL, receive_all, f)) != 0) {
        stop_sending(f);
        pthread_join(f->sender, NULL);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

static void release(struct flow *f)
{
    close(f->fd);
    pthread_cond_destroy(&f->changed);
    pthread_mutex_destroy(&f->lock);
    free(f);
}

enum err_code flow_create(int fd, struct flow **out, struct err *e)
{
    struct flow *f = mem_zalloc(1, sizeof *f);
    struct random_stream random;
    pthread_condattr_t attributes;
    f->fd = fd;
    random_init(&random, 1, 0); /* the same bytes in each run */
    for (size_t i = 0; i < sizeof f->data / sizeof f->data[0]; i++)
        f->data[i] = random_u64(&random);
    pthread_mutex_init(&f->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&f->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    set_up_socket(fd);
    *out = NULL;
    if (start_threads(f) != 0) {
        release(f);
        return err_set(e, ERR_INTERNAL, "cannot start a thread");
    }
    *out = f;
    return ERR_NONE;
}

void flow_free(struct flow *f)
{
    if (f == NULL)
        return;
    stop_sending(f);
    /* Wakes threads that are blocked in the socket. */
    shutdown(f->fd, SHUT_RDWR);
    pthread_join(f->sender, NULL);
    pthread_join(f->receiver, NULL);
    release(f);
}

void flow_set_rate(struct flow *f, double rate_bytes_per_s)
{
    pthread_mutex_lock(&f->lock);
    f->rate_bytes_per_s = rate_bytes_per_s;
    f->is_idle = false;
    f->n_changes++;
    pthread_cond_broadcast(&f->changed);
    pthread_mutex_unlock(&f->lock);
}

bool flow_pause(struct flow *f, double until_s)
{
    flow_set_rate(f, 0);
    pthread_mutex_lock(&f->lock);
    while (!f->is_idle && clock_now_s() < until_s)
        wait_for(f, until_s - clock_now_s());
    bool is_idle = f->is_idle;
    pthread_mutex_unlock(&f->lock);
    return is_idle;
}

/* Polled: the receiver has no lock, so that receiving costs as little as possible. */
bool flow_await(struct flow *f, uint64_t n_received, double until_s)
{
    while (atomic_load(&f->n_received) < n_received) {
        if (atomic_load(&f->is_broken) || clock_now_s() >= until_s)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return true;
}

uint64_t flow_sent_bytes(const struct flow *f)
{
    return atomic_load(&f->n_sent);
}

/* SIOCOUTQ: bytes in the socket that the peer has not acknowledged. */
uint64_t flow_delivered_bytes(const struct flow *f)
{
    uint64_t sent = atomic_load(&f->n_sent);
    int queued = 0; /* this may count a piece that `sent` does not have yet */
    if (ioctl(f->fd, SIOCOUTQ, &queued) != 0 || queued < 0)
        queued = 0;
    return sent > (uint64_t)queued ? sent - (uint64_t)queued : 0;
}

uint64_t flow_received_bytes(const struct flow *f)
{
    return atomic_load(&f->n_received);
}

bool flow_is_broken(const struct flow *f)
{
    return atomic_load(&f->is_broken);
}
