/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a report says, collected before it is shown: sections of paragraphs, tables and claims, as text for people or as
   JSON for programs.

       Section 4: scheduling with it in mind        document_section
       =====================================

       Tasks of 10 MB: makespan over ..             document_table with a title

       work units  fcfs
       ----------  ----
                1  1.07

       What the paper says:                         document_paragraphf

         yes  Both are ahead of FCFS.               document_claims, document_claimf
              In 18 of 18 applications.             document_detailf

   In paragraphs and details a line feed is where a line of text ends; in JSON it is a blank. */
#ifndef IASIM_REPORT_DOCUMENT_H
#define IASIM_REPORT_DOCUMENT_H

#include "report/table.h"

#include <stdbool.h>

struct document;

struct document *document_create(void);
void document_free(struct document *d);

/* What comes before the first section is in one without a title. */
void document_section(struct document *d, const char *title);
void document_paragraphf(struct document *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Takes the table. A title that the table just before it has too is shown once. */
void document_table(struct document *d, const char *title, struct table *t);

/* How the claims that follow are shown; each call begins a new group. */
enum claim_style {
    CLAIMS_LISTED, /* yes, no */
    CLAIMS_LOUD,   /* yes, NO: few of them should fail */
    CLAIMS_TABLE,  /* claim, paper, here, holds */
};
void document_claims(struct document *d, enum claim_style style);
void document_claimf(struct document *d, bool holds, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* A claim with the paper's figures and ours; for CLAIMS_TABLE. */
void document_figuresf(struct document *d, bool holds, const char *claim, const char *paper, const char *here, ...)
    __attribute__((format(printf, 5, 6)));
/* More about the claim just made; not shown by CLAIMS_TABLE. */
void document_detailf(struct document *d, const char *format, ...) __attribute__((format(printf, 2, 3)));

void document_add_to(const struct document *d, struct text *out);
/* {"sections": [{"title", "paragraphs": [".."], "tables": [{"title", "columns", "rows"}],
     "claims": [{"holds", "claim", "paper", "here", "details": [".."]}]}]}; rows and columns as in table.h, and null where
   there is no title, or no figures. The caller's. */
json_t *document_json(const struct document *d);

#endif
