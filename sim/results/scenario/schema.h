/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The schema of scenario files, scenario.xsd, which the build puts into the library. */
#ifndef IASIM_SCENARIO_SCHEMA_H
#define IASIM_SCENARIO_SCHEMA_H

#include "base/err.h"

#include <libxml/tree.h>

extern const unsigned char scenario_xsd[];
extern const size_t scenario_xsd_size;

/* Errors: ERR_PARSE with the line and libxml2's words for the first thing that is not as the schema has it.
 */
enum err_code schema_check(xmlDocPtr doc, const char *path, struct err *e);

#endif
