/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A table in memory that a process shares with its children, indexed by a digest of the parameters. There are no
   locks: points of one process run one after the other, so only one writes at a time. What has to be guarded against
   is a child that is killed while it writes.

   Losing an entry costs time, never correctness: the bound is computed again. */
#include "runs/bound_memory.h"

#include "base/isolate.h"

#include <stdatomic.h>
#include <string.h>

/* An entry has one place only. Two keys that meet there replace each other. */
enum { N_ENTRIES = 1024 };

struct entry {
    char key[DIGEST_HEX_SIZE]; /* empty: none */
    double bounds[2];
};

struct bound_memory {
    struct entry entries[N_ENTRIES];
};

struct bound_memory *bound_memory_create(void)
{
    return isolate_shared(sizeof(struct bound_memory)); /* all zero */
}

void bound_memory_free(struct bound_memory *m)
{
    isolate_unshare(m, sizeof *m);
}

void bound_memory_key(const struct param_set *ps, char out[DIGEST_HEX_SIZE])
{
    /* What a bound depends on besides the platform. Policy, world, number of tasks and buffers are left out on
       purpose: points that differ in these share a bound. A parameter that bounds begin to depend on must be added
       here. */
    static const char *const names[] = {"deployment", "send_size", "compute_size", "request_size"};
    struct digest d;
    digest_init(&d);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        digest_add_text(&d, param_text(ps, names[i]));
    digest_finish(&d, out);
}

bool bound_memory_get(const struct bound_memory *m, const char key[DIGEST_HEX_SIZE], double bounds[2])
{
    const struct entry *x = m != NULL ? &m->entries[digest_to_u64(key) % N_ENTRIES] : NULL;
    /* The key is compared as a whole. An entry in the middle of being written begins with a NUL and equals none. */
    if (x == NULL || strcmp(x->key, key) != 0)
        return false;
    memcpy(bounds, x->bounds, sizeof x->bounds);
    return true;
}

/* The key goes first and comes last: a process that is killed in between leaves no entry. */
void bound_memory_put(struct bound_memory *m, const char key[DIGEST_HEX_SIZE], const double bounds[2])
{
    struct entry *x = m != NULL ? &m->entries[digest_to_u64(key) % N_ENTRIES] : NULL;
    if (x == NULL)
        return;
    /* Volatile and with fences, so that the compiler neither drops nor moves the two writes of the first byte.
       Signal fences are enough: a killed process has done its writes in program order. */
    *(volatile char *)x->key = '\0';
    atomic_signal_fence(memory_order_seq_cst);
    memcpy(x->bounds, bounds, sizeof x->bounds);
    memcpy(x->key + 1, key + 1, sizeof x->key - 1);
    atomic_signal_fence(memory_order_seq_cst);
    *(volatile char *)x->key = key[0];
}
