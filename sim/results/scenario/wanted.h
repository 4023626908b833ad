/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tables that a scenario file asks for (struct scenario_table). Internal to this folder. */
#ifndef IASIM_SCENARIO_WANTED_H
#define IASIM_SCENARIO_WANTED_H

#include "scenario/scenario.h"

#include <libxml/tree.h>

/* Adds the table of an element. Errors: ERR_INPUT, with its line: an unknown parameter, metric or value, attributes
   that do not fit together. */
enum err_code wanted_read(struct scenario *s, const xmlNode *element, struct err *e);
/* Whether all parameters of the tables are there, once all axes are known. Errors: ERR_INPUT. */
enum err_code wanted_check(const struct scenario *s, struct err *e);
void wanted_clear(struct scenario_table *t);

#endif
