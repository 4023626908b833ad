/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gantt charts that commands write as files and print on terminals. */
#ifndef IASIM_CLI_CHART_H
#define IASIM_CLI_CHART_H

#include "base/err.h"
#include "report/gantt.h"

#include <stdio.h>

/* $COLUMNS, or the width of the terminal, or 100. */
int chart_columns(FILE *out);

/* Charts are always SVG; a name with another extension would mislead. NULL is accepted. Errors: ERR_USAGE. */
enum err_code chart_check_ending(const char *path, struct err *e);

/* Before the work: whether a chart can be written there, and is not one of the inputs. NULL is accepted. Errors:
   ERR_USAGE, ERR_IO. */
enum err_code chart_check(const char *path, const char *const *inputs, size_t n, struct err *e);

/* Whether each output has a file of its own, by whatever names; NULL is accepted. Errors: ERR_USAGE. */
enum err_code chart_check_apart(const char *const *outputs, size_t n, struct err *e);

/* Errors: ERR_IO. */
enum err_code chart_write(const char *path, const struct gantt_subject *subject, struct err *e);
void chart_print(const struct gantt_subject *subject, FILE *out);

#endif
