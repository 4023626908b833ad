/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How often list scheduling looks for room on a processor or link, counted: with V tasks, E edges, P hosts and routes
   of l links it must be at most P (2 V + (l + 1) E) to choose hosts, and 2 V + (l + 2) E to place tasks: [S] 8.4.1, O(P
   (V + E O(routing))) for the end technique. How long one look takes is another question (test_timeline.c). */
#include "both.h"
#include "plan/timeline.h"

/* The linker gives the draft this function, which counts. */
double __real_timeline_fit(const struct timelines *t, size_t resource, double release_s, double duration_s);
double __wrap_timeline_fit(const struct timelines *t, size_t resource, double release_s, double duration_s);
static double n_fits;

double __wrap_timeline_fit(const struct timelines *t, size_t resource, double release_s, double duration_s)
{
    n_fits++;
    return __real_timeline_fit(t, resource, release_s, duration_s);
}

enum { N_LINKS_OF_ROUTE = 2 };

/* Layers of tasks of different lengths; each task sends to all of the next layer. */
static struct dag layers(int n_layers, int width)
{
    struct dag g = {0};
    struct err e = {0};
    dag_init(&g, "layers");
    for (int t = 0; t < n_layers * width; t++) {
        char name[16];
        snprintf(name, sizeof name, "t%d", t);
        CHECK_OK(dag_add_task(&g, name, 50 + 37 * t % 29, 0, NULL, &e), e);
    }
    for (int t = 0; t < (n_layers - 1) * width; t++)
        for (int k = 0; k < width; k++)
            CHECK_OK(dag_add_edge(&g, t, (t / width + 1) * width + k, 1 + (t + k) % 3, 0, &e), e);
    CHECK_OK(dag_seal(&g, &e), e);
    return g;
}

/* The number of looks, over P (V + (l + 1) E). */
static double looks(const char *scheduler, int n_layers, int width, int n_hosts)
{
    struct setting s;
    struct schedule x;
    setting_init(&s, layers(n_layers, width), machine_star(n_hosts, 1, 1, 0, LINK_SPLITDUPLEX));
    machine_text_set_all(&s.machine, "overhead_send", "0.25");
    machine_text_set_all(&s.machine, "involvement_send", "1");
    machine_text_set_all(&s.machine, "involvement_recv", "1");
    n_fits = 0;
    setting_plan(&s, model_of("involvement"), scheduler, NULL, &x);
    double v = s.dag.n_tasks, e = s.dag.n_edges, steps = N_LINKS_OF_ROUTE + 1;
    CHECK(n_fits <= n_hosts * (2 * v + steps * e) + 2 * v + (steps + 1) * e);
    double share = n_fits / (n_hosts * (v + steps * e));
    fprintf(stderr, "%-28s V %5g E %6g P %2d: %8g looks, %.2f P (V + %g E)\n", scheduler, v, e, n_hosts, n_fits, share,
            steps);
    schedule_clear(&x);
    setting_clear(&s);
    return share;
}

static void looks_grow_as_hosts_times_tasks_and_edges(void)
{
    static const struct {
        int n_layers, width, n_hosts;
    } sizes[] = {{10, 4, 4}, {40, 4, 4}, {160, 4, 4}, {10, 8, 4}, {10, 16, 4}, {10, 32, 4}, {40, 16, 8}, {40, 16, 16}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        double share = looks("list[technique=end,compact=off]", sizes[i].n_layers, sizes[i].width, sizes[i].n_hosts);
        CHECK(share > 0.5 && share < 1);
        looks("list[technique=insertion,compact=off]", sizes[i].n_layers, sizes[i].width, sizes[i].n_hosts);
    }
}

static const struct test tests[] = {
    {"looks grow as hosts times tasks and edges", looks_grow_as_hosts_times_tasks_and_edges},
};
TEST_MAIN(tests)
