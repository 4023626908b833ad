/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The properties of hosts and links that are ours (SPEC section 2): which there are, what they may be, and
   where their values go. Whoever adds one adds a row. */
#include "machine/machine.h"

#include "base/mem.h"
#include "base/name_index.h"
#include "base/text.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Interference rates are given per MB/s and kept per byte/s. 1 MB = 10^6 bytes. */
static const double MB_BYTES = 1e6;

enum quantity { PER_MB_PER_S, SECONDS, RATIO };

struct property {
    const char *id;
    enum quantity quantity;
    size_t offset; /* of the double in its struct host or struct link */
};

#define SEND_OF(type, field) (offsetof(type, field) + DIR_SEND * sizeof(double))
#define RECV_OF(type, field) (offsetof(type, field) + DIR_RECV * sizeof(double))

static const struct property host_properties[] = {
    {"ir_send", PER_MB_PER_S, SEND_OF(struct host, ir_s_per_byte)},
    {"ir_recv", PER_MB_PER_S, RECV_OF(struct host, ir_s_per_byte)},
    {"ir_send_duplex", PER_MB_PER_S, offsetof(struct host, ir_send_duplex_s_per_byte)},
    {"ir_floor", RATIO, offsetof(struct host, ir_floor_ratio)},
    {"overhead_send", SECONDS, SEND_OF(struct host, overhead_s)},
    {"overhead_recv", SECONDS, RECV_OF(struct host, overhead_s)},
    {"involvement_send", RATIO, SEND_OF(struct host, involvement_ratio)},
    {"involvement_recv", RATIO, RECV_OF(struct host, involvement_ratio)},
    {NULL, RATIO, 0},
};

static const struct property link_properties[] = {
    {"involvement_send", RATIO, SEND_OF(struct link, involvement_ratio)},
    {"involvement_recv", RATIO, RECV_OF(struct link, involvement_ratio)},
    {NULL, RATIO, 0},
};

static const char *const peer_prefixes[N_DIRECTIONS] = {"ir_send.", "ir_recv."};

/* Whether somebody who writes this id means a property of ours. */
static bool is_ours(const char *id)
{
    static const char *const beginnings[] = {"ir_", "overhead_", "involvement_"};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
        if (strncasecmp(id, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static enum err_code read_value(const char *id, enum quantity quantity, const char *value, double *out, struct err *e)
{
    double x;
    if (!text_to_double(value, &x))
        return err_set(e, ERR_INPUT, "property %s is '%s', which is not a finite number", id, value);
    if (x < 0)
        return err_set(e, ERR_INPUT, "property %s is %s; it must not be negative", id, value);
    if (quantity == RATIO && x > 1)
        return err_set(e, ERR_INPUT, "property %s is %s; it must be between 0 and 1", id, value);
    *out = quantity == PER_MB_PER_S ? x / MB_BYTES : x;
    return ERR_NONE;
}

static enum err_code refuse_id(const char *id, const char *owner, const struct property *known, const char *also_known,
                               struct err *e)
{
    struct text list = {0};
    for (; known->id != NULL; known++)
        text_addf(&list, "%s%s", list.size ? ", " : "", known->id);
    err_set(e, ERR_INPUT, "unknown property '%s'; known for a %s: %s%s", id, owner, text_str(&list), also_known);
    text_clear(&list);
    return ERR_INPUT;
}

static enum err_code set(void *owner, const struct property *p, const char *value, struct err *e)
{
    return read_value(p->id, p->quantity, value, (double *)((char *)owner + p->offset), e);
}

static const struct property *find(const struct property *known, const char *id)
{
    while (known->id != NULL && strcmp(known->id, id) != 0)
        known++;
    return known->id != NULL ? known : NULL;
}

/* The rates of peers stay sorted by peer. */
static void set_peer_ir(struct host *h, enum direction dir, host_id peer, double ir_s_per_byte)
{
    size_t n = h->n_peer_ir[dir], at = n;
    while (at > 0 && h->peer_ir[dir][at - 1].peer >= peer)
        at--;
    if (at == n || h->peer_ir[dir][at].peer != peer) {
        h->peer_ir[dir] = mem_resize(h->peer_ir[dir], n + 1, sizeof h->peer_ir[dir][0]);
        memmove(&h->peer_ir[dir][at + 1], &h->peer_ir[dir][at], (n - at) * sizeof h->peer_ir[dir][0]);
        h->n_peer_ir[dir]++;
    }
    h->peer_ir[dir][at] = (struct peer_ir){peer, ir_s_per_byte};
}

static enum err_code set_peer_property(struct machine *m, host_id h, enum direction dir, const char *id,
                                       const char *value, struct err *e)
{
    const char *name = id + strlen(peer_prefixes[dir]);
    host_id peer = machine_host_id(m, name);
    if (peer < 0) {
        const char *nearest = name_index_nearest(m->host_index, name);
        return err_set(e, ERR_INPUT, "property %s: there is no host '%s' among the %zu hosts of the platform%s%s%s", id,
                       name, m->n_hosts, nearest ? "; the nearest name is '" : "", nearest ? nearest : "",
                       nearest ? "'" : "");
    }
    double ir_s_per_byte = 0;
    enum err_code code = read_value(id, PER_MB_PER_S, value, &ir_s_per_byte, e);
    if (code == ERR_NONE)
        set_peer_ir(&m->hosts[h], dir, peer, ir_s_per_byte);
    return code;
}

enum err_code machine_set_host_property(struct machine *m, host_id h, const char *id, const char *value, struct err *e)
{
    const struct property *p = find(host_properties, id);
    if (p != NULL)
        return set(&m->hosts[h], p, value, e);
    for (enum direction dir = 0; dir < N_DIRECTIONS; dir++)
        if (strncmp(id, peer_prefixes[dir], strlen(peer_prefixes[dir])) == 0)
            return set_peer_property(m, h, dir, id, value, e);
    return is_ours(id) ? refuse_id(id, "host", host_properties, ", ir_send.PEER, ir_recv.PEER", e) : ERR_NONE;
}

enum err_code machine_set_link_property(struct machine *m, link_id l, const char *id, const char *value, struct err *e)
{
    const struct property *p = find(link_properties, id);
    if (p != NULL)
        return set(&m->links[l], p, value, e);
    return is_ours(id) ? refuse_id(id, "link", link_properties, "", e) : ERR_NONE;
}
