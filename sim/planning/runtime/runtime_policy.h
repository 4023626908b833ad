/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runtime policies: which task goes into which queue, decided while the run goes on. One file each in policies/, and a
   line in policies/runtime_policies.def. */
#ifndef IASIM_RUNTIME_RUNTIME_POLICY_H
#define IASIM_RUNTIME_RUNTIME_POLICY_H

#include "base/param.h"
#include "runtime/runtime.h"

struct runtime_policy {
    const char *name, *summary, *source; /* source: a paper and section, or a program */
    const struct param *params;          /* ends with a NULL name; NULL: no parameters */
    bool plans_jobs;                     /* needs all of a job when it is released */
    bool takes_ready_first;              /* of a queue the first task whose data are there starts, not the first */
    /* OPTIONAL. Makes what the policy keeps from call to call; it ends with `end`. Errors: ERR_INPUT for parameters
       that do not fit together. */
    enum err_code (*begin)(const struct runtime *r, const struct param_set *params, void **state, struct err *e);
    void (*end)(void *state);
    /* REQUIRED. Called once at a date at which something has happened, with all of it. */
    enum err_code (*decide)(void *state, struct runtime *r, const struct runtime_event *events, size_t n,
                            struct err *e);
};

extern const struct runtime_policy *const runtime_policies[]; /* in the order of the .def file; ends with NULL */

/* A policy with its parameters, from "name[k=v,...]". Errors: ERR_INPUT. */
struct runtime_policy_choice {
    const struct runtime_policy *policy;
    struct param_set *params;
    char *text; /* as given */
};
enum err_code runtime_policy_choose(const char *text, struct runtime_policy_choice *out, struct err *e);
void runtime_policy_choice_clear(struct runtime_policy_choice *c);

/* Entry of the parameters of a policy that estimates when something ends. */
#define RUNTIME_PARAM_MODEL                                                                                            \
    {                                                                                                                  \
        "model", PARAM_TEXT, "", NULL, 0, 0, NULL,                                                                     \
            "what it believes about communication (that of the run if not given)"                                      \
    }

/* What most policies do: puts each task that has become ready, in the order of the events, where `host_of` says (-1:
   nowhere). */
void runtime_put_ready(struct runtime *r, const struct runtime_event *events, size_t n,
                       host_id (*host_of)(struct runtime *r, work_id w));

#endif
