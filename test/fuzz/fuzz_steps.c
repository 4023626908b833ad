/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values of overhead and involvement: a refusal has a message and changes nothing; what is accepted costs a time that
   is not negative, at most the time on the link where it is an involvement, and is what a second reading says, at every
   threshold and beside it. */
#include "../naive_steps.h"
#include "fuzz.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct host host;
static struct link link_of_1_byte_per_s = {.bandwidth_bytes_per_s = 1};
static struct machine machine = {.hosts = &host, .n_hosts = 1, .links = &link_of_1_byte_per_s, .n_links = 1};

static void check_size(double bytes)
{
    double overhead_s = machine_overhead_s(&machine, 0, DIR_SEND, 0, bytes);
    double involvement_s = machine_involvement_s(&machine, 0, DIR_RECV, 0, bytes);
    require(overhead_s >= 0 && overhead_s == naive_overhead_s(&machine, 0, DIR_SEND, 0, bytes));
    require(involvement_s >= 0 && involvement_s <= bytes);
    require(involvement_s == naive_involvement_s(&machine, 0, DIR_RECV, 0, bytes));
}

static void check_sizes(const struct steps *s)
{
    for (size_t i = 0; i < s->n; i++) {
        require(isfinite(s->list[i].above_bytes));
        require(i == 0 || s->list[i - 1].above_bytes < s->list[i].above_bytes);
        check_size(s->list[i].above_bytes);
        check_size(s->list[i].above_bytes + 1);
        check_size(fmax(0, s->list[i].above_bytes - 1));
    }
}

static void give(const char *id, const char *value, const struct steps *to, bool on_link)
{
    struct err e = {0};
    struct steps before = *to;
    enum err_code code = on_link ? machine_set_link_property(&machine, 0, id, value, &e)
                                 : machine_set_host_property(&machine, 0, id, value, &e);
    require(code == e.code && (code == ERR_NONE || code == ERR_INPUT));
    require((code == ERR_NONE) == (e.text[0] == '\0'));
    require(code == ERR_NONE || memcmp(&before, to, sizeof before) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char *value = malloc(n + 1);
    require(value != NULL);
    memcpy(value, bytes, n);
    value[n] = '\0';
    for (int on_link = 0; on_link < 2; on_link++) {
        struct steps *overhead_s = on_link ? link_of_1_byte_per_s.overhead_s : host.overhead_s;
        struct steps *involvement_ratio = on_link ? link_of_1_byte_per_s.involvement_ratio : host.involvement_ratio;
        give("overhead_send", value, &overhead_s[DIR_SEND], on_link);
        give("involvement_recv", value, &involvement_ratio[DIR_RECV], on_link);
        check_sizes(&overhead_s[DIR_SEND]);
        check_sizes(&involvement_ratio[DIR_RECV]);
        check_size(0);
    }
    for (int dir = 0; dir < N_DIRECTIONS; dir++) {
        steps_clear(&host.overhead_s[dir]);
        steps_clear(&host.involvement_ratio[dir]);
        steps_clear(&link_of_1_byte_per_s.overhead_s[dir]);
        steps_clear(&link_of_1_byte_per_s.involvement_ratio[dir]);
    }
    free(value);
    return 0;
}
