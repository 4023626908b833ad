/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/foreign.h"

#include "base/strays.h"

#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static struct foreign_note unread, *note = &unread;
static pid_t caller; /* 0: no call is under way */

void foreign_note_in(struct foreign_note *n)
{
    note = n != NULL ? n : &unread;
}

void foreign_enter(const struct origin *from, const char *function, const char *owner)
{
    if (from == NULL)
        return;
    snprintf(note->words, sizeof note->words, "in plugin %s: %s of %s", from->path, function, owner);
    note->is_inside = true;
    caller = getpid();
    strays_become_reaper();
}

bool foreign_leave(void)
{
    if (caller == 0)
        return true;
    if (getpid() != caller)
        _exit(0);
    caller = 0;
    note->is_inside = false;
    return !strays_exist();
}
