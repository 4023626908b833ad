/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Heat on a grid, in strips of rows, one for each MPI rank, as a ring. The halos (a row from each neighbour) travel
   while the rows that do not need them are computed: the transfers are hidden, and cost nothing unless they slow the
   processor.

       mpicc -O2 halo.c -o halo && mpirun -np 4 ./halo         on a real machine
       smpicc -O2 halo.c -o halo && smpirun ... ./halo         on a simulated one (doc/simgrid.md) */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_ROWS = 60, N_COLUMNS = 12500, WIDTH = N_COLUMNS + 2, N_ITERATIONS = 20 };
enum { TAG_UP, TAG_DOWN };

static double *row(double *grid, int r)
{
    return grid + (size_t)r * WIDTH;
}

/* Each cell becomes the mean of its four neighbours, in the rows from `first` to `last`. */
static void update(double *old, double *new, int first, int last)
{
    for (int r = first; r <= last; r++)
        for (int c = 1; c <= N_COLUMNS; c++)
            row(new, r)[c] = 0.25 * (row(old, r - 1)[c] + row(old, r + 1)[c] + row(old, r)[c - 1] + row(old, r)[c + 1]);
#ifdef SMPI_H
    smpi_execute_flops(4.0 * N_COLUMNS * (last - first + 1)); /* the simulated time of these loops */
#endif
}

/* Rows 0 and N_ROWS + 1 are the halos. */
static void iterate(double *old, double *new, int above, int below)
{
    MPI_Request halos[4];
    MPI_Irecv(row(old, 0) + 1, N_COLUMNS, MPI_DOUBLE, above, TAG_DOWN, MPI_COMM_WORLD, &halos[0]);
    MPI_Irecv(row(old, N_ROWS + 1) + 1, N_COLUMNS, MPI_DOUBLE, below, TAG_UP, MPI_COMM_WORLD, &halos[1]);
    MPI_Isend(row(old, 1) + 1, N_COLUMNS, MPI_DOUBLE, above, TAG_UP, MPI_COMM_WORLD, &halos[2]);
    MPI_Isend(row(old, N_ROWS) + 1, N_COLUMNS, MPI_DOUBLE, below, TAG_DOWN, MPI_COMM_WORLD, &halos[3]);
    update(old, new, 2, N_ROWS - 1);
    MPI_Waitall(4, halos, MPI_STATUSES_IGNORE);
    update(old, new, 1, 1);
    update(old, new, N_ROWS, N_ROWS);
}

int main(int argc, char **argv)
{
    int rank, n_ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    double *grids[2] = {calloc((size_t)WIDTH * (N_ROWS + 2), sizeof(double)),
                        calloc((size_t)WIDTH * (N_ROWS + 2), sizeof(double))};
    if (grids[0] == NULL || grids[1] == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    row(grids[0], N_ROWS / 2)[WIDTH / 2] = rank + 1;
    double since_s = MPI_Wtime();
    for (int i = 0; i < N_ITERATIONS; i++)
        iterate(grids[i % 2], grids[(i + 1) % 2], (rank + n_ranks - 1) % n_ranks, (rank + 1) % n_ranks);
    double passed_s = MPI_Wtime() - since_s;
    if (rank == 0)
        printf("%d iterations: %.9f s\n", N_ITERATIONS, passed_s);
    free(grids[0]);
    free(grids[1]);
    MPI_Finalize();
    return 0;
}
