/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What was in progress when a run ended as a deadlock, in one sentence. All engines list hosts by number, of each its
   executions before its transfers, so that they end a run with the same words. In a header, because the object of
   sim/running/actors is not linked with this room. */
#ifndef IASIM_ENGINE_IN_PROGRESS_H
#define IASIM_ENGINE_IN_PROGRESS_H

#include "base/text.h"

/* Begins as {0}; `text` is cleared by the caller. */
struct in_progress {
    struct text text;
    size_t n;
};

enum { IN_PROGRESS_SHOWN = 5 };

/* Whether one more is shown; all are counted. */
static inline bool in_progress_count(struct in_progress *p)
{
    if (p->n == 0)
        text_addf(&p->text, "deadlock: what is in progress can never proceed");
    if (p->n < IN_PROGRESS_SHOWN)
        text_addf(&p->text, p->n == 0 ? ": " : "; ");
    return p->n++ < IN_PROGRESS_SHOWN;
}

static inline void in_progress_add_executions(struct in_progress *p, int n, const char *host)
{
    if (in_progress_count(p))
        text_addf(&p->text, "%d execution%s on %s", n, n == 1 ? "" : "s", host);
}

static inline void in_progress_add_transfer(struct in_progress *p, const char *from, const char *to)
{
    if (in_progress_count(p))
        text_addf(&p->text, "transfer %s -> %s", from, to);
}

/* The whole sentence. Nothing in progress is a deadlock, too. */
static inline const char *in_progress_sentence(struct in_progress *p)
{
    if (p->n == 0)
        text_addf(&p->text, "deadlock: what is in progress can never proceed");
    if (p->n > IN_PROGRESS_SHOWN)
        text_addf(&p->text, "; and %zu more", p->n - IN_PROGRESS_SHOWN);
    return text_str(&p->text);
}

#endif
