/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Our properties of hosts and links (doc/model.md, World): their names, which values they may have, and where the
   values go. A new property is a new row. */
#include "machine/machine.h"

#include "base/mem.h"
#include "base/name_index.h"
#include "base/text.h"
#include "machine/platform_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Interference rates are given per MB/s and kept per byte/s ([K] 2.2). 1 MB = 10^6 bytes. */
static const double MB_BYTES = 1e6;

/* What a value means, and so how it is read and checked. The first three may also be given for one peer; the last
   three are a number, or steps. */
enum quantity { PER_MB_PER_S, CONSTANT, CURVE, RATIO, PER_BYTE, BYTES, OVERHEAD, LATENCY, INVOLVEMENT };

/* A fit may begin above 1; above 2 it is a slip, such as per cent. */
static const double max_constant_ratio = 2;

/* A steeper curve is a threshold at its rate. A lower rate is a slip in the unit. */
static const double max_gamma = 100, min_curve_bytes_per_s = 1e-6;

struct property {
    const char *id;
    enum quantity quantity;
    size_t offset;  /* of the double, struct peer_values, peer_curves or steps in its struct host or struct link */
    unsigned group; /* enum property_group; 0: costs nothing by itself */
};

/* Sending is element 0 of a pair and receiving element 1, so one table row names either half. */
#define SEND_OF(type, field) offsetof(type, field[DIR_SEND])
#define RECV_OF(type, field) offsetof(type, field[DIR_RECV])

static const struct property host_properties[] = {
    {"ir_send", PER_MB_PER_S, SEND_OF(struct host, ir_s_per_byte[REGIME_ONE_WAY]), PROPERTIES_INTERFERENCE},
    {"ir_recv", PER_MB_PER_S, RECV_OF(struct host, ir_s_per_byte[REGIME_ONE_WAY]), PROPERTIES_INTERFERENCE},
    {"ir_send_duplex", PER_MB_PER_S, SEND_OF(struct host, ir_s_per_byte[REGIME_DUPLEX]), PROPERTIES_INTERFERENCE},
    {"ir_recv_duplex", PER_MB_PER_S, RECV_OF(struct host, ir_s_per_byte[REGIME_DUPLEX]), PROPERTIES_INTERFERENCE},
    {"ir_constant_send", CONSTANT, SEND_OF(struct host, ir_constant_ratio[REGIME_ONE_WAY]), PROPERTIES_INTERFERENCE},
    {"ir_constant_recv", CONSTANT, RECV_OF(struct host, ir_constant_ratio[REGIME_ONE_WAY]), PROPERTIES_INTERFERENCE},
    {"ir_constant_send_duplex", CONSTANT, SEND_OF(struct host, ir_constant_ratio[REGIME_DUPLEX]),
     PROPERTIES_INTERFERENCE},
    {"ir_constant_recv_duplex", CONSTANT, RECV_OF(struct host, ir_constant_ratio[REGIME_DUPLEX]),
     PROPERTIES_INTERFERENCE},
    {"ir_send_curve", CURVE, SEND_OF(struct host, ir_curve), 0},
    {"ir_recv_curve", CURVE, RECV_OF(struct host, ir_curve), 0},
    {"ir_floor", RATIO, offsetof(struct host, ir_floor_ratio), 0},
    {"overhead_send", OVERHEAD, SEND_OF(struct host, overhead_s), PROPERTIES_OVERHEAD},
    {"overhead_recv", OVERHEAD, RECV_OF(struct host, overhead_s), PROPERTIES_OVERHEAD},
    {"involvement_send", INVOLVEMENT, SEND_OF(struct host, involvement_ratio), PROPERTIES_INVOLVEMENT},
    {"involvement_recv", INVOLVEMENT, RECV_OF(struct host, involvement_ratio), PROPERTIES_INVOLVEMENT},
    {"logp_L", LATENCY, offsetof(struct host, logp.latency_s), PROPERTIES_LOGP},
    {"logp_o", OVERHEAD, offsetof(struct host, logp.overhead_s), PROPERTIES_LOGP},
    {"logp_g", OVERHEAD, offsetof(struct host, logp.gap_s), PROPERTIES_LOGP},
    {"logp_G", PER_BYTE, offsetof(struct host, logp.gap_s_per_byte), PROPERTIES_LOGP},
    {"logp_M", BYTES, offsetof(struct host, logp.message_bytes), PROPERTIES_LOGP},
    /* Ends the list; the other columns are not read. */
    {NULL, RATIO, 0, 0},
};

static const struct property link_properties[] = {
    {"overhead_send", OVERHEAD, SEND_OF(struct link, overhead_s), PROPERTIES_OVERHEAD},
    {"overhead_recv", OVERHEAD, RECV_OF(struct link, overhead_s), PROPERTIES_OVERHEAD},
    {"involvement_send", INVOLVEMENT, SEND_OF(struct link, involvement_ratio), PROPERTIES_INVOLVEMENT},
    {"involvement_recv", INVOLVEMENT, RECV_OF(struct link, involvement_ratio), PROPERTIES_INVOLVEMENT},
    {NULL, RATIO, 0, 0},
};

/* What belongs to the traffic with one peer. Overheads do not: they are of the host's own software, or of a link. */
static bool may_name_a_peer(const struct property *p)
{
    return p->quantity == PER_MB_PER_S || p->quantity == CONSTANT || p->quantity == CURVE;
}

static bool may_be_steps(const struct property *p)
{
    return p->quantity == OVERHEAD || p->quantity == LATENCY || p->quantity == INVOLVEMENT;
}

/* Whether this id looks like one of our properties, perhaps misspelt. Other ids belong to users and their plugins
   and are kept; only these are refused if unknown, because a misspelt rate would be a host without interference.
   Without regard to case: logp_l is a slip for logp_L. */
bool machine_property_is_ours(const char *id)
{
    static const char *const beginnings[] = {"ir_", "overhead_", "involvement_", "logp_"};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
        if (strncasecmp(id, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

/* Sums of larger ones would swallow the time of everything else: a date would not move when a task ends. */
#define MOST_OVERHEAD_S 1e12

/* `name` begins messages: "property ir_send", or what a user gave for all hosts. */
static enum err_code read_value(const char *name, enum quantity quantity, const char *value, double *out, struct err *e)
{
    double x;
    if (!text_to_double(value, &x))
        return err_set(e, ERR_INPUT, "%s is '%s', which is not a finite number", name, value);
    /* A message size of 0 would need infinitely many messages. */
    if (quantity == BYTES && x <= 0)
        return err_set(e, ERR_INPUT, "%s is %s; it must be above 0", name, value);
    /* Only LogP's latency may be negative, as a measured function of the size [Loewe 1997]. */
    if (x < 0 && quantity != LATENCY)
        return err_set(e, ERR_INPUT, "%s is %s; it must not be negative", name, value);
    if ((quantity == RATIO || quantity == INVOLVEMENT) && x > 1)
        return err_set(e, ERR_INPUT, "%s is %s; it must be between 0 and 1", name, value);
    double least_s = quantity == LATENCY ? -MOST_OVERHEAD_S : 0;
    bool is_time = quantity == OVERHEAD || quantity == LATENCY || quantity == PER_BYTE;
    if (is_time && (x > MOST_OVERHEAD_S || x < least_s))
        return err_set(e, ERR_INPUT, "%s is %s; it must be between %g and %g s", name, value, least_s, MOST_OVERHEAD_S);
    if (quantity == PER_MB_PER_S && x > MACHINE_MOST_IR_PER_MB_PER_S)
        return err_set(e, ERR_INPUT, "%s is %s; it must be between 0 and %g", name, value,
                       MACHINE_MOST_IR_PER_MB_PER_S);
    if (quantity == CONSTANT && x > max_constant_ratio)
        return err_set(e, ERR_INPUT, "%s is %s; it must be between 0 and %g", name, value, max_constant_ratio);
    *out = quantity == PER_MB_PER_S ? x / MB_BYTES : x;
    return ERR_NONE;
}

/* "GAMMA@RATE": a number, and a rate as SimGrid writes bandwidths. */
static enum err_code read_curve(const char *name, const char *value, struct ir_curve *out, struct err *e)
{
    const char *at = strchr(value, '@');
    if (at == NULL)
        return err_set(e, ERR_INPUT, "%s is '%s'; it must be GAMMA@RATE, such as 0.9@11MBps", name, value);
    /* The part before the @ alone: text_to_double wants the whole of its text to be a number. */
    char *gamma = mem_format("%.*s", (int)(at - value), value);
    bool is_number = text_to_double(gamma, &out->gamma);
    free(gamma);
    if (!is_number || out->gamma <= 0 || out->gamma > max_gamma)
        return err_set(e, ERR_INPUT, "%s is '%s'; what is before the @ must be a number above 0 and at most %g", name,
                       value, max_gamma);
    /* The rate has the units of SimGrid's bandwidths; a bare number is in B/s. */
    enum quantity_state state = quantity_parse(at + 1, UNIT_BYTES_PER_S, &out->rate_bytes_per_s);
    if (state == QUANTITY_UNKNOWN_UNIT)
        return err_set(e, ERR_INPUT, "%s is '%s', whose rate has an unknown unit; known: %s", name, value,
                       quantity_units(UNIT_BYTES_PER_S));
    double rate = out->rate_bytes_per_s;
    if (state == QUANTITY_NO_NUMBER || !isfinite(rate) || rate < min_curve_bytes_per_s)
        return err_set(e, ERR_INPUT,
                       "%s is '%s'; what is after the @ must be a rate of at least %g B/s, such as 11MBps", name, value,
                       min_curve_bytes_per_s);
    return ERR_NONE;
}

/* A number counts as one for all sizes. */
static enum err_code read_steps(const char *name, enum quantity quantity, const char *value, struct steps *out,
                                struct err *e)
{
    static const struct steps_form forms[] = {[OVERHEAD] = {STEPS_LINEAR, MOST_OVERHEAD_S, 0},
                                              [LATENCY] = {STEPS_LINEAR, MOST_OVERHEAD_S, -MOST_OVERHEAD_S},
                                              [INVOLVEMENT] = {STEPS_SHARE, 1, 0}};
    /* Steps have messages that begin with the step; the property's name is put in front. */
    struct err why = {0};
    double number = 0;
    if (steps_are_in(value) && steps_read(out, forms[quantity], value, &why) != ERR_NONE)
        return err_set(e, ERR_INPUT, "%s: %s", name, why.text);
    if (steps_are_in(value))
        return ERR_NONE;
    enum err_code code = read_value(name, quantity, value, &number, e);
    if (code != ERR_NONE)
        return code;
    /* After the new value has been read: an error leaves the old one, and its steps are freed here. */
    steps_clear(out);
    *out = (struct steps){.is_given = true, .number = number};
    return ERR_NONE;
}

static enum err_code refuse_id(const char *id, const char *owner, const struct property *known, struct err *e)
{
    struct text list = {0};
    for (const struct property *p = known; p->id != NULL; p++)
        text_add_name(&list, p->id);
    /* Whoever writes ir_recv.worker has understood peers and misspelt something; say which properties have them. */
    bool has_peer = known == host_properties && strchr(id, '.') != NULL;
    err_set(e, ERR_INPUT, "unknown property '%s' of a %s%s%s", id, owner,
            has_peer ? " (all ir_ properties but ir_floor can be given for one peer: ir_send.PEER)" : "",
            hint_among(id, text_str(&list), NULL).text);
    text_clear(&list);
    return ERR_INPUT;
}

static enum err_code set_curve(struct peer_curves *of, const char *name, const char *value, struct err *e)
{
    struct ir_curve curve;
    enum err_code code = read_curve(name, value, &curve, e);
    if (code != ERR_NONE)
        return code;
    /* Both lists have the same entries at all times; machine_ir_curve relies on that. */
    of->gamma.is_given = of->rate_bytes_per_s.is_given = true;
    of->gamma.value = curve.gamma;
    of->rate_bytes_per_s.value = curve.rate_bytes_per_s;
    return ERR_NONE;
}

static enum err_code set(struct machine *m, void *owner, const struct property *p, const char *name, const char *value,
                         struct err *e)
{
    /* The offset leads to a field whose type follows from the quantity: peer_curves, peer_values, steps or a double. */
    void *field = (char *)owner + p->offset;
    enum err_code code;
    if (p->quantity == CURVE) {
        code = set_curve(field, name, value, e);
    } else if (may_name_a_peer(p)) {
        struct peer_values *all = field;
        code = read_value(name, p->quantity, value, &all->value, e);
        /* An error must not make a value "given" that was not. */
        all->is_given = all->is_given || code == ERR_NONE;
    } else if (may_be_steps(p)) {
        code = read_steps(name, p->quantity, value, field, e);
    } else {
        code = read_value(name, p->quantity, value, field, e);
    }
    /* Only after success, even for a value of 0: the user has thought of this group, so no warning about missing
       properties is due. */
    if (code == ERR_NONE)
        m->properties |= p->group;
    return code;
}

static enum err_code set_property(struct machine *m, void *owner, const struct property *p, const char *value,
                                  struct err *e)
{
    char name[64];
    snprintf(name, sizeof name, "property %s", p->id);
    return set(m, owner, p, name, value, e);
}

static const struct property *find(const struct property *known, const char *id, size_t length)
{
    /* By length, because the id of a peer's property goes on with ".PEER". */
    while (known->id != NULL && (strncmp(known->id, id, length) != 0 || known->id[length] != '\0'))
        known++;
    return known->id != NULL ? known : NULL;
}

/* The values of peers stay sorted by peer. Insertion from the end, which is fast if peers are named in the order
   of hosts. A peer that is given again is replaced. */
static void set_peer_value(struct peer_values *v, host_id peer, double value)
{
    size_t n = v->n_peers, at = n;
    while (at > 0 && v->peers[at - 1].peer >= peer)
        at--;
    if (at == n || v->peers[at].peer != peer) {
        v->peers = mem_resize(v->peers, n + 1, sizeof v->peers[0]);
        memmove(&v->peers[at + 1], &v->peers[at], (n - at) * sizeof v->peers[0]);
        v->n_peers++;
    }
    v->peers[at] = (struct peer_value){peer, value};
}

/* `of`: of the host, the property's struct peer_curves or peer_values. */
static enum err_code set_of_peer(void *of, host_id peer, const struct property *p, const char *name, const char *value,
                                 struct err *e)
{
    struct ir_curve curve;
    double number;
    enum err_code code =
        p->quantity == CURVE ? read_curve(name, value, &curve, e) : read_value(name, p->quantity, value, &number, e);
    if (code != ERR_NONE)
        return code;
    if (p->quantity != CURVE) {
        set_peer_value(of, peer, number);
    } else {
        struct peer_curves *curves = of;
        set_peer_value(&curves->gamma, peer, curve.gamma);
        set_peer_value(&curves->rate_bytes_per_s, peer, curve.rate_bytes_per_s);
    }
    return ERR_NONE;
}

static enum err_code set_peer_property(struct machine *m, host_id h, const struct property *p, const char *id,
                                       const char *name, const char *value, struct err *e)
{
    /* Peers are looked up at once, so all hosts must be in the machine before the first property is set. */
    host_id peer = machine_host_id(m, name);
    if (peer < 0) {
        return err_set(e, ERR_INPUT, "property %s: there is no host '%s' among the %zu hosts of the platform%s", id,
                       name, m->n_hosts, name_index_hint(m->host_index, name).text);
    }
    char *words = mem_format("property %s", id);
    enum err_code code = set_of_peer((char *)&m->hosts[h] + p->offset, peer, p, words, value, e);
    free(words);
    if (code == ERR_NONE)
        m->properties |= p->group;
    return code;
}

/* A property of the user's. One that is given again is replaced. Text that is not a number is kept as NAN: the world
   that asks for it can tell "absent" from "wrong". */
static void set_own(struct host *h, const char *id, const char *value)
{
    size_t i = 0;
    double number;
    while (i < h->n_own && strcmp(h->own[i].id, id) != 0)
        i++;
    if (i == h->n_own) {
        h->own = mem_resize(h->own, ++h->n_own, sizeof *h->own);
        h->own[i].id = mem_strdup(id);
    }
    h->own[i].number = text_to_double(value, &number) ? number : NAN;
}

enum err_code machine_set_host_property(struct machine *m, host_id h, const char *id, const char *value, struct err *e)
{
    /* Host names may have dots (node-1.me), property ids have none: the first dot ends the id. */
    size_t length = strcspn(id, ".");
    const char *peer = id[length] == '.' ? id + length + 1 : NULL;
    const struct property *p = find(host_properties, id, length);
    if (p != NULL && peer == NULL)
        return set_property(m, &m->hosts[h], p, value, e);
    /* A known property that has no values for peers goes on to refuse_id, which lists what there is. */
    if (p != NULL && may_name_a_peer(p))
        return set_peer_property(m, h, p, id, peer, value, e);
    if (machine_property_is_ours(id))
        return refuse_id(id, "host", host_properties, e);
    set_own(&m->hosts[h], id, value);
    return ERR_NONE;
}

enum err_code machine_set_link_property(struct machine *m, link_id l, const char *id, const char *value, struct err *e)
{
    const struct property *p = find(link_properties, id, strlen(id));
    if (p != NULL)
        return set_property(m, &m->links[l], p, value, e);
    return machine_property_is_ours(id) ? refuse_id(id, "link", link_properties, e) : ERR_NONE;
}

/* ---- all hosts at once ---- */

/* The same checks and messages as for a property, but with the option's name in them. */
static enum err_code set_everywhere(struct machine *m, const char *id, const char *name, const char *value,
                                    struct err *e)
{
    enum err_code code = ERR_NONE;
    const struct property *p = find(host_properties, id, strlen(id));
    for (host_id h = 0; value != NULL && code == ERR_NONE && h < (host_id)m->n_hosts; h++)
        code = set(m, &m->hosts[h], p, name, value, e);
    return code;
}

/* A value for all hosts is meant as the only one: a value left for a peer would still win over it. */
static void forget(struct peer_values *v)
{
    free(v->peers);
    *v = (struct peer_values){0};
}

/* The constant, the duplex rates and the curves were measured together with the rate that is replaced. With another
   rate they would describe no machine, so what remains is a line that begins at 1. */
static void forget_ir(struct machine *m, enum direction dir)
{
    for (size_t h = 0; h < m->n_hosts; h++) {
        for (enum regime regime = 0; regime < N_REGIMES; regime++) {
            forget(&m->hosts[h].ir_s_per_byte[regime][dir]);
            forget(&m->hosts[h].ir_constant_ratio[regime][dir]);
        }
        forget(&m->hosts[h].ir_curve[dir].gamma);
        forget(&m->hosts[h].ir_curve[dir].rate_bytes_per_s);
    }
}

static void forget_links(struct machine *m, bool overhead, bool involvement)
{
    for (size_t l = 0; l < m->n_links; l++)
        for (enum direction dir = 0; dir < N_DIRECTIONS; dir++) {
            if (overhead)
                steps_clear(&m->links[l].overhead_s[dir]);
            if (involvement)
                steps_clear(&m->links[l].involvement_ratio[dir]);
        }
}

enum err_code machine_override(struct machine *m, const struct machine_values *values, struct err *e)
{
    /* `id` is the property that is set, `name` how the user called it: one option sets both directions. */
    const struct {
        const char *id, *name, *value;
    } given[] = {{"ir_send", "ir_send", values->ir_send},
                 {"ir_recv", "ir_recv", values->ir_recv},
                 {"overhead_send", "overhead", values->overhead},
                 {"overhead_recv", "overhead", values->overhead},
                 {"involvement_send", "involvement", values->involvement},
                 {"involvement_recv", "involvement", values->involvement}};
    enum err_code code = ERR_NONE;
    /* Before setting: set_everywhere must find the lists empty. Links only afterwards, when the values are known to
       be good. */
    if (values->ir_send != NULL)
        forget_ir(m, DIR_SEND);
    if (values->ir_recv != NULL)
        forget_ir(m, DIR_RECV);
    for (size_t i = 0; code == ERR_NONE && i < sizeof given / sizeof given[0]; i++)
        code = set_everywhere(m, given[i].id, given[i].name, given[i].value, e);
    if (code == ERR_NONE)
        forget_links(m, values->overhead != NULL, values->involvement != NULL);
    return code;
}

/* ---- properties that are missing ---- */

char *machine_missing_properties(const struct machine *m, unsigned groups, const char *kind, const char *name)
{
    /* The messages name options where there are any; LogP's values are parameters of the model. */
    static const struct {
        unsigned group;
        const char *ids, *options;
    } known[] = {{PROPERTIES_INTERFERENCE, "ir_send, ir_recv", "--ir-send, --ir-recv"},
                 {PROPERTIES_OVERHEAD, "overhead_send, overhead_recv", "--overhead"},
                 {PROPERTIES_INVOLVEMENT, "involvement_send, involvement_recv", "--involvement"},
                 {PROPERTIES_LOGP, "logp_L, logp_o, logp_g", "parameters in brackets"}};
    struct text ids = {0}, options = {0};
    /* One property of one host is enough: hosts without any are then taken to be meant so. */
    if (groups == 0 || (m->properties & groups) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (groups & known[i].group) {
            text_add_name(&ids, known[i].ids);
            text_add_name(&options, known[i].options);
        }
    char *example = groups & PROPERTIES_LOGP ? mem_format(", as in %s[L=1e-5,o=2e-6,g=4e-6]", name) : mem_strdup("");
    char *sentence = mem_format("%s: no host or link has a property that %s %s reads (%s), so communication costs the "
                                "processors nothing%s; set it for all hosts with %s%s",
                                m->source, kind, name, text_str(&ids),
                                groups & PROPERTIES_LOGP ? ", and takes no time" : "", text_str(&options), example);
    free(example);
    text_clear(&options);
    text_clear(&ids);
    return sentence;
}
