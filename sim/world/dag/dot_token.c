/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The words of the DOT language, one at a time, with one byte of look-ahead. Nothing recurses, and each byte is
   looked at a fixed number of times, so a text from anywhere is safe to read. */
#include "dag/dot_token.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    int token;
} keywords[] = {{"strict", DOT_STRICT}, {"graph", DOT_GRAPH}, {"digraph", DOT_DIGRAPH},
                {"node", DOT_NODE},     {"edge", DOT_EDGE},   {"subgraph", DOT_SUBGRAPH}};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ASCII letters, underscores, and every byte beyond ASCII, so that names may be UTF-8 or Latin-1. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 128;
}

static bool starts(const struct dot_lexer *x, const char *what)
{
    size_t n = strlen(what);
    return (size_t)(x->end - x->at) >= n && memcmp(x->at, what, n) == 0;
}

/* ---- between tokens ---- */

static enum err_code skip_comment(struct dot_lexer *x, struct err *e)
{
    int line = x->line;
    /* Comments do not nest. The line of the opening is kept for the message: the end of the text says nothing about
       where the mistake is. */
    for (x->at += 2; !starts(x, "*/"); x->at++) {
        if (x->at == x->end)
            return err_set_at(e, ERR_PARSE, x->path, line, "this comment has no closing '*/'");
        x->line += *x->at == '\n';
    }
    x->at += 2;
    return ERR_NONE;
}

static void skip_line(struct dot_lexer *x)
{
    while (x->at < x->end && *x->at != '\n')
        x->at++;
}

/* Skips blanks and comments. DOT also ignores lines that begin with #, as written by the C preprocessor. */
static enum err_code skip(struct dot_lexer *x, struct err *e)
{
    enum err_code code = ERR_NONE;
    while (code == ERR_NONE && x->at < x->end) {
        if (*x->at == '\n') {
            x->line++;
            x->at++;
        } else if (*x->at == ' ' || *x->at == '\t' || *x->at == '\r' || *x->at == '\f' || *x->at == '\v') {
            x->at++;
        } else if (starts(x, "/*")) {
            code = skip_comment(x, e);
        } else if (starts(x, "//") || (*x->at == '#' && (x->at == x->begin || x->at[-1] == '\n'))) {
            /* A # within a line is a mistake, as in graphviz: "a # b". */
            skip_line(x);
        } else {
            break;
        }
    }
    return code;
}

/* ---- names ---- */

static void read_word(struct dot_lexer *x)
{
    const char *begin = x->at;
    while (x->at < x->end && (is_letter(*x->at) || is_digit(*x->at)))
        x->at++;
    text_add(&x->text, begin, (size_t)(x->at - begin));
    x->token = DOT_ID;
    /* Keywords in any case, as DOT defines them (Digraph). In quotes they are ordinary names: that is another
       function. */
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (strcasecmp(text_str(&x->text), keywords[i].name) == 0)
            x->token = keywords[i].token;
}

/* -?(.digits | digits(.digits)?) */
static enum err_code read_number(struct dot_lexer *x, struct err *e)
{
    const char *begin = x->at;
    int n_digits = 0;
    x->at += *x->at == '-';
    for (; x->at < x->end && is_digit(*x->at); x->at++)
        n_digits++;
    if (x->at < x->end && *x->at == '.')
        for (x->at++; x->at < x->end && is_digit(*x->at); x->at++)
            n_digits++;
    text_add(&x->text, begin, (size_t)(x->at - begin));
    x->token = DOT_ID;
    /* "1a" and "1.2.3" would be two tokens to graphviz, which warns and creates a node named 1 that nobody wanted. */
    if (n_digits > 0 && (x->at == x->end || (!is_letter(*x->at) && *x->at != '.')))
        return ERR_NONE;
    while (x->at < x->end && (is_letter(*x->at) || is_digit(*x->at) || *x->at == '.'))
        x->at++;
    return err_set_at(e, ERR_PARSE, x->path, x->line, "'%.*s' is neither a name nor a number; write it in quotes",
                      (int)(x->at - begin > 100 ? 100 : x->at - begin), begin);
}

/* Only \" is an escape, which stands for a quote. A backslash at the end of a line continues the line. */
static enum err_code read_quoted(struct dot_lexer *x, struct err *e)
{
    int line = x->line;
    for (x->at++; x->at < x->end && *x->at != '"'; x->at++) {
        size_t left = (size_t)(x->end - x->at);
        if (*x->at == '\\' && left > 1 && x->at[1] == '"') {
            x->at++;
        } else if (*x->at == '\\' && left > 1 && x->at[1] == '\\') {
            /* A pair of backslashes is passed on as a pair, as graphviz does; only its second one cannot escape a
               quote. */
            text_add(&x->text, x->at++, 1);
        } else if (starts(x, "\\\n") || starts(x, "\\\r\n")) {
            x->at += x->at[1] == '\r' ? 2 : 1;
            x->line++;
            continue;
        }
        if (*x->at == '\0')
            return err_set_at(e, ERR_PARSE, x->path, x->line, "found a NUL byte: this is not a text file");
        x->line += *x->at == '\n';
        text_add(&x->text, x->at, 1);
    }
    if (x->at == x->end)
        return err_set_at(e, ERR_PARSE, x->path, line, "this string has no closing quote");
    x->at++;
    x->token = DOT_ID;
    return ERR_NONE;
}

/* "a" + "b" is "ab". The next token is looked at for the '+', so the blanks and comments behind a string are skipped
   here already; token_line has been set before. */
static enum err_code read_strings(struct dot_lexer *x, struct err *e)
{
    enum err_code code = read_quoted(x, e);
    while (code == ERR_NONE && (code = skip(x, e)) == ERR_NONE && x->at < x->end && *x->at == '+') {
        x->at++;
        code = skip(x, e);
        if (code == ERR_NONE && (x->at == x->end || *x->at != '"'))
            code = err_set_at(e, ERR_PARSE, x->path, x->line, "a string in quotes is expected after '+'");
        if (code == ERR_NONE)
            code = read_quoted(x, e);
    }
    return code;
}

static enum err_code read_html(struct dot_lexer *x, struct err *e)
{
    int line = x->line;
    size_t depth = 1;
    const char *begin = ++x->at;
    for (; x->at < x->end; x->at++) {
        /* An HTML string ends where its brackets balance; its tags are not checked. */
        depth += *x->at == '<';
        depth -= *x->at == '>';
        if (depth == 0)
            break;
        if (*x->at == '\0')
            return err_set_at(e, ERR_PARSE, x->path, x->line, "found a NUL byte: this is not a text file");
        x->line += *x->at == '\n';
    }
    if (x->at == x->end)
        return err_set_at(e, ERR_PARSE, x->path, line, "this HTML string has no closing '>'");
    text_add(&x->text, begin, (size_t)(x->at - begin));
    x->at++;
    x->token = DOT_ID;
    return ERR_NONE;
}

/* ---- tokens ---- */

static enum err_code refuse_byte(const struct dot_lexer *x, struct err *e)
{
    unsigned char c = (unsigned char)*x->at;
    if (c == '\0')
        return err_set_at(e, ERR_PARSE, x->path, x->line, "found a NUL byte: this is not a text file");
    if (c < 32 || c == 127)
        return err_set_at(e, ERR_PARSE, x->path, x->line, "unexpected byte 0x%02x", c);
    return err_set_at(e, ERR_PARSE, x->path, x->line, "unexpected character '%c'", c);
}

enum err_code dot_next(struct dot_lexer *x, struct err *e)
{
    enum err_code code = skip(x, e);
    x->text.size = 0;
    text_add(&x->text, "", 0);
    x->token_line = x->line;
    x->token = DOT_END;
    if (code != ERR_NONE || x->at == x->end)
        return code;
    char c = *x->at;
    if (is_letter(c)) {
        read_word(x);
    } else if (c == '"') {
        code = read_strings(x, e);
    } else if (c == '<') {
        code = read_html(x, e);
    } else if (starts(x, "->") || starts(x, "--")) {
        /* Before numbers, which may also begin with '-'. */
        x->token = x->at[1] == '>' ? DOT_ARROW : DOT_LINE;
        x->at += 2;
    } else if (is_digit(c) || c == '-' || c == '.') {
        code = read_number(x, e);
    } else if (c != '\0' && strchr("{}[]=;,:", c) != NULL) {
        /* strchr would also find the NUL that ends its own string. */
        x->token = c;
        x->at++;
    } else {
        code = refuse_byte(x, e);
    }
    return code;
}

enum err_code dot_open(struct dot_lexer *x, const char *bytes, size_t n, const char *path, struct err *e)
{
    *x = (struct dot_lexer){.at = bytes, .end = bytes + n, .path = path, .begin = bytes, .line = 1};
    if (starts(x, "\xEF\xBB\xBF"))
        x->begin = x->at += 3;
    return dot_next(x, e);
}

void dot_clear(struct dot_lexer *x)
{
    text_clear(&x->text);
}

enum err_code dot_expected(const struct dot_lexer *x, const char *what, struct err *e)
{
    if (x->token == DOT_END)
        return err_set_at(e, ERR_PARSE, x->path, x->token_line, "the text ends where %s is expected", what);
    if (x->token == DOT_ARROW || x->token == DOT_LINE)
        return err_set_at(e, ERR_PARSE, x->path, x->token_line, "found '%s' where %s is expected",
                          x->token == DOT_ARROW ? "->" : "--", what);
    if (x->token < DOT_END)
        return err_set_at(e, ERR_PARSE, x->path, x->token_line, "found '%c' where %s is expected", x->token, what);
    return err_set_at(e, ERR_PARSE, x->path, x->token_line, "found '%.100s' where %s is expected", text_str(&x->text),
                      what);
}
