/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The simulated machine: SimGrid's SMPI, where all ranks are in one process. Computing and being occupied take
   simulated time; nothing else does. The ranks write their results into one file that all have in memory. Nothing of
   that is simulated, and the last rank to end finds all of it.

   SMPI gives each rank its own copy of the program's variables (privatisation), so ranks cannot share a plain array.
   Only one rank runs at a time, so the shared memory needs no locks. */
#include "ia_target.h"

#include <fcntl.h>
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#undef getpid /* SMPI gives each rank a number of its own */

struct shared {
    uint64_t n_joined;             /* ranks that have ended */
    struct ia_edge_result edges[]; /* then the results of the tasks */
};

static const struct ia_program *program;
static double speed_flop_per_s;
static struct shared *shared;
static size_t shared_size;

/* The file of this run. Its name goes when the last rank has ended. */
static void name_file(char name[64])
{
    snprintf(name, 64, "ia-results.%ld", (long)getpid());
}

int ia_target_open(const struct ia_program *of, int rank, long long bytes, const char *scale,
                   struct ia_results *results)
{
    char name[64];
    (void)scale;
    (void)bytes; /* memory is taken when a message is on its way, not when its receive is posted */
    program = of;
    speed_flop_per_s = program->ranks[rank].speed_flop_per_s;
    shared_size = sizeof *shared + (size_t)program->n_edges * sizeof(struct ia_edge_result) +
                  (size_t)program->n_tasks * sizeof(struct ia_task_result);
    name_file(name);
    /* Reserved here, so that a full disk is an error message now and not a bus error while a result is written. */
    int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || posix_fallocate(file, 0, (off_t)shared_size) != 0) {
        perror(name);
        return 0;
    }
    shared = mmap(NULL, shared_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared == MAP_FAILED) {
        perror(name);
        return 0;
    }
    results->edges = shared->edges;
    results->tasks = (struct ia_task_result *)(shared->edges + program->n_edges);
    return 1;
}

void ia_target_close(void)
{
    munmap(shared, shared_size);
}

/* Simulated time begins at 0 for all ranks: there is nothing to agree on. */
void ia_target_start(void)
{
}

double ia_target_scale(void)
{
    return 1;
}

double ia_now_s(void)
{
    return MPI_Wtime();
}

void ia_target_compute(double seconds)
{
    if (seconds > 0) /* a negative time is over already */
        smpi_execute_flops_benched(seconds * speed_flop_per_s);
}

void ia_target_occupy_until(double date_s)
{
    ia_target_compute(date_s - ia_now_s());
}

void ia_target_wait(int n, MPI_Request *requests)
{
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

/* SMPI counts 16 bytes more for a message. They travel in the results. */
size_t ia_target_envelope(void)
{
    return sizeof((struct ia_edge_result *)NULL)->tail;
}

int ia_target_join(void)
{
    char name[64];
    int is_last = ++shared->n_joined == (uint64_t)program->n_ranks;
    name_file(name);
    if (is_last)
        unlink(name);
    return is_last;
}
