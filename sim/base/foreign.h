/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Foreign code: functions that plugins register. This file records where a function comes from and which one is being
   called. A process that watches another one reads this record in shared memory, so it can blame the right plugin
   however the other process ended (a crash, exit, SIGKILL, with standard error closed). */
#ifndef IASIM_BASE_FOREIGN_H
#define IASIM_BASE_FOREIGN_H

#include <stdbool.h>

struct origin {
    const char *path;   /* of the plugin, as given */
    const char *digest; /* of the plugin's bytes, in hexadecimal */
};

struct foreign_note {
    bool is_inside;  /* a function of a plugin has been entered and not left */
    char words[700]; /* "in plugin PATH: FUNCTION of OWNER": the current or last call; "": no call yet */
};

/* From now on this process records its foreign calls in `note`, which is borrowed and may be memory shared with a parent.
   NULL: it records nothing. */
void foreign_note_in(struct foreign_note *note);

/* Put these around a call of `function` of `owner` ("plan", "scheduler mine"). Calls do not nest. With `from` NULL the
   function is our own and nothing is recorded. foreign_leave returns false if the function left a process behind; the
   process that watches this one will end it. A process that the function forked and that also returns ends here. */
void foreign_enter(const struct origin *from, const char *function, const char *owner);
bool foreign_leave(void);

#endif
