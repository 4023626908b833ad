/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gantt charts that commands write as files and print on terminals. */
#ifndef IASIM_CLI_CHART_H
#define IASIM_CLI_CHART_H

#include "base/err.h"
#include "report/gantt.h"

#include <stdio.h>

/* $COLUMNS, or the width of the terminal, or 100. */
int chart_columns(FILE *out);

/* Errors: ERR_IO. */
enum err_code chart_write(const char *path, const struct gantt_subject *subject, struct err *e);
void chart_print(const struct gantt_subject *subject, FILE *out);

#endif
