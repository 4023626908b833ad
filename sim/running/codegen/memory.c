/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All ranks of a simulated program are threads of one process, so their messages share its memory. Without this
   estimate a large graph would end the machine by swapping, long after the program has begun. */
#include "codegen/memory.h"

#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct change {
    double date_s, bytes;
};

/* At one date, what comes is counted before what goes. */
static int compare_changes(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    if (x->date_s != y->date_s)
        return x->date_s < y->date_s ? -1 : 1;
    return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

double memory_of_messages_bytes(const struct schedule *s, const struct replay_result *replayed)
{
    const struct dag *g = s->problem.dag;
    struct change *changes = mem_alloc((2 * (size_t)g->n_edges + 1) * sizeof *changes);
    size_t n = 0;
    double now_bytes = 0, most_bytes = 0;
    for (edge_id e = 0; e < g->n_edges; e++)
        if (s->edges[e].is_remote) {
            /* from the buffer that the sender fills to the end of the task that reads it */
            double bytes = g->edges[e].size_bytes;
            changes[n++] = (struct change){replayed->edges[e].send.start_s, bytes};
            changes[n++] = (struct change){replayed->tasks[g->edges[e].dst].finish_s, -bytes};
        }
    qsort(changes, n, sizeof *changes, compare_changes);
    for (size_t i = 0; i < n; i++) {
        now_bytes += changes[i].bytes;
        most_bytes = fmax(most_bytes, now_bytes);
    }
    free(changes);
    return most_bytes;
}

double memory_available_bytes(void)
{
    /* what the kernel believes can be had without swapping; other systems are not asked: INFINITY refuses nothing */
    FILE *in = fopen("/proc/meminfo", "re");
    char line[256];
    double kilobytes = INFINITY;
    while (in != NULL && isinf(kilobytes) && fgets(line, sizeof line, in) != NULL)
        if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) != 1)
            kilobytes = INFINITY;
    if (in != NULL)
        fclose(in);
    return 1024 * kilobytes;
}
