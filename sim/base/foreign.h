/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Code that is not ours: what plug-ins register. Where it comes from, and which function of it is being called: a process
   that watches another one reads that in memory that both share, so it knows whose fault an end was, however it came about
   (a crash, exit, SIGKILL, with standard error closed). */
#ifndef IASIM_BASE_FOREIGN_H
#define IASIM_BASE_FOREIGN_H

#include <stdbool.h>

struct origin {
    const char *path;   /* of the plug-in, as given */
    const char *digest; /* of its bytes, in hexadecimal */
};

struct foreign_note {
    bool is_inside;  /* a function of a plug-in has been entered and not left */
    char words[700]; /* "in plugin PATH: FUNCTION of OWNER": the call under way, or the last one; "": none yet */
};

/* From now on this process notes its calls in `note`, which is borrowed and may be shared with a parent. NULL: nowhere. */
void foreign_note_in(struct foreign_note *note);

/* Around a call of `function` of `owner` ("plan", "scheduler mine"). Calls do not nest. `from` NULL: it is ours, and nothing
   is done. False: the function has left a process behind, which whoever watches this process will end. A process that the
   function has forked and that comes back from it, too, ends here. */
void foreign_enter(const struct origin *from, const char *function, const char *owner);
bool foreign_leave(void);

#endif
