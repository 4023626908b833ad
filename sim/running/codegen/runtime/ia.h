/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The runtime of programs that `iasim codegen` writes: a schedule as a program with MPI, one rank for each host that
   the schedule uses ([S] 8.4.3). A rank's code is a straight line of ia_run, ia_send and ia_receive in the
   schedule's order.

   Functions for tasks include "program.h", which includes this file, and may use what the first part declares. */
#ifndef IA_H
#define IA_H

#include <stddef.h>

/* ---- for functions of tasks ---- */

struct ia_task {
    const char *name, *host;
    double seconds; /* how long the schedule says that it computes here */
};

/* Computes, or does as if: in the simulation for so many seconds of the host, in reality by the clock. */
void ia_compute(double seconds);

/* The data of an edge, E_a__b of program.h: task a may write them, and task b may read them. They are gone when task
   b has ended. Zero, or for a message that no task has written any values, until then. NULL: in ranks that have
   neither task. */
void *ia_data(int edge, size_t *n_bytes);

/* ---- for the generated code ---- */

typedef void ia_function(const struct ia_task *task);

struct ia_task_row {
    ia_function *function;
    const char *name;
    int rank;
    double seconds, planned_start_s, planned_finish_s;
};

struct ia_edge_row {
    int src, dst; /* tasks */
    int tag;      /* -1: both tasks are in one rank, there is no message */
    long long bytes;
    double overhead_send_s, involvement_send_s, overhead_recv_s, involvement_recv_s;
};

struct ia_rank_row {
    const char *host;
    double speed_flop_per_s;
    void (*code)(void);
};

struct ia_program {
    const char *graph, *platform, *model, *world; /* for the trace */
    const struct ia_rank_row *ranks;
    const struct ia_task_row *tasks;
    const struct ia_edge_row *edges;
    const int *messages; /* edges that are messages, those of a sender in the order of its code */
    int n_ranks, n_tasks, n_edges, n_messages;
    int is_blocking;   /* MPI_Ssend in place of MPI_Isend, and waiting holds the processor */
    int is_rendezvous; /* receives are not posted before they are reached, and hold the processor from then on */
    double planned_s;  /* length of the schedule */
    /* On a real machine: a rank that computes, is occupied or waits leaves its core to others. The data of messages are
       made before date 0 and checked after the last task, so that only MPI takes time of a core. */
    int tasks_sleep;
    double bandwidth_bytes_per_s; /* of the route from rank 0 to rank 1; 0: there is none */
};

void ia_run(int task);
void ia_send(int edge);
void ia_receive(int edge);

/* All of main: runs the code of this rank. Returns the exit status. */
int ia_main(const struct ia_program *program, int argc, char **argv);

/* A default that a function of the same name in another file replaces. */
#define IA_DEFAULT_TASK(function)                                                                                      \
    __attribute__((weak)) void function(const struct ia_task *task)                                                    \
    {                                                                                                                  \
        ia_compute(task->seconds);                                                                                     \
    }

#endif
