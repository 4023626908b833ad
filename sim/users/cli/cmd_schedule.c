/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim schedule`: plans one graph. The schedule goes to a file or to standard output; what people read goes where the
   schedule does not. A search is told of Ctrl-C and shows how far it is; a plugin's schedule is judged before it is
   written. */
#include "base/choose.h"
#include "base/clock.h"
#include "base/foreign.h"
#include "base/text.h"
#include "cli/chart.h"
#include "cli/command.h"
#include "cli/run_options.h"
#include "dag/format.h"
#include "plan/bounds.h"
#include "plan/check.h"
#include "plan/schedule_json.h"
#include "report/gantt.h"
#include "report/json_bytes.h"
#include "report/progress.h"
#include "runs/graph_rows.h"
#include "schedulers/scheduler.h"

#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    struct run_given given;
    const char *allocation, *order, *out, *gantt;
    bool text, json;
};

static const struct command_option options[] = {
    {"allocation", 0, "FILE", "prescribe the hosts: a line for each task, TASK HOST",
     OPTION_AT(struct options, allocation), .shipped = true, .values = "*"},
    {"order", 0, "FILE", "prescribe the order: a line for each task", OPTION_AT(struct options, order), .shipped = true,
     .values = "*"},
    {"out", 'o', "FILE", "write the schedule to this file; the summary and a text chart then go to standard output",
     OPTION_AT(struct options, out), .output = true, .values = "*.json"},
    {"gantt", 'G', "FILE.svg", "draw a Gantt chart", OPTION_AT(struct options, gantt), .output = true,
     .values = "*.svg"},
    {"text", 't', NULL, "always print a text chart (on stderr with --json)", OPTION_AT(struct options, text)},
    {"json", 'j', NULL, "print the summary as JSON", OPTION_AT(struct options, json)},
    {0},
};

/* At the end of --help, with the plugins that are loaded. */
static void add_known(struct text *t)
{
    text_addf(t, "Models:");
    for (size_t i = 0; cost_models[i] != NULL; i++)
        text_addf(t, "%s %s", i ? "," : "", cost_models[i]->name);
    text_addf(t, "\nSchedulers:");
    for (size_t i = 0; schedulers[i] != NULL; i++)
        text_addf(t, "%s %s", i ? "," : "", schedulers[i]->name);
    text_addf(
        t,
        "\n`iasim list models` and `iasim list schedulers` explain them and their parameters. A search shows how far "
        "it is; Ctrl-C ends it with the best schedule that it has found.\n");
}

/* ---- summary ---- */

struct summary { /* of a schedule */
    const struct schedule *schedule;
    double figures[N_PLAN_METRICS];
    host_id sequential_host; /* -1: no host may run all tasks */
    bool is_proved_optimal;
};

/* Proved optimal if length and bound agree to 40 bits: the bound was computed in another order, so their last bits may
   differ (base/choose.h). */
static struct summary summarize(const struct schedule *s)
{
    struct summary x = {.schedule = s};
    graph_rows_figures(s, x.figures);
    problem_sequential_s(&s->problem, &x.sequential_host);
    x.is_proved_optimal = choose_rounded(x.figures[PLAN_LENGTH]) <= choose_rounded(s->lower_bound_s);
    return x;
}

static void print_summary_json(const struct summary *x, FILE *out)
{
    /* The rest of the figures, under keys that differ from the columns of sweeps (speed_up, not planned_speedup). */
    static const struct {
        const char *key;
        int figure;
    } rest[] = {{"speed_up", PLAN_SPEEDUP},
                {"critical_path_s", PLAN_CRITICAL_PATH},
                {"work_bound_s", PLAN_WORK_BOUND},
                {"communication_bound_s", PLAN_COMMUNICATION_BOUND},
                {"ccr", PLAN_CCR}};
    const struct schedule *s = x->schedule;
    const struct problem *p = &s->problem;
    json_t *host = x->sequential_host < 0 ? json_null() : json_bytes(p->machine->hosts[x->sequential_host].name);
    json_t *root =
        json_pack("{s:o, s:o, s:s, s:s, s:i, s:i, s:i, s:o, s:o, s:o}", "graph", json_bytes(p->dag->source), "platform",
                  json_bytes(p->machine->source), "model", cost_model_text(p->model), "scheduler", s->scheduler,
                  "tasks", p->dag->n_tasks, "edges", p->dag->n_edges, "remote_edges",
                  (int)x->figures[PLAN_REMOTE_EDGES], "length_s", json_finite(x->figures[PLAN_LENGTH]), "sequential_s",
                  json_finite(x->figures[PLAN_SEQUENTIAL]), "sequential_host", host);
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        json_object_set_new(root, rest[i].key, json_finite(x->figures[rest[i].figure]));
    if (s->lower_bound_s > 0) {
        json_object_set_new(root, "proved_bound_s", json_finite(s->lower_bound_s));
        json_object_set_new(root, "proved_optimal", json_boolean(x->is_proved_optimal));
    }
    if (s->note != NULL)
        json_object_set_new(root, "note", json_bytes(s->note));
    command_write_json(root, out);
}

static void print_summary_text(const struct summary *x, FILE *out)
{
    const struct schedule *s = x->schedule;
    const struct problem *p = &s->problem;
    const double *f = x->figures;
    fprintf(out, "length         %.6g s (model %s, scheduler %s)\n", f[PLAN_LENGTH], cost_model_text(p->model),
            s->scheduler);
    if (x->sequential_host < 0)
        fprintf(out, "sequential     no host may run all tasks");
    else
        fprintf(out, "sequential     %.6g s on %s", f[PLAN_SEQUENTIAL], p->machine->hosts[x->sequential_host].name);
    if (isfinite(f[PLAN_SPEEDUP]))
        fprintf(out, ": speed-up %.4g", f[PLAN_SPEEDUP]);
    fprintf(out, "\nlower bounds   critical path %.6g s, work on all hosts %.6g s, with communication %.6g s\n",
            f[PLAN_CRITICAL_PATH], f[PLAN_WORK_BOUND], f[PLAN_COMMUNICATION_BOUND]);
    if (s->lower_bound_s > 0 && x->is_proved_optimal)
        fprintf(out, "proved         no schedule is shorter\n");
    /* 0: the scheduler has proved none. */
    else if (s->lower_bound_s > 0)
        fprintf(out, "proved         no schedule is shorter than %.6g s (this one is %.3g %% longer)\n",
                s->lower_bound_s, 100 * (f[PLAN_LENGTH] / s->lower_bound_s - 1));
    if (s->note != NULL)
        fprintf(out, "note           %s\n", s->note);
    fprintf(out, "graph          %d tasks, %d edges (%.0f remote)", p->dag->n_tasks, p->dag->n_edges,
            f[PLAN_REMOTE_EDGES]);
    if (isfinite(f[PLAN_CCR]))
        fprintf(out, ", CCR %.4g here", f[PLAN_CCR]);
    fputc('\n', out);
}

/* ---- output ---- */

/* Standard output belongs to the schedule, unless a file has it (--out); then the summary goes there. A chart never
   mixes with JSON: it goes to standard error then. */
static void print(const struct options *o, const struct schedule *s)
{
    const struct summary summary = summarize(s);
    FILE *talk = o->out != NULL ? stdout : stderr, *chart_out = o->json ? stderr : talk;
    if (o->text || (o->out != NULL && !o->json)) {
        struct gantt_subject subject = gantt_of(s);
        chart_print(&subject, chart_out);
    }
    if (o->json)
        print_summary_json(&summary, talk);
    else
        print_summary_text(&summary, talk);
}

static enum err_code write_outputs(const struct options *o, const struct schedule *s, struct err *e)
{
    struct text text = {0};
    enum err_code code = ERR_NONE;
    /* Written before the picture and the summary: it is what the user came for. */
    schedule_write_json(s, &text);
    if (o->out != NULL)
        code = text_write_file(o->out, text_str(&text), text.size, e);
    else
        fwrite(text_str(&text), 1, text.size, stdout);
    text_clear(&text);
    if (code == ERR_NONE && o->gantt != NULL) {
        struct gantt_subject subject = gantt_of(s);
        code = chart_write(o->gantt, &subject, e);
    }
    return code;
}

/* ---- the user waits for a search ----
   On a terminal the line of progress shows how far it is, and the first Ctrl-C ends it with the best schedule that it
   has found. Programs that search nothing still die of Ctrl-C. */

static volatile sig_atomic_t is_signalled;
static double signalled_s; /* of the clock; only the handler reads it */

/* The handler. The first signal asks the search to end. One request may arrive twice, for example from `timeout`, which
   signals the process and then its group; so a second one counts only after half a second, and then ends the program as
   ever. Only functions that are safe in a handler are called. */
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

/* Asked now and then by a search. The first question shows that there is one: from then on signals are caught. A list
   scheduler never asks, and Ctrl-C ends it at once. SA_RESTART: no read or write is cut off. */
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

static void show_search(void *self, const char *state)
{
    (void)self;
    progress_clock_show(state);
}

static const struct search_watch search_watch_user = {.is_stopped = is_stopped, .show = show_search};

/* ---- work ---- */

/* Only plugins' schedules are judged here. The author of a scheduler needs to see every violation, not the first
   alone. */
static enum err_code refuse_invalid(const struct scheduler *x, const struct check_result *r, struct err *e)
{
    for (size_t i = 0; i < r->n; i++)
        fprintf(stderr, "%s: %s\n", r->list[i].condition, r->list[i].text);
    return err_set(e, ERR_NO, "scheduler %s of plugin %s made an invalid schedule: the %zu violation%s above", x->name,
                   scheduler_origin(x)->path, r->n, r->n == 1 ? " is" : "s are");
}

static enum err_code plan(const struct options *o, const struct scheduler_choice *choice, const struct problem *p,
                          struct schedule *out, struct err *e)
{
    task_id *order = NULL;
    host_id *allocation = NULL;
    struct check_result violations = {0};
    struct err found = {0};
    enum err_code code = ERR_NONE;
    if (o->order != NULL)
        code = scheduler_read_order(o->order, p->dag, &order, e);
    if (code == ERR_NONE && o->allocation != NULL)
        code = scheduler_read_allocation(o->allocation, p->dag, p->machine, &allocation, e);
    if (code == ERR_NONE)
        code = scheduler_plan_judged(
            choice, p,
            &(struct scheduler_inputs){.order = order, .allocation = allocation, .watch = &search_watch_user}, out,
            &violations, &found);
    if (violations.n > 0)
        code = refuse_invalid(choice->scheduler, &violations, e);
    /* Kept apart from `e`: where there are violations, it has only the first of them. */
    else if (found.code != ERR_NONE)
        code = err_set_at(e, found.code, found.source, found.line, "%s", found.text);
    check_result_clear(&violations);
    free(order);
    free(allocation);
    return code;
}

/* The files appear only when the schedule is there. */
static enum err_code plan_and_write(const struct options *o, const struct scheduler_choice *choice,
                                    const struct problem *p, struct err *e)
{
    struct schedule schedule;
    enum err_code code = plan(o, choice, p, &schedule, e);
    bool is_planned = code == ERR_NONE;
    if (is_planned)
        code = write_outputs(o, &schedule, e);
    if (code == ERR_NONE)
        print(o, &schedule);
    /* Else nobody could tell the end of a search from one that was stopped. */
    if (code == ERR_NONE && is_signalled)
        fprintf(stderr, "iasim: the search was stopped; this is the best schedule that it had found\n");
    if (is_planned)
        schedule_clear(&schedule);
    return code;
}

static enum err_code plan_problem(const struct options *o, struct problem *p, struct err *e)
{
    struct scheduler_choice choice = {0};
    enum err_code code = cost_model_find(param_text(o->given.params, "model"), &p->model, e);
    if (code == ERR_NONE)
        code = scheduler_choose(param_text(o->given.params, "scheduler"), &choice, e);
    if (code == ERR_NONE) {
        run_options_warn(cost_model_warning(p->model, p->machine));
        run_options_warn(machine_cores_warning(p->machine));
        code = plan_and_write(o, &choice, p, e);
    }
    scheduler_choice_clear(&choice);
    return code;
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct graph_point g = {0};
    enum err_code code = run_given_begin(&o->given, e);
    if (code == ERR_NONE)
        code = graph_point_problem(&g, &o->given.point, e);
    /* A default that the figures depend on is said; a speed that was given is known. */
    if (code == ERR_NONE && !param_has(o->given.params, "flop_per_s"))
        run_options_say_speed(g.problem.dag, DAG_REFERENCE_FLOP_PER_S);
    if (code == ERR_NONE)
        code = plan_problem(o, &g.problem, e);
    graph_point_clear(&g);
    return code;
}

const struct command command_schedule = {
    .name = "schedule",
    .summary = "schedule a task graph under a cost model, draw it",
    .kind = &run_plan,
    .without = "generator instance ccr unrelated",
    .asks = "graph",
    .size = sizeof(struct options),
    .options = options,
    .about = "Schedules a task graph on a platform: where and when each task runs and, where the model covers it, when "
             "each communication occupies links and processors. The schedule is JSON; `iasim check` checks it, `iasim "
             "replay` carries it out. Every scheduler plans under every model. With --costs the times of tasks are not "
             "their work over the hosts' speeds; `iasim check` then needs it, too.",
    .examples = "# A schedule with a picture of it.\n"
                "iasim graph generate 'layered[tasks=20]' --seed 1 --out g.dot\n"
                "iasim schedule --platform platforms/sinnen-bus.xml --graph g.dot \\\n"
                "  --model involvement --out s.json --gantt s.svg\n"
                "# The same graph without contention, gaps filled.\n"
                "iasim schedule --platform platforms/sinnen-bus.xml --graph g.dot \\\n"
                "  --model classic --scheduler 'list[technique=insertion]' >gaps.json\n"
                "# HEFT, and the shortest of several schedules.\n"
                "iasim schedule --platform platforms/sinnen-bus.xml --graph g.dot \\\n"
                "  --model involvement --scheduler heft --out heft.json\n"
                "iasim schedule --platform platforms/sinnen-bus.xml --graph g.dot \\\n"
                "  --model involvement --scheduler 'portfolio[of=heft+dls+list+sequential]' \\\n"
                "  --out best.json\n",
    .more = add_known,
    .run = run,
    .simulates = true,
};
