/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Scenario files, and behind a NUL what --set says: what is accepted has points that can all be made, with keys that
   are its own; what is not accepted has a reason. */
#include "base/mem.h"
#include "fuzz.h"
#include "scenario/turn.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct run_param rows[] = {
    {.is = {"number", PARAM_NUMBER, "MB", "0.5", 0, 1000, NULL, "a number"}},
    {.is = {"integer", PARAM_INTEGER, "", "3", -10, 1000, NULL, "a whole number"}, .facts = RUN_SHARED},
    {.is = {"choice", PARAM_CHOICE, "", "off", 0, 0, "on|off", "a choice"}},
    {.is = {"text", PARAM_TEXT, "", NULL, 0, 0, NULL, "any text"}},
    {.is = {0}},
};

static const struct metric metrics[] = {{"metric", "s", "a figure", BETTER_NONE}, {0}};

static const struct run_kind fuzz = {.name = "fuzz", .rows = rows, .metrics = metrics, .is_random = true};
static const struct run_kind *const known[] = {&fuzz, NULL};

static void point_can_be_made(const struct scenario *s, uint64_t number, char key[DIGEST_HEX_SIZE])
{
    struct turn t = turn_at(s, number);
    require(t.point < s->n_points && t.replication >= 1 && t.replication <= s->n_replications);
    struct param_set *ps = turn_params(s, t.point);
    require(param_number(ps, "number") >= 0 && param_number(ps, "number") <= 1000);
    require(param_integer(ps, "integer") >= -10 && param_integer(ps, "integer") <= 1000);
    require(param_text(ps, "text") != NULL);
    param_set_free(ps);
    turn_key(s, t.point, key);
}

static void points_can_be_made(const struct scenario *s)
{
    char first[DIGEST_HEX_SIZE], last[DIGEST_HEX_SIZE];
    require(turn_count(s) >= 1 && turn_count(s) <= SCENARIO_MAX_POINTS && s->name[0] != '\0');
    point_can_be_made(s, 0, first);
    point_can_be_made(s, turn_count(s) - 1, last);
    require((strcmp(first, last) == 0) == (s->n_points == 1));
    for (size_t i = 0; i < s->n_tables; i++)
        require(s->tables[i].rows.n > 0 &&
                (s->tables[i].columns != NULL ? scenario_axis(s, s->tables[i].columns) != NULL
                                              : s->tables[i].best_of.n > 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    const uint8_t *nul = n > 0 ? memchr(bytes, 0, n) : NULL;
    size_t n_xml = nul != NULL ? (size_t)(nul - bytes) : n;
    char *set = nul != NULL ? mem_format("%.*s", (int)(n - n_xml - 1), (const char *)nul + 1) : NULL;
    const char *const sets[] = {set};
    const struct scenario_options o = {.experiments = known, .sets = sets, .n_sets = set != NULL};
    struct scenario s;
    struct err e = {0};
    enum err_code code = scenario_parse((const char *)bytes, n_xml, "fuzz.xml", &o, &s, &e);
    if (code == ERR_NONE)
        points_can_be_made(&s);
    else
        require(e.code == code && e.text[0] != '\0' && s.axes == NULL);
    scenario_clear(&s);
    free(set);
    return 0;
}
