/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Closed forms for MPI programs under SMPI, two ranks on hosts of 1 Gf/s with a link of 1 MB/s: rank 0 sends a message
   and computes meanwhile, rank 1 computes as much.

       smpirun -np 2 ... closed_smpi early|late|eager BYTES IR_SEND IR_RECV

   `early`: the receive is posted before rank 1 computes. `late`: afterwards, so that the transfer waits for it.
   `eager`: afterwards, too, but SMPI sends without waiting (smpi/async-small-thresh). IR_SEND of rank 0's host and
   IR_RECV of rank 1's, per MB/s, are what the formulas expect: finish = F/C + IR x bytes, unless the execution ends
   first. */
#include <mpi.h>
#include <smpi/smpi.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENVELOPE_BYTES = 16 }; /* what SMPI adds to a message */

static int n_faults;

static void ends(const char *what, double want_s)
{
    double at_s = MPI_Wtime();
    printf("%s %.17g\n", what, at_s);
    if (fabs(at_s - want_s) <= 1e-9 * want_s)
        return;
    n_faults++;
    fprintf(stderr, "%s: %.12g, expected %.12g\n", what, at_s, want_s);
}

static void work(int rank, bool is_late, char *buffer, int n_bytes, double computed_s)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Isend(buffer, n_bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
    else if (!is_late)
        MPI_Irecv(buffer, n_bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);
    smpi_execute_flops(1e9);
    ends(rank == 0 ? "sender computed" : "receiver computed", computed_s);
    if (rank == 1 && is_late)
        MPI_Irecv(buffer, n_bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 5)
        return 2;
    bool is_late = strcmp(argv[1], "early") != 0, waits = strcmp(argv[1], "late") == 0;
    int n_bytes = atoi(argv[2]);
    double mb = (n_bytes + ENVELOPE_BYTES) / 1e6, ir = atof(argv[3 + rank]);
    double computed_s = waits ? 1 : 1 + ir * fmin(mb, 1 / (1 - ir));
    char *buffer = calloc(1, (size_t)n_bytes + 1);
    work(rank, is_late, buffer, n_bytes, computed_s);
    free(buffer);
    if (rank == 1)
        ends("received", waits ? 1 + mb : fmax(computed_s, mb));
    MPI_Finalize();
    return n_faults > 0;
}
