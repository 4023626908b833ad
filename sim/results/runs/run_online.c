/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Jobs, each a task graph, arrive over time, and a runtime policy decides while they run. */
#include "base/choose.h"
#include "base/mem.h"
#include "base/text.h"
#include "dag/dag_generate.h"
#include "runs/online_outcome.h"
#include "workload/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum err_code check_policy(const char *value, struct err *e)
{
    struct runtime_policy_choice choice = {0};
    enum err_code code = runtime_policy_choose(value, &choice, e);
    runtime_policy_choice_clear(&choice);
    return code;
}

static enum err_code check_arrival(const char *value, struct err *e)
{
    struct release_rule ignored;
    enum err_code code = release_parse(value, NULL, &ignored, e);
    if (code == ERR_NONE)
        release_clear(&ignored);
    return code;
}

static enum err_code check_prefetch(const char *value, struct err *e)
{
    long n;
    if (strcmp(value, "all") == 0 || (text_to_long(value, &n) && n >= 1))
        return ERR_NONE;
    return err_set(e, ERR_INPUT, "prefetch '%.100s' is neither 'all' nor a whole number from 1 on", value);
}

static const struct run_param rows[] = {
    MACHINE_ROW,
    {.is = {"workload", PARAM_TEXT, "file", NULL, 0, 0, NULL, "jobs and when they are released, as XML"},
     .facts = RUN_OPTIONAL | RUN_INSTANCE | RUN_FILE,
     .letter = 'W',
     .arg = "FILE",
     .values = "*.xml"},
    {.is = {"graph", PARAM_TEXT, "file", NULL, 0, 0, NULL, "or else: all jobs are this task graph"},
     .facts = RUN_OPTIONAL | RUN_INSTANCE | RUN_FILE,
     .letter = 'g',
     .arg = "FILE",
     .values = GRAPH_FILES},
    {.is = {"generator", PARAM_TEXT, "", NULL, 0, 0, NULL,
            "or else: NAME[k=v,..] of a generator that makes the graphs; `iasim list generators` lists them"},
     .facts = RUN_OPTIONAL | RUN_INSTANCE,
     .check = graph_row_check_generator},
    {.is = {"instance", PARAM_INTEGER, "", "1", 0, 9e15, NULL,
            "seed of the generator for the first job, the next one for the second, ...; and of arrivals"},
     .facts = RUN_INSTANCE},
    {.is = {"ccr", PARAM_NUMBER, "", "0", 0, 1e12, NULL,
            "communication-to-computation ratio to scale the edges to; 0: as they are"},
     .facts = RUN_INSTANCE},
    {.is = {"jobs", PARAM_INTEGER, "jobs", "1", 1, 1e7, NULL, "how many"},
     .facts = RUN_INSTANCE,
     .letter = 'n',
     .arg = "N"},
    {.is = {"arrival", PARAM_TEXT, "", NULL, 0, 0, NULL, RELEASE_MEANING},
     .facts = RUN_OPTIONAL | RUN_INSTANCE,
     .check = check_arrival,
     .arg = "KIND[k=v]"},
    {.is = {"within", PARAM_NUMBER, "s", NULL, 0, 1e15, NULL, "each job has a deadline so long after its release"},
     .facts = RUN_OPTIONAL},
    {.is = {"policy", PARAM_TEXT, "", NULL, 0, 0, NULL,
            "what decides while jobs run; `iasim list runtime_policies` lists them"},
     .check = check_policy,
     .letter = 'P',
     .arg = "NAME[k=v,..]",
     .values = "runtime_policies"},
    {.is = {"policy_seed", PARAM_INTEGER, "", "1", 0, 9e15, NULL, "of policies that draw"}},
    MODEL_ROW("classic", "what the policy believes about communication"),
    WORLD_OF_NETWORKS_ROW("none", 0),
    {.is = {"reveal", PARAM_CHOICE, "", "job", 0, 0, "job|task",
            "what the policy knows: all of a job from its release on, or a task when its last predecessor ends"}},
    {.is = {"order", PARAM_CHOICE, "", NULL, 0, 0, "strict|ready",
            "of a queue only the first task may start, or the first whose data are there (if not given, as the policy "
            "wants it)"},
     .facts = RUN_OPTIONAL},
    {.is = {"prefetch", PARAM_TEXT, "", "all", 0, 0, NULL, "data move for all tasks of a queue, or for the first K"},
     .check = check_prefetch,
     .arg = "K"},
    {.is = {"decision_time", PARAM_NUMBER, "s", "0", 0, 1e12, NULL, "what a call of the policy takes"}},
    {.is = {"decision_time_task", PARAM_NUMBER, "s", "0", 0, 1e12, NULL, "and more for each task that it looks at"}},
    {.is = {"warmup", PARAM_INTEGER, "jobs", "0", 0, 1e7, NULL, "the first jobs, left out of the figures"}},
    {.is = {"stretch", PARAM_CHOICE, "", "on", 0, 0, "on|off", "whether to find what each job takes alone"}},
    NOISE_ROW,
    IR_ROWS("", 0),
    OCCUPATION_ROWS(0),
    BANDWIDTH_ROW,
    {.is = {0}},
};

enum {
    MAKESPAN,
    N_JOBS,
    THROUGHPUT,
    UTILISATION,
    WAIT_MEAN,
    RESPONSE_MEAN,
    RESPONSE_P95,
    RESPONSE_MAX,
    STRETCH_MEAN,
    STRETCH_P95,
    STRETCH_MAX,
    SLOWDOWN_MEAN,
    SLOWDOWN_MAX,
    UNFAIRNESS,
    TARDINESS_MEAN,
    TARDINESS_MAX,
    MOVED,
    WASTED,
    CALLS,
    MOVES,
    STOLEN,
};
static const struct metric metrics[] = {
    [MAKESPAN] = {"makespan_s", "s", "until the last task ends", BETTER_LOWER},
    [N_JOBS] = {"n_jobs", "jobs", "in the figures: without those of the warm-up", BETTER_NONE},
    [THROUGHPUT] = {"throughput_jobs_per_s", "jobs/s",
                    "these jobs over the time from their first release to the last "
                    "end",
                    BETTER_HIGHER},
    [UTILISATION] = {"utilisation_ratio", "", "part of all processors' time until the makespan that computed",
                     BETTER_NONE},
    [WAIT_MEAN] = {"wait_mean_s", "s", "from the release of a job to the start of its first task", BETTER_LOWER},
    [RESPONSE_MEAN] = {"response_mean_s", "s", "from the release of a job to the end of its last task", BETTER_LOWER},
    [RESPONSE_P95] = {"response_p95_s", "s", "95 % of the jobs take no longer", BETTER_LOWER},
    [RESPONSE_MAX] = {"response_max_s", "s", "the longest", BETTER_LOWER},
    [STRETCH_MEAN] = {"stretch_mean_ratio", "", "response over that of the job alone, with a static plan",
                      BETTER_LOWER},
    [STRETCH_P95] = {"stretch_p95_ratio", "", "95 % of the jobs have no larger one", BETTER_LOWER},
    [STRETCH_MAX] = {"stretch_max_ratio", "", "the largest", BETTER_LOWER},
    [SLOWDOWN_MEAN] = {"slowdown_mean_ratio", "", "response over a lower bound: critical path, work on all hosts",
                       BETTER_LOWER},
    [SLOWDOWN_MAX] = {"slowdown_max_ratio", "", "the largest", BETTER_LOWER},
    [UNFAIRNESS] = {"unfairness", "", "sum over jobs of |1 / stretch - mean of 1 / stretch|", BETTER_LOWER},
    [TARDINESS_MEAN] = {"tardiness_mean_s", "s", "how long after their deadlines jobs end, of those with one",
                        BETTER_LOWER},
    [TARDINESS_MAX] = {"tardiness_max_s", "s", "the longest", BETTER_LOWER},
    [MOVED] = {"moved_bytes", "bytes", "from one host to another", BETTER_LOWER},
    [WASTED] = {"wasted_bytes", "bytes", "of these, for tasks that then ran elsewhere", BETTER_LOWER},
    [CALLS] = {"n_calls", "calls", "of the policy", BETTER_NONE},
    [MOVES] = {"n_moves", "tasks", "moved from one queue to another, or taken back", BETTER_NONE},
    [STOLEN] = {"stolen_s", "s", "of computing, taken by communication, summed over hosts", BETTER_NONE},
    {0},
};

struct sample { /* of one figure of jobs */
    double *values;
    size_t n;
};

static void add(struct sample *s, double value)
{
    if (!isnan(value))
        s->values[s->n++] = value;
}

static double mean(const struct sample *s)
{
    double sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += s->values[i];
    return s->n > 0 ? sum / (double)s->n : NAN;
}

/* The least that this part of the sample does not exceed. */
static double quantile(const struct sample *s, double part)
{
    if (s->n == 0)
        return NAN;
    qsort(s->values, s->n, sizeof *s->values, choose_ascending);
    size_t at = (size_t)ceil(part * (double)s->n);
    return s->values[at > 0 ? at - 1 : 0];
}

static double unfairness(const struct sample *stretches)
{
    double mean_of_inverse = 0, sum = 0;
    for (size_t i = 0; i < stretches->n; i++)
        mean_of_inverse += 1 / stretches->values[i] / (double)stretches->n;
    for (size_t i = 0; i < stretches->n; i++) {
        double off = fabs(1 / stretches->values[i] - mean_of_inverse);
        sum += off > 1e-12 ? off : 0; /* below it is rounding: equal stretches are fair */
    }
    return stretches->n > 0 ? sum : NAN;
}

void online_outcome_metrics(const struct online_outcome *x, long warmup, double *out)
{
    enum { WAIT, RESPONSE, STRETCH, SLOWDOWN, TARDINESS, N_SAMPLES };
    struct sample s[N_SAMPLES];
    double first_s = INFINITY, last_s = 0, busy_s = 0;
    size_t n_hosts = x->runtime.machine->n_hosts;
    for (int i = 0; i < N_SAMPLES; i++)
        s[i] = (struct sample){mem_alloc(((size_t)x->n_jobs + 1) * sizeof(double)), 0};
    for (long j = warmup; j < x->n_jobs; j++) {
        const struct online_figures *f = &x->figures[j];
        add(&s[WAIT], f->wait_s);
        add(&s[RESPONSE], f->response_s);
        add(&s[STRETCH], f->stretch_ratio);
        add(&s[SLOWDOWN], f->slowdown_ratio);
        add(&s[TARDINESS], f->tardiness_s);
        first_s = fmin(first_s, x->jobs[j].release_s);
        last_s = fmax(last_s, x->result.jobs[j].finish_s);
    }
    out[STOLEN] = 0;
    for (size_t h = 0; h < n_hosts; h++) {
        busy_s += x->result.use[h].busy_s;
        out[STOLEN] += x->result.use[h].stolen_s;
    }
    out[MAKESPAN] = x->result.makespan_s;
    out[N_JOBS] = (double)s[RESPONSE].n;
    out[THROUGHPUT] = last_s > first_s ? out[N_JOBS] / (last_s - first_s) : NAN;
    out[UTILISATION] = x->result.makespan_s > 0 ? busy_s / ((double)n_hosts * x->result.makespan_s) : NAN;
    out[WAIT_MEAN] = mean(&s[WAIT]);
    out[RESPONSE_MEAN] = mean(&s[RESPONSE]);
    out[RESPONSE_P95] = quantile(&s[RESPONSE], 0.95);
    out[RESPONSE_MAX] = quantile(&s[RESPONSE], 1);
    out[UNFAIRNESS] = unfairness(&s[STRETCH]);
    out[STRETCH_MEAN] = mean(&s[STRETCH]);
    out[STRETCH_P95] = quantile(&s[STRETCH], 0.95);
    out[STRETCH_MAX] = quantile(&s[STRETCH], 1);
    out[SLOWDOWN_MEAN] = mean(&s[SLOWDOWN]);
    out[SLOWDOWN_MAX] = quantile(&s[SLOWDOWN], 1);
    out[TARDINESS_MEAN] = mean(&s[TARDINESS]);
    out[TARDINESS_MAX] = quantile(&s[TARDINESS], 1);
    out[MOVED] = x->result.moved_bytes;
    out[WASTED] = x->result.wasted_bytes;
    out[CALLS] = (double)x->result.n_calls;
    out[MOVES] = (double)x->result.n_moves;
    for (int i = 0; i < N_SAMPLES; i++)
        free(s[i].values);
}

static enum err_code check_given(const struct param_set *ps, struct err *e)
{
    int n = param_has(ps, "workload") + param_has(ps, "graph") + param_has(ps, "generator");
    if (n != 1)
        return err_set(e, ERR_INPUT, "jobs come from a workload, a graph or a generator: give one of the three");
    if (param_has(ps, "workload") && (param_has(ps, "arrival") || param_has(ps, "within")))
        return err_set(e, ERR_INPUT,
                       "a workload says when its jobs are released and due: leave out arrival and within");
    return ERR_NONE;
}

static enum err_code run(const struct point *p, double *out, struct err *e)
{
    struct online_outcome x;
    enum err_code code = online_outcome_init(&x, p, e);
    if (code == ERR_NONE)
        code = online_outcome_run(&x, p, e);
    if (code == ERR_NONE)
        online_outcome_metrics(&x, param_integer(p->params, "warmup"), out);
    online_outcome_clear(&x);
    return code;
}

const struct run_kind run_online = {
    .name = "online",
    .summary = "task graphs that arrive over time, with decisions made while they run",
    .source = "iasim",
    .results_version = 1,
    .rows = rows,
    .metrics = metrics,
    .check_given = check_given,
    .prepare = graph_rows_prepare,
    .release = graph_rows_release,
    .simulates = true,
    .run = run,
};
