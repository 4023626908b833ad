/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options that set for all hosts what a platform says about communication: --ir-send, --ir-recv, --overhead,
   --involvement; loading the platform with them; and a warning where neither gives a value. */
#ifndef IASIM_CLI_MACHINE_INPUT_H
#define IASIM_CLI_MACHINE_INPUT_H

#include "cli/options.h"
#include "engine/engine.h"
#include "machine/machine.h"

/* clang-format off */
/* Entries of a command's table, `values` being its struct machine_values. */
#define OPTIONS_IR(of, values)                                                                                         \
    {"ir-send", 0, "RATE", "all hosts: interference of sending, per MB/s", OPTION_AT(of, values.ir_send)},             \
    {"ir-recv", 0, "RATE", "all hosts: interference of receiving, per MB/s", OPTION_AT(of, values.ir_recv)}
#define OPTIONS_OCCUPATION(of, values)                                                                                 \
    {"overhead", 0, "S", "all hosts: overhead of a message, at each end; a number, or steps of its size",              \
     OPTION_AT(of, values.overhead)},                                                                                  \
    {"involvement", 0, "SHARE",                                                                                        \
     "all hosts: processor's share of the time on a link, 0 to 1, at each end; a number, or steps of the size",        \
     OPTION_AT(of, values.involvement)}
/* clang-format on */

/* engine_open and engine_override; `values` may be NULL. Errors: theirs, values that cannot be by the option's name. */
enum err_code machine_input_open(const char *platform, const struct machine_values *values, struct engine **out,
                                 struct err *e);

/* Prints what world_warning, cost_model_warning or tree_far_beliefs gave, as a line on stderr, and frees it; NULL: nothing. */
void machine_input_warn(char *warning);

#endif
