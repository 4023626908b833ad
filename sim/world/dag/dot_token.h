/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Splits a DOT text (graphviz.org/doc/info/lang.html) into tokens with their lines. */
#ifndef IASIM_DAG_DOT_TOKEN_H
#define IASIM_DAG_DOT_TOKEN_H

#include "base/err.h"
#include "base/text.h"

#include <stddef.h>

/* Marks stand for themselves: '{', '}', '[', ']', '=', ';', ',', ':'. */
enum dot_token {
    DOT_END = 256,
    DOT_ID, /* dot_text returns it without quotes */
    DOT_ARROW,
    DOT_LINE,
    DOT_STRICT,
    DOT_GRAPH,
    DOT_DIGRAPH,
    DOT_NODE,
    DOT_EDGE,
    DOT_SUBGRAPH
};

struct dot_lexer {
    const char *at, *end, *path;
    const char *begin;
    int line;
    int token; /* the current token: a mark or one of enum dot_token */
    int token_line;
    struct text text; /* of a DOT_ID or of a keyword */
};

/* Reads the first token; a byte order mark is skipped. Errors: those of dot_next. The caller must clear it, also after
   an error. */
enum err_code dot_open(struct dot_lexer *x, const char *bytes, size_t n, const char *path, struct err *e);
void dot_clear(struct dot_lexer *x);

/* Errors: ERR_PARSE, with the line: an unexpected byte; a string, comment or HTML string without its end; a number that
   is directly followed by letters. */
enum err_code dot_next(struct dot_lexer *x, struct err *e);

/* ERR_PARSE: names the current token and what is expected in its place. */
enum err_code dot_expected(const struct dot_lexer *x, const char *what, struct err *e);

#endif
