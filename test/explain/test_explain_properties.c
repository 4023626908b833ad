/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What holds for the explanation of any replay, over random platforms, graphs of all generators, schedulers, worlds,
   links and ways of waiting:
   - recording changes no date;
   - segments follow each other from 0 to the makespan, without a hole and without anything unexplained, and every sum
     of them is the makespan;
   - what a task on the chain computes, by itself or while others wait, is its work at the platform's speed; a
     transfer at full rate, where nothing cuts it short, its bytes at the slowest link's bandwidth;
   - what is before each step leads from the task that ends last along the items of these segments to date 0; what
     flows took of each task's processor, its work and what the host was short of are its time;
   - a what-if takes as long as a replay on a platform that is edited by hand, or in another world. */
#include "dag/dag_generate.h"
#include "explain/what_if.h"
#include "plan/schedule_json.h"
#include "replay_trial.h"
#include "schedulers/scheduler.h"

#include <stdarg.h>

/* ---- a trial ---- */

enum { MOST_WHAT_IFS = 24 };

struct question { /* what a child does with a trial */
    const struct trial *trial;
    const char *platform_path, *world;
    const struct machine_values *values;
    bool has_noise;
    const char *plan;              /* a schedule file's text */
    const struct what_if *what_if; /* NULL: none */
    edge_id empty_edge;            /* gets no data; -1: none */
    bool is_recorded;              /* and explained */
};

struct answer {
    enum err_code code;
    struct err e;
    double makespan_s;
    char fault[300]; /* of the explanation */
    size_t n_what_ifs, n_segments;
    struct what_if what_ifs[MOST_WHAT_IFS];
    char names[MOST_WHAT_IFS][64]; /* of the host or link */
};

static void complain(struct answer *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void complain(struct answer *a, const char *format, ...)
{
    va_list args;
    if (a->fault[0] != '\0')
        return;
    va_start(args, format);
    vsnprintf(a->fault, sizeof a->fault, format, args);
    va_end(args);
}

static bool is_close(double a, double b, double scale)
{
    return fabs(a - b) <= 1e-9 * fabs(scale);
}

/* ---- what holds of an explanation ---- */

static void check_tiles(const struct explanation *x, struct answer *a)
{
    double end_s = 0, sum_s = 0, of_causes_s = 0;
    for (size_t i = 0; i < x->n; i++) {
        const struct explain_segment *s = &x->segments[i];
        if (s->from_s != end_s || !(s->to_s > s->from_s))
            complain(a, "segment %zu is from %.17g to %.17g, the one before it until %.17g", i, s->from_s, s->to_s,
                     end_s);
        if (s->cause == CAUSE_UNEXPLAINED)
            complain(a, "from %.17g to %.17g nothing explains the chain", s->from_s, s->to_s);
        if (s->cause == CAUSE_WAITING && s->n_with != 1)
            complain(a, "it waits for %zu items", s->n_with);
        if (s->cause == CAUSE_SHARING && s->n_with == 0)
            complain(a, "link %d is shared with nobody", s->link);
        end_s = s->to_s;
        sum_s += s->to_s - s->from_s;
    }
    for (int c = 0; c < N_CAUSES; c++)
        of_causes_s += x->sums_s[c];
    if (end_s != x->makespan_s || !is_close(sum_s, x->makespan_s, x->makespan_s) ||
        !is_close(of_causes_s, x->makespan_s, x->makespan_s))
        complain(a, "they end at %.17g, sums %.17g and %.17g, makespan %.17g", end_s, sum_s, of_causes_s,
                 x->makespan_s);
}

/* Work of the item in this segment that is of use only to itself: its own, or that behind which another one waits. */
static struct explain_item worker_of(const struct explanation *x, const struct explain_segment *s)
{
    if (s->cause == CAUSE_WAITING || s->cause == CAUSE_OTHER_END)
        return x->with[s->first_with];
    if (s->cause == CAUSE_COMPUTING || s->cause == CAUSE_TRANSFER)
        return s->item;
    return (struct explain_item){-1, -1};
}

static void check_work(const struct explanation *x, struct answer *a)
{
    const struct replay_plan *p = x->plan;
    const struct problem *problem = &p->schedule->problem;
    double *tasks = mem_zalloc((size_t)p->dag->n_tasks, sizeof *tasks);
    double *edges = mem_zalloc((size_t)p->dag->n_edges + 1, sizeof *edges);
    for (size_t i = 0; i < x->n; i++) {
        struct explain_item worker = worker_of(x, &x->segments[i]);
        if (worker.task >= 0)
            tasks[worker.task] += x->segments[i].to_s - x->segments[i].from_s;
        if (worker.edge >= 0 && !p->is_exclusive)
            edges[worker.edge] += x->segments[i].to_s - x->segments[i].from_s;
    }
    for (task_id t = 0; t < p->dag->n_tasks; t++) {
        double want_s = p->amounts.flop[t] / p->machine->hosts[p->schedule->tasks[t].host].speed_flop_per_s;
        if (tasks[t] > 0 && !is_close(tasks[t], want_s, x->makespan_s))
            complain(a, "task %d computes for %.17g, expected %.17g", t, tasks[t], want_s);
    }
    for (edge_id e = 0; e < p->dag->n_edges; e++) {
        const struct edge *edge = &p->dag->edges[e];
        host_id src = p->schedule->tasks[edge->src].host, dst = p->schedule->tasks[edge->dst].host;
        size_t at = (size_t)src * p->machine->n_hosts + (size_t)dst;
        double want_s = p->amounts.bytes[e] / problem->routes->slowest_bytes_per_s[at];
        bool is_cut = p->passages[e].involvement_s[DIR_RECV] > 0; /* its receive may begin before it is over */
        if (edges[e] > 0 &&
            (is_cut ? edges[e] > want_s + 1e-9 * x->makespan_s : !is_close(edges[e], want_s, x->makespan_s)))
            complain(a, "edge %d is transferred for %.17g, expected %.17g", e, edges[e], want_s);
    }
    free(tasks);
    free(edges);
}

static struct explain_item item_at(const struct replay_plan *p, int place)
{
    return step_kind(p, place / 2) == STEP_TASK ? (struct explain_item){place / 2, -1}
                                                : (struct explain_item){-1, step_edge(p, place / 2)};
}

/* Who takes the time of a segment. */
static struct explain_item doer_of(const struct explanation *x, const struct explain_segment *s)
{
    bool is_other = s->cause == CAUSE_WAITING || s->cause == CAUSE_PORT || s->cause == CAUSE_OTHER_END;
    return is_other ? x->with[s->first_with] : s->item;
}

static void check_before(const struct replay_record *record, const struct replay_result *result,
                         const struct world_model *world, const struct explanation *x, struct answer *a)
{
    const struct replay_plan *p = &record->plan;
    if (p->is_rendezvous && p->progress == REPLAY_POLLS)
        return; /* within one transfer there are tasks of its source */
    int *before = explain_before(record, result, world), last = 0, n = 0;
    for (task_id t = 1; t < p->dag->n_tasks; t++)
        if (result->tasks[t].finish_s > result->tasks[last].finish_s)
            last = t;
    size_t left = x->n;
    for (int at = 2 * last; at >= 0; at = before[at]) {
        struct explain_item item = item_at(p, at);
        for (; left > 0; left--) {
            struct explain_item doer = doer_of(x, &x->segments[left - 1]);
            if (doer.task != item.task || doer.edge != item.edge)
                break;
        }
        if (before[at] < 0 && left > 0)
            complain(a, "the chain of steps ends with %zu segments left", left);
        if ((before[at] >= 0 && before[at] / 2 == at / 2) || n++ > 2 * p->n_steps) {
            complain(a, "the chain of steps stays at step %d", at / 2);
            break;
        }
    }
    free(before);
}

static void check_taken(const struct replay_record *record, const struct replay_result *result,
                        const struct world_model *world, struct answer *a)
{
    const struct replay_plan *p = &record->plan;
    struct explain_tasks tasks;
    explain_tasks_find(record, result, world, &tasks);
    for (task_id t = 0; t < p->dag->n_tasks; t++) {
        double sum_s =
            p->amounts.flop[t] / p->machine->hosts[p->schedule->tasks[t].host].speed_flop_per_s + tasks.slow_s[t];
        for (size_t i = tasks.start[t]; i < tasks.start[t + 1]; i++)
            sum_s += tasks.list[i].taken_s;
        double length_s = result->tasks[t].finish_s - result->tasks[t].start_s;
        if (!is_close(sum_s, length_s, result->makespan_s))
            complain(a, "task %d takes %.17g, its parts %.17g", t, length_s, sum_s);
    }
    explain_tasks_clear(&tasks);
}

static void take_what_ifs(const struct explanation *x, const struct world_model *world, struct answer *a)
{
    size_t n_left_out;
    struct what_if *list = what_if_choose(x, world, 2, &a->n_what_ifs, &n_left_out);
    const struct machine *m = x->plan->machine;
    for (size_t i = 0; i < a->n_what_ifs && i < MOST_WHAT_IFS; i++) {
        a->what_ifs[i] = list[i];
        if (list[i].kind == FASTER_HOST)
            snprintf(a->names[i], sizeof a->names[i], "%s", m->hosts[list[i].id].name);
        if (list[i].kind != WIDER_LINK)
            continue;
        snprintf(a->names[i], sizeof a->names[i], "%s", m->links[list[i].id].name);
        if (m->links[list[i].id].sharing == LINK_SPLITDUPLEX)
            *strrchr(a->names[i], '_') = '\0';
    }
    free(list);
}

/* ---- a child ---- */

static enum err_code carry_out(const struct question *q, struct engine *engine, const struct schedule *s,
                               struct replay_options *options, struct answer *a)
{
    struct replay_record record = {0};
    struct replay_result result;
    struct explanation found;
    if (q->what_if != NULL) {
        struct what_if w = *q->what_if;
        enum err_code code = what_if_replay(engine, s, options, &w, &a->e);
        a->makespan_s = w.makespan_s;
        return code;
    }
    options->record = q->is_recorded ? &record : NULL;
    enum err_code code = replay_run(engine, s, options, &result, &a->e);
    if (code != ERR_NONE)
        return code;
    a->makespan_s = result.makespan_s;
    if (q->is_recorded) {
        explain_find(&record, &result, options->world, NULL, &found);
        a->n_segments = found.n;
        check_tiles(&found, a);
        check_work(&found, a);
        check_before(&record, &result, options->world, &found, a);
        check_taken(&record, &result, options->world, a);
        take_what_ifs(&found, options->world, a);
        explanation_clear(&found);
        replay_record_clear(&record);
    }
    replay_result_clear(&result);
    return ERR_NONE;
}

/* Every other graph is one of a generator's. Hosts do about 1000 flop/s, links carry about 1 MB/s. */
static void make_any_graph(const struct trial *t, struct dag *g)
{
    static const double ccrs[] = {0.3, 1, 3};
    size_t n_generators = 0;
    struct err e = {0};
    if (t->number % 2 == 0) {
        make_graph(t, g);
        return;
    }
    while (dag_generators[n_generators] != NULL)
        n_generators++;
    if (dag_generate(dag_generators[t->number / 2 % n_generators]->name, t->number, g, &e) != ERR_NONE)
        abort();
    for (task_id i = 0; i < g->n_tasks; i++)
        g->tasks[i].work_flop *= 1000 * g->n_tasks / dag_work_flop(g);
    if (dag_volume_bytes(g) > 0)
        dag_scale_edges(g, ccrs[t->number / 3 % 3] * 1e6 * g->n_edges / dag_volume_bytes(g));
}

static enum err_code open_for(const struct question *q, const struct trial *t, struct problem *p,
                              struct engine **engine, struct err *e)
{
    enum err_code code = engine_open(q->platform_path, engine, e);
    if (code == ERR_NONE && q->values != NULL)
        code = engine_override(*engine, q->values, e);
    if (code == ERR_NONE)
        code = route_table_init((struct route_table *)p->routes, p->machine = engine_machine(*engine), e);
    if (code == ERR_NONE)
        code = cost_model_find(t->model, &p->model, e);
    return code;
}

/* A child that plans: the schedule as a file's text. */
static void tell_plan(void *self, int fd)
{
    const struct question *q = self;
    struct route_table routes = {0};
    struct dag g = {0};
    struct problem p = {.dag = &g, .routes = &routes};
    struct engine *engine;
    struct scheduler_choice choice;
    struct schedule s;
    struct text json = {0};
    struct err e = {0};
    make_any_graph(q->trial, &g);
    enum err_code code = open_for(q, q->trial, &p, &engine, &e);
    if (code == ERR_NONE)
        code = scheduler_choose(q->trial->scheduler, &choice, &e);
    if (code == ERR_NONE)
        code = scheduler_plan(&choice, &p, NULL, &s, &e);
    if (code != ERR_NONE) {
        fprintf(stderr, "trial %lu: %s\n", (unsigned long)q->trial->number, e.text);
        abort();
    }
    schedule_write_json(&s, &json);
    tell(fd, text_str(&json), json.size);
    text_clear(&json);
    schedule_clear(&s);
    scheduler_choice_clear(&choice);
    route_table_clear(&routes);
    dag_clear(&g);
}

/* A child that carries that out. */
static void tell_answer(void *self, int fd)
{
    const struct question *q = self;
    static struct answer a;
    struct route_table routes = {0};
    struct dag g = {0};
    struct problem p = {.dag = &g, .routes = &routes};
    struct engine *engine;
    struct schedule s;
    struct noise noise = {0};
    struct replay_options options = {.links = q->trial->links,
                                     .waiting = q->trial->waiting,
                                     .progress = (enum replay_progress)(q->trial->number / 4 % 3),
                                     .eager_bytes = q->trial->number % 8 == 6 ? 1e5 : 0};
    make_any_graph(q->trial, &g);
    if (q->empty_edge >= 0)
        g.edges[q->empty_edge].size_bytes = 0;
    a.code = open_for(q, q->trial, &p, &engine, &a.e);
    if (a.code == ERR_NONE)
        a.code = world_find(q->world, &options.world, &a.e);
    if (a.code == ERR_NONE && q->has_noise)
        a.code = noise_parse("work=0.3,size=0.5,rate=0.2", q->trial->number, &noise, &a.e);
    options.noise = q->has_noise ? &noise : NULL;
    if (a.code == ERR_NONE)
        a.code = schedule_parse_json(q->plan, strlen(q->plan), "plan", &p, &s, &a.e);
    if (a.code == ERR_NONE) {
        a.code = carry_out(q, engine, &s, &options, &a);
        schedule_clear(&s);
    }
    tell(fd, &a, sizeof a);
    noise_clear(&noise);
    route_table_clear(&routes);
    dag_clear(&g);
}

/* ---- asking children ---- */

static struct answer ask(const struct question *q)
{
    struct text said = {0};
    struct answer a = {.code = ERR_INTERNAL};
    enum ending ending = in_child(tell_answer, (void *)q, 60, &said);
    if (ending == ENDED_WELL && said.size == sizeof a)
        memcpy(&a, said.data, sizeof a);
    text_clear(&said);
    return a;
}

/* The number after `attribute="` in the element that begins with `element`, doubled. */
static void double_number(struct text *xml, const char *element, const char *attribute)
{
    const char *at = strstr(text_str(xml), element), *rest;
    if (at == NULL || (at = strstr(at, attribute)) == NULL)
        abort();
    at += strlen(attribute);
    rest = at + strspn(at, "0123456789.e+-");
    char *all = mem_format("%.*s%.17g%s", (int)(at - xml->data), xml->data, 2 * atof(at), rest);
    text_clear(xml);
    text_addf(xml, "%s", all);
    free(all);
}

static void unshare(struct text *xml)
{
    static const char *const policies[] = {"SHARED", "SPLITDUPLEX"};
    for (size_t i = 0; i < 2; i++)
        for (char *at; (at = strstr(xml->data, policies[i])) != NULL;) {
            char *all = mem_format("%.*sFATPIPE%s", (int)(at - xml->data), xml->data, at + strlen(policies[i]));
            text_clear(xml);
            text_addf(xml, "%s", all);
            free(all);
        }
}

/* With all its links FATPIPEs, l_UP and l_DOWN are one link l, which routes may use without a direction. */
static void drop_directions(struct text *xml)
{
    static const char *const directions[] = {" direction=\"UP\"", " direction=\"DOWN\""};
    for (size_t i = 0; i < 2; i++)
        for (char *at; (at = strstr(xml->data, directions[i])) != NULL;) {
            memmove(at, at + strlen(directions[i]), strlen(at + strlen(directions[i])) + 1);
            xml->size = strlen(xml->data);
        }
}

/* The same question, on the machine or in the world as a user would write it. False: it has no such form here. */
static bool by_hand(struct question *q, const struct answer *a, size_t i, struct text *xml)
{
    static const struct machine_values no_overhead = {.overhead = "0"}, no_involvement = {.involvement = "0"};
    const struct what_if *w = &a->what_ifs[i];
    const struct trial *t = q->trial;
    char element[100];
    switch (w->kind) {
    case WITHOUT_INTERFERENCE:
        q->world = "none";
        return true;
    case WITHOUT_CONTENTION:
        unshare(xml);
        drop_directions(xml);
        /* else the plan names directions, and FATPIPEs make flows of unequal latency hinder each other */
        return t->shape != STAR_SPLIT || (strcmp(t->model, "classic") == 0 && !t->has_latency);
    case WITHOUT_OVERHEADS:
        q->values = &no_overhead;
        return true;
    case WITHOUT_INVOLVEMENT:
        q->values = &no_involvement;
        return true;
    case FASTER_HOST:
        snprintf(element, sizeof element, "<host id=\"%s\"", a->names[i]);
        double_number(xml, element, "speed=\"");
        return true;
    case WIDER_LINK:
        snprintf(element, sizeof element, "<link id=\"%s\"", a->names[i]);
        double_number(xml, element, "bandwidth=\"");
        return true;
    case LOCAL_EDGE: /* without latency and costs of processors, no data are like no transfer */
        q->empty_edge = w->id;
        return strcmp(t->world, "involvement") != 0 && !t->has_latency && t->waiting == REPLAY_PASSIVE &&
               t->links == REPLAY_FLUID && strcmp(t->model, "classic") == 0;
    case WITHOUT_PORTS:
    case N_WHAT_IF_KINDS:
        break;
    }
    return false;
}

static int n_by_hand[N_WHAT_IF_KINDS];

static bool what_if_is_right(const struct question *asked, const struct answer *a, size_t i)
{
    struct question as_what_if = *asked, as_edited = *asked;
    struct text xml = {0};
    struct err e = {0};
    as_what_if.is_recorded = as_edited.is_recorded = false;
    as_what_if.what_if = &a->what_ifs[i];
    if (text_read_file(&xml, asked->platform_path, 1 << 20, &e) != ERR_NONE)
        abort();
    if (!by_hand(&as_edited, a, i, &xml)) {
        text_clear(&xml);
        return true;
    }
    char *path = file_with("edited.xml", text_str(&xml));
    as_edited.platform_path = path;
    struct answer got = ask(&as_what_if), want = ask(&as_edited);
    bool ok = got.code == want.code && (got.code != ERR_NONE || is_close(got.makespan_s, want.makespan_s, 1));
    if (!ok)
        fprintf(stderr, "what-if %d of %s (%d): %.17g, by hand %.17g; %s; %s\n", (int)a->what_ifs[i].kind, a->names[i],
                a->what_ifs[i].id, got.makespan_s, want.makespan_s, got.e.text, want.e.text);
    n_by_hand[a->what_ifs[i].kind] += got.code == ERR_NONE;
    text_clear(&xml);
    free(path);
    return ok;
}

static size_t n_segments;
static int n_refused;

static void check_trial(const struct trial *t, bool tries_what_ifs)
{
    struct text said = {0};
    struct question q = {.trial = t, .platform_path = t->platform_path, .world = t->world, .empty_edge = -1};
    q.has_noise = t->number % 4 == 3;
    CU_ASSERT(in_child(tell_plan, &q, 60, &said) == ENDED_WELL);
    q.plan = text_str(&said);
    struct answer plain = ask(&q);
    q.is_recorded = true;
    struct answer a = ask(&q);
    bool ok = a.code == plain.code && (a.code == ERR_NONE || a.code == ERR_INPUT) && a.fault[0] == '\0' &&
              a.makespan_s == plain.makespan_s;
    for (size_t i = 0; i < a.n_what_ifs && i < MOST_WHAT_IFS && ok && tries_what_ifs; i++)
        ok = what_if_is_right(&q, &a, i);
    CU_ASSERT(ok);
    if (!ok)
        fprintf(stderr, "trial %lu, platform %d, %s in %s, %s, %s links, %s: %.17g, recorded %.17g; %s; %s\n",
                (unsigned long)t->number, (int)t->shape, t->model, t->world, t->scheduler,
                t->links == REPLAY_FLUID ? "fluid" : "exclusive",
                t->waiting == REPLAY_ACTIVE       ? "active"
                : t->waiting == REPLAY_RENDEZVOUS ? "rendezvous"
                                                  : "passive",
                plain.makespan_s, a.makespan_s, a.fault, a.e.text);
    n_segments += a.n_segments;
    n_refused += a.code != ERR_NONE;
    text_clear(&said);
}

static void check_number(uint64_t i, bool tries_what_ifs)
{
    static const char *const models[] = {"classic", "contention", "involvement"};
    static const char *const worlds[] = {"none", "interference", "involvement"};
    struct trial t = {.number = i, .model = models[i / 2 % 3], .world = worlds[i / 6 % 3]};
    t.links = i / 5 % 2 ? REPLAY_EXCLUSIVE : REPLAY_FLUID;
    t.waiting = i / 7 % 3 == 2 ? REPLAY_ACTIVE : REPLAY_PASSIVE;
    if (i % 4 == 2) {
        t.waiting = REPLAY_RENDEZVOUS;
        t.links = REPLAY_FLUID;
    }
    t.shape = (enum shape)(i / 3 % N_SHAPES);
    t.scheduler = ways[i / 11 % N_WAYS];
    t.has_latency = i / 4 % 2;
    t.has_overhead = i / 13 % 2;
    t.has_interference = true;
    t.has_steps = i % 17 == 0;
    char *path = write_platform(&t);
    t.platform_path = path;
    check_trial(&t, tries_what_ifs);
    free(path);
}

static void check_trials(uint64_t n, bool tries_what_ifs)
{
    FOR_RANDOM_CASES (i, n)
        check_number(i, tries_what_ifs);
}

/* Their processors begin above 1: one transfer alone takes nothing, several do. */
static void what_only_several_transfers_take_is_theirs(void)
{
    static const uint64_t numbers[] = {117, 240, 278};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        check_number(numbers[i], false);
}

static void segments_are_the_makespan(void)
{
    int n = random_cases(90);
    check_trials(90, false);
    CU_ASSERT(n_segments > 10 * (size_t)n);
    CU_ASSERT(n_refused < n / 4); /* orders that active waiting cannot keep */
}

static void a_what_if_is_the_replay_on_that_machine(void)
{
    check_trials(18, true);
    for (int kind = 0; kind < N_WHAT_IF_KINDS && random_cases(18) >= 18; kind++) /* with fewer, not every kind is met */
        CU_ASSERT(kind == WITHOUT_PORTS || n_by_hand[kind] > 0);
}

static const struct test tests[] = {
    {"what only several transfers take is theirs", what_only_several_transfers_take_is_theirs},
    {"segments are the makespan", segments_are_the_makespan},
    {"a what-if is the replay on that machine", a_what_if_is_the_replay_on_that_machine},
};
TEST_MAIN(tests)
