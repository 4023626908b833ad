/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sweep/pool.h"

#include "base/clock.h"
#include "base/isolate.h"
#include "base/mem.h"
#include "base/orphans.h"
#include "scenario/turn.h"
#include "sweep/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* MAX_DEATHS_IN_A_ROW: something kills every worker, so a sweep would never end. MAX_STEPS: feed returns to the loop
   now and then, for signals. */
enum { MAX_AHEAD = 64, MAX_DEATHS_IN_A_ROW = 100, MAX_STEPS = 1000 };
enum { MAX_KILLS = 3 }; /* of workers over one point, or over one platform, before that is given up */

static const double pause_s = 0.25;
static const double queue_s = 0.02; /* of work that is given to a worker ahead */

enum slot_state { SLOT_EMPTY, SLOT_PREPARING, SLOT_READY };

struct slot {
    enum slot_state state;
    pid_t pid;
    int socket, said_fd; /* the dispatcher's ends */
    struct said said;
    uint64_t shared;                    /* which value it serves */
    struct worker_job ahead[MAX_AHEAD]; /* given, not answered; the first is under way */
    int n_ahead;
    bool has_last;  /* the last of `ahead`, or of those that it has answered, may have left it unfit for others */
    double since_s; /* when the first of them came under way: it was given, or the one before was answered */
};

struct pool {
    const struct scenario *s;
    const struct pool_options *options;
    const struct pool_client *client;
    struct slot *slots;
    struct worker_job *again; /* what dead workers left */
    size_t n_again, again_capacity;
    bool has_next; /* `next` was taken from the client and not given out */
    uint64_t next;
    bool has_loaded;       /* what workers would load otherwise, each for itself */
    bool exhausted;        /* the client has no more */
    bool is_looking;       /* the client is still looking for one */
    bool has_prepared;     /* some worker has said to be ready */
    int n_kills_preparing; /* in a row */
    bool is_broken;        /* `broken_shared` cannot be prepared */
    uint64_t broken_shared;
    char broken_text[1400];
    int n_deaths_in_a_row;
    double point_s; /* what points take these days; 0: not known */
};

/* --- signals --- */

static volatile sig_atomic_t n_signals; /* that ask to stop */
static time_t first_signal_s;

/* timeout(1) and batch systems send one request twice: a second one must be later to count. */
static void note_signal(int number)
{
    (void)number;
    time_t now = time(NULL);
    if (n_signals == 0)
        first_signal_s = now;
    if (n_signals == 0 || now >= first_signal_s + 2)
        n_signals++;
}

struct signals {
    struct sigaction old_int, old_term;
    sigset_t old_mask, during; /* during: the mask while waiting */
};

/* They are let in during ppoll only, so none is missed between looking and sleeping. */
static void signals_take(struct signals *g)
{
    struct sigaction ours = {.sa_handler = note_signal};
    sigset_t both;
    sigemptyset(&both);
    sigaddset(&both, SIGINT);
    sigaddset(&both, SIGTERM);
    n_signals = 0;
    sigprocmask(SIG_BLOCK, &both, &g->old_mask);
    g->during = g->old_mask;
    sigdelset(&g->during, SIGINT);
    sigdelset(&g->during, SIGTERM);
    sigaction(SIGINT, &ours, &g->old_int);
    sigaction(SIGTERM, &ours, &g->old_term);
}

static void signals_give_back(const struct signals *g)
{
    sigaction(SIGINT, &g->old_int, NULL);
    sigaction(SIGTERM, &g->old_term, NULL);
    sigprocmask(SIG_SETMASK, &g->old_mask, NULL);
}

/* --- workers --- */

static _Noreturn void be_worker(const struct pool *p, uint64_t shared, pid_t parent, int socket, int said_fd)
{
    /* After this the socket is descriptor 3. */
    isolate_become_child(parent, said_fd, socket); /* not the database, not the other workers */
    if (p->s->uses_plugins)
        orphans_become_reaper();
    worker_live(p->s, shared, 3);
}

static enum err_code slot_start(struct pool *p, struct slot *slot, uint64_t shared, struct err *e)
{
    int ends[2], said[2];
    if (!p->has_loaded) /* loading SimGrid takes as long as many points */
        run_load(p->s->experiment);
    p->has_loaded = true;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return err_set(e, ERR_INTERNAL, "cannot make a socket for a worker: %s", strerror(errno));
    if (pipe2(said, O_CLOEXEC) != 0) {
        close(ends[0]);
        close(ends[1]);
        return err_set(e, ERR_INTERNAL, "cannot make a pipe for a worker: %s", strerror(errno));
    }
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        be_worker(p, shared, parent, ends[1], said[1]);
    /* close may change errno. */
    int reason = errno;
    close(ends[1]);
    close(said[1]);
    *slot =
        (struct slot){.state = SLOT_PREPARING, .pid = child, .socket = ends[0], .said_fd = said[0], .shared = shared};
    if (child > 0)
        return ERR_NONE;
    close(ends[0]);
    close(said[0]);
    slot->state = SLOT_EMPTY;
    return err_set(e, ERR_INTERNAL, "cannot start a process: %s", strerror(reason));
}

/* Waits for its end, which closing the socket brings about unless it is working. Returns the wait status. */
static int slot_end(struct slot *slot)
{
    int status = 0;
    close(slot->socket);
    while (waitpid(slot->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    while (slot->said_fd >= 0 && said_read(&slot->said, slot->said_fd))
        continue;
    if (slot->said_fd >= 0)
        close(slot->said_fd);
    slot->state = SLOT_EMPTY;
    return status;
}

/* What plugins have left behind in a worker that was killed. */
static void end_orphans(const struct pool *p)
{
    size_t n = 0;
    if (!p->s->uses_plugins)
        return;
    pid_t *workers = mem_alloc((size_t)p->options->n_jobs * sizeof *workers);
    for (int i = 0; i < p->options->n_jobs; i++)
        if (p->slots[i].state != SLOT_EMPTY)
            workers[n++] = p->slots[i].pid;
    orphans_end(workers, n);
    free(workers);
}

static void kill_slot(struct pool *p, struct slot *slot)
{
    kill(slot->pid, SIGKILL);
    slot_end(slot);
    end_orphans(p);
}

static void kill_all(struct pool *p)
{
    for (struct slot *slot = p->slots; slot < p->slots + p->options->n_jobs; slot++)
        if (slot->state != SLOT_EMPTY)
            kill_slot(p, slot);
}

/* --- results --- */

/* An error has no figures, whatever the message held. */
static enum err_code report(struct pool *p, uint64_t turn, const char *error, const double *metrics, struct err *e)
{
    double none[RUN_MAX_METRICS];
    for (size_t i = 0; i < RUN_MAX_METRICS; i++)
        none[i] = NAN;
    const struct pool_result r = {turn, error, error == NULL ? metrics : none};
    return p->client->done(p->client->self, &r, e);
}

struct probe {
    const struct scenario *s;
    uint64_t shared;
};

static enum err_code try_to_prepare(void *self, struct err *e)
{
    const struct probe *probe = self;
    void *shared;
    return worker_prepare(probe->s, probe->shared, &shared, e);
}

/* They are let in while we wait only; long work in between looks for them itself. */
static bool is_asked_to_stop(void)
{
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM);
}

/* Whether something other than `shared` can be prepared: nothing can if the whole input is bad. Asked once in a run. */
static bool another_can_be_prepared(const struct pool *p, uint64_t shared)
{
    uint64_t n = turn_shared_count(p->s);
    /* In a child, which a bad platform may crash. */
    for (struct probe other = {.s = p->s}; other.shared < n && !is_asked_to_stop(); other.shared++)
        if (other.shared != shared && isolate_run(try_to_prepare, &other, NULL) == ERR_NONE)
            return true;
    return is_asked_to_stop(); /* not known, and not the end that was asked for */
}

/* Its points will fail, each when its turn comes; but if that is all there is, the input is at fault. */
static enum err_code remember_broken(struct pool *p, const struct slot *slot, enum err_code reason, const char *text,
                                     struct err *e)
{
    p->is_broken = true;
    p->broken_shared = slot->shared;
    snprintf(p->broken_text, sizeof p->broken_text, "%s", text);
    p->has_prepared = p->has_prepared || another_can_be_prepared(p, slot->shared);
    return p->has_prepared ? ERR_NONE : err_set(e, reason, "%s", text);
}

static void run_again(struct pool *p, const struct worker_job *job)
{
    MEM_GROW(p->again, p->n_again, p->again_capacity);
    p->again[p->n_again] = *job;
    p->again[p->n_again++].is_last = 0;
}

/* A worker has died while it prepared. It may have been killed (the system does so when memory is short). */
static enum err_code preparing_died(struct pool *p, const struct slot *slot, int wait_status, const char *line,
                                    struct err *e)
{
    bool was_killed = WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL;
    /* SimGrid aborts on bad input: the input is at fault, not the program. */
    bool simgrid_gave_up = WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGABRT;
    if (was_killed && ++p->n_kills_preparing < MAX_KILLS)
        return ERR_NONE;
    return remember_broken(p, slot, simgrid_gave_up ? ERR_INPUT : ERR_INTERNAL, line, e);
}

/* A worker has died with a job, which is done again alone. If it was alone already and took the worker with it, it has
   failed, unless the worker was killed: that gets some more tries. */
static enum err_code job_orphaned(struct pool *p, const struct worker_job *job, int wait_status, const char *line,
                                  struct err *e)
{
    bool was_killed = WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL;
    struct worker_job again = *job;
    again.n_deaths++;
    again.alone = 1;
    if (job->alone && !(was_killed && again.n_deaths < MAX_KILLS))
        return report(p, job->turn, line, NULL, e);
    run_again(p, &again);
    return ERR_NONE;
}

/* A worker has gone without being asked to. */
static enum err_code slot_died(struct pool *p, struct slot *slot, struct err *e)
{
    enum err_code code = ERR_NONE;
    enum slot_state state = slot->state;
    char line[1400];
    struct err death = {0};
    int wait_status = slot_end(slot);
    said_explain(&slot->said, NULL, wait_status, &death);
    err_describe(&death, line, sizeof line);
    if (state == SLOT_PREPARING)
        code = preparing_died(p, slot, wait_status, line, e);
    if (code == ERR_NONE && slot->n_ahead > 0)
        code = job_orphaned(p, &slot->ahead[0], wait_status, line, e);
    for (int i = 1; i < slot->n_ahead; i++)
        run_again(p, &slot->ahead[i]);
    slot->n_ahead = 0;
    bool is_progress = state == SLOT_PREPARING; /* its points fail, or it has been killed and is tried a few times */
    if (code == ERR_NONE && !is_progress && ++p->n_deaths_in_a_row > MAX_DEATHS_IN_A_ROW)
        code = err_set(e, ERR_INTERNAL, "%d workers in a row have died, the last one %s", p->n_deaths_in_a_row, line);
    return code;
}

static enum err_code take_message(struct pool *p, struct slot *slot, const struct worker_message *m, struct err *e)
{
    if (m->word == WORKER_READY) {
        slot->state = SLOT_READY;
        p->has_prepared = true;
        p->n_kills_preparing = 0;
        return ERR_NONE;
    }
    if (m->word == WORKER_REFUSED) {
        slot_end(slot);
        return remember_broken(p, slot, (enum err_code)m->failed, m->text, e);
    }
    p->n_deaths_in_a_row = 0;
    /* Up at once, down slowly: one slow point makes the queue short before more slow ones wait in it. */
    p->point_s = fmax(m->seconds, 0.9 * p->point_s + 0.1 * m->seconds);
    slot->since_s = clock_now_s();
    slot->n_ahead--;
    memmove(slot->ahead, slot->ahead + 1, (size_t)slot->n_ahead * sizeof slot->ahead[0]);
    return report(p, m->turn, m->failed != ERR_NONE ? m->text : NULL, m->metrics, e);
}

/* --- giving out --- */

/* One at a time where a point is long against a message, so that no worker has several long ones left when others have
   none; a queue where it is not, so that no worker waits for this process while that stores results. */
static int most_ahead(const struct pool *p)
{
    return p->point_s > 0 ? (int)fmax(1, fmin(MAX_AHEAD, queue_s / p->point_s)) : 1;
}

static enum err_code look_ahead(struct pool *p, struct err *e)
{
    enum pool_supply supply = POOL_END;
    if (p->has_next || p->exhausted || p->is_looking)
        return ERR_NONE;
    enum err_code code = p->client->next(p->client->self, &p->next, &supply, e);
    p->has_next = supply == POOL_TURN;
    p->is_looking = supply == POOL_LATER;
    p->exhausted = supply == POOL_END;
    return code;
}

/* Looks at the next job without taking it. */
static enum err_code peek(struct pool *p, struct worker_job *job, bool *more, struct err *e)
{
    /* First what dead workers left: it is older, and may be alone. */
    if (p->n_again > 0) {
        *job = p->again[p->n_again - 1];
        *more = true;
        return ERR_NONE;
    }
    enum err_code code = look_ahead(p, e);
    *job = (struct worker_job){.turn = p->next};
    *more = p->has_next;
    return code;
}

static void take(struct pool *p)
{
    if (p->n_again > 0)
        p->n_again--;
    else
        p->has_next = false;
}

static uint64_t shared_of(const struct pool *p, uint64_t turn)
{
    return turn_shared(p->s, turn_at(p->s, turn).point);
}

/* Takes the next job, and finds whether it is the last for its worker: then it needs no process of its own. What dead
   workers left is never the last, because they may have died of it. */
static enum err_code take_for_worker(struct pool *p, struct worker_job *job, struct err *e)
{
    bool is_left_over = p->n_again > 0;
    take(p);
    enum err_code code = is_left_over ? ERR_NONE : look_ahead(p, e);
    bool is_followed = p->has_next ? shared_of(p, p->next) == shared_of(p, job->turn) : !p->exhausted;
    job->is_last = !is_left_over && !is_followed;
    return code;
}

static bool give(struct slot *slot, const struct worker_job *job)
{
    if (send(slot->socket, job, sizeof *job, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)sizeof *job)
        return false; /* it has died: reading from its socket will show it */
    if (slot->n_ahead == 0)
        slot->since_s = clock_now_s();
    slot->ahead[slot->n_ahead++] = *job;
    slot->has_last = job->is_last;
    return true;
}

/* Brings one slot to work as far as possible, with a pause now and then while points of a broken platform go
 * by. */
static enum err_code feed(struct pool *p, struct slot *slot, struct err *e)
{
    for (int step = 0; step < MAX_STEPS; step++) {
        struct worker_job job;
        bool more;
        if (slot->state == SLOT_PREPARING || (slot->state == SLOT_READY && slot->n_ahead >= most_ahead(p)))
            return ERR_NONE;
        enum err_code code = peek(p, &job, &more, e);
        if (code != ERR_NONE || !more)
            return code;
        uint64_t shared = shared_of(p, job.turn);
        bool is_other = slot->shared != shared || slot->has_last;
        if (p->is_broken && p->broken_shared == shared) {
            take(p);
            code = report(p, job.turn, p->broken_text, NULL, e);
        } else if (slot->state == SLOT_READY && is_other && slot->n_ahead > 0) {
            /* It must finish its queue before another worker can take its place. */
            return ERR_NONE;
        } else if (slot->state == SLOT_READY && is_other) {
            slot_end(slot);
        } else if (slot->state == SLOT_EMPTY) {
            code = slot_start(p, slot, shared, e);
        } else {
            code = take_for_worker(p, &job, e);
            if (code == ERR_NONE && !give(slot, &job)) {
                run_again(p, &job);
                return ERR_NONE;
            }
        }
        if (code != ERR_NONE)
            return code;
    }
    /* Still looking or with work left: the loop comes back. */
    return ERR_NONE;
}

static bool is_stopping(void)
{
    return n_signals > 0;
}

static bool has_more(const struct pool *p)
{
    return !is_stopping() && (p->n_again > 0 || p->has_next || !p->exhausted);
}

static enum err_code feed_all(struct pool *p, struct err *e)
{
    enum err_code code = ERR_NONE;
    for (int i = 0; code == ERR_NONE && !is_stopping() && i < p->options->n_jobs; i++)
        code = feed(p, &p->slots[i], e);
    return code;
}

static bool is_working(const struct pool *p)
{
    for (int i = 0; i < p->options->n_jobs; i++)
        if (p->slots[i].n_ahead > 0 || (p->slots[i].state == SLOT_PREPARING && !is_stopping()))
            return true;
    return false;
}

/* --- listening --- */

/* All that a worker has sent by now: the faster results come, the more of them share a commit. */
static enum err_code hear(struct pool *p, struct slot *slot, struct err *e)
{
    struct worker_message m;
    enum err_code code = ERR_NONE;
    while (code == ERR_NONE && slot->state != SLOT_EMPTY) {
        /* Never waits: other workers have news as well. */
        ssize_t n = recv(slot->socket, &m, sizeof m, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EINTR))
            return ERR_NONE;
        code = n > 0 ? take_message(p, slot, &m, e) : slot_died(p, slot, e);
    }
    return code;
}

static void listen_to(struct slot *slot)
{
    if (said_read(&slot->said, slot->said_fd))
        return;
    close(slot->said_fd);
    slot->said_fd = -1; /* poll passes over it */
}

/* How long to sleep if nothing comes: until there is something to say, to look for, or to end. */
static double patience_s(const struct pool *p)
{
    double patience = is_working(p) && !p->is_looking ? pause_s : 0;
    for (int i = 0; p->options->time_limit_s > 0 && i < p->options->n_jobs; i++)
        if (p->slots[i].n_ahead > 0)
            patience = fmin(patience, fmax(0, p->slots[i].since_s + p->options->time_limit_s - clock_now_s()));
    return patience;
}

/* If it took much longer than that (for example stopped by Ctrl-Z), the workers slept as well. */
static void forgive(struct pool *p, double lost_s)
{
    for (int i = 0; lost_s > 1 && i < p->options->n_jobs; i++)
        p->slots[i].since_s += lost_s;
}

static enum err_code sleep_until_news(struct pool *p, const sigset_t *during, struct pollfd *fds, struct err *e)
{
    double patience = patience_s(p), before_s = clock_now_s();
    const struct timespec pause = {.tv_nsec = (long)(1e9 * patience)};
    nfds_t n = 2 * (nfds_t)p->options->n_jobs;
    p->is_looking = false;
    for (int i = 0; i < p->options->n_jobs; i++) {
        bool is_there = p->slots[i].state != SLOT_EMPTY;
        fds[2 * i] = (struct pollfd){.fd = is_there ? p->slots[i].socket : -1, .events = POLLIN};
        fds[2 * i + 1] = (struct pollfd){.fd = is_there ? p->slots[i].said_fd : -1, .events = POLLIN};
    }
    if (ppoll(fds, n, &pause, during) < 0) {
        if (errno != EINTR)
            return err_set(e, ERR_INTERNAL, "cannot wait for workers: %s", strerror(errno));
        for (nfds_t i = 0; i < n; i++)
            /* After an interruption poll has not filled them in. */
            fds[i].revents = 0;
    }
    forgive(p, clock_now_s() - before_s - patience);
    return ERR_NONE;
}

static enum err_code wait_for_news(struct pool *p, const sigset_t *during, struct pollfd *fds, struct err *e)
{
    enum err_code code = sleep_until_news(p, during, fds, e);
    for (int i = 0; code == ERR_NONE && i < p->options->n_jobs; i++) {
        if (fds[2 * i + 1].revents != 0)
            listen_to(&p->slots[i]);
        if (fds[2 * i].revents != 0)
            code = hear(p, &p->slots[i], e);
    }
    return code;
}

/* --- the time limit --- */

static bool is_overdue(const struct pool *p, const struct slot *slot)
{
    return slot->n_ahead > 0 && clock_now_s() >= slot->since_s + p->options->time_limit_s;
}

/* The point under way has had its time: it ends with its worker, and the others wait for another one. */
static enum err_code end_overdue(struct pool *p, struct slot *slot, struct err *e)
{
    char text[100];
    snprintf(text, sizeof text, "not done within the time limit of %g s", p->options->time_limit_s);
    kill_slot(p, slot);
    /* The first one is reported below, the others are given out again. */
    for (int i = 1; i < slot->n_ahead; i++)
        run_again(p, &slot->ahead[i]);
    slot->n_ahead = 0;
    return report(p, slot->ahead[0].turn, text, NULL, e);
}

/* An answer that is there already counts, however late it is read. */
static enum err_code enforce_limit(struct pool *p, struct err *e)
{
    enum err_code code = ERR_NONE;
    for (int i = 0; p->options->time_limit_s > 0 && code == ERR_NONE && i < p->options->n_jobs; i++) {
        struct slot *slot = &p->slots[i];
        if (is_overdue(p, slot))
            code = hear(p, slot, e);
        if (code == ERR_NONE && is_overdue(p, slot))
            code = end_overdue(p, slot, e);
    }
    return code;
}

/* --- all of it --- */

static enum err_code run_all(struct pool *p, const sigset_t *during, struct pollfd *fds, struct err *e)
{
    enum err_code code = ERR_NONE;
    while (code == ERR_NONE && (is_working(p) || has_more(p)) && n_signals < 2) {
        code = wait_for_news(p, during, fds, e);
        if (code == ERR_NONE)
            code = enforce_limit(p, e);
        if (code == ERR_NONE)
            code = feed_all(p, e); /* before the pause, which may wait for a disk */
        if (code == ERR_NONE)
            code = p->client->pause(p->client->self, e);
    }
    if (code == ERR_NONE && is_stopping())
        code = err_set(e, ERR_INTERRUPTED, "interrupted");
    return code;
}

static int processors(void)
{
    /* Of the processors that this process may use, which in a container or a batch job may be fewer than the
       machine has. */
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return n > 0 ? n : 1;
}

enum err_code pool_run(const struct scenario *s, const struct pool_options *options, const struct pool_client *client,
                       struct err *e)
{
    struct signals signals;
    struct pool_options limited = *options;
    struct pool p = {.s = s, .options = &limited, .client = client};
    if (limited.n_jobs == 0)
        limited.n_jobs = processors();
    if (s->uses_plugins && limited.time_limit_s == 0)
        limited.time_limit_s = POOL_PLUGIN_TIME_LIMIT_S;
    if (s->uses_plugins)
        orphans_become_reaper();
    /* Kept at the same address for the whole run: slots are pointed at. */
    p.slots = mem_zalloc((size_t)limited.n_jobs, sizeof *p.slots);
    struct pollfd *fds = mem_zalloc(2 * (size_t)limited.n_jobs, sizeof *fds);
    signals_take(&signals);
    enum err_code code = run_all(&p, &signals.during, fds, e);
    kill_all(&p); /* at a good end they are idle */
    signals_give_back(&signals);
    free(fds);
    free(p.slots);
    free(p.again);
    return code;
}
