/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The shipped platforms of [S] 8.1 as the engine loads them: one machine with five costs of a message, and two
 * networks. */
#include "engine/engine.h"
#include "fork_engine.h"

#include <stdlib.h>

/* Each check runs in a child of its own: SimGrid has one engine per process. What failed is printed there. */
struct load {
    const char *name;
    void (*look)(const struct machine *m);
};

static void load_and_look(void *self, int fd)
{
    const struct load *l = self;
    struct engine *engine;
    struct err e = {0};
    char *path = mem_format(PROJECT_DIR "/platforms/%s.xml", l->name);
    if (engine_open(path, &engine, &e) != ERR_NONE) {
        fprintf(stderr, "%s: %s\n", path, e.text);
        abort();
    }
    l->look(engine_machine(engine));
    unsigned failures = CU_get_number_of_failures();
    tell(fd, &failures, sizeof failures);
    free(path);
}

static void look_at(const char *name, void (*look)(const struct machine *m))
{
    struct text said = {0};
    unsigned before = CU_get_number_of_failures(), after = before + 1;
    CHECK_INT(in_child(load_and_look, &(struct load){name, look}, 60, &said), ENDED_WELL);
    if (said.size == sizeof after)
        memcpy(&after, said.data, sizeof after);
    CHECK_INT(after, before);
    text_clear(&said);
}

static struct route route_between(const struct machine *m, host_id a, host_id b)
{
    struct route r;
    struct err e = {0};
    CHECK_OK(machine_route(m, a, b, &r, &e), e);
    return r;
}

/* ---- one machine, five costs ---- */

static void check_star(const struct machine *m)
{
    CHECK_INT(m->n_hosts, 8);
    for (host_id h = 0; h < (host_id)m->n_hosts; h++) {
        CHECK_CLOSE(m->hosts[h].speed_flop_per_s, 1e9, 0);
        for (host_id g = 0; g < (host_id)m->n_hosts; g++) {
            if (g == h)
                continue;
            struct route there = route_between(m, h, g), back = route_between(m, g, h);
            CHECK(there.n_links == 2 && there.links[0] != back.links[1] && there.links[1] != back.links[0]);
            CHECK_CLOSE(m->links[there.links[0]].bandwidth_bytes_per_s, 1e9, 0);
            CHECK_CLOSE(m->links[there.links[1]].bandwidth_bytes_per_s, 1e9, 0);
            CHECK_CLOSE(there.latency_s, 0, 0);
            free(there.links);
            free(back.links);
        }
    }
}

/* Overhead and involvement (a share of the time on a link) of sending and of receiving `bytes`; and, where the machine
   has interference rates, IR * bandwidth = share. */
static void check_costs(const struct machine *m, double bytes, const double *overhead_s, const double *share)
{
    check_star(m);
    for (host_id h = 0; h < (host_id)m->n_hosts; h++) {
        struct route r = route_between(m, h, (h + 1) % (host_id)m->n_hosts);
        for (int dir = DIR_SEND; dir < N_DIRECTIONS; dir++) {
            link_id end = machine_end_link(r.links, r.n_links, dir);
            CHECK_CLOSE(machine_overhead_s(m, h, dir, end, bytes), overhead_s[dir], 1e-15);
            CHECK_CLOSE(machine_involvement_s(m, h, dir, end, bytes), share[dir] * bytes / 1e9, 1e-15);
            if ((m->properties & PROPERTIES_INTERFERENCE) != 0)
                CHECK_CLOSE(machine_ir_s_per_byte(m, h, REGIME_ONE_WAY, dir, -1) * 1e9, share[dir], 1e-15);
        }
        free(r.links);
    }
}

static void check_third_party(const struct machine *m)
{
    for (double bytes = 1; bytes < 1e7; bytes *= 10)
        check_costs(m, bytes, (double[]){60e-6, 10e-6}, (double[]){0, 0});
}

static void check_put(const struct machine *m)
{
    for (double bytes = 1; bytes < 1e7; bytes *= 10)
        check_costs(m, bytes, (double[]){4e-6, 1e-6}, (double[]){1, 0});
}

static void check_get(const struct machine *m)
{
    for (double bytes = 1; bytes < 1e7; bytes *= 10)
        check_costs(m, bytes, (double[]){1e-6, 4e-6}, (double[]){0, 1});
}

static void check_two_sided(const struct machine *m)
{
    for (double bytes = 1; bytes < 1e7; bytes *= 10)
        check_costs(m, bytes, (double[]){5e-6, 5e-6}, (double[]){0.5, 0.5});
}

static void check_threshold(const struct machine *m)
{
    for (double bytes = 1; bytes <= 65536; bytes *= 2)
        check_costs(m, bytes, (double[]){4e-6, 1e-6}, (double[]){1, 0});
    for (double bytes = 65537; bytes < 1e7; bytes *= 2)
        check_costs(m, bytes, (double[]){60e-6, 10e-6}, (double[]){0, 0});
}

static void the_types_of_communication_differ_in_their_costs_only(void)
{
    look_at("sinnen-third-party", check_third_party);
    look_at("sinnen-one-sided-put", check_put);
    look_at("sinnen-one-sided-get", check_get);
    look_at("sinnen-two-sided", check_two_sided);
    look_at("sinnen-threshold", check_threshold);
}

/* ---- networks ---- */

static int around(int a, int b, int size)
{
    int d = abs(a - b);
    return d < size - d ? d : size - d;
}

static void check_torus(const struct machine *m)
{
    CHECK_INT(m->n_hosts, 16);
    for (int a = 0; a < (int)m->n_hosts; a++)
        for (int b = 0; b < (int)m->n_hosts; b++) {
            if (a == b)
                continue;
            struct route there = route_between(m, a, b), back = route_between(m, b, a);
            int hops = around(a % 4, b % 4, 4) + around(a / 4 % 2, b / 4 % 2, 2) + around(a / 8, b / 8, 2);
            CHECK_INT(there.n_links, hops);
            for (size_t i = 0; i < there.n_links; i++) {
                CHECK_CLOSE(m->links[there.links[i]].bandwidth_bytes_per_s, 100e6, 0);
                for (size_t k = 0; k < back.n_links; k++)
                    CHECK(there.links[i] != back.links[k]);
            }
            for (int dir = DIR_SEND; dir < N_DIRECTIONS; dir++) {
                link_id end = machine_end_link(there.links, there.n_links, dir);
                CHECK_CLOSE(machine_overhead_s(m, a, dir, end, 1e6), 20e-6, 1e-15);
                CHECK_CLOSE(machine_involvement_s(m, a, dir, end, 1e6), 1e6 / 100e6, 1e-15);
                CHECK_CLOSE(machine_ir_s_per_byte(m, a, REGIME_ONE_WAY, dir, -1) * 100e6, 1, 1e-15);
            }
            free(there.links);
            free(back.links);
        }
}

static void messages_go_the_shorter_way_round_the_torus_and_opposite_ones_never_meet(void)
{
    look_at("sinnen-torus", check_torus);
}

static void check_smp_bus(const struct machine *m)
{
    CHECK_INT(m->n_hosts, 8);
    struct route bus = route_between(m, 0, 1);
    for (host_id a = 0; a < (host_id)m->n_hosts; a++)
        for (host_id b = 0; b < (host_id)m->n_hosts; b++) {
            if (a == b)
                continue;
            struct route r = route_between(m, a, b);
            CHECK(r.n_links == 1 && r.links[0] == bus.links[0] && m->links[r.links[0]].sharing == LINK_SHARED);
            for (int dir = DIR_SEND; dir < N_DIRECTIONS; dir++) {
                CHECK_CLOSE(machine_overhead_s(m, a, dir, r.links[0], 1e6), 5e-6, 1e-15);
                CHECK_CLOSE(machine_involvement_s(m, a, dir, r.links[0], 1e6), 0.5 * 1e-3, 1e-15);
                CHECK_CLOSE(machine_ir_s_per_byte(m, a, REGIME_ONE_WAY, dir, -1) * 1e9, 0.5, 1e-15);
            }
            free(r.links);
        }
    free(bus.links);
}

static void all_processors_of_the_smp_share_one_bus(void)
{
    look_at("sinnen-smp-bus", check_smp_bus);
}

static const struct test tests[] = {
    {"the types of communication differ in their costs only", the_types_of_communication_differ_in_their_costs_only},
    {"messages go the shorter way round the torus, and opposite ones never meet",
     messages_go_the_shorter_way_round_the_torus_and_opposite_ones_never_meet},
    {"all processors of the SMP share one bus", all_processors_of_the_smp_share_one_bus},
};
TEST_MAIN(tests)
