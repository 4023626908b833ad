/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What differs between a simulated machine (clock_smpi.c) and a real one (clock_mpi.c). */
#ifndef IA_TARGET_H
#define IA_TARGET_H

#include "ia.h"

#include <mpi.h>
#include <stdint.h>

/* What the ranks find out. Each number is written by one rank and is 0 in all others. */
struct ia_task_result {
    double start_s, finish_s;
    uint64_t n_runs;
};

struct ia_edge_result {
    double send_start_s, send_finish_s, left_s;          /* the sender's */
    double arrived_s, receive_start_s, receive_finish_s; /* the receiver's */
    uint64_t sent_sum, received_sum;
    uint64_t tail[2]; /* the bytes that travel beside the message (ia_target_envelope) */
};

struct ia_results {
    struct ia_task_result *tasks;
    struct ia_edge_result *edges;
};

/* After MPI_Init: prepares the clock and the results. `bytes` is what this rank's messages take; `scale`, how long a
   second of the schedule lasts, in reality (NULL: a second; "match": as long as MPI takes for the bytes that the
   platform moves in it). 0: failed, and said why. */
int ia_target_open(const struct ia_program *program, int rank, long long bytes, const char *scale,
                   struct ia_results *results);
void ia_target_close(void);

/* Date 0 is now. */
void ia_target_start(void);
double ia_now_s(void);
double ia_target_scale(void); /* how long a second of the schedule lasts, in reality */
void ia_target_compute(double seconds);
void ia_target_occupy_until(double date_s);        /* the processor is taken until this date, which may be over */
void ia_target_wait(int n, MPI_Request *requests); /* MPI_Waitall; with tasks_sleep the core is left to others */

/* Bytes of each message that do not go by MPI, because the simulation adds as many; at most what `tail` holds. */
size_t ia_target_envelope(void);

/* The results of all ranks are together. Returns nonzero in the one rank that is to write them. */
int ia_target_join(void);

/* ia_trace.c. Writes the trace, and returns the exit status: 0 if every task was done and every byte was right. */
int ia_trace_write(const struct ia_program *program, const struct ia_results *results, const char *path);

#endif
