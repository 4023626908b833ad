/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Points for fits: whatever is accepted is in range, and every fit of it ends in numbers or in a reason. */
#include "fuzz.h"
#include "models/fits/fit.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static void is_in_range(const struct fit_points *p)
{
    require(p->n > 0);
    for (size_t k = 0; k < p->n; k++) {
        require(p->points[k].send_MB_per_s >= 0 && p->points[k].send_MB_per_s <= 1e12);
        require(p->points[k].recv_MB_per_s >= 0 && p->points[k].recv_MB_per_s <= 1e12);
        require(p->points[k].compute_ratio >= 0 && p->points[k].compute_ratio <= 1e12);
        require(p->points[k].line > 1);
    }
}

static void ends_in_numbers_or_a_reason(const struct fit *fit, enum fit_rate rate, const struct fit_points *p)
{
    struct fit_result r = {0};
    struct err e = {0};
    if (fit->compute(p, rate, &r, &e) == ERR_NONE) {
        require(isfinite(r.constant) && isfinite(r.max_abs_error) && isfinite(r.mean_abs_error));
        require(!isinf(r.standard_deviation) && r.n_points == p->n);
        for (size_t c = 0; c < r.n_coefficients; c++)
            require(isfinite(r.coefficients[c].value));
    } else {
        require(e.code == ERR_INPUT && e.text[0] != '\0');
    }
    fit_result_clear(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct fit_points p;
    struct err e = {0};
    if (fit_points_parse((const char *)bytes, n, "fuzz", &p, &e) != ERR_NONE) {
        require(e.code == ERR_PARSE && e.text[0] != '\0');
        return 0;
    }
    is_in_range(&p);
    for (size_t f = 0; fits[f] != NULL; f++)
        for (enum fit_rate rate = FIT_RATE_ANY; rate <= FIT_RATE_RECV; rate++)
            ends_in_numbers_or_a_reason(fits[f], rate, &p);
    fit_points_clear(&p);
    return 0;
}
