/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One message between two hosts as a point of a sweep ([S] 8.1.2, Figure 8.3): how long it takes, and how long it
   occupies the processors at its two ends, as believed and as simulated. It goes from one task to another; both have
   no work, so that nothing but the message takes time. */
#include "engine/measure.h"
#include "engine/replay.h"
#include "runs/graph_rows.h"

static const struct run_param rows[] = {
    MACHINE_ROW,
    {.is = {"source", PARAM_TEXT, "", NULL, 0, 0, NULL, "the host that sends"}},
    {.is = {"destination", PARAM_TEXT, "", NULL, 0, 0, NULL, "the host that receives"}},
    {.is = {"size_bytes", PARAM_NUMBER, "bytes", NULL, 0, 1e15, NULL, "size of the message"}},
    MODEL_ROW("involvement", "the cost model: how long the message is believed to take"),
    WORLD_ROW("involvement", 0),
    WAITING_ROW(NULL, RUN_OPTIONAL, WAITING_MEANING),
    IR_ROWS("", 0),
    OCCUPATION_ROWS(0),
    {.is = {0}},
};

enum { MESSAGE, BELIEVED, TRANSFER, SEND_STOLEN, RECV_STOLEN, STOLEN };
static const struct metric metrics[] = {
    [MESSAGE] = {"message_s", "s", "from when the data are ready until the other task can use them", BETTER_LOWER},
    [BELIEVED] = {"planned_s", "s", "the same, as the cost model has it", BETTER_NONE},
    [TRANSFER] = {"transfer_s", "s", "data under way: from the first link to the last byte", BETTER_NONE},
    [SEND_STOLEN] = {"send_stolen_s", "s", "of the source's processor, taken by the message", BETTER_LOWER},
    [RECV_STOLEN] = {"recv_stolen_s", "s", "of the destination's processor", BETTER_LOWER},
    [STOLEN] = {"stolen_s", "s", "of both processors", BETTER_LOWER},
    {0},
};

struct message {
    struct dag dag;
    struct problem problem;
    /* Where the tasks have to go. The scheduler only dates them: a free choice would put both on one host, and
       nothing would be sent. */
    host_id hosts[N_DIRECTIONS]; /* also the allocation: the task that sends is 0, the one that receives 1 */
    struct schedule schedule;
};

static enum err_code find_hosts(struct message *m, const struct param_set *ps, struct err *e)
{
    enum err_code code = measure_find_host(m->problem.machine, param_text(ps, "source"), &m->hosts[DIR_SEND], e);
    if (code == ERR_NONE)
        code = measure_find_host(m->problem.machine, param_text(ps, "destination"), &m->hosts[DIR_RECV], e);
    /* On one host nothing is sent, and all figures would be 0. */
    if (code == ERR_NONE && m->hosts[DIR_SEND] == m->hosts[DIR_RECV])
        code = err_set(e, ERR_INPUT, "source and destination are both host '%s'; a message goes to another host",
                       param_text(ps, "source"));
    return code;
}

static enum err_code make_graph(struct dag *g, double size_bytes, struct err *e)
{
    dag_init(g, "message");
    enum err_code code = dag_add_task(g, "send", 0, 0, NULL, e);
    if (code == ERR_NONE)
        code = dag_add_task(g, "receive", 0, 0, NULL, e);
    if (code == ERR_NONE)
        code = dag_add_edge(g, 0, 1, size_bytes, 0, e);
    return code == ERR_NONE ? dag_seal(g, e) : code;
}

static enum err_code plan(struct message *m, struct err *e)
{
    struct scheduler_choice choice = {0};
    /* The simplest scheduler that takes an allocation; with one message all of them agree. */
    enum err_code code = scheduler_choose("list", &choice, e);
    if (code == ERR_NONE)
        code =
            scheduler_plan(&choice, &m->problem, &(struct scheduler_inputs){.allocation = m->hosts}, &m->schedule, e);
    scheduler_choice_clear(&choice);
    return code;
}

static enum err_code send(const struct message *m, struct engine *engine, const struct point *p, double *out,
                          struct err *e)
{
    struct replay_result r = {0};
    struct replay_how how = {0};
    enum err_code code = replay_how_read(&how, p, e);
    if (code == ERR_NONE)
        code = replay_run(engine, &m->schedule, &how.options, &r, e);
    replay_how_clear(&how);
    /* After an error there is no result to clear. */
    if (code != ERR_NONE)
        return code;
    out[MESSAGE] = r.makespan_s;
    out[TRANSFER] = r.edges[0].transfer.finish_s - r.edges[0].transfer.start_s;
    out[SEND_STOLEN] = r.hosts[m->hosts[DIR_SEND]].stolen_s;
    out[RECV_STOLEN] = r.hosts[m->hosts[DIR_RECV]].stolen_s;
    out[STOLEN] = out[SEND_STOLEN] + out[RECV_STOLEN];
    replay_result_clear(&r);
    return ERR_NONE;
}

static enum err_code run(const struct point *p, double *out, struct err *e)
{
    const struct param_set *ps = p->params;
    struct graph_machine *machine = p->shared;
    /* Everything else is zero, so clearing is right whichever step fails. */
    struct message m = {.problem = {.machine = machine->routes.machine, .routes = &machine->routes}};
    enum err_code code = find_hosts(&m, ps, e);
    if (code == ERR_NONE)
        code = cost_model_find(param_text(ps, "model"), &m.problem.model, e);
    if (code == ERR_NONE)
        code = make_graph(&m.dag, param_number(ps, "size_bytes"), e);
    m.problem.dag = &m.dag;
    if (code == ERR_NONE)
        code = plan(&m, e);
    if (code == ERR_NONE) {
        out[BELIEVED] = schedule_length_s(&m.schedule);
        code = send(&m, machine->engine, p, out, e);
    }
    schedule_clear(&m.schedule);
    dag_clear(&m.dag);
    return code;
}

/* Not GRAPH_KIND: there is no row for a graph that check_given could ask about. */
const struct run_kind run_message = {
    .name = "message",
    .summary = "one message between two hosts: its time, and what it takes of both processors",
    .source = "[S] 8.1.2",
    .results_version = 1,
    .rows = rows,
    .metrics = metrics,
    .prepare = graph_rows_prepare,
    .release = graph_rows_release,
    .simulates = true,
    .run = run,
};
