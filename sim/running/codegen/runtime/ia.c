/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Carries out the code of one rank.

       send at s       |-o_s-|---i_s---|               the message leaves at s + o_s
       receive at R    |- - wait - -|---i_r---|-o_r-|  until max(R + i_r, arrival) + o_r

   All receives are posted before date 0, so no order of sends and receives that can be carried out at all can block:
   a message never waits for its receiver. Where messages are to need both ends (a rendezvous), a receive is posted
   when it is reached, which is MPI_Recv; sends do not wait, so this cannot block, either. Messages of two ranks have
   numbers as tags. These may repeat, because MPI keeps the order of messages of one tag and the receives are posted in
   the order of the sends. */
#include "ia_target.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer messages go in pieces with one tag, whose order MPI keeps. */
#ifndef IA_PIECE_BYTES /* an int counts the bytes of an MPI message */
#define IA_PIECE_BYTES (1LL << 30)
#endif

struct message { /* of an edge, at one of its ends */
    unsigned char *data;
    MPI_Request *pieces;
    int n_pieces;
};

static const struct ia_program *program;
static struct ia_results results;
static int my_rank;
static struct message *messages;       /* [edge] */
static int *entering, *entering_start; /* edges that enter task t: entering[entering_start[t]] .. */
static int *leaving;                   /* edges whose message may not have left yet: a queue */
static int n_leaving, n_left;

/* ---- memory ---- */

static void fail(const char *what, long long bytes)
{
    fprintf(stderr, "rank %d (host %s): no memory for %s of %lld bytes\n", my_rank, program->ranks[my_rank].host, what,
            bytes);
    MPI_Abort(MPI_COMM_WORLD, 3);
    abort();
}

static void *allocate(size_t size, const char *what)
{
    void *memory = malloc(size > 0 ? size : 1);
    if (memory == NULL)
        fail(what, (long long)size);
    return memory;
}

static int rank_of_source(int edge)
{
    return program->tasks[program->edges[edge].src].rank;
}

static int rank_of_destination(int edge)
{
    return program->tasks[program->edges[edge].dst].rank;
}

/* Made at the first need: a task that writes it, a send, or a receive. */
static unsigned char *data_of(int edge)
{
    struct message *m = &messages[edge];
    if (m->data == NULL)
        m->data = allocate((size_t)program->edges[edge].bytes, "the data of an edge");
    return m->data;
}

static void release(int edge)
{
    struct message *m = &messages[edge];
    free(m->data);
    free(m->pieces);
    *m = (struct message){NULL, NULL, 0};
}

/* Other ranks have nothing to point to, and an edge of no bytes has no data. */
void *ia_data(int edge, size_t *n_bytes)
{
    const struct ia_edge_row *row = &program->edges[edge];
    int is_mine = rank_of_source(edge) == my_rank || rank_of_destination(edge) == my_rank;
    if (n_bytes != NULL)
        *n_bytes = is_mine ? (size_t)row->bytes : 0;
    return is_mine && row->bytes > 0 ? data_of(edge) : NULL;
}

/* ---- what is sent when no task has written it: numbers that look like chance, different for each edge, so that a
   message that arrives at the wrong place is noticed, and no link can compress it ---- */

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

static void fill(unsigned char *data, size_t n, int edge)
{
    uint64_t first = mix((uint64_t)edge + 1), word;
    for (size_t i = 0; i < n; i += sizeof word) {
        word = mix(first + i);
        memcpy(data + i, &word, n - i < sizeof word ? n - i : sizeof word);
    }
}

/* Of words in four columns, so that a processor need not wait for one product to begin the next. The length is part of
   the sum, or zeros at the end would not count. */
static uint64_t checksum(const unsigned char *data, size_t n)
{
    enum { N_COLUMNS = 4 };
    uint64_t sums[N_COLUMNS] = {n, 1, 2, 3}, words[N_COLUMNS];
    for (size_t i = 0; i < n; i += sizeof words) {
        if (n - i < sizeof words)
            memset(words, 0, sizeof words);
        memcpy(words, data + i, n - i < sizeof words ? n - i : sizeof words);
        for (int k = 0; k < N_COLUMNS; k++)
            sums[k] = mix(sums[k] ^ words[k]);
    }
    return mix(mix(mix(sums[0] ^ sums[1]) ^ sums[2]) ^ sums[3]);
}

/* ---- messages ---- */

/* The part of message `m` that is piece number i. */
static int piece_bytes(int edge, int i)
{
    long long all = program->edges[edge].bytes - (long long)ia_target_envelope();
    long long left = all - i * IA_PIECE_BYTES;
    return (int)(left < IA_PIECE_BYTES ? left : IA_PIECE_BYTES);
}

static void prepare(int edge)
{
    struct message *m = &messages[edge];
    if (m->pieces != NULL)
        return;
    long long all = program->edges[edge].bytes - (long long)ia_target_envelope();
    /* At least one piece: a message of no bytes is a message, too. */
    m->n_pieces = all > IA_PIECE_BYTES ? (int)((all + IA_PIECE_BYTES - 1) / IA_PIECE_BYTES) : 1;
    m->pieces = allocate((size_t)m->n_pieces * sizeof *m->pieces, "requests");
    data_of(edge);
}

static void post_receive(int edge)
{
    struct message *m = &messages[edge];
    for (int i = 0; i < m->n_pieces; i++)
        MPI_Irecv(m->data + i * IA_PIECE_BYTES, piece_bytes(edge, i), MPI_BYTE, rank_of_source(edge),
                  program->edges[edge].tag, MPI_COMM_WORLD, &m->pieces[i]);
}

static void wait_for(struct message *m)
{
    ia_target_wait(m->n_pieces, m->pieces);
}

static void begin_to_send(int edge)
{
    struct message *m = &messages[edge];
    int (*const start)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) =
        /* MPI_Issend is over only when the receive has begun: with the wait below it is MPI_Ssend. */
        program->is_blocking ? MPI_Issend : MPI_Isend;
    prepare(edge);
    for (int i = 0; i < m->n_pieces; i++)
        start(m->data + i * IA_PIECE_BYTES, piece_bytes(edge, i), MPI_BYTE, rank_of_destination(edge),
              program->edges[edge].tag, MPI_COMM_WORLD, &m->pieces[i]);
}

/* Memory of messages that have left is used again. */
static void forget_what_has_left(void)
{
    int has_left = 1;
    while (n_left < n_leaving) {
        struct message *m = &messages[leaving[n_left]];
        MPI_Testall(m->n_pieces, m->pieces, &has_left, MPI_STATUSES_IGNORE);
        /* In the order of the sends: one that has not left keeps later ones, which costs memory but no search. */
        if (!has_left)
            break;
        release(leaving[n_left++]);
    }
}

/* ---- the generated code calls these ---- */

void ia_compute(double seconds)
{
    ia_target_compute(seconds);
}

void ia_run(int task)
{
    const struct ia_task_row *row = &program->tasks[task];
    struct ia_task_result *result = &results.tasks[task];
    const struct ia_task me = {row->name, program->ranks[row->rank].host, row->seconds};
    result->start_s = ia_now_s();
    row->function(&me);
    result->finish_s = ia_now_s();
    result->n_runs++;
    /* The data that entered a task are gone when it has ended. With tasks_sleep they are checked after the last
       task. */
    for (int i = entering_start[task]; i < entering_start[task + 1] && !program->tasks_sleep; i++)
        release(entering[i]);
}

static void take_sum(int edge, uint64_t *sum)
{
    *sum = checksum(messages[edge].data, (size_t)program->edges[edge].bytes);
}

/* What is done with the data of a message beside sending it. */
static void make_data(int edge)
{
    struct ia_edge_result *result = &results.edges[edge];
    const struct ia_edge_row *row = &program->edges[edge];
    if (messages[edge].data == NULL)
        fill(data_of(edge), (size_t)row->bytes, edge);
    take_sum(edge, &result->sent_sum);
    /* Bytes that SMPI adds to a message by itself do not go by MPI; they go beside it. */
    memcpy(result->tail, messages[edge].data + row->bytes - ia_target_envelope(), ia_target_envelope());
}

static void check_data(int edge)
{
    struct ia_edge_result *result = &results.edges[edge];
    const struct ia_edge_row *row = &program->edges[edge];
    memcpy(messages[edge].data + row->bytes - ia_target_envelope(), result->tail, ia_target_envelope());
    take_sum(edge, &result->received_sum);
}

void ia_send(int edge)
{
    const struct ia_edge_row *row = &program->edges[edge];
    struct ia_edge_result *result = &results.edges[edge];
    double start_s = ia_now_s();
    /* With tasks_sleep data were made before date 0: only MPI takes time of a core. */
    if (!program->tasks_sleep) {
        forget_what_has_left();
        make_data(edge);
    }
    ia_target_occupy_until(start_s + row->overhead_send_s);
    result->send_start_s = start_s;
    result->left_s = ia_now_s();
    begin_to_send(edge);
    if (program->is_blocking) { /* together with begin_to_send this is MPI_Ssend */
        wait_for(&messages[edge]);
        /* The sum in brackets: the same rounding as in a replay, where o + i is one number. */
        ia_target_occupy_until(start_s + (row->overhead_send_s + row->involvement_send_s));
    } else {
        ia_target_occupy_until(ia_now_s() + row->involvement_send_s);
    }
    leaving[n_leaving++] = edge;
    result->send_finish_s = ia_now_s();
}

void ia_receive(int edge)
{
    const struct ia_edge_row *row = &program->edges[edge];
    struct ia_edge_result *result = &results.edges[edge];
    double reached_s = ia_now_s();
    if (program->is_rendezvous) { /* together with MPI_Waitall this is MPI_Recv */
        prepare(edge);
        post_receive(edge);
    }
    wait_for(&messages[edge]);
    /* The receive lasts until max(R + i_r, arrival) + o_r (top of the file). */
    double arrived_s = ia_now_s(), early_s = arrived_s - row->involvement_recv_s;
    double involved_s = reached_s + row->involvement_recv_s;
    if (!program->tasks_sleep)
        check_data(edge);
    ia_target_occupy_until((involved_s > arrived_s ? involved_s : arrived_s) + row->overhead_recv_s);
    /* A receive that holds its processor begins when it is reached; else i_r before the data, because the wait is
       passive. */
    result->receive_start_s =
        program->is_blocking || program->is_rendezvous || reached_s > early_s ? reached_s : early_s;
    result->arrived_s = arrived_s;
    result->receive_finish_s = ia_now_s();
}

/* ---- main ---- */

/* Which edges enter which task: a counting sort, in O(tasks + edges). The start of task t is counted two places behind,
   so that it has moved to its own place when all edges are in. */
static void sort_edges(void)
{
    int n = program->n_tasks;
    entering_start = calloc((size_t)n + 2, sizeof *entering_start);
    entering = allocate((size_t)program->n_edges * sizeof *entering, "tables");
    if (entering_start == NULL)
        fail("tables", n);
    for (int e = 0; e < program->n_edges; e++)
        entering_start[program->edges[e].dst + 2]++;
    for (int t = 2; t <= n + 1; t++)
        entering_start[t] += entering_start[t - 1];
    for (int e = 0; e < program->n_edges; e++)
        entering[entering_start[program->edges[e].dst + 1]++] = e;
}

static int is_for_me(int i)
{
    return rank_of_destination(program->messages[i]) == my_rank;
}

/* The memory of all comes first, so that what MPI keeps about them lies close together: SMPI searches it again and
   again. In the order of `messages`, which is that of the sends (program_plan.c). */
static void post_receives(void)
{
    for (int i = 0; i < program->n_messages; i++)
        if (is_for_me(i))
            prepare(program->messages[i]);
    for (int i = 0; i < program->n_messages; i++)
        if (is_for_me(i))
            post_receive(program->messages[i]);
}

static int is_from_me(int i)
{
    return rank_of_source(program->messages[i]) == my_rank;
}

/* Of tasks that sleep, before date 0: pages that no one has touched yet would take time of a core when they are. */
static void make_all_data(void)
{
    for (int i = 0; i < program->n_messages; i++) {
        int edge = program->messages[i];
        if (is_from_me(i))
            make_data(edge);
        else if (is_for_me(i))
            memset(data_of(edge), 0, (size_t)program->edges[edge].bytes);
    }
}

static void check_all_data(void)
{
    for (int i = 0; i < program->n_messages; i++)
        if (is_for_me(i))
            check_data(program->messages[i]);
}

/* What the messages take that this rank keeps: those that it receives, and where tasks sleep all. */
static long long bytes_to_keep(void)
{
    long long bytes = 0;
    for (int i = 0; i < program->n_messages; i++)
        if (is_for_me(i) || (program->tasks_sleep && is_from_me(i)))
            bytes += program->edges[program->messages[i]].bytes;
    return bytes;
}

/* All messages are gone then. Buffers belong to MPI until their sends are over. */
static void end_sends(void)
{
    for (; n_left < n_leaving; n_left++) {
        wait_for(&messages[leaving[n_left]]);
        if (!program->tasks_sleep)
            release(leaving[n_left]);
    }
}

static int is_started_rightly(void)
{
    int n_ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    if (n_ranks != program->n_ranks && my_rank == 0)
        fprintf(stderr,
                "this program needs %d ranks, one for each host that the schedule uses; it was started with %d\n",
                program->n_ranks, n_ranks);
    return n_ranks == program->n_ranks;
}

static int run(const char *trace, const char *scale)
{
    if (!is_started_rightly())
        return 2;
    messages = calloc((size_t)program->n_edges + 1, sizeof *messages);
    leaving = allocate((size_t)program->n_messages * sizeof *leaving, "tables");
    if (messages == NULL)
        fail("tables", program->n_edges);
    /* May refuse for lack of memory: before any receive is posted that would have to be taken back. */
    if (!ia_target_open(program, my_rank, bytes_to_keep(), scale, &results))
        return 3;
    sort_edges();
    if (program->tasks_sleep)
        make_all_data();
    if (!program->is_rendezvous)
        post_receives();
    ia_target_start();
    program->ranks[my_rank].code();
    end_sends();
    if (program->tasks_sleep)
        check_all_data();
    int status = ia_target_join() ? ia_trace_write(program, &results, trace) : 0;
    for (int e = 0; e < program->n_edges; e++)
        release(e);
    free(messages);
    free(leaving);
    free(entering);
    free(entering_start);
    ia_target_close();
    return status;
}

int ia_main(const struct ia_program *given, int argc, char **argv)
{
    program = given;
    MPI_Init(&argc, &argv);
    /* "build/program trace.json 0.5": where the trace goes, and how long a second of the schedule lasts. */
    int status = run(argc > 1 ? argv[1] : "trace.json", argc > 2 ? argv[2] : NULL);
    MPI_Finalize();
    return status;
}
