/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shared objects that are refused when they are loaded, one for each macro. */
#include <iasim/plugin.h>

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static double priority(const struct policy_view *view, node_id child)
{
    (void)view;
#ifdef UNDEFINED
    extern double no_such_function(node_id child);
    return no_such_function(child);
#else
    return child;
#endif
}

static const struct policy one = {
#ifdef TAKEN
    .name = "fcfs",
#else
    .name = "one",
#endif
    .summary = "the child that was deployed last",
    .sends = true,
    .priority = priority,
};

#if defined CRASHING || defined EXITING || defined HANGING || defined KILLED || defined FORKING || defined DOUBLING
static void __attribute__((constructor)) start(void)
{
#if defined CRASHING
    abort();
#elif defined EXITING
    exit(0);
#elif defined HANGING
    for (;;)
        pause();
#elif defined KILLED
    raise(SIGKILL);
#elif defined DOUBLING
    (void)!fork();
#else
    if (fork() == 0)
        sleep(1000);
#endif
}
#endif

#ifdef OLD
extern const struct iasim_plugin iasim_plugin;
const struct iasim_plugin iasim_plugin = {.abi = IASIM_PLUGIN_ABI + 41, .lists = {.policies = {&one}}};
#elif defined ANONYMOUS
extern const struct policy *const not_named;
const struct policy *const not_named = &one;
#else
IASIM_PLUGIN(.policies = {&one})
#endif
