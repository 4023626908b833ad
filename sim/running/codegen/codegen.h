/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A schedule as a C program with MPI ([S] 8.4.3, exercise 8.9), and running that program: simulated by SimGrid's
   SMPI, or on the MPI of this machine. doc/codegen.md describes the program. */
#ifndef IASIM_CODEGEN_CODEGEN_H
#define IASIM_CODEGEN_CODEGEN_H

#include "base/err.h"
#include "engine/replay.h"

#include <stdbool.h>
#include <stddef.h>

size_t codegen_n_ranks(const struct schedule *s); /* one for each host that it uses */

struct codegen_options {
    const struct world_model *world; /* its overheads and involvement are what messages take of the processors */
    enum replay_waiting waiting;     /* active: MPI_Ssend in place of MPI_Isend; rendezvous: receives are not posted */
    double eager_bytes;              /* before they are reached; of a rendezvous: what replay_options have */
    const char *schedule_path;       /* for messages; NULL: the schedule is not in a file */
    const char *const *task_files;   /* C files with functions of tasks, copied into the folder */
    size_t n_task_files;
    bool has_no_defaults; /* each task needs a function in one of these files */
    bool tasks_sleep;     /* on a real MPI: ranks that compute, are occupied or wait leave their core to others */
};

/* Writes the program into the folder `dir`, which may exist if it is empty: complete or not at all. Errors:
   ERR_USAGE (the folder is not empty); ERR_INPUT (the order waits for itself, a world that a program cannot have, an
   edge that is too large); ERR_IO, ERR_FULL. */
enum err_code codegen_write(const struct schedule *s, const struct codegen_options *options, const char *dir,
                            struct err *e);

enum codegen_target { CODEGEN_SMPI, CODEGEN_MPI };

struct codegen_run_options {
    enum codegen_target target;
    size_t n_task_files; /* as the program was written with */
    bool has_no_defaults;
    const struct replay_result *replayed; /* OPTIONAL. SMPI: shows how much memory it needs, which is then checked */
    const struct world_model
        *world;                  /* OPTIONAL. SMPI: one that slows hosts down comes from `iasim exec`, this program */
    enum replay_waiting waiting; /* SMPI: as the program was written with, and */
    double eager_bytes;          /* what SMPI sends without waiting for a receive */
    double deadline_s;           /* of real time, for compiling and for running */
    const char *hostfile;        /* OPTIONAL. MPI: where ranks may run */
    bool is_folder_temporary;    /* messages do not name it */
    double seconds_per_s;        /* MPI: how long a second of the schedule lasts; 0: as long as the bytes that the
                                    platform moves in it take between ranks 0 and 1 */
    const char *mca;             /* OPTIONAL. MPI: "NAME=VALUE;..", parameters for Open MPI's mpirun */
    bool is_compiled;            /* an earlier codegen_run has compiled it */
};

struct codegen_result {
    struct span *tasks; /* [task] */
    size_t n_tasks, n_ranks;
    double makespan_s, bytes_checked;
    double seconds_per_s; /* MPI: as above */
};

/* Errors: ERR_INPUT: not of the form of `mca` above. */
enum err_code codegen_check_mca(const char *mca, struct err *e);

/* Errors: ERR_IO: a program that codegen_run needs is not installed; the message names its package. */
enum err_code codegen_check_installed(enum codegen_target target, struct err *e);

/* Compiles and runs the program of a schedule that codegen_write has written into `dir`; its trace is
   DIR/trace.json, what compiler and program print is in DIR/compile.log and DIR/run.log. Errors: ERR_IO (a program
   that is needed is not installed: the message names its package), ERR_INPUT (it does not compile; a rank died; not
   all tasks were done; bytes were lost; the deadline passed; it needs more memory than there is), each with what was
   printed about it. No process is left. */
enum err_code codegen_run(const struct schedule *s, const char *dir, const struct codegen_run_options *options,
                          struct codegen_result *out, struct err *e);
void codegen_result_clear(struct codegen_result *r);

#endif
