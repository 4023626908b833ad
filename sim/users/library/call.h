/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What every function of the library's interface that can fail does first and last: `e` is emptied, and numbers are
   read and written with a '.', whatever locale the program has set. Also the structs that the interface leaves
   opaque. */
#ifndef IASIM_LIBRARY_CALL_H
#define IASIM_LIBRARY_CALL_H

#include "base/isolate.h"
#include "cli/command.h"
#include "engine/engine.h"
#include "library/iasim.h"
#include "machine/routes.h"
#include "plan/schedule.h"

#include <locale.h>

struct iasim_platform {
    struct engine *engine;
    const struct machine *machine; /* the engine's */
    struct route_table routes;     /* filled when first needed: hosts squared */
    bool has_routes;
};

struct iasim_graph {
    struct dag dag;
    struct task_costs costs; /* empty: work / speed */
};

struct iasim_schedule {
    const struct iasim_platform *platform;
    struct schedule schedule;
};

/* Returns the caller's locale, for call_end, which returns `code`. */
locale_t call_begin(struct err *e);
enum err_code call_end(locale_t before, enum err_code code);

/* A success with something to say: takes `warning`, fresh or NULL. */
void call_warn(struct err *e, char *warning);

/* isolate_run for work that asks SimGrid, which aborts where it finds something wrong: errors name the platform. */
enum err_code call_in_child(isolate_work *work, void *self, const char *platform, struct err *e);

/* The graph's times on unrelated hosts; NULL: it has none. */
const struct task_costs *graph_costs(const struct iasim_graph *graph);

/* Errors: those of route_table_init. */
enum err_code platform_need_routes(struct iasim_platform *platform, struct err *e);

#endif
