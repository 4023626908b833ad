/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Schedule files, iasim-schedule/1 (doc/model.md, Files). */
#ifndef IASIM_PLAN_SCHEDULE_JSON_H
#define IASIM_PLAN_SCHEDULE_JSON_H

#include "base/text.h"
#include "plan/schedule.h"

/* Appends the text of the file: tasks and edges in the graph's order, times with 17 significant digits. */
void schedule_write_json(const struct schedule *s, struct text *out);

/* Reads a complete schedule of the graph on the machine. If `p` has no model, the file's model is set. Times are taken
   as they are (plan/check.h checks them). Errors, with line: ERR_IO; ERR_PARSE (not JSON, not this format); ERR_INPUT
   (an unknown, repeated or missing task or edge, an unknown host, a route that is not the platform's, a time that is
   negative or not a number). */
enum err_code schedule_read_json(const char *path, struct problem *p, struct schedule *out, struct err *e);
enum err_code schedule_parse_json(const char *bytes, size_t n, const char *path, struct problem *p,
                                  struct schedule *out, struct err *e);

#endif
