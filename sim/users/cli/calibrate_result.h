/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What `iasim calibrate` prints and writes. */
#ifndef IASIM_CLI_CALIBRATE_RESULT_H
#define IASIM_CLI_CALIBRATE_RESULT_H

#include "calibrate/emit.h"
#include "calibrate/judge.h"
#include "cli/options.h"

struct calibrate_result {
    struct measured hosts[2]; /* this one and its peer */
    struct rates rates[2];
    bool has_peer; /* false: the peer is a copy of the host */
};

void calibrate_print_table(const struct calibrate_result *r);
void calibrate_print_json(const struct calibrate_result *r);

/* Errors, also of the next: those of text_write_file. */
enum err_code calibrate_write_points(const struct measured *m, const char *path, struct err *e);

/* Errors: ERR_NO, with the reason: a rate cannot be used (calibrate/judge.h). */
enum err_code calibrate_check_usable(const struct calibrate_result *r, struct err *e);

/* Writes the platform and, beside it, the deployment, and names both on stderr, with what was changed. Both hosts have
   passed emit_check. */
enum err_code calibrate_emit(const struct calibrate_result *r, const char *path, struct err *e);

/* Before anything is measured. Errors: ERR_USAGE: the name does not end with .xml, or one of the files is an input. */
enum err_code calibrate_check_emit(const char *path, const struct words *inputs, struct err *e);

#endif
