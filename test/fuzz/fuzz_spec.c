/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Specs such as ia_multi[chunk=0.5]: whatever is accepted must read the same again, and its values must be usable. */
#include "base/mem.h"
#include "base/param.h"
#include "base/text.h"
#include "farm/policy.h"
#include "fuzz.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct param every_type[] = {
    {"number", PARAM_NUMBER, "MB", "0.5", 0, 1e9, NULL, "a number"},
    {"integer", PARAM_INTEGER, "", "3", -10, 10, NULL, "a whole number"},
    {"choice", PARAM_CHOICE, "", "off", 0, 0, "on|off", "a choice"},
    {"text", PARAM_TEXT, "", NULL, 0, 0, NULL, "any text"},
    {NULL, PARAM_TEXT, NULL, NULL, 0, 0, NULL, NULL},
};

static void reads_the_same_again(const struct spec *s)
{
    struct text text = {0};
    text_addf(&text, "%s", s->name);
    for (size_t i = 0; i < s->n; i++)
        text_addf(&text, "%c%s=%s", i ? ',' : '[', s->keys[i], s->values[i]);
    text_addf(&text, "%s", s->n ? "]" : "");
    struct spec again = {0};
    require(spec_parse(&again, text_str(&text), NULL) == ERR_NONE);
    require(strcmp(again.name, s->name) == 0 && again.n == s->n);
    for (size_t i = 0; i < s->n; i++)
        require(strcmp(again.keys[i], s->keys[i]) == 0 && strcmp(again.values[i], s->values[i]) == 0);
    spec_clear(&again);
    text_clear(&text);
}

static void values_are_usable(const struct spec *s)
{
    struct param_set *ps = param_set_create(every_type);
    struct err e = {0};
    if (param_set_spec(ps, "fuzz", s, &e) != ERR_NONE)
        require(e.text[0] != '\0');
    require(param_number(ps, "number") >= 0 && param_number(ps, "number") <= 1e9);
    require(param_integer(ps, "integer") >= -10 && param_integer(ps, "integer") <= 10);
    require(param_is_on(ps, "choice") || strcmp(param_text(ps, "choice"), "off") == 0);
    param_set_free(ps);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char *text = mem_alloc(n + 1);
    if (n > 0)
        memcpy(text, bytes, n);
    text[n] = '\0';

    struct err e = {0};
    struct spec s = {0};
    if (spec_parse(&s, text, &e) == ERR_NONE) {
        reads_the_same_again(&s);
        values_are_usable(&s);
        spec_clear(&s);
    } else {
        require(e.code != ERR_NONE && e.text[0] != '\0');
    }

    struct policy_choice choice = {0};
    if (policy_choose(text, &choice, NULL) == ERR_NONE) {
        require(choice.policy != NULL && strcmp(choice.text, text) == 0);
        policy_choice_clear(&choice);
    }
    free(text);
    return 0;
}
