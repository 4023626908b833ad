/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The content of a report: sections of paragraphs, tables and claims. It is collected first and then shown as text or as JSON,
   so both have the same content.

       Section 4: scheduling with it in mind        document_section
       =====================================

       Tasks of 10 MB: makespan over ..             document_table with a title

       work units  fcfs
       ----------  ----
                1  1.07

       What the paper says:                         document_paragraphf

         yes  Both are ahead of FCFS.               document_claims, document_claimf
              In 18 of 18 applications.             document_detailf

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

/* How the claims that follow are shown; each call begins a new group. */
enum claim_style {
    CLAIMS_LISTED, /* yes, no */
    CLAIMS_LOUD,   /* yes, NO: for claims of which few should fail */
    CLAIMS_TABLE,  /* claim, paper, here, holds */
};
void document_claims(struct document *d, enum claim_style style);
void document_claimf(struct document *d, bool holds, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A claim with the paper's figures and those found here; for CLAIMS_TABLE. */
void document_figuresf(struct document *d, bool holds, const char *claim, const char *paper, const char *here, ...)
    __attribute__((format(printf, 5, 6)));
/* More about the last claim; not shown in CLAIMS_TABLE. */
void document_detailf(struct document *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds how many of the claims so far hold; if several sections have claims, with a table of them. Nothing if there are fewer
   than two. */
void document_tally(struct document *d);

void document_add_to(const struct document *d, struct text *out);
/* {"sections": [{"title", "paragraphs": [".."], "tables": [{"title", "columns", "rows"}],
     "claims": [{"holds", "claim", "paper", "here", "details": [".."]}]}]}; rows and columns as in table.h, and null where
   there is no title, or no figures. The caller's. */
json_t *document_json(const struct document *d);
/* The same content in the order of the text: {"sections": [{"title", "blocks": [{"paragraph"}, {"table"}, {"claims": [..]}]}]}. A
   title that the table before has is null. The caller's. */
json_t *document_blocks_json(const struct document *d);

#endif
