/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Texts of users become replay_options. The names stand in tables in the order of the enums, so that a name and its
   value are found by one walk; a parameter that a kind does not have is refused by the table of its parameters. */
#include "engine/waiting.h"

#include "base/mem.h"
#include "base/registry.h"

#include <stdlib.h>
#include <string.h>

static const struct param rendezvous_params[] = {
    {"progress", PARAM_CHOICE, "", "calls", 0, 0, "calls|hardware|polls",
     "what moves data once both ends are ready: calls: a call (send, receive, end of the list) of the source, which "
     "lasts until they are through; hardware: nobody is needed; polls: the source's calls, data stand still between "
     "them"},
    {"eager", PARAM_NUMBER, "bytes", "0", 0, 1e18, NULL,
     "a message of at most so many bytes is sent without waiting for its destination"},
    {0},
};

static const struct waiting_kind passive = {"passive", "a processor is free while data are under way", "", NULL};
static const struct waiting_kind active = {
    "active", "a send and a receive hold their processor until the last byte has arrived", "[S] 8.4.3", NULL};
static const struct waiting_kind rendezvous = {"rendezvous",
                                               "data of a large message move when both of its ends are ready",
                                               "[S] 8.4.3, [White 1999]", rendezvous_params};

const struct waiting_kind *const waiting_kinds[] = {
    [REPLAY_PASSIVE] = &passive, [REPLAY_ACTIVE] = &active, [REPLAY_RENDEZVOUS] = &rendezvous, NULL};

static const char *const progress_names[] = {
    [REPLAY_CALLS] = "calls", [REPLAY_HARDWARE] = "hardware", [REPLAY_POLLS] = "polls"};

/* The other kinds have no parameters, and so no fields to set. */
static void take(struct replay_options *out, const struct param_set *ps)
{
    if (out->waiting != REPLAY_RENDEZVOUS)
        return;
    out->eager_bytes = param_number(ps, "eager");
    while (strcmp(progress_names[out->progress], param_text(ps, "progress")) != 0)
        out->progress++;
}

static enum err_code choose(const struct spec *spec, struct replay_options *out, struct err *e)
{
    static const struct param none[] = {{0}};
    const struct waiting_kind *kind = registry_choose(waiting_kinds, "waiting", spec->name, e);
    if (kind == NULL)
        return ERR_INPUT;
    while (waiting_kinds[out->waiting] != kind)
        out->waiting++;
    char *owner = mem_format("waiting %s", kind->name);
    struct param_set *ps = param_set_create(kind->params != NULL ? kind->params : none);
    enum err_code code = param_set_spec(ps, owner, spec, e);
    if (code == ERR_NONE)
        take(out, ps);
    param_set_free(ps);
    free(owner);
    return code;
}

enum err_code waiting_read(const char *text, struct replay_options *out, struct err *e)
{
    struct spec spec = {0};
    out->waiting = REPLAY_PASSIVE;
    out->progress = REPLAY_CALLS;
    out->eager_bytes = 0;
    enum err_code code = text != NULL ? spec_parse(&spec, text, e) : ERR_NONE;
    if (code == ERR_NONE && text != NULL)
        code = choose(&spec, out, e);
    spec_clear(&spec);
    return code;
}

enum err_code waiting_check(const struct replay_options *options, const struct engine *engine, struct err *e)
{
    const struct machine *m = engine_machine(engine);
    /* without latencies there is nothing that a transfer could begin anew */
    bool has_latency = false;
    for (size_t l = 0; l < m->n_links; l++)
        has_latency = has_latency || m->links[l].latency_s > 0;
    if (options->waiting != REPLAY_RENDEZVOUS || options->progress != REPLAY_POLLS || !has_latency ||
        !engine_hides_latencies(engine))
        return ERR_NONE;
    return err_set(e, ERR_INPUT,
                   "waiting 'rendezvous[progress=polls]' is not for network/optim 'Full' where links have latency: "
                   "transfers cannot stand still in it; known to work: 'Lazy'");
}
