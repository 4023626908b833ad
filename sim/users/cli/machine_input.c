/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/machine_input.h"

#include <stdio.h>
#include <stdlib.h>

enum err_code machine_input_open(const char *platform, const struct machine_values *values, struct engine **out,
                                 struct err *e)
{
    enum err_code code = engine_open(platform, out, e);
    return code == ERR_NONE && values != NULL ? engine_override(*out, values, e) : code;
}

void machine_input_warn(char *warning)
{
    if (warning != NULL)
        fprintf(stderr, "%s\n", warning);
    free(warning);
}
