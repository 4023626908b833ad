/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/heap.h"
#include "base/random.h"
#include "check.h"

#include <stdlib.h>

static void entries_come_out_in_order(void)
{
    static const double keys[] = {3, -INFINITY, 2, 2, INFINITY, -1, 2, 0};
    static const long expected[] = {1, 5, 7, 2, 3, 6, 0, 4}; /* by key, then by number */
    struct heap h = {0};
    CHECK(heap_first(&h) == NULL);
    for (int i = 7; i >= 0; i--)
        heap_add(&h, (struct heap_entry){.key = keys[i], .number = i});
    CHECK_INT(heap_first(&h)->number, 1);
    for (int i = 0; i < 8; i++)
        CHECK_INT(heap_take(&h).number, expected[i]);
    CHECK(heap_first(&h) == NULL);
    heap_clear(&h);
}

struct job {
    double date_s;
    int place;
};

static void items_know_where_they_stand(void)
{
    struct job jobs[3] = {{2, 99}, {1, 99}, {3, 99}};
    struct heap h = {0};
    for (int i = 0; i < 3; i++)
        heap_add(&h, (struct heap_entry){jobs[i].date_s, i, &jobs[i], &jobs[i].place});
    CHECK_INT(jobs[1].place, 0);
    heap_move(&h, jobs[2].place, 0.5);
    CHECK_INT(jobs[2].place, 0);
    CHECK(heap_first(&h)->item == &jobs[2]);
    heap_remove(&h, jobs[1].place);
    CHECK_INT(jobs[1].place, -1);
    CHECK(heap_take(&h).item == &jobs[2]);
    CHECK_INT(jobs[2].place, -1);
    CHECK_INT(jobs[0].place, 0);
    heap_clear(&h);
}

/* The reference: a linear search for the smallest entry. */
enum { N = 200 };
static int least(const struct job *jobs)
{
    int best = -1;
    for (int i = 0; i < N; i++)
        if (jobs[i].place >= 0 && (best < 0 || jobs[i].date_s < jobs[best].date_s))
            best = i;
    return best;
}

static int change_something(struct heap *h, struct job *jobs, struct random_stream *r)
{
    struct job *job = &jobs[random_below(r, N)];
    double date_s = (double)random_below(r, 50); /* few: many are equal */
    uint64_t what = random_below(r, 4);
    if (job->place < 0) {
        job->date_s = date_s;
        heap_add(h, (struct heap_entry){date_s, job - jobs, job, &job->place});
    } else if (what == 0) {
        heap_remove(h, job->place);
    } else if (what == 1) {
        job->date_s = date_s;
        heap_move(h, job->place, date_s);
    }
    return h->n;
}

static void any_sequence_agrees_with_a_search(void)
{
    static struct job jobs[N];
    struct heap h = {0};
    struct random_stream r;
    random_init(&r, 1, 1);
    for (int i = 0; i < N; i++)
        jobs[i].place = -1;
    for (int step = 0; step < 20000; step++) {
        int expected = change_something(&h, jobs, &r) > 0 ? least(jobs) : -1;
        int found = h.n > 0 ? (int)heap_first(&h)->number : -1;
        if (found != expected)
            CHECK_INT(found, expected);
        if (step % 7 == 0 && h.n > 0)
            heap_take(&h);
    }
    for (int last = -1; h.n > 0;) {
        int expected = least(jobs), found = (int)heap_take(&h).number;
        if (found != expected || found == last)
            CHECK_INT(found, expected);
        last = found;
    }
    heap_clear(&h);
}

static const struct test tests[] = {
    {"entries come out in order", entries_come_out_in_order},
    {"items know where they stand", items_know_where_they_stand},
    {"any sequence agrees with a search", any_sequence_agrees_with_a_search},
};

TEST_MAIN(tests)
