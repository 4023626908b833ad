/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bottom levels of one graph under each belief ([S] 8.2.3): only overheads make a path longer, so only beliefs that
   have them may change the order of the list. By hand. */
#include "both.h"
#include "dag/levels.h"
#include "schedulers/priority.h"

enum { R, X1, X2, X3, Y, S, N };

struct expected {
    const char *model;
    double o_s, level_s[N];
    task_id list[N];
};

/* A chain of three short tasks beside one long one; all data take 1 on the bus. Each edge below a task adds 1 + O. */
static void check_levels(const struct expected *x)
{
    struct setting s;
    double task_s[N], edge_s[6], level_s[N];
    char *o = mem_format("%g", x->o_s);
    setting_init(&s, dag_from_text("R:1 X1:1 X2:1 X3:1 Y:6 S:1 | R>X1:1 X1>X2:1 X2>X3:1 X3>S:1 R>Y:1 Y>S:1"),
                 machine_bus(3, 1, 1, 0));
    machine_text_set_all(&s.machine, "overhead_send", o);
    machine_text_set_all(&s.machine, "overhead_recv", o);
    machine_text_set_all(&s.machine, "involvement_send", "1");
    machine_text_set_all(&s.machine, "involvement_recv", "0.5");
    struct problem p = {.dag = &s.dag, .machine = &s.machine, .routes = &s.routes, .model = model_of(x->model)};
    problem_mean_costs(&p, task_s, edge_s);
    dag_bottom_levels(&s.dag, task_s, edge_s, level_s);
    task_id *list = priority_list(&p, "bottom_level");
    for (int k = 0; k < N; k++) {
        CHECK_CLOSE(level_s[k], x->level_s[k], 1e-12);
        CHECK_INT(list[k], x->list[k]);
    }
    free(list);
    free(o);
    setting_clear(&s);
}

static void only_overheads_change_the_order(void)
{
    static const struct expected list[] = {
        {"classic", 2, {10, 7, 5, 3, 8, 1}, {R, Y, X1, X2, X3, S}},
        {"contention", 2, {10, 7, 5, 3, 8, 1}, {R, Y, X1, X2, X3, S}},
        {"involvement", 0, {10, 7, 5, 3, 8, 1}, {R, Y, X1, X2, X3, S}},
        {"involvement", 2, {25, 19, 13, 7, 12, 1}, {R, X1, X2, Y, X3, S}},
        {"involvement[aligned=1]", 2, {25, 19, 13, 7, 12, 1}, {R, X1, X2, Y, X3, S}},
        {"logp[L=1,o=2,g=3]", 0, {25, 19, 13, 7, 12, 1}, {R, X1, X2, Y, X3, S}},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        check_levels(&list[i]);
}

static const struct test tests[] = {
    {"only overheads change the order", only_overheads_change_the_order},
};
TEST_MAIN(tests)
