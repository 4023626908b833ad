/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Dates within 1e-12 of each other are one instant: all that ends in it is reported before the client may act. Each
   case lets chains of executions and transfers run side by side whose sums are equal, but for the last bits of the
   clock. */
#include "fork_engine.h"

enum { MAX_CHAINS = 3 };

struct chain { /* one after the other; all chains begin at 0 */
    bool is_comm;
    const char *src, *dst; /* where; between which */
    double amount;
    int n;
};

struct relay {
    struct engine *engine;
    struct chain chains[MAX_CHAINS];
    int n_chains, n_left[MAX_CHAINS];
    bool may_start[MAX_CHAINS];
    int n_over;         /* chains that have come to their end */
    int n_over_at_last; /* when the client was last asked to decide before all were over */
};

static void on_ended(void *self, void *tag, enum engine_end end)
{
    struct relay *r = self;
    int i = (int)((struct chain *)tag - r->chains);
    CHECK(end == ENGINE_DONE);
    r->may_start[i] = --r->n_left[i] > 0;
    r->n_over += r->n_left[i] == 0;
}

static bool decide(void *self, double now_s)
{
    struct relay *r = self;
    (void)now_s;
    if (r->n_over < r->n_chains)
        r->n_over_at_last = r->n_over;
    for (int i = 0; i < r->n_chains; i++) {
        struct chain *c = &r->chains[i];
        const struct machine *m = engine_machine(r->engine);
        if (!r->may_start[i])
            continue;
        r->may_start[i] = false;
        if (c->is_comm)
            engine_comm_start(r->engine, machine_host_id(m, c->src), machine_host_id(m, c->dst), c->amount, c);
        else
            engine_exec_start(r->engine, machine_host_id(m, c->src), c->amount, c);
    }
    return false;
}

static void run_relay(void *self, int fd)
{
    struct relay *r = self;
    struct err e = {0};
    const struct world_model *world;
    char *path = file_with("instants.xml",
                           CM02 HOST("a", "") HOST("b", "") HOST("c", "") MBPS("l", "1") MBPS("k", "1") MBPS("j", "1")
                               ROUTE("a", "b", "l") ROUTE("a", "c", "k") ROUTE("b", "c", "j") END_OF_PLATFORM);
    struct engine_client client = {.self = r, .ended = on_ended, .decide = decide};
    CHECK(engine_open(path, &r->engine, &e) == ERR_NONE);
    CHECK(world_find("none", &world, &e) == ERR_NONE);
    CHECK(engine_run(r->engine, world, &client, &e) == ERR_NONE);
    tell(fd, r, sizeof *r);
    free(path);
}

static void check_together(const char *file, int line, const struct chain *chains, int n)
{
    struct relay r = {.n_chains = n};
    struct text said = {0};
    for (int i = 0; i < n; i++) {
        r.chains[i] = chains[i];
        r.n_left[i] = chains[i].n;
        r.may_start[i] = true;
    }
    CHECK(in_child(run_relay, &r, 60, &said) == ENDED_WELL);
    if (said.size == sizeof r)
        memcpy(&r, said.data, sizeof r);
    CU_ASSERT(check_close(r.n_over, n, 0, file, line, "chains that are over"));
    CU_ASSERT(check_close(r.n_over_at_last, 0, 0, file, line, "chains over when the client may act before all are"));
    text_clear(&said);
}

#define CHECK_TOGETHER(...)                                                                                            \
    check_together(__FILE__, __LINE__, (struct chain[]){__VA_ARGS__},                                                  \
                   sizeof((struct chain[]){__VA_ARGS__}) / sizeof(struct chain))

/* 63 tasks of 8/7 s and a transfer of 72 s; tenths, thirds and sevenths of a second */
static void executions_and_transfers_end_together(void)
{
    CHECK_TOGETHER({false, "a", NULL, 8000. / 7, 63}, {true, "b", "c", 72e6, 1});
    CHECK_TOGETHER({false, "a", NULL, 100, 3}, {true, "b", "c", 300000, 1});
    CHECK_TOGETHER({false, "a", NULL, 100, 10}, {true, "b", "c", 1e6, 1});
    CHECK_TOGETHER({false, "a", NULL, 700, 1}, {true, "b", "c", 1e5, 7});
    CHECK_TOGETHER({false, "a", NULL, 1000, 1}, {true, "b", "c", 1e5, 10});
    CHECK_TOGETHER({false, "a", NULL, 1000. / 3, 300}, {true, "b", "c", 1e8, 1});
    CHECK_TOGETHER({false, "a", NULL, 1000. / 7, 700}, {true, "b", "c", 1e5, 1000});
}

static void executions_end_together(void)
{
    CHECK_TOGETHER({false, "a", NULL, 100, 3}, {false, "b", NULL, 300, 1});
    CHECK_TOGETHER({false, "a", NULL, 100, 10}, {false, "b", NULL, 1000, 1});
    CHECK_TOGETHER({false, "a", NULL, 1000. / 7, 49}, {false, "b", NULL, 1000. / 3, 21}, {false, "c", NULL, 700, 10});
}

static void transfers_end_together(void)
{
    CHECK_TOGETHER({true, "a", "b", 1e5, 3}, {true, "a", "c", 3e5, 1});
    CHECK_TOGETHER({true, "a", "b", 1e5, 10}, {true, "a", "c", 1e6, 1}, {true, "b", "c", 1e6 / 8, 8});
    CHECK_TOGETHER({true, "a", "b", 1e5, 70}, {true, "a", "c", 7e5, 10}, {true, "b", "c", 1.4e6, 5});
}

/* ---- progress ---- */

struct seen {
    int n_shown, n_ended;
    uint64_t n_done, n_total;
    bool is_orderly;
};

static void on_progress(void *self, uint64_t n_done, uint64_t n_total)
{
    struct seen *s = self;
    s->is_orderly = s->is_orderly && s->n_ended == 0 && n_done >= s->n_done && n_done <= n_total;
    s->n_shown++;
    s->n_done = n_done;
    s->n_total = n_total;
}

static void on_end(void *self)
{
    ((struct seen *)self)->n_ended++;
}

static void count_activities(void *self, int fd)
{
    struct seen *s = self;
    struct text script = {0};
    struct activities a = {0};
    struct engine *engine;
    const struct world_model *world;
    struct err e = {0};
    char *path = file_with("progress.xml", CM02 HOST("a", "") END_OF_PLATFORM);
    for (int i = 0; i < 1000; i++)
        text_addf(&script, "exec %d a 500\n", i);
    CHECK(activities_parse(text_str(&script), script.size, "script", &a, &e) == ERR_NONE);
    CHECK(world_find("none", &world, &e) == ERR_NONE);
    CHECK(engine_open(path, &engine, &e) == ERR_NONE);
    engine_set_progress(engine, (struct engine_progress){s, on_progress, on_end});
    CHECK(activities_bind(&a, engine_machine(engine), &e) == ERR_NONE);
    CHECK(activities_run(&a, engine, world, &e) == ERR_NONE);
    tell(fd, s, sizeof *s);
    activities_clear(&a);
    text_clear(&script);
    free(path);
}

static void progress_is_shown_in_order_and_ends_once(void)
{
    struct seen s = {.is_orderly = true};
    struct text said = {0};
    CHECK(in_child(count_activities, &s, 60, &said) == ENDED_WELL);
    CHECK_INT(said.size, sizeof s);
    if (said.size == sizeof s)
        memcpy(&s, said.data, sizeof s);
    CHECK(s.is_orderly);
    CHECK(s.n_shown > 5);
    CHECK(s.n_done > 900);
    CHECK_INT(s.n_total, 1000);
    CHECK_INT(s.n_ended, 1);
    text_clear(&said);
}

/* l is shared by a -> b and c -> b until 0.3; d -> e ends a last bit later (0.1 + 0.2), in the same instant. c -> b
   takes 0.25 s of c in any case: 0.5 MB at 0.5 per MB/s. */
static void a_rate_that_changes_with_the_first_of_two_ends_is_seen(void)
{
    static const char platform[] =
        CM02 HOST("a", "") HOST("b", "") HOST("c", PROP("ir_send", "0.5")) HOST("d", "") HOST("e", "") MBPS("l", "1")
            MBPS("k", "1") ROUTE("a", "b", "l") ROUTE("c", "b", "l") ROUTE("d", "e", "k") END_OF_PLATFORM;
    CHECK_FINISHES(platform, "interference",
                   "exec 0 c 1000\ncomm 0 a b 150000\ncomm 0 c b 500000\ncomm 0.1 d e 200000\n", 1.25, 0.3, 0.65, 0.3);
}

static const struct test tests[] = {
    {"a_rate_that_changes_with_the_first_of_two_ends_is_seen", a_rate_that_changes_with_the_first_of_two_ends_is_seen},
    {"progress_is_shown_in_order_and_ends_once", progress_is_shown_in_order_and_ends_once},
    {"executions_and_transfers_end_together", executions_and_transfers_end_together},
    {"executions_end_together", executions_end_together},
    {"transfers_end_together", transfers_end_together},
};

TEST_MAIN(tests)
