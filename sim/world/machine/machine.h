/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The machine: a plain snapshot of a platform's hosts, links and routes, in SI units, for code that plans or models and
   must not depend on SimGrid. sim/running/engine fills it from a loaded platform; tests make it by hand. */
#ifndef IASIM_MACHINE_MACHINE_H
#define IASIM_MACHINE_MACHINE_H

#include "base/api.h"
#include "base/err.h"
#include "base/steps.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef int host_id; /* index in the hosts of struct machine; -1: no host */
typedef int link_id; /* likewise */

enum direction { DIR_SEND, DIR_RECV, N_DIRECTIONS };

/* Of a host's traffic at a moment: it goes one way, or the host both sends and receives ([K] 2.5). */
enum regime { REGIME_ONE_WAY, REGIME_DUPLEX, N_REGIMES };

struct peer_value {
    host_id peer;
    double value;
};

/* A property of the traffic of a host: for all peers, and for single ones. */
struct peer_values {
    bool is_given; /* for all peers */
    double value;
    struct peer_value *peers; /* by increasing peer */
    size_t n_peers;
};

/* How the cost of a flow at rate r grows with r: IR * rate * (r / rate)^gamma. {0}: the line IR * r. */
struct ir_curve {
    double gamma, rate_bytes_per_s;
};

struct peer_curves { /* both have the same peers */
    struct peer_values gamma, rate_bytes_per_s;
};

/* What the models of the LogP family read ([S] 8.1.3): numbers, or steps, for a message of each size. */
struct host_logp {
    struct steps latency_s, overhead_s, gap_s; /* L, o, g; the latency may be negative */
    double gap_s_per_byte;                     /* G */
    double message_bytes;                      /* M; 0: not given, all data are one message */
};

struct own_property { /* of a user: not one of ours */
    char *id;
    double number; /* NAN: its value is not a finite number */
};

struct host {
    char *name;
    double speed_flop_per_s; /* of one core, at full availability */
    int n_cores;
    struct peer_values ir_s_per_byte[N_REGIMES][N_DIRECTIONS];     /* interference rate */
    struct peer_values ir_constant_ratio[N_REGIMES][N_DIRECTIONS]; /* where the speed factor begins */
    struct peer_curves ir_curve[N_DIRECTIONS];                     /* of both regimes */
    double ir_floor_ratio;                                         /* the speed factor never falls below this */
    struct steps overhead_s[N_DIRECTIONS];
    struct steps involvement_ratio[N_DIRECTIONS]; /* of the time on the first / last link */
    struct host_logp logp;
    struct own_property *own; /* host_number */
    size_t n_own;
};

/* A property of the platform's hosts that iasim does not know, for a plugin's world: <prop id="memory" value="2e10"/>.
   `absent` where the host has none of that name; NAN where it is not a finite number. */
static inline double host_number(const struct host *h, const char *id, double absent)
{
    for (size_t i = 0; i < h->n_own; i++)
        if (strcmp(h->own[i].id, id) == 0)
            return h->own[i].number;
    return absent;
}

enum link_sharing { LINK_SHARED, LINK_SPLITDUPLEX, LINK_FATPIPE };

struct link {
    char *name; /* each direction of a split-duplex link l is a link, l_UP or l_DOWN, as in SimGrid */
    double bandwidth_bytes_per_s;
    double latency_s;
    enum link_sharing sharing;
    struct steps overhead_s[N_DIRECTIONS], involvement_ratio[N_DIRECTIONS]; /* where not given, the host's apply */
};

struct route {
    link_id *links; /* in the order in which data pass them; owned by the caller of machine_route */
    size_t n_links;
    double latency_s;
};

/* Groups of properties; may be or'ed. */
enum property_group {
    PROPERTIES_INTERFERENCE = 1,
    PROPERTIES_OVERHEAD = 2,
    PROPERTIES_INVOLVEMENT = 4,
    PROPERTIES_LOGP = 8,
};

struct machine {
    char *source;        /* the platform file */
    unsigned properties; /* groups of which some host or link has a property, even one that is 0 */
    struct host *hosts;
    size_t n_hosts;
    struct link *links;
    size_t n_links;
    /* Finds a route: fills links (fresh memory), n_links and latency_s. Set by the code that fills the machine. */
    enum err_code (*find_route)(void *context, host_id src, host_id dst, struct route *out, struct err *e);
    void *route_context;
    struct name_index *host_index; /* made by machine_seal */
};

void machine_clear(struct machine *m);
/* Call after the last host has been filled in; machine_host_id needs it. */
void machine_seal(struct machine *m);
IASIM_API host_id machine_host_id(const struct machine *m, const char *name); /* -1: no such host */

/* Plans, replays and farms compute one task at a time on a host, whatever its `core` says. A sentence, in fresh memory,
   that names the hosts with more cores than that; NULL: there are none. */
char *machine_cores_warning(const struct machine *m);

/* The interference rate at `host` of traffic in `dir` with `peer`, and the constant of the line that it belongs to: the
   speed factor is the constant minus rate times bytes/s ([K] 2.2). In order of precedence: what REGIME_DUPLEX (only if
   that is asked for) has for this peer, what it has for all, what REGIME_ONE_WAY has for this peer, for all, and 0 or
   1. */
IASIM_API double machine_ir_s_per_byte(const struct machine *m, host_id host, enum regime regime, enum direction dir,
                                       host_id peer);
IASIM_API double machine_ir_constant_ratio(const struct machine *m, host_id host, enum regime regime,
                                           enum direction dir, host_id peer);
/* The curve of that rate: what is given for this peer, else for all. {0}, the line, where none is given or
   gamma is 1. */
IASIM_API struct ir_curve machine_ir_curve(const struct machine *m, host_id host, enum direction dir, host_id peer);
/* Whether traffic of `host` in `dir` with `peer` costs other than the line says: the curve is not {0}, and its rate of
   interference is above 0 in some regime. */
IASIM_API bool machine_ir_is_curved(const struct machine *m, host_id host, enum direction dir, host_id peer);

/* Whether a transfer can slow this host down: it has an interference rate above 0, or a constant below 1. */
bool machine_host_has_ir(const struct machine *m, host_id host);

/* How long a message of `bytes` occupies the processor of a host ([S] 8.2.1): the overhead o_s or o_r, and the
   involvement i_s or i_r, a share of the time on `link`, the first of its route (DIR_SEND) or the last (DIR_RECV). What
   a link gives of its own takes precedence over the host's. `link` is -1 if the route has no links; the involvement is
   then 0. Planners, worlds and replay all call these, planners millions of times; only the validator has formulas of
   its own. */
static inline double machine_overhead_s(const struct machine *m, host_id host, enum direction dir, link_id link,
                                        double bytes)
{
    bool is_own = link >= 0 && m->links[link].overhead_s[dir].is_given;
    return steps_at(is_own ? &m->links[link].overhead_s[dir] : &m->hosts[host].overhead_s[dir], bytes);
}

static inline double machine_involvement_s(const struct machine *m, host_id host, enum direction dir, link_id link,
                                           double bytes)
{
    if (link < 0)
        return 0;
    const struct link *l = &m->links[link];
    bool is_own = l->involvement_ratio[dir].is_given;
    double ratio = steps_at(is_own ? &l->involvement_ratio[dir] : &m->hosts[host].involvement_ratio[dir], bytes);
    return ratio * (bytes / l->bandwidth_bytes_per_s);
}

/* What has to be known before a mean or a maximum over hosts is taken once for all messages: whether the overheads are
   the same for all sizes; and whether links have overheads of their own. */
bool machine_overheads_are_numbers(const struct machine *m);
bool machine_links_have_overheads(const struct machine *m);

/* The link on which a route begins (DIR_SEND) or ends (DIR_RECV); -1: it has no links. */
static inline link_id machine_end_link(const link_id *links, size_t n_links, enum direction dir)
{
    return n_links == 0 ? -1 : links[dir == DIR_SEND ? 0 : n_links - 1];
}

/* Errors: ERR_INPUT when there is no route. The caller frees out->links. */
IASIM_API enum err_code machine_route(const struct machine *m, host_id src, host_id dst, struct route *out,
                                      struct err *e);
/* The smallest bandwidth on the route; INFINITY if it has no links. Errors: those of machine_route. */
IASIM_API enum err_code machine_bottleneck_bytes_per_s(const struct machine *m, host_id src, host_id dst, double *out,
                                                       struct err *e);

/* The mean over the hosts of the time for so much work. With equal speeds it is that of each, without rounding, so
   ranks are sums of the same terms as in the papers' homogeneous formulas. */
double machine_mean_compute_s(const struct machine *m, double work_flop);

/* Properties of hosts and links (doc/model.md, World). Names that are not ours are accepted and ignored. Errors:
   ERR_INPUT; the text names the property, what was found and what is known. The caller adds the file, the line and the
   owner. All hosts must be in the machine before the first call. */
bool machine_property_is_ours(const char *id); /* or looks like one, perhaps misspelt */
enum err_code machine_set_host_property(struct machine *m, host_id h, const char *id, const char *value, struct err *e);
enum err_code machine_set_link_property(struct machine *m, link_id l, const char *id, const char *value, struct err *e);

/* The largest interference rate, as a property, a belief of a deployment or a value for all hosts: at this rate one
   byte/s takes the whole processor. Linear programs cannot tell much higher ones from infinite ones. */
#define MACHINE_MOST_IR_PER_MB_PER_S 1e6

/* Values for all hosts, from a command line or a scenario; NULL: the platform's values stay. They replace the
   platform's values for single hosts, for peers and for links. Units are those of properties: per MB/s, seconds, a
   share. Messages call a value by its name here, as options and scenarios do. */
struct machine_values {
    const char *ir_send, *ir_recv;
    const char *overhead, *involvement; /* of sending and of receiving; numbers or steps */
};
enum err_code machine_override(struct machine *m, const struct machine_values *values, struct err *e);

/* A sentence for the user, in fresh memory, when a thing that reads properties of these groups (`kind` "world", `name`
   "interference") meets a machine where no host or link has any of them; else NULL. */
char *machine_missing_properties(const struct machine *m, unsigned groups, const char *kind, const char *name);

#endif
