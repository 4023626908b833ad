/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The record of calls into plugins. It is written before a call, not after: the function may never return. One
   record for each process, because plugins are called from one thread.

   A plugin may also fork, by a library it uses, and let the child run back into our code. Such a copy would finish
   the planning a second time and write the result twice, so a process that returns from a call without having made it
   ends at once. */
#include "base/foreign.h"

#include "base/orphans.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

/* Receives the record in processes that nobody watches. Nothing reads it. */
static struct foreign_note unread, *note = &unread;
static pid_t caller; /* 0: no call is under way */

/* The texts of note->asked, by address. An ask happens for every flow and every candidate host; formatting its words
   each time would be wasted. */
static struct asked {
    const struct origin *from;
    const char *function, *name;
} asked;
static pid_t asker; /* 0: nothing is being asked */
static struct err fault;

void foreign_note_in(struct foreign_note *n)
{
    note = n != NULL ? n : &unread;
    /* The words are in the old note. Forgotten, so that the next ask writes them into the new one. */
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
    /* From before the call on: a process that the plugin leaves must become ours when its parent ends. */
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
    /* By address, not by content: the caller promises that the texts stay (foreign.h). */
    if (asked.from != from || asked.function != function || asked.name != name) {
        asked = (struct asked){from, function, name};
        snprintf(note->asked, sizeof note->asked, "in plugin %s: %s of %s %s", from->path, function, kind, name);
        orphans_become_reaper();
    }
    /* Set at each ask: a child that was forked between two asks has another number. */
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
    /* The first fault is the cause: a policy that answers NaN once often does so a thousand times more. */
    if (fault.code == ERR_NONE)
        err_set(&fault, ERR_INPUT, "%s %s of plugin %s %s", kind, name, from->path, words);
}

void foreign_fail(const char *words)
{
    if (fault.code == ERR_NONE)
        err_set(&fault, ERR_INPUT, "%s: %s", foreign_place(note), words);
}

const char *foreign_odd_number(double x)
{
    return isnan(x) ? "nan" : !isinf(x) ? NULL : x > 0 ? "infinity" : "-infinity";
}

enum err_code foreign_judge(enum err_code code, struct err *e)
{
    /* Checked once for all asks since the last verdict, not at each: it is a system call. */
    if (fault.code == ERR_NONE && asked.from != NULL && orphans_exist())
        err_set(&fault, ERR_INPUT, "%s: it has left a process behind", note->asked);
    if (fault.code == ERR_NONE)
        return code;
    /* Replaces an error that is already there. It may have followed from the harmless value that the caller went on
       with. */
    if (e != NULL)
        *e = fault;
    fault = (struct err){0};
    return ERR_INPUT;
}
