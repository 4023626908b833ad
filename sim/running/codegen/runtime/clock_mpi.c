/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The real machine: dates are those of the wall clock. Computing and being occupied are spinning until a date, with
   calls of MPI in between: without them large messages stand still in most implementations. With tasks_sleep they are
   sleeping: then a message moves only as far as MPI moves it without its ranks, and ranks that share a core do not
   disturb each other.

   Ranks of one computer share its clock. The others agree on date 0 by messages to and fro with rank 0: of the
   quickest one, half the time is taken as the way of the answer. So dates of two computers are as exact as half the
   shortest time of a message, until their clocks have drifted. */
#include "ia_target.h"

#include <errno.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <time.h>
#include <unistd.h>

enum { N_PINGS = 50, TAG = 0 };      /* of N_PINGS trips the quickest counts */
static const double rest_s = 100e-6; /* between two looks of a rank that waits and leaves its core to others */

static const struct ia_program *program;
static int my_rank;
static double zero_s;            /* date 0 on this rank's clock */
static double seconds_per_s = 1; /* how long a second of the schedule lasts */
static MPI_Comm control;         /* messages of the runtime itself */
static uint64_t *words;          /* the results */
static size_t n_words;
static int matches; /* seconds_per_s is measured */

/* The messages of all ranks of this computer, against its memory: a program that swaps would measure its disk.
   Collective: all ranks go on, or none. */
static int has_room(long long bytes)
{
    MPI_Comm here;
    int my_place;
    long long all = 0, memory = (long long)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Allreduce(&bytes, &all, 1, MPI_LONG_LONG, MPI_SUM, here);
    MPI_Comm_rank(here, &my_place);
    MPI_Comm_free(&here);
    int fits = all < memory, all_fit = 0;
    if (!fits && my_place == 0)
        fprintf(stderr, "rank %d: the messages to the ranks of its computer take %lld bytes, and its memory has %lld\n",
                my_rank, all, memory);
    MPI_Allreduce(&fits, &all_fit, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all_fit;
}

int ia_target_open(const struct ia_program *of, int rank, long long bytes, const char *scale,
                   struct ia_results *results)
{
    size_t n_tasks = (size_t)of->n_tasks, n_edges = (size_t)of->n_edges;
    program = of;
    my_rank = rank;
    matches = scale != NULL && strcmp(scale, "match") == 0;
    if (scale != NULL && !matches)
        seconds_per_s = atof(scale);
    if (!(seconds_per_s > 0)) {
        /* Refused rather than run: atof gives 0 for what is no number. */
        fprintf(stderr, "'%s': a second of the schedule must last longer than 0 s\n", scale);
        return 0;
    }
#ifdef __linux__
    prctl(PR_SET_TIMERSLACK, 1); /* else sleep may last 50 us longer than asked */
#endif
    /* Both structures are made of 64-bit members, so results can be joined word by word. */
    n_words = (n_tasks * sizeof *results->tasks + n_edges * sizeof *results->edges) / sizeof *words;
    words = calloc(n_words + 1, sizeof *words);
    if (words == NULL)
        fprintf(stderr, "rank %d: no memory for its results\n", rank);
    if (words == NULL || !has_room(bytes))
        return 0;
    results->tasks = (struct ia_task_result *)words;
    results->edges = (struct ia_edge_result *)(results->tasks + n_tasks);
    /* Messages of the runtime must not be taken for messages of the program, whose tags begin at 0, too. */
    MPI_Comm_dup(MPI_COMM_WORLD, &control);
    return 1;
}

void ia_target_close(void)
{
    MPI_Comm_free(&control);
    free(words);
}

/* One clock for all processes of a computer; that of MPI may begin with each of them. */
static double clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* With my_rank as the key, the first rank of a computer is its lowest one. */
static int shares_clock_of_rank_0(void)
{
    MPI_Comm here;
    int lowest_rank = my_rank;
    MPI_Comm_split_type(control, MPI_COMM_TYPE_SHARED, my_rank, MPI_INFO_NULL, &here);
    MPI_Bcast(&lowest_rank, 1, MPI_INT, 0, here);
    MPI_Comm_free(&here);
    return lowest_rank == 0;
}

/* What the clock of rank 0 shows more than this one. Ranks with one clock send nothing: where they share a core, too,
   each message would wait until the core is given to its receiver. */
static double find_lead_s(void)
{
    int n_pings = shares_clock_of_rank_0() ? 0 : N_PINGS;
    double best_s = 1e30, lead_s = 0;
    if (my_rank == 0)
        return 0;
    /* Rank 0 has to know how many it must answer. */
    MPI_Send(&n_pings, 1, MPI_INT, 0, TAG, control);
    for (int i = 0; i < n_pings; i++) {
        double sent_s = clock_s(), other_s;
        MPI_Send(&sent_s, 1, MPI_DOUBLE, 0, TAG, control);
        MPI_Recv(&other_s, 1, MPI_DOUBLE, 0, TAG, control, MPI_STATUS_IGNORE);
        double way_s = (clock_s() - sent_s) / 2;
        /* The quickest trip was delayed least, so its halves differ least. */
        if (way_s < best_s) {
            best_s = way_s;
            lead_s = other_s - (sent_s + way_s);
        }
    }
    return lead_s;
}

static void answer(int rank)
{
    int n_pings;
    MPI_Recv(&n_pings, 1, MPI_INT, rank, TAG, control, MPI_STATUS_IGNORE);
    for (int i = 0; i < n_pings; i++) {
        double now_s;
        MPI_Recv(&now_s, 1, MPI_DOUBLE, rank, TAG, control, MPI_STATUS_IGNORE);
        now_s = clock_s();
        MPI_Send(&now_s, 1, MPI_DOUBLE, rank, TAG, control);
    }
}

static int compare_numbers(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* How long a second of the schedule lasts when messages take as long as the platform says, by large ones to and fro
   between ranks 0 and 1, as the program sends them: the median of the times to and fro. Only bytes count: one message
   of 32 MiB takes so long that its latency does not matter. */
static void match_bandwidth(void)
{
    enum { N_BYTES = 1 << 25, N_ROUNDS = 9 };
    double rounds_s[N_ROUNDS];
    char *data = my_rank < 2 ? malloc(N_BYTES) : NULL;
    MPI_Request request;
    if (my_rank < 2 && data == NULL)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (int i = -1; i < 2 * N_ROUNDS && my_rank < 2; i++) {
        double start_s = clock_s();
        /* Once before the first round, so that no page of the data is touched for the first time in it. */
        if (i < 0) {
            memset(data, my_rank + 1, N_BYTES);
            continue;
        }
        if (i % 2 == my_rank)
            MPI_Isend(data, N_BYTES, MPI_BYTE, 1 - my_rank, TAG, control, &request);
        else
            MPI_Irecv(data, N_BYTES, MPI_BYTE, 1 - my_rank, TAG, control, &request);
        ia_target_wait(1, &request);
        rounds_s[i / 2] = (i % 2 == 0 ? 0 : rounds_s[i / 2]) + clock_s() - start_s;
    }
    qsort(rounds_s, my_rank < 2 ? N_ROUNDS : 0, sizeof rounds_s[0], compare_numbers);
    if (my_rank == 0)
        seconds_per_s = rounds_s[N_ROUNDS / 2] / 2 / (N_BYTES / program->bandwidth_bytes_per_s);
    free(data);
    /* All ranks wait in the way of the program (ia_target_wait), which leaves their core to ranks 0 and 1. */
    MPI_Ibcast(&seconds_per_s, 1, MPI_DOUBLE, 0, control, &request);
    ia_target_wait(1, &request);
}

void ia_target_start(void)
{
    const double margin_s = 0.02; /* for the news of date 0 to arrive */
    if (matches && program->bandwidth_bytes_per_s > 0)
        match_bandwidth();
    double lead_s = find_lead_s();
    /* One rank after the other: two at a time would delay each other's answers. */
    for (int rank = 1; rank < program->n_ranks && my_rank == 0; rank++)
        answer(rank);
    MPI_Barrier(control);
    zero_s = clock_s() + margin_s;
    /* Date 0 by the clock of rank 0, so far ahead that every rank knows it before it comes. */
    MPI_Bcast(&zero_s, 1, MPI_DOUBLE, 0, control);
    zero_s -= lead_s;
    ia_target_occupy_until(0);
}

double ia_target_scale(void)
{
    return seconds_per_s;
}

double ia_now_s(void)
{
    return (clock_s() - zero_s) / seconds_per_s;
}

static void sleep_until(double date_s) /* on this rank's clock */
{
    struct timespec date = {(time_t)date_s, 0};
    date.tv_nsec = (long)(1e9 * (date_s - (double)date.tv_sec));
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &date, NULL) == EINTR)
        ;
}

/* A rank that waits in MPI_Waitall takes its core, also where it yields: those that move data would get a share. */
void ia_target_wait(int n, MPI_Request *requests)
{
    int is_done = 0;
    if (!program->tasks_sleep)
        MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
    while (program->tasks_sleep && !is_done) {
        MPI_Testall(n, requests, &is_done, MPI_STATUSES_IGNORE);
        if (!is_done)
            sleep_until(clock_s() + rest_s);
    }
}

void ia_target_occupy_until(double date_s)
{
    int is_there;
    /* Sleeps first; what is left of a sleep that ends early is spun below. */
    if (program->tasks_sleep)
        sleep_until(zero_s + date_s * seconds_per_s);
    while (ia_now_s() < date_s) {
        /* The call lets MPI move large messages while this rank computes. */
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
        sched_yield(); /* several ranks may share a core */
    }
}

void ia_target_compute(double seconds)
{
    ia_target_occupy_until(ia_now_s() + seconds);
}

size_t ia_target_envelope(void)
{
    return 0;
}

/* Each number is 0 in all ranks but one, so "or" puts them together, whatever they are. */
int ia_target_join(void)
{
    enum { MAX_WORDS = 1 << 24 };
    MPI_Request all;
    MPI_Ibarrier(control, &all); /* a rank that has done its part leaves its core to the others */
    ia_target_wait(1, &all);
    /* In pieces: the count of an MPI call is an int. */
    for (size_t at = 0; at < n_words; at += MAX_WORDS) {
        int n = (int)(n_words - at < MAX_WORDS ? n_words - at : MAX_WORDS);
        MPI_Reduce(my_rank == 0 ? MPI_IN_PLACE : (void *)(words + at), words + at, n, MPI_UINT64_T, MPI_BOR, 0,
                   control);
    }
    return my_rank == 0;
}
