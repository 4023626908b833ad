/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Batch mode [Maheswaran 1999, 4]: at each mapping event all tasks that are known and have not begun are mapped, those
   that were mapped before anew. */
#ifndef IASIM_RUNTIME_RUNTIME_BATCH_H
#define IASIM_RUNTIME_RUNTIME_BATCH_H

#include "runtime/runtime_policy.h"

#define RUNTIME_PARAM_EVERY                                                                                            \
    {                                                                                                                  \
        "every", PARAM_NUMBER, "s", "0", 0, 1e15, NULL,                                                                \
            "a mapping event every so many seconds from 0 on; 0: whenever tasks become known"                          \
    }

/* As `begin`: the scheduler that maps, with the parameter of RUNTIME_PARAM_EVERY. */
enum err_code runtime_batch_begin(const char *scheduler, const struct param_set *ps, void **state, struct err *e);
void runtime_batch_end(void *state);
enum err_code runtime_batch_decide(void *state, struct runtime *r, const struct runtime_event *events, size_t n,
                                   struct err *e);

/* Whether a date of 0, every_s, 2 every_s, ... has come; asks to be called at the next one if work is left. */
bool runtime_is_date(struct runtime *r, double every_s);
/* Whether tasks have become known: with their job, or one by one. */
bool runtime_has_news(const struct runtime *r, const struct runtime_event *events, size_t n);

#endif
