/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers in a platform file. SimGrid silently loads a negative speed, a bandwidth of 0 or a latency that is not a
   number, and later crashes or computes nonsense. */
#include "machine/platform_check.h"

#include "base/mem.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As in SimGrid's own tables: "k" and "M" for f and Bps, spelled out for flops, powers of 1024 with an i. */
static const char *const short_prefixes[] = {"", "k", "M", "G", "T", "P", "E", "Z", "Y", NULL};
static const char *const long_prefixes[] = {"", "kilo", "mega", "giga", "tera", "peta", "exa", "zetta", "yotta", NULL};
static const char *const binary_prefixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "Zi", "Yi", NULL};

static const struct time_unit {
    const char *name;
    double in_s;
} time_units[] = {{"w", 604800}, {"d", 86400}, {"h", 3600},  {"m", 60},    {"s", 1},
                  {"ms", 1e-3},  {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}};

/* A power of `step`: the prefixes are in rising order. 0: not one of the prefixes. */
static double prefix_factor(const char *text, size_t n, const char *const *prefixes, double step)
{
    double factor = 1;
    for (size_t i = 0; prefixes[i] != NULL; i++, factor *= step)
        if (strlen(prefixes[i]) == n && strncmp(prefixes[i], text, n) == 0)
            return factor;
    return 0;
}

/* The factor of a text that is a prefix followed by `base`; 0: it is not. */
static double prefixed(const char *text, const char *base, const char *const *prefixes, double step)
{
    size_t n = strlen(text), n_base = strlen(base);
    if (n < n_base || strcmp(text + n - n_base, base) != 0)
        return 0;
    return prefix_factor(text, n - n_base, prefixes, step);
}

static double unit_factor(const char *text, enum unit unit)
{
    switch (unit) {
    case UNIT_FLOP_PER_S:
        /* At most one of the two forms fits, and 0 means that a form does not: the maximum is the one that fits. */
        return fmax(prefixed(text, "f", short_prefixes, 1e3), prefixed(text, "flops", long_prefixes, 1e3));
    case UNIT_BYTES_PER_S:
        /* A small b is a bit. "Bps" and "bps" are told apart by case alone. */
        return fmax(fmax(prefixed(text, "Bps", short_prefixes, 1e3), prefixed(text, "Bps", binary_prefixes, 1024)),
                    fmax(prefixed(text, "bps", short_prefixes, 1e3), prefixed(text, "bps", binary_prefixes, 1024)) / 8);
    case UNIT_S:
        for (size_t i = 0; i < sizeof time_units / sizeof time_units[0]; i++)
            if (strcmp(text, time_units[i].name) == 0)
                return time_units[i].in_s;
    }
    return 0;
}

const char *quantity_units(enum unit unit)
{
    switch (unit) {
    case UNIT_FLOP_PER_S:
        return "f, kf, Mf, Gf, Tf, Pf, Ef, Zf, Yf, or flops, kiloflops, megaflops, gigaflops ...";
    case UNIT_BYTES_PER_S:
        return "Bps, kBps, MBps, GBps ..., KiBps, MiBps, GiBps ..., and with a small b for bits: bps, kbps, "
               "Kibps ...";
    case UNIT_S:
        return "w, d, h, m, s, ms, us, ns, ps";
    }
    return "";
}

enum quantity_state quantity_parse(const char *text, enum unit unit, double *out)
{
    char *end;
    errno = 0;
    double number = strtod(text, &end);
    if (end == text || errno == ERANGE)
        return QUANTITY_NO_NUMBER;
    /* A number without a unit is in SI. It is accepted, and told apart for lists. */
    double factor = *end == '\0' ? 1 : unit_factor(end, unit);
    *out = number * factor;
    if (factor <= 0)
        return QUANTITY_UNKNOWN_UNIT;
    return *end == '\0' ? QUANTITY_NO_UNIT : QUANTITY_OK;
}

/* Which attribute of which element is a quantity, and of which kind. */
struct rule {
    const char *element, *attribute;
    enum unit unit;
    const char *separators; /* of a list; "": one value */
    bool may_be_zero;
};

static const struct rule rules[] = {
    {"host", "speed", UNIT_FLOP_PER_S, ",", false},
    {"peer", "speed", UNIT_FLOP_PER_S, "", false},
    {"peer", "bw_in", UNIT_BYTES_PER_S, "", false},
    {"peer", "bw_out", UNIT_BYTES_PER_S, "", false},
    {"cluster", "speed", UNIT_FLOP_PER_S, ",", false},
    {"cluster", "bw", UNIT_BYTES_PER_S, "", false},
    {"cluster", "lat", UNIT_S, "", true},
    {"cluster", "bb_bw", UNIT_BYTES_PER_S, "", true},
    {"cluster", "bb_lat", UNIT_S, "", true},
    {"cluster", "limiter_link", UNIT_BYTES_PER_S, "", true},
    {"cluster", "loopback_bw", UNIT_BYTES_PER_S, "", true},
    {"cluster", "loopback_lat", UNIT_S, "", true},
    {"cabinet", "speed", UNIT_FLOP_PER_S, "", false},
    {"cabinet", "bw", UNIT_BYTES_PER_S, "", false},
    {"cabinet", "lat", UNIT_S, "", true},
    {"backbone", "bandwidth", UNIT_BYTES_PER_S, "", false},
    {"backbone", "latency", UNIT_S, "", true},
    /* A bandwidth of 0 would never deliver anything; a latency of 0 is usual. */
    {"link", "bandwidth", UNIT_BYTES_PER_S, ";,", false},
    {"link", "latency", UNIT_S, "", true},
    {"disk", "read_bw", UNIT_BYTES_PER_S, "", true},
    {"disk", "write_bw", UNIT_BYTES_PER_S, "", true},
};

/* Whether "1,5Gf" was meant as a decimal: it would be read as 1 f and 5 Gf. */
struct list_state {
    size_t n;
    bool has_unit, lacks_unit;
};

static enum err_code check_value(const struct platform_check *c, const xmlNode *element, const struct rule *r,
                                 const char *value, bool may_be_zero, struct list_state *list)
{
    double number;
    const char *what = xml_name(element), *id = id_of(element);
    enum quantity_state state = quantity_parse(value, r->unit, &number);
    if (state == QUANTITY_NO_NUMBER)
        return xml_refuse(c->e, c->path, element, "%s '%s': %s '%s' is not a number with a unit", what, id,
                          r->attribute, value);
    if (state == QUANTITY_UNKNOWN_UNIT)
        return xml_refuse(c->e, c->path, element, "%s '%s': %s '%s' has an unknown unit; known: %s", what, id,
                          r->attribute, value, quantity_units(r->unit));
    if (!isfinite(number))
        return xml_refuse(c->e, c->path, element, "%s '%s': %s '%s' is not finite", what, id, r->attribute, value);
    if (number < 0 || (number <= 0 && !may_be_zero))
        return xml_refuse(c->e, c->path, element, "%s '%s': %s '%s' must %s", what, id, r->attribute, value,
                          may_be_zero ? "not be negative" : "be above 0");
    list->n++;
    list->has_unit = list->has_unit || state == QUANTITY_OK;
    /* 0 is the same in every unit. */
    list->lacks_unit = list->lacks_unit || (state == QUANTITY_NO_UNIT && number > 0);
    return ERR_NONE;
}

static char *trimmed(char *text)
{
    size_t n = strlen(text);
    while (n > 0 && isspace((unsigned char)text[n - 1]))
        text[--n] = '\0';
    return text + strspn(text, " \t\r\n\v\f");
}

/* `active` is the index of the value that applies from the start. A speed of 0 at another index is a valid state. */
static enum err_code check_list(const struct platform_check *c, const xmlNode *element, const struct rule *r,
                                const char *text, long active, size_t *n)
{
    char *copy = mem_strdup(text), *rest = copy;
    enum err_code code = ERR_NONE;
    struct list_state list = {0};
    while (code == ERR_NONE && rest != NULL) {
        bool may_be_zero = r->may_be_zero || (long)list.n != active;
        char *value = strsep(&rest, r->separators);
        /* Blanks may stand around speeds, but not around other values. */
        code = check_value(c, element, r, r->unit == UNIT_FLOP_PER_S ? trimmed(value) : value, may_be_zero, &list);
    }
    free(copy);
    *n = list.n;
    if (code == ERR_NONE && list.has_unit && list.lacks_unit)
        return xml_refuse(
            c->e, c->path, element,
            "%s '%s': %s '%s' has values with and without units; write decimals with a point, not a comma",
            xml_name(element), id_of(element), r->attribute, text);
    return code;
}

/* SimGrid reads the whole number at the beginning and ignores the rest. */
static long leading_integer(const char *text)
{
    return text != NULL ? strtol(text, NULL, 10) : 0;
}

static enum err_code check_speeds(const struct platform_check *c, const xmlNode *element, const struct rule *r,
                                  const char *text)
{
    const char *pstate = xml_attribute(element, "pstate");
    long active = xml_is(element, "host") ? leading_integer(pstate) : 0;
    size_t n;
    enum err_code code = check_list(c, element, r, text, active, &n);
    if (code == ERR_NONE && (active < 0 || (size_t)active >= n))
        return xml_refuse(c->e, c->path, element,
                          "host '%s': pstate '%s' is not one of its %zu speeds, which are counted from 0",
                          id_of(element), pstate, n);
    return code;
}

static enum err_code check_bandwidths(const struct platform_check *c, const xmlNode *link, const struct rule *r,
                                      const char *text)
{
    size_t n;
    enum err_code code = check_list(c, link, r, text, 0, &n);
    if (code == ERR_NONE && n != 1 && !routing_is(link->parent, "Wifi"))
        return xml_refuse(c->e, c->path, link, "link '%s': bandwidth '%s' has %zu values; only a Wifi link has several",
                          id_of(link), text, n);
    return code;
}

static enum err_code check_rule(const struct platform_check *c, const xmlNode *element, const struct rule *r)
{
    const char *text = xml_attribute(element, r->attribute);
    size_t n;
    /* An empty attribute counts as absent: SimGrid uses its default or reports that it is missing. */
    if (!xml_is(element, r->element) || text == NULL || *text == '\0')
        return ERR_NONE;
    if (r->unit == UNIT_FLOP_PER_S)
        return check_speeds(c, element, r, text);
    return *r->separators ? check_bandwidths(c, element, r, text) : check_list(c, element, r, text, 0, &n);
}

static enum err_code check_cores(const struct platform_check *c, const xmlNode *element)
{
    const char *text = xml_attribute(element, "core");
    if (text == NULL || (!xml_is(element, "host") && !xml_is(element, "cluster")))
        return ERR_NONE;
    char *copy = mem_strdup(text);
    long n = 0;
    bool ok = text_to_long(trimmed(copy), &n) && n >= 1;
    free(copy);
    return ok ? ERR_NONE
              : xml_refuse(c->e, c->path, element, "%s '%s': core '%s' is not a whole number of at least 1",
                           xml_name(element), id_of(element), text);
}

/* Three numbers with one blank between them: SimGrid counts the blanks. */
static bool are_coordinates(const char *text)
{
    for (int i = 0; i < 3; i++) {
        char *end;
        /* strtod would skip blanks in front of a number, where SimGrid sees an empty coordinate. */
        if (*text == ' ' || !isfinite(strtod(text, &end)) || end == text || *end != (i < 2 ? ' ' : '\0'))
            return false;
        text = end + 1;
    }
    return true;
}

static enum err_code check_coordinates(const struct platform_check *c, const xmlNode *element)
{
    const char *text = xml_attribute(element, "coordinates");
    /* Peers are in zones with routing Vivaldi, which computes latencies from coordinates. Hosts elsewhere need
       none. */
    if (text == NULL || *text == '\0')
        return xml_is(element, "peer")
                   ? xml_refuse(c->e, c->path, element, "peer '%s' has no coordinates", id_of(element))
                   : ERR_NONE;
    if (are_coordinates(text))
        return ERR_NONE;
    return xml_refuse(c->e, c->path, element,
                      "%s '%s': coordinates '%s' are not three numbers with one blank between them", xml_name(element),
                      id_of(element), text);
}

/* If only the latency is given, SimGrid makes a link of bandwidth 0. */
static enum err_code check_latency_alone(const struct platform_check *c, const xmlNode *cluster, const char *latency,
                                         const char *bandwidth)
{
    const char *lat = xml_attribute(cluster, latency), *bw = xml_attribute(cluster, bandwidth);
    double lat_s = 0, bytes_per_s = 0;
    /* Both have been checked by the rules, so here they can be read without looking at the result. */
    if (lat != NULL)
        quantity_parse(lat, UNIT_S, &lat_s);
    if (bw != NULL)
        quantity_parse(bw, UNIT_BYTES_PER_S, &bytes_per_s);
    if (lat_s > 0 && bytes_per_s <= 0)
        return xml_refuse(c->e, c->path, cluster, "cluster '%s' has a %s but no %s", id_of(cluster), latency,
                          bandwidth);
    return ERR_NONE;
}

static enum err_code check_element(const struct platform_check *c, const xmlNode *element)
{
    enum err_code code = ERR_NONE;
    for (size_t i = 0; code == ERR_NONE && i < sizeof rules / sizeof rules[0]; i++)
        code = check_rule(c, element, &rules[i]);
    if (code == ERR_NONE)
        code = check_cores(c, element);
    if (code == ERR_NONE && (xml_is(element, "host") || xml_is(element, "peer") || xml_is(element, "router")))
        code = check_coordinates(c, element);
    if (code == ERR_NONE && xml_is(element, "cluster"))
        code = check_latency_alone(c, element, "bb_lat", "bb_bw");
    if (code == ERR_NONE && xml_is(element, "cluster"))
        code = check_latency_alone(c, element, "loopback_lat", "loopback_bw");
    return code;
}

enum err_code check_quantities(struct platform_check *c)
{
    enum err_code code = ERR_NONE;
    for (const xmlNode *n = c->root; code == ERR_NONE && n != NULL; n = xml_following(c->root, n))
        code = check_element(c, n);
    return code;
}
