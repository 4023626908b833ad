/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/foreign.h"

#include "base/orphans.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static struct foreign_note unread, *note = &unread;
static pid_t caller; /* 0: no call is under way */

static struct asked { /* what note->asked is about */
    const struct origin *from;
    const char *function, *name;
} asked;
static pid_t asker; /* 0: nothing is being asked */
static struct err fault;

void foreign_note_in(struct foreign_note *n)
{
    note = n != NULL ? n : &unread;
    asked = (struct asked){0};
}

const char *foreign_place(const struct foreign_note *n)
{
    return n->is_asking ? n->asked : n->is_inside ? n->words : "";
}

void foreign_enter(const struct origin *from, const char *function, const char *owner)
{
    if (from == NULL)
        return;
    snprintf(note->words, sizeof note->words, "in plugin %s: %s of %s", from->path, function, owner);
    note->is_inside = true;
    caller = getpid();
    orphans_become_reaper();
}

bool foreign_leave(void)
{
    if (caller == 0)
        return true;
    if (getpid() != caller)
        _exit(0);
    caller = 0;
    note->is_inside = false;
    return !orphans_exist();
}

/* ---- functions that are called very often ---- */

void foreign_ask(const struct origin *from, const char *function, const char *kind, const char *name)
{
    if (from == NULL)
        return;
    if (asked.from != from || asked.function != function || asked.name != name) {
        asked = (struct asked){from, function, name};
        snprintf(note->asked, sizeof note->asked, "in plugin %s: %s of %s %s", from->path, function, kind, name);
        orphans_become_reaper();
    }
    asker = getpid();
    note->is_asking = true;
}

void foreign_answered(void)
{
    if (asker == 0)
        return;
    if (getpid() != asker) /* the note may be shared with it: only what is this process's own decides */
        _exit(0);
    asker = 0;
    note->is_asking = false;
}

void foreign_refuse(const struct origin *from, const char *kind, const char *name, const char *words)
{
    if (fault.code == ERR_NONE)
        err_set(&fault, ERR_INPUT, "%s %s of plugin %s %s", kind, name, from->path, words);
}

const char *foreign_odd_number(double x)
{
    return isnan(x) ? "nan" : !isinf(x) ? NULL : x > 0 ? "infinity" : "-infinity";
}

enum err_code foreign_judge(enum err_code code, struct err *e)
{
    if (fault.code == ERR_NONE && asked.from != NULL && orphans_exist())
        err_set(&fault, ERR_INPUT, "%s: it has left a process behind", note->asked);
    if (fault.code == ERR_NONE)
        return code;
    if (e != NULL)
        *e = fault;
    fault = (struct err){0};
    return ERR_INPUT;
}
