/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What happens in a worker's process. It never writes to the database and knows nothing of other workers: it answers
   each job with one message. Anything that a point may break (a crash, an exit, a leak) is kept in a child where the
   experiment asks for one. */
#include "sweep/worker.h"

#include "base/clock.h"
#include "base/isolate.h"
#include "scenario/turn.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct worker {
    const struct scenario *s;
    void *shared;
    int socket;
};

struct task { /* one point, maybe in a child: what it finds goes to memory that the child shares */
    const struct run_kind *x;
    struct param_set *params;
    struct point point;
    double *metrics;
};

static void task_init(struct task *task, const struct worker *w, uint64_t number, bool is_last, double *metrics)
{
    const struct scenario *s = w->s;
    const struct turn turn = turn_at(s, number);
    *task = (struct task){.x = s->experiment, .params = turn_params(s, turn.point), .metrics = metrics};
    task->point =
        (struct point){.params = task->params, .replication = turn.replication, .seed = s->seed, .shared = w->shared};
    /* Only then: a stream needs digests of the whole point. */
    task->point.is_last = is_last;
    if (scenario_is_random(s))
        task->point.stream = turn_stream(s, &turn);
}

static enum err_code task_run(void *self, struct err *e)
{
    const struct task *task = self;
    return task->x->run(&task->point, task->metrics, e);
}

static void forget_metrics(double *metrics, size_t n)
{
    for (size_t i = 0; i < n; i++)
        metrics[i] = NAN;
}

size_t worker_message_size(const struct worker_message *m)
{
    /* Of a fixed part and the text with its NUL. */
    return offsetof(struct worker_message, text) + m->text_size + 1;
}

static bool send_back(const struct worker *w, struct worker_message *m)
{
    m->text_size = (uint32_t)strlen(m->text);
    ssize_t n;
    do
        /* MSG_NOSIGNAL: the dispatcher may have gone, and SIGPIPE would look like a crash. */
        n = send(w->socket, m, worker_message_size(m), MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n >= 0;
}

static void note_failure(struct worker_message *m, const struct err *e)
{
    m->failed = (uint32_t)e->code;
    err_describe(e, m->text, sizeof m->text);
}

/* `metrics` is memory that a child shares. */
static bool do_job(const struct worker *w, const struct worker_job *job, double *metrics)
{
    const struct run_kind *x = w->s->experiment;
    size_t n = run_n_metrics(x);
    struct task task;
    struct worker_message m = {.word = WORKER_RESULT, .turn = job->turn, .n_metrics = (uint32_t)n};
    struct err e = {0};
    double before_s = clock_now_s();
    /* NAN before each point: what a point does not fill in must not be left from the one before. */
    forget_metrics(metrics, n);
    task_init(&task, w, job->turn, job->is_last, metrics);
    /* No time limit here: the dispatcher watches, and ends the worker as a whole. */
    if (run_is_foreign(x, task.params)) {
        task.point.is_last = false;
        e.code = isolate_run_foreign(task_run, &task, 0, &e);
    } else if (job->alone || (x->simulates && !job->is_last)) {
        e.code = isolate_run(task_run, &task, &e);
    } else {
        /* An ordinary point of an experiment that does not simulate, or the last one, runs in the worker itself, which
           saves a fork. */
        e.code = task_run(&task, &e);
    }
    param_set_free(task.params);
    /* Figures of a failed point may be half of a result. */
    if (e.code != ERR_NONE) {
        forget_metrics(metrics, n);
        note_failure(&m, &e);
    }
    memcpy(m.metrics, metrics, n * sizeof m.metrics[0]);
    m.seconds = clock_now_s() - before_s;
    return send_back(w, &m);
}

enum err_code worker_prepare(const struct scenario *s, uint64_t shared, void **out, struct err *e)
{
    if (s->experiment->prepare == NULL)
        return ERR_NONE;
    struct param_set *params = turn_params(s, turn_at(s, turn_shared_first(s, shared)).point);
    enum err_code code = s->experiment->prepare(params, out, e);
    param_set_free(params);
    return code;
}

static bool prepare(struct worker *w, uint64_t shared)
{
    struct worker_message m = {.word = WORKER_READY};
    struct err e = {0};
    e.code = worker_prepare(w->s, shared, &w->shared, &e);
    if (e.code != ERR_NONE) {
        m.word = WORKER_REFUSED;
        note_failure(&m, &e);
    }
    return send_back(w, &m) && e.code == ERR_NONE;
}

_Noreturn void worker_live(const struct scenario *s, uint64_t shared, int socket)
{
    struct worker w = {s, NULL, socket};
    size_t size = RUN_MAX_METRICS * sizeof(double);
    double *metrics = isolate_shared(size);
    /* Checked once, so that messages and metrics can have a fixed size. */
    assert(run_n_metrics(s->experiment) <= RUN_MAX_METRICS);
    struct worker_job job;
    bool useful = metrics != NULL && prepare(&w, shared);
    while (useful) {
        ssize_t n = recv(socket, &job, sizeof job, 0);
        if (n == (ssize_t)sizeof job)
            useful = do_job(&w, &job, metrics);
        else if (n >= 0 || errno != EINTR)
            /* The dispatcher has closed its end, which is how a worker is told to go. */
            useful = false;
    }
    run_end(s->experiment, &(struct point){.shared = w.shared});
    /* Not exit: handlers of atexit belong to the dispatcher, of which this is a copy. */
    _exit(0);
}
