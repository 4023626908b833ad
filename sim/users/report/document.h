/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The content of a report: sections of paragraphs, tables and claims. It is collected first and then shown as text or
   as JSON, so both have the same content.

       Section 4: scheduling with it in mind        document_section
       =====================================

       Tasks of 10 MB: makespan over ..             document_table with a title

       work units  fcfs
       ----------  ----
                1  1.07

       What the paper says:                         document_paragraphf

         yes  Both are ahead of FCFS.               document_claims, document_claim
              Holds if .. in all 18; it is in 18.
              Because of the slow stream.           document_detail

       These follow from the model: ..              claims of another kind than tested, after those

         yes  The order is that of the figure.

   Text is filled into the lines of the page. A line feed in a paragraph or detail ends a line of text; in JSON it is a
   blank. */
#ifndef IASIM_REPORT_DOCUMENT_H
#define IASIM_REPORT_DOCUMENT_H

#include "report/table.h"

#include <stdbool.h>

struct document;

struct document *document_create(void);
void document_free(struct document *d);

/* Starts a section. Content before the first one is in a section without a title. */
void document_section(struct document *d, const char *title);
void document_paragraphf(struct document *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Takes the table. If the table just before it has the same title, the text shows the title once. */
void document_table(struct document *d, const char *title, struct table *t);

/* The last paragraph or table is one of those that say in short what came out. */
void document_headline(struct document *d);
/* The headlines of all sections below their titles, in few lines. */
void document_add_headlines(const struct document *d, struct text *out);

/* Begins a group of claims. */
void document_claims(struct document *d);

/* What a verdict is worth. Only tested claims are counted. */
enum document_kind {
    DOCUMENT_TESTED,       /* it could have come out otherwise */
    DOCUMENT_CONSTRUCTION, /* it follows from the model, or from what the platform was made for */
    DOCUMENT_INPUT,        /* it restates what the platform was given */
    DOCUMENT_KINDS
};
extern const char *const document_kind_names[DOCUMENT_KINDS]; /* "tested", .. */

struct document_claim {
    bool holds;
    const char *text;
    const char *paper, *here; /* figures; NULL: none */
    const char *rule;         /* how `holds` is decided, and what decided it; NULL: it is plain */
    enum document_kind kind;
};
void document_claim(struct document *d, const struct document_claim *c);
/* More about the last claim. */
void document_detail(struct document *d, const char *text);

/* Calls `claim` for all claims, in order. Texts are borrowed during the call. */
void document_each_claim(const struct document *d,
                         void (*claim)(void *self, const char *section, const struct document_claim *c), void *self);

/* "Of 20 tested claims 12 hold here. Not counted: .."; nothing if there are fewer than two claims. */
void document_add_count(const struct document *d, struct text *out);
/* Adds this count; if several sections have claims, with a table of them: to the first section if that is an
   introduction, without title and claims, else to the last. */
void document_tally(struct document *d);

void document_add_to(const struct document *d, struct text *out);
/* {"sections": [{"title", "paragraphs": [".."], "tables": [{"title", "columns", "rows"}],
     "claims": [{"kind", "holds", "claim", "paper", "here", "rule", "details": [".."]}]}]}; claims by kind, rows and
   columns as in table.h, and null where there is no title, no figure or no rule. The caller's. */
json_t *document_json(const struct document *d);
/* The same content in the order of the text: {"sections": [{"title", "blocks": [{"paragraph"}, {"table"}, {"claims":
   [..], "heading"}]}]}. A title that the table before has is null; claims of one kind are a block, and only what is
   not tested has a heading. The caller's. */
json_t *document_blocks_json(const struct document *d);

#endif
