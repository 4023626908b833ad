/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Worlds and cost models of a plugin: one that is `interference` again, one with a threshold, one that saturates, and
   what should not be done. */
#include <iasim/plugin.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- good ones ---- */

/* [K] 3.1, as models/interference.c has it. */
static double linear(const struct world_model *self, const struct host *h, const struct world_flow *flows,
                     size_t n_flows)
{
    (void)self, (void)h;
    enum regime regime = world_regime(flows, n_flows);
    double constant = INFINITY;
    for (size_t i = 0; i < n_flows; i++)
        if (flows[i].rate_bytes_per_s > 0)
            constant = fmin(constant, flows[i].constant_ratio[regime]);
    double factor = isinf(constant) ? 1 : constant;
    for (size_t i = 0; i < n_flows; i++)
        factor -= flows[i].ir_s_per_byte[regime] * flows[i].rate_bytes_per_s;
    return factor;
}

enum { NEED, COPIES, CAPACITY };
static const struct param of_memory[] = {
    {"need", PARAM_NUMBER, "bytes/s", "8e7", 1, 1e15, NULL, "of computing"},
    {"copies", PARAM_NUMBER, "", "2", 0, 1000, NULL, "of the data of transfers"},
    {"capacity", PARAM_NUMBER, "bytes/s", "9e7", 0, 1e15, NULL, "of hosts without the property memory"},
    {0},
};

static double share_memory(const struct world_model *self, const struct host *h, const struct world_flow *flows,
                           size_t n_flows)
{
    double sum = 0, capacity = host_number(h, "memory", self->values[CAPACITY]);
    for (size_t i = 0; i < n_flows; i++)
        sum += flows[i].rate_bytes_per_s;
    if (self->values[NEED] + self->values[COPIES] * sum <= capacity)
        return 1;
    return (capacity - self->values[COPIES] * sum) / self->values[NEED];
}

/* What n transfers take saturates: 1/2, 3/4, 7/8 of the processor. Rates do not matter, peers do: host 0 costs
   nothing. */
static double saturate(const struct world_model *self, const struct host *h, const struct world_flow *flows,
                       size_t n_flows)
{
    double factor = 1;
    (void)self, (void)h;
    for (size_t i = 0; i < n_flows; i++)
        factor *= flows[i].peer != 0 && flows[i].rate_bytes_per_s > 0 ? 0.5 : 1;
    return factor;
}

/* ---- bad ones ---- */

static volatile int forever = 1;

static void misbehave(const char *fault)
{
    if (strcmp(fault, "crash") == 0)
        *(volatile int *)0 = 1;
    if (strcmp(fault, "abort") == 0)
        abort();
    if (strcmp(fault, "exit") == 0)
        exit(0);
    while (strcmp(fault, "loop") == 0 && forever)
        continue;
    static bool has_forked;
    if (!has_forked && (strcmp(fault, "twice") == 0 || strcmp(fault, "child") == 0)) {
        has_forked = true;
        if (fork() == 0 && fault[0] == 'c')
            sleep(1000);
    }
    if (strcmp(fault, "leak") == 0)
        memset(malloc(1000), 1, 1000);
}

static double value_of(const char *fault)
{
    const char *const names[] = {"nan", "infinite", "minus_infinite", "negative", "above", "leak"};
    const double values[] = {NAN, INFINITY, -INFINITY, -3, 7, 0.5};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(fault, names[i]) == 0)
            return values[i];
    misbehave(fault);
    return 0.5;
}

static double factor_of_fault(const struct world_model *self, const struct host *h, const struct world_flow *flows,
                              size_t n_flows)
{
    (void)h, (void)flows, (void)n_flows;
    misbehave(self->name);
    return value_of(self->name);
}

#define BAD(x)                                                                                                         \
    static const struct world_model bad_##x = {                                                                        \
        .name = #x, .summary = "does wrong", .speed_factor_ratio = factor_of_fault}
BAD(nan);
BAD(infinite);
BAD(minus_infinite);
BAD(negative);
BAD(above);
BAD(leak);
BAD(crash);
BAD(abort);
BAD(exit);
BAD(loop);
BAD(twice);
BAD(child);
static const struct world_model as_interference = {.name = "as_interference",
                                                   .summary = "the world interference again",
                                                   .reads = PROPERTIES_INTERFERENCE,
                                                   .speed_factor_ratio = linear};
static const struct world_model memory = {
    .name = "memory", .summary = "a threshold", .params = of_memory, .speed_factor_ratio = share_memory};
static const struct world_model saturates = {.name = "saturates", .summary = "halves", .speed_factor_ratio = saturate};

/* ---- models ---- */

enum { EACH };
static const struct param of_fixed[] = {{"each", PARAM_NUMBER, "s", "0.25", 0, 100, NULL, "of both processors"}, {0}};

static struct cost_end fixed_end(const struct cost_model *self, const struct machine *m, host_id src, host_id dst,
                                 enum direction dir, link_id link, double bytes)
{
    (void)m, (void)src, (void)dst, (void)dir, (void)link, (void)bytes;
    return (struct cost_end){.overhead_s = self->values[EACH]};
}

static struct cost_end bad_end(const struct cost_model *self, const struct machine *m, host_id src, host_id dst,
                               enum direction dir, link_id link, double bytes)
{
    (void)m, (void)src, (void)dst, (void)dir, (void)link, (void)bytes;
    const char *fault = self->name + strlen("end_");
    misbehave(fault);
    return (struct cost_end){.involvement_s = value_of(fault)};
}

static double bad_transit_s(const struct cost_model *self, const struct machine *m, host_id src, host_id dst,
                            double bytes)
{
    (void)m, (void)src, (void)dst, (void)bytes;
    return value_of(self->name + strlen("way_"));
}

#define BAD_END(x)                                                                                                     \
    static const struct cost_model end_##x = {                                                                         \
        .name = "end_" #x, .summary = "does wrong", .books_processors = true, .books_links = true, .end = bad_end}
#define BAD_WAY(x)                                                                                                     \
    static const struct cost_model way_##x = {.name = "way_" #x, .summary = "does wrong", .transit_s = bad_transit_s}
BAD_END(nan);
BAD_END(negative);
BAD_END(infinite);
BAD_END(crash);
BAD_END(loop);
BAD_END(child);
BAD_WAY(nan);
BAD_WAY(crash);
static const struct cost_model fixed = {.name = "fixed",
                                        .summary = "a fixed time of both processors, and links",
                                        .params = of_fixed,
                                        .books_processors = true,
                                        .books_links = true,
                                        .end = fixed_end};
static const struct world_model fixed_world = {.name = "fixed", .summary = "charges fixed", .charges = &fixed};
static const struct world_model both = {
    .name = "both", .summary = "charges fixed, and slows hosts down", .charges = &fixed, .speed_factor_ratio = linear};
static const struct world_model nan_world = {.name = "end_nan", .summary = "charges a bad one", .charges = &end_nan};

IASIM_PLUGIN(.models = {&fixed, &end_nan, &end_negative, &end_infinite, &end_crash, &end_loop, &end_child, &way_nan,
                        &way_crash},
             .worlds = {&as_interference, &memory, &saturates, &fixed_world, &both, &nan_world, &bad_nan, &bad_infinite,
                        &bad_minus_infinite, &bad_negative, &bad_above, &bad_leak, &bad_crash, &bad_abort, &bad_exit,
                        &bad_loop, &bad_twice, &bad_child})
