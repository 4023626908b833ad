/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* <config>: values that SimGrid accepts, but on which it then aborts, crashes or hangs. Keys and values that SimGrid
   itself refuses are left to it. */
#include "machine/platform_check.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct key {
    const char *name;
    /* A choice that SimGrid knows may be missing here because our engine cannot run with it; the remark then says
       why. */
    const char *choices; /* "a|b"; NULL: a number */
    bool may_be_zero;
    const char *remark;
};

static const struct key keys[] = {
    {"cpu/optim", "Lazy|Full", false, " (TI does not support interference)"},
    {"cpu/model", "Cas01", false, ""},
    {"network/model", "CM02|LV08|SMPI|IB|Constant", false, " (ns-3 does not report the rates of transfers)"},
    {"network/optim", "Lazy|Full|TI", false, ""},
    {"host/model", "default|compound|ptask_L07", false, ""},
    {"cpu/solver", "maxmin|fairbottleneck|bmf", false, ""},
    {"network/solver", "maxmin|fairbottleneck|bmf", false, ""},
    {"surf/precision", NULL, false, ""},
    {"precision/timing", NULL, false, ""},
    {"maxmin/precision", NULL, true, ""},
    {"network/bandwidth-factor", NULL, false, ""},
    {"network/latency-factor", NULL, true, ""},
    {"network/TCP-gamma", NULL, true, ""},
    {"network/weight-S", NULL, true, ""},
    {"network/loopback-bw", NULL, false, ""},
    {"network/loopback-lat", NULL, true, ""},
};

/* SimGrid itself checks lists of factors such as "65472:0.94;15424:0.7". */
static bool is_bad_number(const struct key *k, const char *value)
{
    char *end;
    double x = strtod(value, &end);
    /* Left to SimGrid, which reads such lists itself and refuses what is wrong in them. */
    if (end == value || *end != '\0')
        return false;
    return !isfinite(x) || x < 0 || (x <= 0 && !k->may_be_zero);
}

static enum err_code check_key(const struct platform_check *c, const xmlNode *prop, const struct key *k,
                               const char *value)
{
    if (k->choices != NULL && text_choice(k->choices, value) < 0)
        return xml_refuse(c->e, c->path, prop, "configuration %s is '%s'; it must be one of %s%s", k->name, value,
                          k->choices, k->remark);
    if (k->choices == NULL && is_bad_number(k, value))
        return xml_refuse(c->e, c->path, prop, "configuration %s is '%s'; it must %s", k->name, value,
                          k->may_be_zero ? "be finite and not negative" : "be finite and above 0");
    return ERR_NONE;
}

static enum err_code check_prop(struct platform_check *c, const xmlNode *prop, struct name_index *seen)
{
    const char *id = id_of(prop), *value = xml_attribute(prop, "value");
    int first = name_index_find(seen, id);
    name_index_add(seen, id, xml_line(prop));
    /* A key without a value is left to SimGrid. */
    if (value == NULL)
        return ERR_NONE;
    if (first >= 0)
        return xml_refuse(c->e, c->path, prop, "configuration %s is given twice; SimGrid keeps the value of line %d",
                          id, first);
    /* Where profiles are also looked for (check_profiles.c), so this check runs before that one. */
    if (strcmp(id, "path") == 0)
        c->search_path = value;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(keys[i].name, id) == 0)
            return check_key(c, prop, &keys[i], value);
    return ERR_NONE;
}

enum err_code check_config(struct platform_check *c)
{
    struct name_index *seen = name_index_create();
    enum err_code code = ERR_NONE;
    /* <config> may stand more than once, but a key only once: SimGrid silently keeps the first value. */
    for (const xmlNode *config = xml_first(c->root); config != NULL; config = xml_next(config))
        for (const xmlNode *prop = xml_is(config, "config") ? xml_first(config) : NULL;
             code == ERR_NONE && prop != NULL; prop = xml_next(prop))
            code = check_prop(c, prop, seen);
    name_index_free(seen);
    return code;
}
