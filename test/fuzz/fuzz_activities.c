/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Activity scripts: a refusal has a message; what is accepted is in range, and binding it succeeds or fails with a
 * message. */
#include "../machine_text.h"
#include "engine/activities.h"
#include "fuzz.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const struct machine *machine(void)
{
    static struct machine m;
    if (m.hosts == NULL)
        m = machine_from_text("a:1 b:1 | | a-b:");
    return &m;
}

static void is_in_range(const struct activities *a)
{
    for (size_t i = 0; i < a->n; i++) {
        const struct activity *x = &a->list[i];
        require(x->asked_start_s >= 0 && x->asked_start_s <= 1e15);
        require(x->amount >= 0 && x->amount <= 1e18 && x->line > 0 && (i == 0 || x->line > a->list[i - 1].line));
        require(x->kind == ACTIVITY_EXEC || (x->amount == floor(x->amount) && x->host_names[1] != NULL));
        require(x->host_names[0] != NULL && x->host_names[0][0] != '\0');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct activities a;
    struct err e = {0};
    if (activities_parse((const char *)bytes, n, "fuzz", &a, &e) != ERR_NONE) {
        require(e.code != ERR_NONE && e.text[0] != '\0' && a.n == 0);
        return 0;
    }
    is_in_range(&a);
    if (activities_bind(&a, machine(), &e) != ERR_NONE)
        require(e.code == ERR_INPUT && e.line > 0 && e.text[0] != '\0');
    activities_clear(&a);
    return 0;
}
