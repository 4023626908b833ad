/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lines ID=VALUE, set one after another as properties of the first of three hosts: a refusal has a message; what is
   accepted leaves rates that are not negative, constants between 0 and 2, curves with
   a gamma and a rate, and peers in their order; and with both
   directions at once nothing is looked up that was not given. */
#include "base/mem.h"
#include "fuzz.h"
#include "machine/machine.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static struct machine three_hosts(void)
{
    static const char *const names[] = {"a", "b.c", "d"};
    struct machine m = {.hosts = mem_zalloc(3, sizeof *m.hosts), .n_hosts = 3};
    for (size_t h = 0; h < m.n_hosts; h++)
        m.hosts[h].name = mem_strdup(names[h]);
    machine_seal(&m);
    return m;
}

static void give(struct machine *m, const char *id, const char *value)
{
    struct err e = {0};
    enum err_code code = machine_set_host_property(m, 0, id, value, &e);
    require(code == e.code && (code == ERR_NONE || code == ERR_INPUT));
    require((code == ERR_NONE) == (e.text[0] == '\0'));
}

static void check_values(const struct peer_values *v, double most)
{
    require(!v->is_given || (v->value >= 0 && v->value <= most));
    for (size_t i = 0; i < v->n_peers; i++) {
        require(v->peers[i].value >= 0 && v->peers[i].value <= most);
        require(v->peers[i].peer >= 0 && v->peers[i].peer < 3);
        require(i == 0 || v->peers[i - 1].peer < v->peers[i].peer);
    }
}

static void check_curves(const struct peer_curves *c)
{
    check_values(&c->gamma, 100);
    check_values(&c->rate_bytes_per_s, HUGE_VAL);
    require(c->gamma.is_given == c->rate_bytes_per_s.is_given && c->gamma.n_peers == c->rate_bytes_per_s.n_peers);
    require(!c->gamma.is_given || (c->gamma.value > 0 && c->rate_bytes_per_s.value > 0));
    for (size_t i = 0; i < c->gamma.n_peers; i++)
        require(c->gamma.peers[i].peer == c->rate_bytes_per_s.peers[i].peer && c->gamma.peers[i].value > 0 &&
                isfinite(c->rate_bytes_per_s.peers[i].value) && c->rate_bytes_per_s.peers[i].value > 0);
}

static bool is_any_given(const struct peer_values *v)
{
    return v->is_given || v->n_peers > 0;
}

static void check_machine(const struct machine *m)
{
    const struct host *h = &m->hosts[0];
    for (enum direction dir = 0; dir < N_DIRECTIONS; dir++) {
        check_curves(&h->ir_curve[dir]);
        for (enum regime regime = 0; regime < N_REGIMES; regime++) {
            check_values(&h->ir_s_per_byte[regime][dir], HUGE_VAL);
            check_values(&h->ir_constant_ratio[regime][dir], 2);
            for (host_id peer = 0; peer < 3; peer++)
                require(isfinite(machine_ir_s_per_byte(m, 0, regime, dir, peer)) &&
                        machine_ir_constant_ratio(m, 0, regime, dir, peer) <= 2);
        }
        for (host_id peer = 0; peer < 3 && !is_any_given(&h->ir_s_per_byte[REGIME_DUPLEX][dir]); peer++)
            require(machine_ir_s_per_byte(m, 0, REGIME_DUPLEX, dir, peer) ==
                    machine_ir_s_per_byte(m, 0, REGIME_ONE_WAY, dir, peer));
    }
    require(!machine_host_has_ir(m, 0) || (m->properties & PROPERTIES_INTERFERENCE) != 0);
    require(!machine_host_has_ir(m, 1));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct machine m = three_hosts();
    char *text = malloc(n + 1), *rest = text;
    require(text != NULL);
    memcpy(text, bytes, n);
    text[n] = '\0';
    for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
        char *equals = strchr(line, '=');
        if (equals == NULL)
            continue;
        *equals = '\0';
        give(&m, line, equals + 1);
        check_machine(&m);
    }
    free(text);
    machine_clear(&m);
    return 0;
}
