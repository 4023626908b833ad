/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timelines against a plain list of bookings that is searched linearly and copied for every mark and try. All numbers
   are whole, so everything is exact. */
#include "plan/timeline.h"

#include "base/random.h"
#include "check.h"

enum { N_RESOURCES = 3, MOST = 256, N_SEEDS = 400, N_STEPS = 150, MOST_MARKS = 6 };

struct plain {
    struct taken {
        size_t resource;
        double start_s, finish_s;
        bool is_of_try;
    } list[MOST];
    int n;
};

static double latest_s(const struct plain *p, size_t resource)
{
    double latest_s = 0;
    for (int i = 0; i < p->n; i++)
        if (p->list[i].resource == resource)
            latest_s = fmax(latest_s, p->list[i].finish_s);
    return latest_s;
}

static bool is_free(const struct plain *p, size_t resource, double start_s, double finish_s)
{
    for (int i = 0; i < p->n; i++)
        if (p->list[i].resource == resource && start_s < p->list[i].finish_s && p->list[i].start_s < finish_s)
            return false;
    return true;
}

static double plain_fit(const struct plain *p, enum technique technique, size_t resource, double release_s,
                        double duration_s)
{
    if (duration_s == 0)
        return release_s;
    if (technique == TECHNIQUE_END)
        return fmax(release_s, latest_s(p, resource));
    double start_s = release_s;
    while (!is_free(p, resource, start_s, start_s + duration_s))
        start_s++;
    return start_s;
}

struct pair {
    enum technique technique;
    struct timelines *real;
    struct plain plain;
};

static void book(struct pair *x, struct random_stream *r, bool is_try)
{
    size_t resource = random_below(r, N_RESOURCES);
    double release_s = (double)random_below(r, 60), duration_s = (double)random_below(r, 6);
    double want_s = plain_fit(&x->plain, x->technique, resource, release_s, duration_s);
    double start_s = timeline_fit(x->real, resource, release_s, duration_s);
    CHECK(start_s == want_s);
    timeline_book(x->real, resource, start_s, start_s + duration_s);
    if (duration_s > 0)
        x->plain.list[x->plain.n++] = (struct taken){resource, start_s, start_s + duration_s, is_try};
}

static bool try_has_booked(const struct plain *p, size_t resource)
{
    for (int i = 0; i < p->n; i++)
        if (p->list[i].resource == resource && p->list[i].is_of_try)
            return true;
    return false;
}

/* Releases a whole booking, or its last part. */
static void release(struct pair *x, struct random_stream *r)
{
    if (x->plain.n == 0)
        return;
    int i = (int)random_below(r, (uint64_t)x->plain.n);
    struct taken *b = &x->plain.list[i];
    double kept_s = random_below(r, 2) ? 0 : (double)random_below(r, (uint64_t)(b->finish_s - b->start_s));
    if (try_has_booked(&x->plain, b->resource))
        return;
    timeline_release(x->real, b->resource, b->start_s + kept_s, b->finish_s);
    b->finish_s = b->start_s + kept_s;
    if (kept_s == 0)
        *b = x->plain.list[--x->plain.n];
}

/* Sometimes a try books more than can stay aside. */
static void try_some(struct pair *x, struct random_stream *r)
{
    struct plain before = x->plain;
    int n = random_below(r, 8) ? (int)random_below(r, 8) : 70;
    timelines_begin_try(x->real);
    for (int i = 0; i < 2; i++)
        release(x, r);
    for (int i = 0; i < n && x->plain.n < MOST; i++)
        book(x, r, true);
    timelines_end_try(x->real);
    x->plain = before;
}

static void run_one(enum technique technique, uint64_t seed)
{
    struct random_stream r;
    struct pair x = {.technique = technique, .real = timelines_create(N_RESOURCES, technique)};
    static struct plain copies[MOST_MARKS];
    size_t marks[MOST_MARKS];
    int n_marks = 0;
    random_init(&r, 9, seed);
    for (int step = 0; step < N_STEPS; step++) {
        switch (random_below(&r, 10)) {
        case 0:
            if (n_marks < MOST_MARKS) {
                marks[n_marks] = timelines_mark(x.real);
                copies[n_marks++] = x.plain;
            }
            break;
        case 1: /* to any of them; it stays, those above it are gone */
            if (n_marks > 0) {
                n_marks = 1 + (int)random_below(&r, (uint64_t)n_marks);
                timelines_rollback(x.real, marks[n_marks - 1]);
                x.plain = copies[n_marks - 1];
            }
            break;
        case 2:
            release(&x, &r);
            break;
        case 3:
            if (random_below(&r, 20) == 0) {
                timelines_reset(x.real);
                x.plain.n = n_marks = 0;
            }
            break;
        case 4:
        case 5:
            try_some(&x, &r);
            break;
        default:
            if (x.plain.n < MOST)
                book(&x, &r, false);
        }
    }
    timelines_free(x.real);
}

static void run(enum technique technique)
{
    for (uint64_t seed = 0; seed < N_SEEDS && CU_get_number_of_failures() < 3; seed++)
        run_one(technique, seed);
}

static void end_agrees_with_a_plain_list(void)
{
    run(TECHNIQUE_END);
}

static void insertion_agrees_with_a_plain_list(void)
{
    run(TECHNIQUE_INSERTION);
}

/* At 1e9 s the distance of two doubles is 1.2e-7 s. */
static void what_a_date_cannot_show_waits_for_nobody(void)
{
    for (enum technique technique = TECHNIQUE_END; technique <= TECHNIQUE_INSERTION; technique++) {
        struct timelines *t = timelines_create(1, technique);
        timeline_book(t, 0, 0, 2e9);
        CHECK(timeline_fit(t, 0, 1e9, 1e-8) == 1e9);
        CHECK(timeline_fit(t, 0, 1e9, 1e-6) == 2e9);
        CHECK(timeline_fit(t, 0, 1, 1e-8) == 2e9);
        timelines_free(t);
    }
}

static const struct test tests[] = {
    {"end agrees with a plain list", end_agrees_with_a_plain_list},
    {"insertion agrees with a plain list", insertion_agrees_with_a_plain_list},
    {"what a date cannot show waits for nobody", what_a_date_cannot_show_waits_for_nobody},
};
TEST_MAIN(tests)
