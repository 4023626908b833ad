/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "check.h"
#include "machine/machine.h"

#include <stdlib.h>

enum { N_HOSTS = 20000 };

/* From 0 to 1 over links 0, 1, 2; from 1 to 0 over nothing; from others there is no route. */
static enum err_code find_route(void *context, host_id src, host_id dst, struct route *out, struct err *e)
{
    (void)context;
    if (src > 1 || dst > 1)
        return err_set(e, ERR_INPUT, "there is no route");
    out->n_links = src == 0 ? 3 : 0;
    out->links = mem_zalloc(3, sizeof out->links[0]);
    for (int i = 0; i < 3; i++)
        out->links[i] = i;
    out->latency_s = 0.5;
    return ERR_NONE;
}

static struct machine make(void)
{
    static const double bandwidths_bytes_per_s[] = {5e6, 2e6, 9e6};
    struct machine m = {.source = mem_strdup("p.xml"), .n_hosts = N_HOSTS, .n_links = 3, .find_route = find_route};
    m.hosts = mem_zalloc(m.n_hosts, sizeof m.hosts[0]);
    m.links = mem_zalloc(m.n_links, sizeof m.links[0]);
    for (size_t i = 0; i < m.n_hosts; i++)
        m.hosts[i].name = mem_format("host-%zu", i);
    for (size_t i = 0; i < m.n_links; i++)
        m.links[i] = (struct link){.name = mem_format("l%zu", i), .bandwidth_bytes_per_s = bandwidths_bytes_per_s[i]};
    return m;
}

static void hosts_are_found_by_name(void)
{
    struct machine m = make();
    CHECK_INT(machine_host_id(&m, "host-7"), -1); /* not sealed yet */
    machine_seal(&m);
    for (size_t i = 0; i < m.n_hosts; i++)
        if (machine_host_id(&m, m.hosts[i].name) != (int)i)
            CHECK_INT(machine_host_id(&m, m.hosts[i].name), i);
    CHECK_INT(machine_host_id(&m, "host-20000"), -1);
    CHECK_INT(machine_host_id(&m, ""), -1);
    machine_clear(&m);
    CHECK(m.hosts == NULL && m.host_index == NULL);
}

/* A sum of ten times 0.1 is 0.99999999999999989. */
static void the_mean_of_equal_hosts_is_not_rounded(void)
{
    struct host hosts[10];
    struct machine m = {.hosts = hosts, .n_hosts = 10};
    for (size_t h = 0; h < 10; h++)
        hosts[h].speed_flop_per_s = 10;
    CHECK_CLOSE(machine_mean_compute_s(&m, 1), 0.1, 0);
    hosts[0].speed_flop_per_s = 1;
    CHECK_CLOSE(machine_mean_compute_s(&m, 1), 0.19, 1e-15);
}

static void several_cores_are_warned_of_with_the_first_host(void)
{
    struct machine m = make();
    CHECK(machine_cores_warning(&m) == NULL);
    m.hosts[3].n_cores = 8;
    char *one = machine_cores_warning(&m);
    CHECK_TEXT(one,
               "p.xml: host 'host-3' has 8 cores, and only one of them is used: a host computes one task at a time");
    m.hosts[9].n_cores = 2;
    char *two = machine_cores_warning(&m);
    CHECK_CONTAINS(two, "host 'host-3' has 8 cores, another host has several, and only one");
    free(one);
    free(two);
    machine_clear(&m);
}

static void the_bottleneck_is_the_least_bandwidth(void)
{
    struct machine m = make();
    struct err e = {0};
    double got;
    CHECK_OK(machine_bottleneck_bytes_per_s(&m, 0, 1, &got, &e), e);
    CHECK_CLOSE(got, 2e6, 0);
    CHECK_OK(machine_bottleneck_bytes_per_s(&m, 1, 0, &got, &e), e);
    CHECK(isinf(got));
    CHECK_INT(machine_bottleneck_bytes_per_s(&m, 0, 2, &got, &e), ERR_INPUT);
    CHECK_TEXT(e.text, "there is no route");
    machine_clear(&m);
}

static void routes_come_from_who_filled_the_machine(void)
{
    struct machine m = make();
    struct err e = {0};
    struct route r;
    CHECK_OK(machine_route(&m, 0, 1, &r, &e), e);
    CHECK_INT(r.n_links, 3);
    CHECK_INT(r.links[2], 2);
    CHECK_CLOSE(r.latency_s, 0.5, 0);
    free(r.links);
    CHECK_INT(machine_route(&m, 2, 1, &r, &e), ERR_INPUT);
    CHECK(r.links == NULL && r.n_links == 0);
    machine_clear(&m);
}

/* ---- what a message costs the processor ---- */

/* Host 0 has overheads of 3 s and 5 s, and is involved by 0.5 when it sends, 0.25 when it receives; links of 1, 2 and 4
   MB/s, the last with shares of its own. */
#define NUMBER(x)                                                                                                      \
    {                                                                                                                  \
        .is_given = true, .number = x                                                                                  \
    }
static struct host hosts[] = {{.overhead_s = {NUMBER(3), NUMBER(5)}, .involvement_ratio = {NUMBER(0.5), NUMBER(0.25)}}};
static struct link links[] = {{.bandwidth_bytes_per_s = 1e6},
                              {.bandwidth_bytes_per_s = 2e6},
                              {.bandwidth_bytes_per_s = 4e6, .involvement_ratio = {NUMBER(0), NUMBER(1)}}};
static const struct machine machine = {.hosts = hosts, .n_hosts = 1, .links = links, .n_links = 3};

static double involvement_s(enum direction dir, link_id first, link_id last)
{
    link_id path[] = {first, last};
    return machine_involvement_s(&machine, 0, dir, machine_end_link(path, 2, dir), 8e6);
}

static void involvement_is_a_share_of_the_time_on_the_near_link(void)
{
    CHECK_CLOSE(involvement_s(DIR_SEND, 0, 1), 0.5 * 8, 1e-15);
    CHECK_CLOSE(involvement_s(DIR_SEND, 1, 0), 0.5 * 4, 1e-15);
    CHECK_CLOSE(involvement_s(DIR_RECV, 0, 1), 0.25 * 4, 1e-15);
    CHECK_CLOSE(involvement_s(DIR_RECV, 1, 0), 0.25 * 8, 1e-15);
}

static void a_link_s_own_share_wins(void)
{
    CHECK_CLOSE(involvement_s(DIR_SEND, 2, 0), 0, 0);
    CHECK_CLOSE(involvement_s(DIR_RECV, 0, 2), 2, 1e-15);
    CHECK_CLOSE(involvement_s(DIR_SEND, 0, 2), 4, 1e-15); /* the far end does not count */
}

static void a_route_without_links_involves_nobody(void)
{
    CHECK_INT(machine_end_link(NULL, 0, DIR_SEND), -1);
    for (enum direction dir = 0; dir < N_DIRECTIONS; dir++)
        CHECK_CLOSE(machine_involvement_s(&machine, 0, dir, -1, 8e6), 0, 0);
}

static void overhead_is_the_host_s_whatever_the_message(void)
{
    for (link_id l = -1; l < 3; l++) {
        CHECK_CLOSE(machine_overhead_s(&machine, 0, DIR_SEND, l, l * 1e6), 3, 0);
        CHECK_CLOSE(machine_overhead_s(&machine, 0, DIR_RECV, l, l * 1e6), 5, 0);
    }
}

/* As smpirun of SimGrid 3.32 takes `--cfg=smpi/os:10:1:0;20:3:0`: 1 s up to 20 bytes, 3 s above. */
static void a_step_holds_above_its_threshold(void)
{
    struct step list[] = {{10, 1, 0}, {20, 3, 0.5}};
    struct steps two = {.is_given = true, .n = 2, .list = list};
    CHECK_CLOSE(steps_at(&two, 0), 1, 0);
    CHECK_CLOSE(steps_at(&two, 10), 1, 0);
    CHECK_CLOSE(steps_at(&two, 20), 1, 0);
    CHECK_CLOSE(steps_at(&two, 20.5), 13.25, 0);
    CHECK_CLOSE(steps_at(&two, 22), 14, 0);
}

static const struct test tests[] = {
    {"a_step_holds_above_its_threshold", a_step_holds_above_its_threshold},
    {"hosts are found by name", hosts_are_found_by_name},
    {"several cores are warned of with the first host", several_cores_are_warned_of_with_the_first_host},
    {"the bottleneck is the least bandwidth", the_bottleneck_is_the_least_bandwidth},
    {"routes come from who filled the machine", routes_come_from_who_filled_the_machine},
    {"involvement_is_a_share_of_the_time_on_the_near_link", involvement_is_a_share_of_the_time_on_the_near_link},
    {"the_mean_of_equal_hosts_is_not_rounded", the_mean_of_equal_hosts_is_not_rounded},
    {"a_link_s_own_share_wins", a_link_s_own_share_wins},
    {"a_route_without_links_involves_nobody", a_route_without_links_involves_nobody},
    {"overhead_is_the_host_s_whatever_the_message", overhead_is_the_host_s_whatever_the_message},
};

TEST_MAIN(tests)
