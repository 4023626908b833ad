/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Baselines: what is accepted has all its values and figures, is written and read back unchanged, and does not differ
   from itself; what is refused gives a reason and a line. */
#include "base/mem.h"
#include "base/text.h"
#include "baseline/baseline_diff.h"
#include "fuzz.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct run_param rows[] = {
    {.is = {"number", PARAM_NUMBER, "MB", "0.5", 0, 1000, NULL, "a number"}},
    {.is = {"integer", PARAM_INTEGER, "", "3", -10, 1000, NULL, "a whole number"}},
    {.is = {"choice", PARAM_CHOICE, "", "off", 0, 0, "on|off", "a choice"}},
    {.is = {"text", PARAM_TEXT, "", NULL, 0, 0, NULL, "any text"}},
    {.is = {0}},
};

static const struct metric metrics[] = {{"low", "s", "lower is better", BETTER_LOWER},
                                        {"high", "s", "higher is better", BETTER_HIGHER},
                                        {"plain", "", "a figure", BETTER_NONE},
                                        {0}};

static const struct run_kind fuzz = {.name = "fuzz", .rows = rows, .metrics = metrics};
static const struct run_kind *const known[] = {&fuzz, NULL};

static void is_complete(const struct baseline *b)
{
    require(b->experiment == &fuzz && b->scenario != NULL && b->n_metrics > 0 && b->n_runs > 0);
    for (size_t i = 0; i < b->n_metrics; i++) {
        require(b->metrics[i].relative >= 0 && b->metrics[i].absolute >= 0);
        require(i == 0 || b->metrics[i - 1].id < b->metrics[i].id);
    }
    for (size_t i = 0; i < b->n_runs; i++) {
        const struct baseline_run *r = &b->runs[i];
        for (size_t p = 0; rows[p].is.name != NULL; p++)
            require(r->values[p] != NULL);
        require(strlen(r->key) == DIGEST_HEX_SIZE - 1 && r->replication >= 1);
        require(i == 0 || baseline_compare_runs(&fuzz, &b->runs[i - 1], r) < 0);
    }
}

static char *printed(const struct baseline *b)
{
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    require(baseline_print(b, out, NULL) == ERR_NONE);
    fclose(out);
    return text;
}

static void differs_in_nothing(const struct baseline *a, const struct baseline *b)
{
    struct baseline_comparison c;
    baseline_compare(a, b, &c);
    require(c.n_changes == 0 && c.n_keys_changed == 0 && c.n[BASELINE_SAME] == a->n_runs && baseline_holds(&c));
    baseline_comparison_clear(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct baseline b, again;
    struct err e = {0};
    if (baseline_parse((const char *)bytes, n, "fuzz", known, &b, &e) != ERR_NONE) {
        require(e.code == ERR_PARSE && e.text[0] != '\0' && e.line > 0);
        return 0;
    }
    is_complete(&b);
    char *first = printed(&b);
    require(baseline_parse(first, strlen(first), "again", known, &again, &e) == ERR_NONE);
    char *second = printed(&again);
    require(strcmp(first, second) == 0);
    differs_in_nothing(&b, &again);
    free(first);
    free(second);
    baseline_clear(&b);
    baseline_clear(&again);
    return 0;
}
