/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The text of noise: what is accepted has coefficients in range, each for something else; what is not has a reason and
   leaves nothing behind. */
#include "base/mem.h"
#include "fuzz.h"
#include "models/noise.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void is_in_range(const struct noise *n)
{
    require(n->n_items > 0);
    for (size_t i = 0; i < n->n_items; i++) {
        const struct noise_item *x = &n->items[i];
        require(x->kind < N_NOISE_KINDS && (x->cv == 0 || (x->cv >= GAMMA_MIN_CV && x->cv <= GAMMA_MAX_CV)));
        require(x->host == NULL || x->host[0] != '\0');
        require(noise_cv(n, x->kind, x->host != NULL ? x->host : "\n") == x->cv || x->host == NULL);
        struct noise_source s = noise_source_of(n, x->kind, x->host != NULL ? x->host : "h", "name", NULL);
        require(noise_draw(&s, i) >= GAMMA_LEAST);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct noise n = {0};
    struct err e = {0};
    char *text = mem_format("%.*s", (int)size, (const char *)data);
    if (noise_parse(text, 1, &n, &e) == ERR_NONE) {
        is_in_range(&n);
        noise_clear(&n);
    }
    require((e.code == ERR_NONE) == (e.text[0] == '\0') && n.items == NULL && n.text == NULL);
    free(text);
    return 0;
}
