/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages from one rank to another are numbered in the order of the sender's code; the number is the tag, and begins
   anew after the largest one that every MPI must have. The receiver posts its receives in this order, too, and those
   from several senders in the order of the plan's dates: MPI finds the first one quickly.

   Repeating tags are safe: MPI keeps the order of messages of one tag between two ranks, and a receive of the same tag
   that was posted later takes the later message. */
#include "codegen/program_plan.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

enum { N_TAGS = 32768 };                            /* MPI guarantees tags up to 32767 */
static const double max_bytes = 9007199254740992.0; /* 2^53: a double counts them exactly */

static host_id host_of_step(const struct replay_plan *p, step_id s)
{
    switch (step_kind(p, s)) {
    case STEP_SEND:
        return edge_host(p, step_edge(p, s), DIR_SEND);
    case STEP_RECV:
        return edge_host(p, step_edge(p, s), DIR_RECV);
    case STEP_TASK:
        return p->schedule->tasks[s].host;
    case STEP_HOP:
        break;
    }
    return -1;
}

static void find_ranks(struct program_plan *p)
{
    const struct replay_plan *steps = &p->steps;
    size_t n_hosts = steps->machine->n_hosts;
    p->hosts = mem_alloc((n_hosts + 1) * sizeof *p->hosts);
    p->ranks = mem_alloc((n_hosts + 1) * sizeof *p->ranks);
    for (size_t h = 0; h < n_hosts; h++)
        p->ranks[h] = -1;
    for (task_id t = 0; t < steps->dag->n_tasks; t++)
        p->ranks[steps->schedule->tasks[t].host] = 0;
    /* Ranks in the order of the platform: the same schedule gives the same hostfile. */
    for (size_t h = 0; h < n_hosts; h++)
        if (p->ranks[h] == 0) {
            p->ranks[h] = p->n_ranks;
            p->hosts[p->n_ranks++] = (host_id)h;
        }
    p->first = mem_alloc(((size_t)p->n_ranks + 1) * sizeof *p->first);
    /* Hops have no place in a program: MPI moves the data. */
    for (step_id s = 0; s < steps->first_hop[0]; s++) {
        host_id h = host_of_step(steps, s);
        bool is_local = step_kind(steps, s) != STEP_TASK && !steps->schedule->edges[step_edge(steps, s)].is_remote;
        if (!is_local && steps->before[s] < 0)
            p->first[p->ranks[h]] = s;
    }
}

struct message {   /* for sorting */
    double date_s; /* when the plan has its origin done, or that of an earlier message of the rank */
    int rank, place;
    edge_id edge;
};

static int compare_messages(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    if (x->date_s != y->date_s)
        return x->date_s < y->date_s ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Appends those of a rank to `list`, and sets their tags. */
static void number_sends(struct program_plan *p, int rank, struct message *list)
{
    const struct replay_plan *steps = &p->steps;
    int *n_sent = mem_zalloc((size_t)p->n_ranks, sizeof *n_sent); /* [destination] */
    double date_s = 0;
    for (step_id s = p->first[rank]; s >= 0; s = steps->after[s]) {
        if (step_kind(steps, s) != STEP_SEND)
            continue;
        edge_id e = step_edge(steps, s);
        /* Never earlier than the send before it in the code, so that sorting by date keeps the order of the rank. */
        date_s = fmax(date_s, steps->schedule->tasks[steps->dag->edges[e].src].span.finish_s);
        list[p->n_messages] = (struct message){date_s, rank, p->n_messages, e};
        p->n_messages++;
        p->tags[e] = n_sent[p->ranks[edge_host(steps, e, DIR_RECV)]]++ % N_TAGS;
    }
    free(n_sent);
}

static void number_messages(struct program_plan *p)
{
    size_t n_edges = (size_t)p->steps.dag->n_edges;
    struct message *list = mem_alloc((n_edges + 1) * sizeof *list);
    p->messages = mem_alloc((n_edges + 1) * sizeof *p->messages);
    p->tags = mem_alloc((n_edges + 1) * sizeof *p->tags);
    for (size_t e = 0; e < n_edges; e++)
        p->tags[e] = -1;
    for (int rank = 0; rank < p->n_ranks; rank++)
        number_sends(p, rank, list);
    qsort(list, (size_t)p->n_messages, sizeof *list, compare_messages);
    for (int i = 0; i < p->n_messages; i++)
        p->messages[i] = list[i].edge;
    free(list);
}

static enum err_code count_bytes(struct program_plan *p, struct err *e)
{
    const struct dag *g = p->steps.dag;
    char name[256];
    p->bytes = mem_alloc(((size_t)g->n_edges + 1) * sizeof *p->bytes);
    for (edge_id edge = 0; edge < g->n_edges; edge++) {
        if (g->edges[edge].size_bytes > max_bytes)
            return err_set_at(e, ERR_INPUT, g->source, g->edges[edge].line,
                              "edge %s has %g bytes, more than a program can send",
                              replay_edge_name(&p->steps, edge, name), g->edges[edge].size_bytes);
        /* Graphs may have fractions of bytes; a message has whole ones. */
        p->bytes[edge] = llround(g->edges[edge].size_bytes);
        if (p->steps.schedule->edges[edge].is_remote && p->bytes[edge] < PROGRAM_MIN_BYTES)
            p->bytes[edge] = PROGRAM_MIN_BYTES;
    }
    return ERR_NONE;
}

enum err_code program_plan_init(struct program_plan *p, const struct schedule *s, const struct codegen_options *options,
                                struct err *e)
{
    *p = (struct program_plan){0};
    if (world_has_ports_or_transit(options->world))
        return err_set(
            e, ERR_INPUT,
            "a program cannot have the world '%s': it can occupy processors, but has neither ports nor times of "
            "its own for data under way",
            world_text(options->world));
    struct replay_options how = {.world = options->world,
                                 .links = REPLAY_FLUID,
                                 .waiting = options->waiting,
                                 .eager_bytes = options->eager_bytes,
                                 .schedule_path = options->schedule_path,
                                 .is_program = true};
    enum err_code code = replay_plan_init(&p->steps, s, &how, e);
    /* program_plan_clear is safe: what has not been made is NULL. */
    if (code != ERR_NONE)
        return code;
    find_ranks(p);
    number_messages(p);
    return count_bytes(p, e);
}

void program_plan_clear(struct program_plan *p)
{
    replay_plan_clear(&p->steps);
    free(p->hosts);
    free(p->ranks);
    free(p->first);
    free(p->messages);
    free(p->tags);
    free(p->bytes);
    *p = (struct program_plan){0};
}
