/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The network is one SimGrid zone with routing Cluster, where each host has its own split-duplex access to a core
   without limits. Memory and loading time therefore grow with the number of hosts, not of pairs. The tree of the farm
   uses this network. Links of their own bypass it. */
#include "farm/farm_generate.h"

#include "base/mem.h"
#include "base/portable_math.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Streams of one seed: the shape of the tree, then one for each host, and the size far away from both. */
enum { STREAM_OF_TREE = 0, STREAM_OF_FIRST_HOST = 1 };
static const uint64_t stream_of_size = UINT64_MAX;

/* SimGrid and libxml2 read numbers of any length, but people prefer short ones. */
#define NUMBER "%.6g"

struct drawn { /* for one host */
#define X(field, option, unit, least, most, may_be_zero, meaning) double field;
    GENERATE_RANGE_LIST(X)
#undef X
    bool may_be_shared, has_own_links;
};

struct farm_plan {
    long *parents; /* -1: the root, which is host 0. A parent comes before its children */
    long *n_children;
};

struct generate_options generate_defaults(void)
{
    return (struct generate_options){.shape = GENERATE_TREE,
                                     .n_hosts = 16,
                                     .seed = 1,
                                     .max_children = 4,
#define X(field, option, unit, least, most, may_be_zero, meaning) .field = {least, most},
                                     GENERATE_RANGE_LIST(X)
#undef X
    };
}

const char *generate_shape_name(enum generate_shape shape)
{
    return shape == GENERATE_STAR ? "star" : "tree";
}

static enum err_code check_range(struct generate_range r, const char *name, bool may_be_zero, struct err *e)
{
    if (isfinite(r.min) && isfinite(r.max) && r.min <= r.max && (r.min > 0 || (r.min >= 0 && may_be_zero)))
        return ERR_NONE;
    return err_set(e, ERR_INPUT, "range %g:%g of %s: it must be MIN:MAX with MIN <= MAX and MIN %s 0", r.min, r.max,
                   name, may_be_zero ? ">=" : ">");
}

/* A range from 0 has no logarithm, unless it is 0 alone. */
static enum err_code check_logs(const struct generate_options *o, struct generate_range r, const char *name,
                                struct err *e)
{
    if (!o->draws_logs || r.min > 0 || r.max <= 0)
        return ERR_NONE;
    return err_set(e, ERR_INPUT, "range %g:%g of %s: with draw=log it must be 0, or MIN must be > 0", r.min, r.max,
                   name);
}

static enum err_code check_share(double share, const char *name, struct err *e)
{
    if (share >= 0 && share <= 1)
        return ERR_NONE;
    return err_set(e, ERR_INPUT, "%s is %g; it must be between 0 and 1", name, share);
}

static bool has_root_speed(const struct generate_options *o)
{
    return o->root_speed_flop_per_s.max != 0;
}

static enum err_code check_options(const struct generate_options *o, struct err *e)
{
    enum err_code code = ERR_NONE;
    if (o->n_hosts < 1 || o->n_hosts > GENERATE_MAX_HOSTS)
        return err_set(e, ERR_INPUT, "%ld hosts; there must be between 1 and %d", o->n_hosts, GENERATE_MAX_HOSTS);
    if (o->max_children < 1)
        return err_set(e, ERR_INPUT, "max-children is %ld; it must be at least 1", o->max_children);
#define X(field, option, unit, least, most, may_be_zero, meaning)                                                      \
    if (code == ERR_NONE)                                                                                              \
        code = check_range(o->field, option, may_be_zero, e);                                                          \
    if (code == ERR_NONE)                                                                                              \
        code = check_logs(o, o->field, option, e);
    GENERATE_RANGE_LIST(X)
#undef X
    if (code == ERR_NONE && has_root_speed(o))
        code = check_range(o->root_speed_flop_per_s, "root-speed", false, e);
    if (code == ERR_NONE)
        code = check_share(o->shared_ratio, "shared", e);
    return code == ERR_NONE ? check_share(o->own_links_ratio, "own-links", e) : code;
}

/* --- options as text --- */

const struct param generate_params[] = {
    {"hosts", PARAM_TEXT, "hosts", NULL, 0, 0, NULL, "number of hosts, including the root; MIN:MAX: drawn"},
    {"max-children", PARAM_INTEGER, "hosts", "4", 1, GENERATE_MAX_HOSTS, NULL, "the most children of a node"},
#define X(field, option, unit, least, most, may_be_zero, meaning)                                                      \
    {option, PARAM_TEXT, unit, #least ":" #most, 0, 0, NULL, meaning ", drawn from MIN:MAX"},
    GENERATE_RANGE_LIST(X)
#undef X
        {"draw", PARAM_CHOICE, "", "uniform", 0, 0, GENERATE_DRAW_NAMES, GENERATE_DRAW_MEANING},
    {"root-speed", PARAM_TEXT, "flop/s", NULL, 0, 0, NULL, GENERATE_ROOT_SPEED_MEANING ", drawn from MIN:MAX"},
    {"shared", PARAM_NUMBER, "", "0", 0, 1, NULL, GENERATE_SHARED_MEANING},
    {"own-links", PARAM_NUMBER, "", "0", 0, 1, NULL, GENERATE_OWN_LINKS_MEANING},
    {0},
};

bool generate_parse_range(const char *text, struct generate_range *out)
{
    char *copy = mem_strdup(text), *colon = strchr(copy, ':');
    if (colon != NULL)
        *colon = '\0';
    bool ok = text_to_double(copy, &out->min) && text_to_double(colon ? colon + 1 : copy, &out->max);
    free(copy);
    return ok;
}

static enum err_code find_shape(const char *name, enum generate_shape *out, struct err *e)
{
    for (*out = GENERATE_STAR; *out <= GENERATE_TREE; (*out)++)
        if (strcmp(name, generate_shape_name(*out)) == 0)
            return ERR_NONE;
    return err_set(e, ERR_INPUT, "unknown generator of farms '%s'; known: star, tree", name);
}

static enum err_code take_range(const struct param_set *ps, const char *name, struct generate_range *out, struct err *e)
{
    if (generate_parse_range(param_text(ps, name), out))
        return ERR_NONE;
    return err_set(e, ERR_INPUT, "%s '%s' is neither MIN:MAX nor a number", name, param_text(ps, name));
}

/* One number is taken as it is; the checks of all options come later. */
static enum err_code take_hosts(const char *text, struct generate_options *out, struct err *e)
{
    char *copy = mem_strdup(text), *colon = strchr(copy, ':');
    long least = 0, most = 0;
    struct random_stream r;
    if (colon != NULL)
        *colon = '\0';
    bool ok = text_to_whole(copy, &least) && text_to_whole(colon != NULL ? colon + 1 : copy, &most);
    free(copy);
    if (!ok)
        return err_set(e, ERR_INPUT, "hosts '%s' is neither MIN:MAX nor a whole number", text);
    /* what is out of range is handed on, for check_options to refuse in its own words */
    if (colon == NULL || least < 1 || most > GENERATE_MAX_HOSTS) {
        out->n_hosts = colon == NULL || least < 1 ? least : most;
        return ERR_NONE;
    }
    if (least > most)
        return err_set(e, ERR_INPUT, "range %s of hosts: it must be MIN:MAX with MIN <= MAX", text);
    random_init(&r, out->seed, stream_of_size);
    out->n_hosts = least + (long)random_below(&r, (uint64_t)(most - least) + 1);
    return ERR_NONE;
}

static enum err_code take_options(const struct param_set *ps, struct generate_options *out, struct err *e)
{
    if (!param_has(ps, "hosts"))
        return err_set(e, ERR_INPUT, "generator %s: the parameter hosts is missing", generate_shape_name(out->shape));
    enum err_code code = take_hosts(param_text(ps, "hosts"), out, e);
    out->max_children = param_integer(ps, "max-children");
    out->draws_logs = strcmp(param_text(ps, "draw"), "log") == 0;
    out->shared_ratio = param_number(ps, "shared");
    out->own_links_ratio = param_number(ps, "own-links");
    if (code == ERR_NONE && param_has(ps, "root-speed")) {
        code = take_range(ps, "root-speed", &out->root_speed_flop_per_s, e);
        if (code == ERR_NONE)
            code = check_range(out->root_speed_flop_per_s, "root-speed", false, e);
    }
#define X(field, option, unit, least, most, may_be_zero, meaning)                                                      \
    if (code == ERR_NONE)                                                                                              \
        code = take_range(ps, option, &out->field, e);
    GENERATE_RANGE_LIST(X)
#undef X
    return code == ERR_NONE ? check_options(out, e) : code;
}

enum err_code generate_choose(const char *text, uint64_t seed, struct generate_options *out, struct err *e)
{
    struct spec spec;
    enum err_code code = spec_parse(&spec, text, e);
    if (code != ERR_NONE)
        return code;
    *out = (struct generate_options){.seed = seed};
    code = find_shape(spec.name, &out->shape, e);
    struct param_set *ps = param_set_create(generate_params);
    char owner[128];
    snprintf(owner, sizeof owner, "generator %s", spec.name);
    if (code == ERR_NONE)
        code = param_set_spec(ps, owner, &spec, e);
    if (code == ERR_NONE)
        code = take_options(ps, out, e);
    param_set_free(ps);
    spec_clear(&spec);
    return code;
}

/* --- drawing --- */

/* The product is stored before it is added because a fused multiply-add would round differently. */
static double draw(struct random_stream *r, struct generate_range range, bool draws_logs)
{
    double unit = random_unit(r);
    if (draws_logs && range.min > 0) {
        double low = portable_log(range.min), high = portable_log(range.max);
        return fmin(fmax(portable_exp(low + unit * (high - low)), range.min), range.max);
    }
    volatile double part = (range.max - range.min) * unit;
    return range.min + part;
}

/* Drawn again whenever it is asked for: 10 million hosts need not be kept. The order of draws is part of the format: a
   new value goes to the end, or every farm of a seed would change. */
static struct drawn draw_host(const struct generate_options *o, long host)
{
    struct random_stream r;
    struct drawn d;
    random_init(&r, o->seed, STREAM_OF_FIRST_HOST + (uint64_t)host);
#define X(field, option, unit, least, most, may_be_zero, meaning) d.field = draw(&r, o->field, o->draws_logs);
    GENERATE_RANGE_LIST(X)
#undef X
    d.may_be_shared = random_unit(&r) < o->shared_ratio;
    d.has_own_links = random_unit(&r) < o->own_links_ratio;
    if (host == 0 && has_root_speed(o))
        /* after all others, so that a root of its own speed leaves the rest of the host as it was */
        d.speed_flop_per_s = draw(&r, o->root_speed_flop_per_s, o->draws_logs);
    return d;
}

static bool has_own_link(const struct generate_options *o, const struct farm_plan *plan, long host)
{
    return o->own_links_ratio > 0 && host > 0 && draw_host(o, plan->parents[host]).has_own_links;
}

/* A receive_drop lowers what the whole route brings ([K] 3.2.1, footnote 3). That is true only if the access of the
   host is the narrowest part of it: a wider one has something left for sends when the route is full. */
static bool is_shared(const struct generate_options *o, const struct farm_plan *plan, long host)
{
    struct drawn d = draw_host(o, host);
    return d.may_be_shared && host > 0 && !has_own_link(o, plan, host) &&
           d.bandwidth_mb_per_s <= draw_host(o, plan->parents[host]).bandwidth_mb_per_s;
}

/* Each new node draws its parent from the nodes that have room, all equally likely. */
static void plan_tree(const struct generate_options *o, struct farm_plan *plan)
{
    struct random_stream r;
    random_init(&r, o->seed, STREAM_OF_TREE);
    size_t n = (size_t)o->n_hosts, n_open = 0;
    long *open = mem_alloc(n * sizeof open[0]);
    open[n_open++] = 0;
    for (long i = 1; i < o->n_hosts; i++) {
        size_t choice = (size_t)random_below(&r, n_open);
        long parent = plan->parents[i] = open[choice];
        if (++plan->n_children[parent] == o->max_children)
            /* full: the last open one takes its place, so each draw costs constant time */
            open[choice] = open[--n_open];
        open[n_open++] = i;
    }
    free(open);
}

static void plan_star(const struct generate_options *o, struct farm_plan *plan)
{
    plan->n_children[0] = o->n_hosts - 1;
}

/* The children of each host, in order: those of host h are list[first[h]] .. list[first[h + 1] - 1]. By host, as
   write_host needs them: parents come before children, but not in the order of parents. */
static long *list_children(const struct farm_plan *plan, long n_hosts, long **first)
{
    size_t n = (size_t)n_hosts;
    long *list = mem_alloc(n * sizeof list[0]), *next = mem_alloc(n * sizeof next[0]);
    *first = mem_alloc((n + 1) * sizeof **first);
    (*first)[0] = 0;
    for (size_t h = 0; h < n; h++) {
        next[h] = (*first)[h];
        (*first)[h + 1] = (*first)[h] + plan->n_children[h];
    }
    for (long i = 1; i < n_hosts; i++)
        list[next[plan->parents[i]]++] = i;
    free(next);
    return list;
}

/* With its options the file says how it can be made again. */
static void write_head(const struct generate_options *o, const char *what, struct text *out)
{
    text_addf(out,
              "<?xml version=\"1.0\"?>\n"
              "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
              "<!-- %s of: iasim platform generate %s, hosts %ld, seed %llu, max-children %ld",
              what, generate_shape_name(o->shape), o->n_hosts, (unsigned long long)o->seed, o->max_children);
#define X(field, option, unit, least, most, may_be_zero, meaning)                                                      \
    text_addf(out, ",\n     " option " " NUMBER ":" NUMBER " " unit, o->field.min, o->field.max);
    GENERATE_RANGE_LIST(X)
#undef X
    if (o->draws_logs)
        text_addf(out, ",\n     draw log");
    if (has_root_speed(o))
        text_addf(out, ",\n     root-speed " NUMBER ":" NUMBER " flop/s", o->root_speed_flop_per_s.min,
                  o->root_speed_flop_per_s.max);
    if (o->shared_ratio > 0)
        text_addf(out, ",\n     shared " NUMBER, o->shared_ratio);
    if (o->own_links_ratio > 0)
        text_addf(out, ",\n     own-links " NUMBER, o->own_links_ratio);
    text_addf(out, " -->\n<platform version=\"4.1\">\n");
}

static void write_host(const struct generate_options *o, const struct farm_plan *plan, long host, const long *children,
                       struct text *out)
{
    struct drawn d = draw_host(o, host);
    text_addf(out, "    <host id=\"h%ld\" speed=\"" NUMBER "f\">\n", host, d.speed_flop_per_s);
    if (host > 0)
        text_addf(out, "      <prop id=\"ir_recv\" value=\"" NUMBER "\"/>\n", d.ir_recv_per_mb_per_s);
    for (long i = 0; i < plan->n_children[host]; i++)
        text_addf(out, "      <prop id=\"ir_send.h%ld\" value=\"" NUMBER "\"/>\n", children[i],
                  draw_host(o, children[i]).ir_send_per_mb_per_s);
    text_addf(out, "    </host>\n");
}

static void write_access(const struct generate_options *o, const struct farm_plan *plan, long host, struct text *out)
{
    struct drawn d = draw_host(o, host);
    bool shared = o->shared_ratio > 0 && is_shared(o, plan, host);
    const char *up = shared ? "" : "_UP", *down = shared ? "" : "_DOWN";
    text_addf(out,
              "    <link id=\"l%ld\" bandwidth=\"" NUMBER "MBps\" latency=\"" NUMBER "s\" sharing_policy=\"%s\"/>\n"
              "    <host_link id=\"h%ld\" up=\"l%ld%s\" down=\"l%ld%s\"/>\n",
              host, d.bandwidth_mb_per_s, d.latency_s, shared ? "SHARED" : "SPLITDUPLEX", host, host, up, host, down);
}

static void write_own_link(const struct generate_options *o, long host, struct text *out)
{
    struct drawn d = draw_host(o, host);
    text_addf(out,
              "    <link id=\"o%ld\" bandwidth=\"" NUMBER "MBps\" latency=\"" NUMBER
              "s\" sharing_policy=\"SPLITDUPLEX\"/>\n",
              host, d.bandwidth_mb_per_s, d.latency_s);
}

static void write_own_route(long from, long to, long link, const char *direction, struct text *out)
{
    text_addf(out, "    <bypassRoute src=\"h%ld\" dst=\"h%ld\">", from, to);
    text_addf(out, "<link_ctn id=\"o%ld\" direction=\"%s\"/></bypassRoute>\n", link, direction);
}

/* SimGrid wants all links before the first route. */
static void write_own_links(const struct generate_options *o, const struct farm_plan *plan, struct text *out)
{
    for (long i = 1; i < o->n_hosts; i++)
        if (has_own_link(o, plan, i))
            write_own_link(o, i, out);
    for (long i = 1; i < o->n_hosts; i++)
        if (has_own_link(o, plan, i)) {
            write_own_route(plan->parents[i], i, i, "DOWN", out);
            write_own_route(i, plan->parents[i], i, "UP", out);
        }
}

static void write_platform(const struct generate_options *o, const struct farm_plan *plan, struct text *out)
{
    long *first, *list = list_children(plan, o->n_hosts, &first);
    write_head(o, "Platform", out);
    /* rates that follow from bandwidths alone: the farm's bounds assume no window of TCP and no traffic of
       acknowledgements */
    text_addf(out, "  <config>\n"
                   "    <prop id=\"network/model\" value=\"CM02\"/>\n"
                   "    <prop id=\"network/crosstraffic\" value=\"0\"/>\n"
                   "    <prop id=\"network/TCP-gamma\" value=\"0\"/>\n"
                   "  </config>\n"
                   "  <zone id=\"farm\" routing=\"Cluster\">\n");
    for (long i = 0; i < o->n_hosts; i++)
        write_host(o, plan, i, list + first[i], out);
    for (long i = 0; i < o->n_hosts; i++)
        write_access(o, plan, i, out);
    write_own_links(o, plan, out);
    text_addf(out, "  </zone>\n</platform>\n");
    free(first);
    free(list);
}

/* The send limit of a node with children is the bandwidth of its access. Sending takes from receiving where both use
   an access that carries both directions together. */
static void write_beliefs(const struct generate_options *o, const struct farm_plan *plan, long host, struct text *out)
{
    struct drawn d = draw_host(o, host);
    if (plan->n_children[host] == 0 || d.has_own_links)
        return;
    text_addf(out, "<prop id=\"send_limit\" value=\"" NUMBER "\"/>", d.bandwidth_mb_per_s);
    if (o->shared_ratio > 0 && is_shared(o, plan, host))
        text_addf(out, "<prop id=\"receive_drop\" value=\"1\"/>");
}

static void write_deployment(const struct generate_options *o, const struct farm_plan *plan, struct text *out)
{
    write_head(o, "Deployment", out);
    for (long i = 0; i < o->n_hosts; i++) {
        text_addf(out, "  <actor host=\"h%ld\" function=\"farm_node\">", i);
        if (i > 0)
            text_addf(out, "<argument value=\"h%ld\"/>", plan->parents[i]);
        write_beliefs(o, plan, i, out);
        text_addf(out, "</actor>\n");
    }
    text_addf(out, "</platform>\n");
}

enum err_code generate_farm(const struct generate_options *o, struct text *platform, struct text *deployment,
                            struct err *e)
{
    enum err_code code = check_options(o, e);
    if (code != ERR_NONE)
        return code;
    size_t n = (size_t)o->n_hosts;
    struct farm_plan plan = {mem_zalloc(n, sizeof plan.parents[0]), mem_zalloc(n, sizeof plan.n_children[0])};
    plan.parents[0] = -1;
    if (o->shape == GENERATE_STAR)
        plan_star(o, &plan);
    else
        plan_tree(o, &plan);
    write_platform(o, &plan, platform);
    write_deployment(o, &plan, deployment);
    free(plan.parents);
    free(plan.n_children);
    return ERR_NONE;
}
