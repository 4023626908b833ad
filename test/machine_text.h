/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Machines without SimGrid, from one line of text or by a builder:

       struct machine m = machine_from_text("A:1e9 B:5e8,overhead_send=2 | l:1e7,0.001 n:1e6,split | A>B:l B>A:l,n_UP");
       ...
       machine_text_clear(&m);

   Three parts, words between blanks:
   hosts   NAME:SPEED[,PROPERTY=VALUE...]                        the properties of platform files (doc/model.md, World)
   links   NAME:BANDWIDTH[,LATENCY][,shared|split|fatpipe][,PROPERTY=VALUE...]
           `shared` is the default; `split` makes two links, NAME_UP and NAME_DOWN, as SimGrid does
   routes  A>B:l,m one way; A-B:l,m both ways: back in reverse order, _UP and _DOWN exchanged. A>B: has no links.
           Two hosts without one have no route.
   A mistake in the text ends the test program with a message. */
#ifndef IASIM_TEST_MACHINE_TEXT_H
#define IASIM_TEST_MACHINE_TEXT_H

#include "base/mem.h"
#include "base/text.h"
#include "machine/machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct machine_text_routes {
    size_t n_hosts;
    struct route *routes; /* [src * n_hosts + dst]; links NULL: no route */
};

static inline void machine_text_require(bool ok, const char *what, const char *word)
{
    if (ok)
        return;
    fprintf(stderr, "machine_text: %s: '%s'\n", what, word);
    abort();
}

static inline double machine_text_number(const char *word)
{
    double value = 0;
    machine_text_require(text_to_double(word, &value), "not a number", word);
    return value;
}

/* Copies the route; does not use the names of hosts, because a struct machine may be moved after it was made. */
static inline enum err_code machine_text_find(void *context, host_id src, host_id dst, struct route *out, struct err *e)
{
    const struct machine_text_routes *t = context;
    const struct route *r = &t->routes[(size_t)src * t->n_hosts + (size_t)dst];
    if (r->links == NULL && src != dst)
        return err_set(e, ERR_INPUT, "there is no route from host %d to host %d", src, dst);
    *out = (struct route){mem_zalloc(r->n_links + 1, sizeof *out->links), r->n_links, r->latency_s};
    for (size_t k = 0; k < r->n_links; k++)
        out->links[k] = r->links[k];
    return ERR_NONE;
}

/* A machine without hosts and links yet. */
static inline struct machine machine_text_empty(void)
{
    return (struct machine){.source = mem_strdup("test machine"), .find_route = machine_text_find};
}

static inline host_id machine_text_add_host(struct machine *m, const char *name, double speed_flop_per_s)
{
    m->hosts = mem_resize(m->hosts, m->n_hosts + 1, sizeof *m->hosts);
    m->hosts[m->n_hosts] = (struct host){.name = mem_strdup(name), .speed_flop_per_s = speed_flop_per_s, .n_cores = 1};
    return (host_id)m->n_hosts++;
}

/* Of a split-duplex link: both, and the first one's number, NAME_UP's. */
static inline link_id machine_text_add_link(struct machine *m, const char *name, double bytes_per_s, double latency_s,
                                            enum link_sharing sharing)
{
    size_t n = sharing == LINK_SPLITDUPLEX ? 2 : 1;
    m->links = mem_resize(m->links, m->n_links + n, sizeof *m->links);
    for (size_t k = 0; k < n; k++)
        m->links[m->n_links + k] = (struct link){.name = mem_format("%s%s", name,
                                                                    n == 1 ? ""
                                                                    : k    ? "_DOWN"
                                                                           : "_UP"),
                                                 .bandwidth_bytes_per_s = bytes_per_s,
                                                 .latency_s = latency_s,
                                                 .sharing = sharing};
    m->n_links += n;
    return (link_id)(m->n_links - n);
}

/* After the last host, before the first route. */
static inline void machine_text_seal(struct machine *m)
{
    struct machine_text_routes *t = mem_zalloc(1, sizeof *t);
    *t = (struct machine_text_routes){m->n_hosts, mem_zalloc(m->n_hosts * m->n_hosts + 1, sizeof *t->routes)};
    m->route_context = t;
    machine_seal(m);
}

static inline void machine_text_set_route(struct machine *m, host_id src, host_id dst, const link_id *links, size_t n)
{
    struct machine_text_routes *t = m->route_context;
    struct route *r = &t->routes[(size_t)src * t->n_hosts + (size_t)dst];
    free(r->links);
    *r = (struct route){mem_zalloc(n + 1, sizeof *r->links), n, 0};
    for (size_t k = 0; k < n; k++) {
        r->links[k] = links[k];
        r->latency_s += m->links[links[k]].latency_s;
    }
}

/* The other direction of a split-duplex link, else the link itself. NAME_UP comes right before NAME_DOWN. */
static inline link_id machine_text_back(const struct machine *m, link_id l)
{
    if (m->links[l].sharing != LINK_SPLITDUPLEX)
        return l;
    size_t n = strlen(m->links[l].name);
    return strcmp(m->links[l].name + n - 3, "_UP") == 0 ? l + 1 : l - 1;
}

static inline link_id machine_text_link_id(const struct machine *m, const char *name)
{
    for (size_t l = 0; l < m->n_links; l++)
        if (strcmp(m->links[l].name, name) == 0)
            return (link_id)l;
    machine_text_require(false, "no such link", name);
    return -1;
}

static inline char *machine_text_after_colon(char *word)
{
    char *colon = strrchr(word, ':');
    machine_text_require(colon != NULL, "no colon in", word);
    *colon = '\0';
    return colon + 1;
}

static inline void machine_text_host(struct machine *m, char *word)
{
    char *rest, *values = machine_text_after_colon(word);
    char *speed = strtok_r(values, ",", &rest);
    machine_text_require(speed != NULL, "no speed for", word);
    machine_text_add_host(m, word, machine_text_number(speed));
}

static inline void machine_text_property(struct machine *m, bool is_host, int id, char *word)
{
    struct err e = {0};
    char *value = strchr(word, '=');
    *value++ = '\0';
    enum err_code code =
        is_host ? machine_set_host_property(m, id, word, value, &e) : machine_set_link_property(m, id, word, value, &e);
    machine_text_require(code == ERR_NONE, e.text, word);
}

static inline void machine_text_host_properties(struct machine *m, char *word)
{
    char *rest, *values = machine_text_after_colon(word);
    host_id h = machine_host_id(m, word);
    for (char *v = strtok_r(values, ",", &rest); v != NULL; v = strtok_r(NULL, ",", &rest))
        if (strchr(v, '=') != NULL)
            machine_text_property(m, true, h, v);
}

static inline void machine_text_link(struct machine *m, char *word)
{
    static const char *const sharings[] = {"shared", "split", "fatpipe"}; /* by enum link_sharing */
    double numbers[2] = {0, 0};
    size_t n_numbers = 0, n_properties = 0;
    enum link_sharing sharing = LINK_SHARED;
    char *rest, *properties[8], *values = machine_text_after_colon(word);
    for (char *v = strtok_r(values, ",", &rest); v != NULL; v = strtok_r(NULL, ",", &rest)) {
        bool is_sharing = false;
        for (int s = 0; s < 3; s++)
            if (strcmp(v, sharings[s]) == 0) {
                sharing = (enum link_sharing)s;
                is_sharing = true;
            }
        machine_text_require(n_properties < 8 && n_numbers < 3, "too much in", v);
        if (strchr(v, '=') != NULL)
            properties[n_properties++] = v;
        else if (!is_sharing && n_numbers < 2)
            numbers[n_numbers++] = machine_text_number(v);
    }
    link_id first = machine_text_add_link(m, word, numbers[0], numbers[1], sharing);
    for (size_t p = 0; p < n_properties; p++)
        for (link_id l = first; l < (link_id)m->n_links; l++) {
            char *copy = mem_strdup(properties[p]);
            machine_text_property(m, false, l, copy);
            free(copy);
        }
}

static inline void machine_text_route(struct machine *m, char *word)
{
    enum { MOST_LINKS = 64 };
    link_id there[MOST_LINKS], back[MOST_LINKS];
    size_t n = 0;
    char *rest, *values = machine_text_after_colon(word), *sign = strpbrk(word, ">-");
    machine_text_require(sign != NULL, "neither > nor - in", word);
    bool both_ways = *sign == '-';
    *sign = '\0';
    host_id src = machine_host_id(m, word), dst = machine_host_id(m, sign + 1);
    machine_text_require(src >= 0 && dst >= 0, "unknown host in route from", word);
    for (char *v = strtok_r(values, ",", &rest); v != NULL && n < MOST_LINKS; v = strtok_r(NULL, ",", &rest))
        there[n++] = machine_text_link_id(m, v);
    machine_text_set_route(m, src, dst, there, n);
    for (size_t k = 0; k < n; k++)
        back[k] = machine_text_back(m, there[n - 1 - k]);
    if (both_ways)
        machine_text_set_route(m, dst, src, back, n);
}

/* Calls `take` for each word of part number `part`, on a fresh copy that `take` may change. */
static inline void machine_text_each(struct machine *m, const char *text, int part,
                                     void (*take)(struct machine *m, char *word))
{
    while (text != NULL && part-- > 0)
        text = strchr(text, '|') != NULL ? strchr(text, '|') + 1 : NULL;
    char *copy = text != NULL ? mem_strdup(text) : NULL, *rest;
    if (copy == NULL)
        return;
    copy[strcspn(copy, "|")] = '\0';
    for (char *word = strtok_r(copy, " \t\n", &rest); word != NULL; word = strtok_r(NULL, " \t\n", &rest))
        take(m, word);
    free(copy);
}

static inline struct machine machine_from_text(const char *text)
{
    struct machine m = machine_text_empty();
    machine_text_each(&m, text, 0, machine_text_host);
    machine_text_seal(&m);
    machine_text_each(&m, text, 0, machine_text_host_properties);
    machine_text_each(&m, text, 1, machine_text_link);
    machine_text_each(&m, text, 2, machine_text_route);
    return m;
}

static inline void machine_text_clear(struct machine *m)
{
    struct machine_text_routes *t = m->route_context;
    for (size_t i = 0; i < t->n_hosts * t->n_hosts; i++)
        free(t->routes[i].links);
    free(t->routes);
    free(t);
    machine_clear(m);
}

/* In place of what was there; a link then has no own value any more if `number` is NAN. */
static inline void machine_text_set_number(struct steps *s, double number)
{
    steps_clear(s);
    if (!isnan(number))
        *s = (struct steps){.is_given = true, .number = number};
}

/* The same property for all hosts: machine_text_set_all(&m, "overhead_send", "1"). */
static inline void machine_text_set_all(struct machine *m, const char *id, const char *value)
{
    struct err e = {0};
    for (host_id h = 0; h < (host_id)m->n_hosts; h++)
        machine_text_require(machine_set_host_property(m, h, id, value, &e) == ERR_NONE, e.text, id);
}

static inline struct machine machine_text_hosts(int n_hosts, double speed_flop_per_s)
{
    struct machine m = machine_text_empty();
    for (int h = 0; h < n_hosts; h++) {
        char *name = mem_format("p%d", h);
        machine_text_add_host(&m, name, speed_flop_per_s);
        free(name);
    }
    machine_text_seal(&m);
    return m;
}

/* Hosts p0, p1 ... around a switch, each with a link l0, l1 ...: a route goes up the source's, down the destination's.
   LINK_SPLITDUPLEX: full duplex. LINK_SHARED: half duplex. */
static inline struct machine machine_star(int n_hosts, double speed_flop_per_s, double bytes_per_s, double latency_s,
                                          enum link_sharing sharing)
{
    struct machine m = machine_text_hosts(n_hosts, speed_flop_per_s);
    link_id *up = mem_zalloc((size_t)n_hosts, sizeof *up);
    for (int h = 0; h < n_hosts; h++) {
        char *name = mem_format("l%d", h);
        up[h] = machine_text_add_link(&m, name, bytes_per_s, latency_s, sharing);
        free(name);
    }
    for (int i = 0; i < n_hosts; i++)
        for (int j = 0; j < n_hosts; j++)
            if (i != j)
                machine_text_set_route(&m, i, j, (link_id[]){up[i], machine_text_back(&m, up[j])}, 2);
    free(up);
    return m;
}

/* All hosts on one shared link, "bus". */
static inline struct machine machine_bus(int n_hosts, double speed_flop_per_s, double bytes_per_s, double latency_s)
{
    struct machine m = machine_text_hosts(n_hosts, speed_flop_per_s);
    link_id bus = machine_text_add_link(&m, "bus", bytes_per_s, latency_s, LINK_SHARED);
    for (int i = 0; i < n_hosts; i++)
        for (int j = 0; j < n_hosts; j++)
            if (i != j)
                machine_text_set_route(&m, i, j, &bus, 1);
    return m;
}

/* A link between each two hosts, p1-p2, of two directions if LINK_SPLITDUPLEX: routes of one hop. */
static inline struct machine machine_clique(int n_hosts, double speed_flop_per_s, double bytes_per_s, double latency_s,
                                            enum link_sharing sharing)
{
    struct machine m = machine_text_hosts(n_hosts, speed_flop_per_s);
    for (int i = 0; i < n_hosts; i++)
        for (int j = i + 1; j < n_hosts; j++) {
            char *name = mem_format("p%d-p%d", i, j);
            link_id there = machine_text_add_link(&m, name, bytes_per_s, latency_s, sharing);
            link_id back = machine_text_back(&m, there);
            machine_text_set_route(&m, i, j, &there, 1);
            machine_text_set_route(&m, j, i, &back, 1);
            free(name);
        }
    return m;
}

#endif
