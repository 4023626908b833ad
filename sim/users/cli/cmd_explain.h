/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* `iasim compare --explain`: what `iasim explain` does with two schedules. */
#ifndef IASIM_CLI_CMD_EXPLAIN_H
#define IASIM_CLI_CMD_EXPLAIN_H

#include "cli/command.h"

extern const struct command command_compare_schedules;

#define COMPARE_OPTION_EXPLAIN(of, field)                                                                              \
    {                                                                                                                  \
        "explain", 0, NULL,                                                                                            \
            "compare two schedules of a graph instead: by which causes, hosts and links do they differ? The options "  \
            "are those "                                                                                               \
            "of `iasim explain` (`iasim compare --explain --help`)",                                                   \
            OPTION_AT(of, field)                                                                                       \
    }

#define COMPARE_EXPLAIN_EXAMPLE                                                                                        \
    "# Why is one schedule better than another?\n"                                                                     \
    "iasim graph generate 'layered[tasks=20]' --seed 1 --out g.dot\n"                                                  \
    "iasim schedule --platform platforms/sinnen-star-full.xml --graph g.dot \\\n"                                      \
    "  --model classic --out s.json\n"                                                                                 \
    "iasim schedule --platform platforms/sinnen-star-full.xml --graph g.dot \\\n"                                      \
    "  --model involvement --scheduler heft --out t.json\n"                                                            \
    "iasim compare --explain --world involvement s.json t.json\n"

#endif
