/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Copies what SimGrid has loaded into a struct machine, so that planners and worlds can ask without SimGrid. Properties
   are checked here, with the line of the file that they are in; routes are asked of SimGrid when they are needed,
   because there is one for each pair of hosts. */
#include "base/mem.h"
#include "engine/engine_state.h"
#include "engine/guard.h"
#include "machine/platform_xml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading { /* of the properties of one host or link */
    struct machine *machine;
    const struct platform_xml *xml;
    const char *path, *element, *name;
    int id;
    enum err_code code;
    struct err *e;
};

/* The machine's message says what is wrong with the property; here is known where. */
static void take_property(void *self, const char *id, const char *value)
{
    struct reading *r = self;
    struct err why = {0};
    if (r->code != ERR_NONE)
        return; /* a visit cannot be stopped: after the first mistake the other properties are passed over */
    bool is_host = strcmp(r->element, "host") == 0;
    r->code = is_host ? machine_set_host_property(r->machine, r->id, id, value, &why)
                      : machine_set_link_property(r->machine, r->id, id, value, &why);
    if (r->code != ERR_NONE)
        err_set_at(r->e, r->code, r->path, platform_xml_property_line(r->xml, r->element, r->name, id), "%s '%s': %s",
                   r->element, r->name, why.text);
}

static void take_hosts(struct machine *m)
{
    m->n_hosts = bridge->n_hosts();
    m->hosts = mem_zalloc(m->n_hosts, sizeof *m->hosts);
    for (size_t i = 0; i < m->n_hosts; i++)
        m->hosts[i] = (struct host){
            .name = mem_strdup(bridge->host_name((int)i)),
            .speed_flop_per_s = bridge->host_peak_flop_per_s((int)i),
            .n_cores = bridge->host_n_cores((int)i),
        };
}

/* A link on which SimGrid counts both directions together is SHARED to us, whatever its policy is called. */
static enum link_sharing sharing_of(int link)
{
    if (bridge->link_is_fatpipe(link))
        return LINK_FATPIPE;
    return bridge->link_is_one_way(link) ? LINK_SPLITDUPLEX : LINK_SHARED;
}

static void take_links(struct machine *m)
{
    m->n_links = bridge->n_links();
    m->links = mem_zalloc(m->n_links, sizeof *m->links);
    for (size_t i = 0; i < m->n_links; i++)
        m->links[i] = (struct link){
            .name = mem_strdup(bridge->link_name((int)i)),
            .bandwidth_bytes_per_s = bridge->link_bytes_per_s((int)i),
            .latency_s = bridge->link_latency_s((int)i),
            .sharing = sharing_of((int)i),
        };
}

static enum err_code find_route(void *context, host_id src, host_id dst, struct route *out, struct err *e)
{
    const struct machine *m = context;
    *out = (struct route){0};
    guard_enter_simgrid();
    /* SimGrid may abort here: who watches this process is to blame it, not us */
    int n = bridge->route(src, dst, &out->links, &out->latency_s);
    guard_leave_simgrid();
    if (n < 0)
        return err_set_at(e, ERR_INPUT, m->source, 0, "there is no route from host '%s' to host '%s'",
                          m->hosts[src].name, m->hosts[dst].name);
    out->n_links = (size_t)n;
    return ERR_NONE;
}

/* Of split-duplex links SimGrid makes l_UP and l_DOWN; the file has only l, which a property's line is looked for
   by. */
static void name_in_file(const struct link *l, char out[256])
{
    snprintf(out, 256, "%s", l->name);
    if (l->sharing == LINK_SPLITDUPLEX)
        *strrchr(out, '_') = '\0';
}

enum err_code snapshot_take(struct machine *m, const struct platform_xml *xml, const char *path, struct err *e)
{
    m->source = mem_strdup(path);
    m->find_route = find_route;
    m->route_context = m;
    take_hosts(m);
    take_links(m);
    /* names of peers in properties are found by the index that this makes */
    machine_seal(m);
    if (m->n_hosts == 0)
        return err_set_at(e, ERR_INPUT, path, 0, "the platform has no host");
    struct reading r = {.machine = m, .xml = xml, .path = path, .e = e};
    for (r.id = 0; r.id < (int)m->n_hosts; r.id++) {
        r.element = "host";
        r.name = m->hosts[r.id].name;
        bridge->host_properties(r.id, take_property, &r);
    }
    for (r.id = 0; r.id < (int)m->n_links; r.id++) {
        char name[256];
        name_in_file(&m->links[r.id], name);
        r.element = "link";
        r.name = name;
        bridge->link_properties(r.id, take_property, &r);
    }
    return r.code;
}
