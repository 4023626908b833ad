/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Critical chains worked out by hand. Hosts do 1000 flop/s, links carry 1 MB/s unless said otherwise; the dates of a
   schedule are only what gives the order. A line of a chain:

       FROM TO cause where what | with */
#include "explain/alone.h"
#include "explain/explain.h"
#include "replay_case.h"

#define BYTES "1000000"
#define PAIR(a, b, link) CM02 HOST("a", a) HOST("b", b) link ROUTE("a", "b", "l") END_OF_PLATFORM
#define PLAIN PAIR("", "", MBPS("l", "1"))
#define OF_SENDER(o, i) PROP("overhead_send", o) PROP("involvement_send", i)
#define OF_RECEIVER(o, i) PROP("overhead_recv", o) PROP("involvement_recv", i)
#define INVOLVED PAIR(OF_SENDER("0.1", "0.5"), OF_RECEIVER("0.2", "0.25"), MBPS("l", "1"))
#define FROM_A_TO_B "task A a 0 1\n task B b 2 3\n"

/* ---- a case ---- */

enum how { FLUID, EXCLUSIVE, ACTIVE, MEASURED };

struct chain_case {
    const char *platform, *graph, *plan, *model, *world;
    enum how how;
    const char *path;
    double *alone_bytes_per_s; /* [MOST_EDGES]; NULL: not measured */
};

enum { MOST_EDGES = 16 };

static void add_line(struct text *out, const struct explanation *x, const struct explain_segment *s)
{
    const struct machine *m = x->plan->machine;
    const struct dag *g = x->plan->dag;
    char *what = explain_item_name(g, s->item);
    text_addf(out, "%.9g %.9g %s %s %s", s->from_s, s->to_s, explain_cause_names[s->cause],
              s->host >= 0   ? m->hosts[s->host].name
              : s->link >= 0 ? m->links[s->link].name
                             : "-",
              what);
    free(what);
    for (size_t i = 0; i < s->n_with; i++) {
        char *with = explain_item_name(g, x->with[s->first_with + i]);
        text_addf(out, "%s %s", i == 0 ? " |" : ",", with);
        free(with);
    }
    text_addf(out, "\n");
}

static enum err_code carry_out(const struct chain_case *c, struct engine *engine, struct schedule *s,
                               struct replay_options *options, struct text *out, struct err *e)
{
    struct replay_record record = {0};
    struct replay_result result;
    struct explanation found;
    options->record = &record;
    enum err_code code = replay_run(engine, s, options, &result, e);
    if (code == ERR_NONE) {
        explain_find(&record, &result, options->world, c->alone_bytes_per_s, &found);
        for (size_t i = 0; i < found.n; i++)
            add_line(out, &found, &found.segments[i]);
        explanation_clear(&found);
    }
    replay_result_clear(&result);
    replay_record_clear(&record);
    return code;
}

static enum err_code run_chain(const struct chain_case *c, const struct dag *g, bool measures, struct text *out,
                               struct err *e)
{
    struct engine *engine;
    struct route_table routes = {0};
    struct problem p = {.dag = g, .routes = &routes};
    struct schedule s = {0};
    struct replay_options options = {.links = c->how == EXCLUSIVE ? REPLAY_EXCLUSIVE : REPLAY_FLUID,
                                     .waiting = c->how == ACTIVE ? REPLAY_ACTIVE : REPLAY_PASSIVE};
    enum err_code code = engine_open(c->path, &engine, e);
    if (code == ERR_NONE)
        code = route_table_init(&routes, p.machine = engine_machine(engine), e);
    if (code == ERR_NONE)
        code = cost_model_find(c->model, &p.model, e);
    if (code == ERR_NONE)
        code = world_find(c->world, &options.world, e);
    if (code != ERR_NONE)
        return code;
    schedule_init(&s, &p);
    read_plan(c->plan, &s);
    if (measures)
        explain_alone(engine, &s, c->alone_bytes_per_s);
    else
        code = carry_out(c, engine, &s, &options, out, e);
    schedule_clear(&s);
    route_table_clear(&routes);
    return code;
}

static void tell_chain(void *self, int fd)
{
    const struct chain_case *c = self;
    struct dag g = dag_from_text(c->graph);
    struct text out = {0};
    struct err e = {0};
    if (run_chain(c, &g, false, &out, &e) != ERR_NONE)
        text_addf(&out, "error: %s\n", e.text);
    tell(fd, text_str(&out), out.size);
    text_clear(&out);
    dag_clear(&g);
}

static void tell_alone(void *self, int fd)
{
    const struct chain_case *c = self;
    struct dag g = dag_from_text(c->graph);
    struct err e = {0};
    for (edge_id i = 0; i < g.n_edges; i++)
        c->alone_bytes_per_s[i] = 1;
    if (run_chain(c, &g, true, NULL, &e) != ERR_NONE)
        abort();
    tell(fd, c->alone_bytes_per_s, MOST_EDGES * sizeof(double));
    dag_clear(&g);
}

static void check_chain(const char *file, int line, struct chain_case c, const char *want)
{
    struct text said = {0}, measured = {0};
    double rates[MOST_EDGES] = {0};
    char *path = file_with("platform.xml", c.platform);
    c.path = path;
    if (c.how == MEASURED) {
        c.alone_bytes_per_s = rates;
        CU_ASSERT(in_child(tell_alone, &c, 60, &measured) == ENDED_WELL);
        CU_ASSERT_FATAL(measured.size == sizeof rates);
        memcpy(rates, measured.data, sizeof rates);
    }
    CU_ASSERT(in_child(tell_chain, &c, 60, &said) == ENDED_WELL);
    CU_ASSERT(check_text(text_str(&said), want, true, file, line, "the chain"));
    text_clear(&said);
    text_clear(&measured);
    free(path);
}

#define CHECK_CHAIN(how, want, platform, graph, plan, model, world)                                                    \
    check_chain(__FILE__, __LINE__, (struct chain_case){platform, graph, plan, model, world, how, NULL, NULL}, want)

/* ---- worlds where communication costs processors nothing ---- */

static void data_are_waited_for(void)
{
    static const char *const want = "0 1 computing a A\n1 2 transfer l A -> B\n2 3 computing b B\n";
    CHECK_CHAIN(FLUID, want, PLAIN, "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none");
    CHECK_CHAIN(EXCLUSIVE, want, PLAIN, "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none");
    CHECK_CHAIN(ACTIVE, want, PLAIN, "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none");
}

static void so_are_items_before_in_the_order(void)
{
    CHECK_CHAIN(FLUID, "0 1 waiting a B | A\n1 3 computing a B\n", PLAIN, "A:1000 B:2000",
                "task A a 0 1\n task B a 1 2\n", "classic", "none");
    /* C on b could begin at 2, when its data are there: until then E only computes */
    CHECK_CHAIN(FLUID, "0 2 computing b E\n2 5 waiting b C | E\n5 6 computing b C\n", PLAIN,
                "A:1000 C:1000 E:5000 | A>C:" BYTES, "task A a 0 1\n task E b 0 5\n task C b 5 6\n", "classic", "none");
}

static void latency_comes_first(void)
{
    static const char *const platform = PAIR("", "", LINK("l", "bandwidth=\"1MBps\" latency=\"0.5s\""));
    CHECK_CHAIN(FLUID, "0 1 computing a A\n1 1.5 latency - A -> B\n1.5 2.5 transfer l A -> B\n2.5 3.5 computing b B\n",
                platform, "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none");
    CHECK_CHAIN(EXCLUSIVE, "0 1 computing a A\n1 2 transfer l A -> B\n2 2.5 latency - A -> B\n2.5 3.5 computing b B\n",
                platform, "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none");
    CHECK_CHAIN(FLUID, "0 1 computing a A\n1 1.5 latency - A -> B\n1.5 2.5 computing b B\n", platform,
                "A:1000 B:1000 | A>B:0", FROM_A_TO_B, "classic", "none");
}

#define FORK(up, l, k)                                                                                                 \
    CM02 HOST("a", "") HOST("b", "") HOST("c", "") up l k ROUTE2("a", "b", "up", "l") ROUTE2("a", "c", "up", "k")      \
        ROUTE2("b", "c", "l", "k") END_OF_PLATFORM
#define COMMON_LINK FORK(MBPS("up", "1"), MBPS("l", "4"), MBPS("k", "4"))
#define FORK_GRAPH "A:1000 B:2000 C:1000 | A>B:" BYTES " A>C:" BYTES
#define FORK_TASKS "task A a 0 1\n task B b 3 4\n task C c 2 3\n"

static void a_shared_link_slows_transfers_down(void)
{
    /* B's data and C's have half the link each, from 1 to 3 */
    CHECK_CHAIN(FLUID, "0 1 computing a A\n1 2 transfer up A -> B\n2 3 sharing up A -> B | A -> C\n3 5 computing b B\n",
                COMMON_LINK, FORK_GRAPH, FORK_TASKS, "classic", "none");
    /* l is narrower than half of up: what is shared there takes nothing */
    CHECK_CHAIN(FLUID, "0 1 computing a A\n1 5 transfer l A -> B\n5 7 computing b B\n",
                FORK(MBPS("up", "1"), MBPS("l", "0.25"), MBPS("k", "0.25")), FORK_GRAPH, FORK_TASKS, "classic", "none");
}

/* Both links are used up, up by the two transfers of A, l by three. It is l that limits A -> B: on up, A -> F has
   more. */
static void the_link_that_limits_is_named(void)
{
    CHECK_CHAIN(FLUID,
                "0 1 computing a A\n1 2 transfer up A -> B\n2 4 sharing l A -> B | C -> D, C -> E\n"
                "4 13 computing b B\n",
                FORK(MBPS("up", "1"), MBPS("l", "1"), MBPS("k", "10")),
                "A:1000 B:9000 C:1000 D:0 E:0 F:0 | A>B:" BYTES " A>F:4000000 C>D:2000000 C>E:2000000",
                "task A a 0 1\n task B b 3 4\n task C c 0 1\n task D b 9 9\n task E b 9 9\n task F c 9 9\n", "classic",
                "none");
}

static void on_exclusive_links_transfers_wait(void)
{
    /* C's comes first on up: then B's, over both links at once */
    CHECK_CHAIN(EXCLUSIVE,
                "0 1 computing a A\n1 2 waiting up A -> B | A -> C\n2 3 transfer l A -> B\n3 5 computing b B\n",
                FORK(MBPS("up", "1"), MBPS("l", "1"), MBPS("k", "1")), FORK_GRAPH, FORK_TASKS, "classic", "none");
}

static void data_cut_through(void)
{
    static const char *const graph = "A:1000 B:1000 C:0 | A>B:" BYTES;
    /* the second link begins with the first byte, and is the slower one */
    CHECK_CHAIN(EXCLUSIVE,
                "0 1 computing a A\n1 1.1 latency - A -> B\n1.1 2.1 transfer l A -> B\n2.1 2.3 latency - A -> B\n"
                "2.3 3.3 computing b B\n",
                FORK(LINK("up", "bandwidth=\"2MBps\" latency=\"0.1s\""),
                     LINK("l", "bandwidth=\"1MBps\" latency=\"0.2s\""), MBPS("k", "1")),
                graph, FORK_TASKS, "classic", "none");
    /* it is the faster one: half of the bytes have passed up when it begins */
    CHECK_CHAIN(EXCLUSIVE,
                "0 1 computing a A\n1 1.5 transfer up A -> B\n1.5 1.6 latency - A -> B\n1.6 2.1 transfer l A -> B\n"
                "2.1 2.3 latency - A -> B\n2.3 3.3 computing b B\n",
                FORK(LINK("up", "bandwidth=\"1MBps\" latency=\"0.1s\""),
                     LINK("l", "bandwidth=\"2MBps\" latency=\"0.2s\""), MBPS("k", "1")),
                graph, FORK_TASKS, "classic", "none");
}

static void profiles_slow_hosts_and_links(void)
{
    /* from 1.5 on b has half its speed, l a quarter of its bandwidth */
    char *speed = file_with("speed", "1.5 0.5\n"), *bandwidth = file_with("bandwidth", "1.5 250000\n");
    CHECK_CHAIN(
        FLUID,
        "0 1 computing a A\n1 2 transfer l A -> B\n2 3.5 slow_link l A -> B\n3.5 4.5 computing b B\n"
        "4.5 5.5 slow_host b B\n",
        CM02 HOST("a", "") "<host id=\"b\" speed=\"1000f\" speed_file=\"speed\"/>"
                           "<link id=\"l\" bandwidth=\"1MBps\" latency=\"0s\" bandwidth_file=\"bandwidth\"/>" ROUTE(
                               "a", "b", "l") END_OF_PLATFORM,
        "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "none");
    free(speed);
    free(bandwidth);
}

/* ---- interference ---- */

static void flows_slow_computing_down(void)
{
    /* D on a: half of its speed while A's data leave, from 1 to 2 */
    CHECK_CHAIN(FLUID, "0 1 waiting a D | A\n1 3 computing a D\n3 3.5 slowed_by_send a D | A -> B\n",
                PAIR(PROP("ir_send", "0.5"), PROP("ir_recv", "0.2"), MBPS("l", "1")),
                "A:1000 B:1000 D:2000 | A>B:" BYTES, FROM_A_TO_B "task D a 1 2\n", "classic", "interference");
    /* E on b: 0.2 of it while they come; then B could begin */
    CHECK_CHAIN(
        FLUID,
        "0 1.8 computing b E\n1.8 2 slowed_by_receive b E | A -> B\n2 4.2 waiting b B | E\n4.2 5.2 computing b B\n",
        PAIR(PROP("ir_send", "0.5"), PROP("ir_recv", "0.2"), MBPS("l", "1")), "A:1000 B:1000 E:4000 | A>B:" BYTES,
        "task A a 0 1\n task E b 0 1\n task B b 2 3\n", "classic", "interference");
}

static void flows_share_a_processor_at_its_floor(void)
{
    /* from 1 to 2 they would take 0.8 + 0.4 of a, and get 0.9 */
    CHECK_CHAIN(FLUID,
                "0 1 waiting a D | A\n1 2 computing a D\n2 2.6 slowed_by_send a D | A -> B\n"
                "2.6 2.9 slowed_by_send a D | A -> C\n",
                CM02 HOST("a", PROP("ir_send", "0.4") PROP("ir_floor", "0.1")) HOST("b", "") HOST("c", "")
                    MBPS("l", "2") MBPS("k", "1") ROUTE("a", "b", "l") ROUTE("a", "c", "k") ROUTE("b", "c", "l")
                        END_OF_PLATFORM,
                "A:1000 B:0 C:0 D:1000 | A>B:2000000 A>C:" BYTES,
                "task A a 0 1\n task B b 3 3\n task C c 2 2\n task D a 1 2\n", "classic", "interference");
}

/* ---- overhead and involvement ---- */

static void overheads_are_on_the_way_of_the_data(void)
{
    static const char *const want = "0 1 computing a A\n1 1.1 overhead_send a A -> B\n1.1 2.1 transfer l A -> B\n"
                                    "2.1 2.3 overhead_receive b A -> B\n2.3 3.3 computing b B\n";
    CHECK_CHAIN(FLUID, want, INVOLVED, "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "involvement");
    CHECK_CHAIN(EXCLUSIVE, want, INVOLVED, "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "involvement");
    CHECK_CHAIN(ACTIVE, want, INVOLVED, "A:1000 B:1000 | A>B:" BYTES, FROM_A_TO_B, "classic", "involvement");
}

static void a_send_keeps_its_processor_from_the_next_task(void)
{
    CHECK_CHAIN(FLUID,
                "0 1 computing a A\n1 1.1 overhead_send a A -> B\n1.1 1.6 involvement_send a A -> B\n"
                "1.6 4.6 computing a D\n",
                INVOLVED, "A:1000 B:1000 D:3000 | A>B:" BYTES, FROM_A_TO_B "task D a 1 2\n", "classic", "involvement");
    /* active: until the last byte */
    CHECK_CHAIN(ACTIVE,
                "0 1 computing a A\n1 1.1 overhead_send a A -> B\n1.1 2.1 transfer l A -> B\n2.1 5.1 computing a D\n",
                INVOLVED, "A:1000 B:1000 D:3000 | A>B:" BYTES, FROM_A_TO_B "task D a 1 2\n", "classic", "involvement");
}

static void a_receive_begun_late_is_involvement(void)
{
    /* due at 1.85, but E stands before it */
    CHECK_CHAIN(FLUID,
                "0 1.85 computing b E\n1.85 5 waiting b A -> B | E\n5 5.25 involvement_receive b A -> B\n"
                "5.25 5.45 overhead_receive b A -> B\n5.45 6.45 computing b B\n",
                INVOLVED, "A:1000 B:1000 E:5000 | A>B:" BYTES, FROM_A_TO_B "task E b 0 1\n", "classic", "involvement");
}

static void messages_wait_for_ports(void)
{
    /* C's message goes first; the next one may 4 s later, though the processor is free after 2 */
    CHECK_CHAIN(FLUID,
                "0 1 computing a A\n1 5 port a A -> B | A -> C\n5 7 overhead_send a A -> B\n7 13 latency - A -> B\n"
                "13 15 overhead_receive b A -> B\n15 17 computing b B\n",
                COMMON_LINK, "A:1000 B:2000 C:1000 | A>B:1 A>C:1", FORK_TASKS, "classic", "logp[L=6,o=2,g=4]");
    /* b waits actively for A's data from 0 on, but its port is taken from 4, when they come, until 13 */
    CHECK_CHAIN(ACTIVE,
                "0 1 computing a A\n1 3 overhead_send a A -> B\n3 4 latency - A -> B\n4 13 port b C -> D | A -> B\n"
                "13 15 overhead_receive b C -> D\n15 16 computing b D\n",
                COMMON_LINK, "A:1000 B:1000 C:2000 D:1000 | A>B:1 C>D:1",
                "task A a 0 1\n task C c 0 2\n task B b 2 3\n task D b 4 5\n", "classic", "logp[L=1,o=2,g=9]");
}

/* ---- models of the network ---- */

/* SimGrid's own: 0.97 of the bandwidth, 13 times the latency. What a transfer has alone is no sharing. */
#define OWN_MODEL                                                                                                      \
    PLATFORM_HEAD "<config><prop id=\"network/model\" value=\"LV08\"/><prop id=\"network/crosstraffic\" value=\"0\"/>" \
                  "<prop id=\"network/TCP-gamma\" value=\"0\"/></config>" BEGIN_OF_ZONE

static void full_rate_is_that_of_a_transfer_alone(void)
{
    CHECK_CHAIN(MEASURED, "0 1 computing a A\n1 2 transfer l A -> B\n2 3 computing b B\n",
                OWN_MODEL HOST("a", "") HOST("b", "") MBPS("l", "1") ROUTE("a", "b", "l") END_OF_PLATFORM,
                "A:1000 B:1000 | A>B:970000", FROM_A_TO_B, "classic", "none");
    CHECK_CHAIN(MEASURED,
                "0 1 computing a A\n1 2 transfer up A -> B\n2 3 sharing up A -> B | A -> C\n3 5 computing b B\n",
                OWN_MODEL HOST("a", "") HOST("b", "") HOST("c", "") MBPS("up", "1") MBPS("l", "4") MBPS("k", "4")
                    ROUTE2("a", "b", "up", "l") ROUTE2("a", "c", "up", "k") ROUTE2("b", "c", "l", "k") END_OF_PLATFORM,
                "A:1000 B:2000 C:1000 | A>B:970000 A>C:970000", FORK_TASKS, "classic", "none");
}

/* The acknowledgements of what comes back take a 20th: with crosstraffic, both directions hinder each other. */
static void acknowledgements_share_links(void)
{
    CHECK_CHAIN(
        MEASURED,
        "0 1 computing a A\n1 2 transfer l_UP A -> B\n2 2.05 sharing l_DOWN A -> B | C -> D\n2.05 5.05 computing b B\n",
        PLATFORM_HEAD
        "<config><prop id=\"network/model\" value=\"CM02\"/></config>" BEGIN_OF_ZONE HOST("a", "") HOST("b", "") LINK(
            "l", "bandwidth=\"1MBps\" latency=\"0s\" sharing_policy=\"SPLITDUPLEX\"") "<route src=\"a\" "
                                                                                      "dst=\"b\"><link_ctn id=\"l\" "
                                                                                      "direction=\"UP\"/></"
                                                                                      "route>" END_OF_PLATFORM,
        "A:1000 B:3000 C:1000 D:1000 | A>B:" BYTES " C>D:" BYTES, FROM_A_TO_B "task C b 0 1\n task D a 2 3\n",
        "classic", "none");
}

static const struct test tests[] = {
    {"data are waited for", data_are_waited_for},
    {"so are items before in the order", so_are_items_before_in_the_order},
    {"latency comes first", latency_comes_first},
    {"a shared link slows transfers down", a_shared_link_slows_transfers_down},
    {"the link that limits is named", the_link_that_limits_is_named},
    {"on exclusive links transfers wait", on_exclusive_links_transfers_wait},
    {"data cut through", data_cut_through},
    {"profiles slow hosts and links", profiles_slow_hosts_and_links},
    {"flows slow computing down", flows_slow_computing_down},
    {"flows share a processor at its floor", flows_share_a_processor_at_its_floor},
    {"overheads are on the way of the data", overheads_are_on_the_way_of_the_data},
    {"a send keeps its processor from the next task", a_send_keeps_its_processor_from_the_next_task},
    {"a receive begun late is involvement", a_receive_begun_late_is_involvement},
    {"messages wait for ports", messages_wait_for_ports},
    {"full rate is that of a transfer alone", full_rate_is_that_of_a_transfer_alone},
    {"acknowledgements share links", acknowledgements_share_links},
};
TEST_MAIN(tests)
