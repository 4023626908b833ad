/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Foreign code: functions that plugins register. This file records where a function comes from and which one is being
   called. A process that watches another one reads this record in shared memory, so it can blame the right plugin
   however the other process ended (a crash, exit, SIGKILL, with standard error closed). */
#ifndef IASIM_BASE_FOREIGN_H
#define IASIM_BASE_FOREIGN_H

#include "base/err.h"

#include <stdbool.h>

struct origin {
    const char *path;   /* of the plugin, as given */
    const char *digest; /* of the plugin's bytes, in hexadecimal */
};

struct foreign_note {
    bool is_inside;  /* a function of a plugin has been entered and not left */
    char words[700]; /* "in plugin PATH: FUNCTION of OWNER": the current or last call; "": no call yet */
    bool is_asking;  /* likewise, of foreign_ask */
    char asked[700];
};

/* From now on this process records its foreign calls in `note`, which is borrowed and may be memory shared with a
   parent. NULL: it records nothing. */
void foreign_note_in(struct foreign_note *note);

/* Put these around a call of `function` of `owner` ("plan", "scheduler mine"). Calls do not nest. With `from` NULL the
   function is our own and nothing is recorded. foreign_leave returns false if the function left a process behind; the
   process that watches this one will end it. A process that the function forked and that also returns ends here. */
void foreign_enter(const struct origin *from, const char *function, const char *owner);
bool foreign_leave(void);

/* Put these around a call of a small function that is called very often and only computes, of the `kind` called `name`
   ("speed_factor_ratio", "world", "mine"). They may be inside a foreign_enter, but not inside each other. The three
   texts must stay where they are. A process that the function forked and that also returns ends here. */
void foreign_ask(const struct origin *from, const char *function, const char *kind, const char *name);
void foreign_answered(void);

/* Such a function has no way to fail. What is wrong with its answer is kept here, the first time; the caller goes on
   with a harmless value instead. Whoever has a result calls foreign_judge first. */
void foreign_refuse(const struct origin *from, const char *kind, const char *name, const char *words);
/* The function of a plugin that is being called has failed, but has no way to say so: likewise kept. */
void foreign_fail(const char *words);
/* How messages call a number that is not finite; NULL: `x` is finite. */
const char *foreign_odd_number(double x);

/* `code`, and `e` as it is; but if foreign_refuse has kept a fault, or such a function left a process behind, ERR_INPUT
   and the fault in `e`, instead of what may have followed from it. The fault is then forgotten. */
enum err_code foreign_judge(enum err_code code, struct err *e);

/* Where a process with this note is: "in plugin PATH: FUNCTION of OWNER"; "": not in a plugin. */
const char *foreign_place(const struct foreign_note *note);

#endif
