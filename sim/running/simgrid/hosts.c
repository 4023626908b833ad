/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The layer's view of iasim: one machine and one world for the whole process, as SimGrid has one engine. The machine
   grows host by host, or belongs to iasim's own actors (hosts_take), who have read and overridden it already: then
   properties of SimGrid's hosts are not read again. */
#include "simgrid/hosts.h"

#include "base/foreign.h"
#include "base/mem.h"
#include "machine/machine.h"
#include "machine/platform_xml.h"
#include "models/world.h"
#include "simgrid/plugin_worlds.h"
#include "simgrid/preload.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct traffic { /* of one host */
    struct world_flow *flows;
    size_t n, capacity;
};

static const struct world_model *world;
static layer_factor *factor_ratio = world_factor_ratio;
static struct machine machine;
static struct traffic *traffic; /* [hosts] */
static size_t hosts_capacity;
static bool is_taken; /* by hosts_take */

/* A world that calls exit() would look like a program that has done its work. */
static void blame_exit(int status, void *called)
{
    const char *place = foreign_place(called);
    if (place[0] == '\0')
        return;
    fprintf(stderr, "iasim: %s: has ended the process with status %d\n", place, status);
    _exit(err_exit_status(ERR_INPUT));
}

enum err_code hosts_open(const char *name, const char *plugin, struct err *e)
{
    static struct foreign_note called;
    if (plugin != NULL) {
        foreign_note_in(&called);
        on_exit(blame_exit, &called);
    }
    enum err_code code = plugin != NULL ? plugin_worlds_load(plugin, e) : ERR_NONE;
    return code == ERR_NONE ? world_find_of_speeds(name, &world, e) : code;
}

void hosts_take(const struct machine *m, const struct world_model *w, layer_factor *factor)
{
    factor_ratio = factor;
    is_taken = true;
    machine = *m;
    world = w;
    traffic = mem_zalloc(m->n_hosts, sizeof *traffic);
}

bool hosts_are_taken(void)
{
    return is_taken;
}

int hosts_add(const char *name)
{
    if (is_taken)
        return machine_host_id(&machine, name);
    size_t n = machine.n_hosts;
    if (n == hosts_capacity) {
        hosts_capacity = n ? 2 * n : 64;
        machine.hosts = mem_resize(machine.hosts, hosts_capacity, sizeof *machine.hosts);
        traffic = mem_resize(traffic, hosts_capacity, sizeof *traffic);
    }
    machine.hosts[n] = (struct host){.name = mem_strdup(name)};
    traffic[n] = (struct traffic){0};
    return (int)machine.n_hosts++;
}

void hosts_seal(void)
{
    if (!is_taken)
        machine_seal(&machine);
}

/* ---- properties ---- */

/* 0: not known. SimGrid may have read a file that we would refuse, or none. */
static int line_of(const char *file, const char *element, const char *name, const char *id)
{
    struct platform_xml *xml = NULL;
    if (file[0] == '\0' || platform_xml_read(file, &xml, NULL) != ERR_NONE)
        return 0;
    int line = platform_xml_property_line(xml, element, name, id);
    platform_xml_free(xml);
    return line;
}

static enum err_code refuse(const char *element, const char *name, const char *file, const char *id,
                            const struct err *why, struct err *e)
{
    return err_set_at(e, why->code, file, line_of(file, element, name, id), "%s '%s': %s", element, name, why->text);
}

enum err_code hosts_set_property(int host, const char *file, const char *id, const char *value, struct err *e)
{
    struct err why = {0};
    if (is_taken || machine_set_host_property(&machine, host, id, value, &why) == ERR_NONE)
        return ERR_NONE;
    return refuse("host", machine.hosts[host].name, file, id, &why, e);
}

enum err_code hosts_check_link_property(const char *link, const char *file, const char *id, const char *value,
                                        struct err *e)
{
    /* only the check is wanted: worlds under a SimGrid program read properties of hosts */
    struct machine m = {.links = mem_zalloc(1, sizeof *m.links), .n_links = 1};
    struct err why = {0};
    enum err_code code = machine_set_link_property(&m, 0, id, value, &why);
    machine_clear(&m);
    return code == ERR_NONE ? ERR_NONE : refuse("link", link, file, id, &why, e);
}

enum err_code hosts_set_default(int host, bool is_recv, struct err *e)
{
    const char *variable = is_recv ? IR_RECV_VARIABLE : IR_SEND_VARIABLE, *value = getenv(variable);
    struct err why = {0};
    if (value == NULL || is_taken ||
        machine_set_host_property(&machine, host, is_recv ? "ir_recv" : "ir_send", value, &why) == ERR_NONE)
        return ERR_NONE;
    return err_set(e, ERR_INPUT, "%s: %s", variable, why.text);
}

char *hosts_warning(const char *file)
{
    if (is_taken)
        return NULL;
    machine.source = mem_strdup(file[0] != '\0' ? file : program_invocation_short_name);
    char *warning = world_warning(world, &machine);
    free(machine.source);
    machine.source = NULL;
    return warning;
}

const char *hosts_name(int host)
{
    return machine.hosts[host].name;
}

bool hosts_has_rates(int host)
{
    return world_may_slow(world, &machine, host);
}

/* ---- transfers ---- */

size_t hosts_enter(int host, bool is_recv, int peer)
{
    struct traffic *t = &traffic[host];
    MEM_GROW(t->flows, t->n, t->capacity);
    t->flows[t->n] = world_flow_of(&machine, host, is_recv ? DIR_RECV : DIR_SEND, peer);
    return t->n++;
}

void hosts_leave(int host, size_t place)
{
    struct traffic *t = &traffic[host];
    t->flows[place] = t->flows[--t->n];
}

void hosts_set_rate(int host, size_t place, double bytes_per_s)
{
    traffic[host].flows[place].rate_bytes_per_s = bytes_per_s;
}

double hosts_factor_ratio(int host, struct err *e)
{
    double factor = factor_ratio(world, &machine.hosts[host], traffic[host].flows, traffic[host].n);
    /* worlds of ours cannot be at fault */
    if (world->from != NULL && !is_taken)
        foreign_judge(ERR_NONE, e);
    return factor;
}

const char *hosts_world(void)
{
    return world_text(world);
}
