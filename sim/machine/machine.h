/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine: a plain snapshot of a platform's hosts, links and routes, in SI units, for everything that
   plans or models and must not know SimGrid. sim/engine fills it from a loaded platform; tests make it from
   text. */
#ifndef IASIM_MACHINE_MACHINE_H
#define IASIM_MACHINE_MACHINE_H

#include "base/api.h"
#include "base/err.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef int host_id; /* place in struct machine's hosts; -1: none */
typedef int link_id;

enum direction { DIR_SEND, DIR_RECV, N_DIRECTIONS };

struct peer_ir {
    host_id peer;
    double ir_s_per_byte;
};

struct host {
    char *name;
    double speed_flop_per_s; /* of one core, at full availability */
    int n_cores;
    double ir_s_per_byte[N_DIRECTIONS];    /* interference rate, any peer */
    struct peer_ir *peer_ir[N_DIRECTIONS]; /* by increasing peer */
    size_t n_peer_ir[N_DIRECTIONS];
    double ir_send_duplex_s_per_byte; /* of sends while receiving; NAN: as without receiving */
    double ir_floor_ratio;            /* the speed factor never falls below this */
    double overhead_s[N_DIRECTIONS];
    double involvement_ratio[N_DIRECTIONS]; /* of the time on the first / last link */
};

enum link_sharing { LINK_SHARED, LINK_SPLITDUPLEX, LINK_FATPIPE };

struct link {
    char *name; /* of a split-duplex link: that of one direction, as SimGrid names it (l_UP, l_DOWN) */
    double bandwidth_bytes_per_s;
    double latency_s;
    enum link_sharing sharing;
    double involvement_ratio[N_DIRECTIONS]; /* NAN: the host's holds */
};

struct route {
    link_id *links; /* in the order data pass them; owned by the caller of machine_route */
    size_t n_links;
    double latency_s;
};

/* What properties are about, to be or'ed. */
enum property_group { PROPERTIES_INTERFERENCE = 1, PROPERTIES_OVERHEAD = 2, PROPERTIES_INVOLVEMENT = 4 };

struct machine {
    char *source;        /* the platform file */
    unsigned properties; /* groups of which some host or link has one, whatever its value */
    struct host *hosts;
    size_t n_hosts;
    struct link *links;
    size_t n_links;
    /* Find a route. Fills links (fresh memory), n_links, latency_s. Set by whoever fills the machine. */
    enum err_code (*find_route)(void *context, host_id src, host_id dst, struct route *out, struct err *e);
    void *route_context;
    struct name_index *host_index; /* made by machine_seal */
};

void machine_clear(struct machine *m);
/* After the last host: makes machine_host_id fast. */
void machine_seal(struct machine *m);
IASIM_API host_id machine_host_id(const struct machine *m, const char *name); /* -1: no such host */

/* The interference rate at `host` of traffic in `dir` with `peer`: the peer's own, else the general one. */
IASIM_API double machine_ir_s_per_byte(const struct machine *m, host_id host, enum direction dir, host_id peer);

/* Whether a transfer can slow this host down: it has an interference rate above 0. */
bool machine_host_has_ir(const struct machine *m, host_id host);

/* What a message of `bytes` costs the processor of a host beside computing ([S] 8.2.1): the overhead o_s or o_r; and the
   involvement i_s or i_r, a share of the time on `link`, the first of its route (DIR_SEND) or the last (DIR_RECV). A
   link's own share wins over the host's. `link` is -1 where the route has none: nothing is shared with it. Planners,
   worlds and replay all ask here, planners millions of times; only the validator computes these by itself. */
static inline double machine_overhead_s(const struct machine *m, host_id host, enum direction dir, link_id link,
                                        double bytes)
{
    (void)link;
    (void)bytes;
    return m->hosts[host].overhead_s[dir];
}

static inline double machine_involvement_s(const struct machine *m, host_id host, enum direction dir, link_id link,
                                           double bytes)
{
    if (link < 0)
        return 0;
    const struct link *l = &m->links[link];
    double ratio = isnan(l->involvement_ratio[dir]) ? m->hosts[host].involvement_ratio[dir] : l->involvement_ratio[dir];
    return ratio * (bytes / l->bandwidth_bytes_per_s);
}
/* The link on which a route begins (DIR_SEND) or ends (DIR_RECV); -1: it has none. */
static inline link_id machine_end_link(const link_id *links, size_t n_links, enum direction dir)
{
    return n_links == 0 ? -1 : links[dir == DIR_SEND ? 0 : n_links - 1];
}

/* Errors: ERR_INPUT when there is no route. The caller frees out->links. */
IASIM_API enum err_code machine_route(const struct machine *m, host_id src, host_id dst, struct route *out,
                                      struct err *e);
/* The least bandwidth on the route. Errors as machine_route. */
IASIM_API enum err_code machine_bottleneck_bytes_per_s(const struct machine *m, host_id src, host_id dst, double *out,
                                                       struct err *e);

/* Properties of hosts and links (doc/model.md, World). Names that are not ours are accepted and ignored.
   Errors: ERR_INPUT with a text that names the property, what was found and what is known; it does not name
   the file, the line or the owner: the caller adds them. All hosts must be there before the first call. */
enum err_code machine_set_host_property(struct machine *m, host_id h, const char *id, const char *value, struct err *e);
enum err_code machine_set_link_property(struct machine *m, link_id l, const char *id, const char *value, struct err *e);

/* Values for all hosts, from a command line or a scenario; each NULL: as the platform says. They replace what it says for
   single hosts, for their peers and for links. Units and messages are those of properties: per MB/s, seconds, a share. */
struct machine_values {
    const char *ir_send, *ir_recv;
    const char *overhead, *involvement; /* of sending and of receiving */
};
enum err_code machine_override(struct machine *m, const struct machine_values *values, struct err *e);

/* A sentence for the user, in fresh memory, when a thing that reads properties of these groups (`kind` "world", `name`
   "interference") meets a machine where no host or link has any of them; else NULL. */
char *machine_missing_properties(const struct machine *m, unsigned groups, const char *kind, const char *name);

#endif
