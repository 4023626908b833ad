/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Content is kept as it was given (owned copies), and laid out only when it is shown. So text, JSON and the HTML page
   cannot differ in content, and the tally can be put into a section that was written long before the last claim.

   Claims that could not have failed are shown, but apart and without being counted. Otherwise a report could reach "all
   claims hold" by restating its inputs. */
#include "report/document.h"

#include "base/mem.h"
#include "report/json_bytes.h"
#include "report/page.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const document_kind_names[DOCUMENT_KINDS] = {"tested", "construction", "input"};

/* NULL for tested claims: they come first and need no heading. */
static const char *const headings[DOCUMENT_KINDS] = {
    [DOCUMENT_CONSTRUCTION] = "These follow from the model, or from what the platform was made for. They could hardly "
                              "come out otherwise and are not counted:",
    [DOCUMENT_INPUT] = "These restate what the platform was given and are not counted:",
};

struct claim {
    enum document_kind kind;
    bool holds;
    char *text, *paper, *here, *rule; /* NULL but for the text: there is none */
    char **details;
    size_t n_details, details_capacity;
};

struct block {
    enum { PARAGRAPH, TABLE, CLAIMS } kind; /* which of the fields below are used */
    bool is_headline;
    char *text; /* a table's title, which may be NULL */
    struct table *table;
    struct claim *claims;
    size_t n_claims, claims_capacity;
};

struct section {
    char *title;
    struct block *blocks;
    size_t n_blocks, blocks_capacity;
};

struct document {
    struct section *sections;
    size_t n_sections, sections_capacity;
};

struct document *document_create(void)
{
    return mem_zalloc(1, sizeof(struct document));
}

static void claim_clear(struct claim *c)
{
    free(c->text);
    free(c->paper);
    free(c->here);
    free(c->rule);
    for (size_t i = 0; i < c->n_details; i++)
        free(c->details[i]);
    free(c->details);
}

static void section_clear(struct section *s)
{
    /* Of any kind: the fields that a block does not use are NULL or 0. */
    for (struct block *b = s->blocks; b < s->blocks + s->n_blocks; b++) {
        free(b->text);
        table_free(b->table);
        for (size_t i = 0; i < b->n_claims; i++)
            claim_clear(&b->claims[i]);
        free(b->claims);
    }
    free(s->blocks);
    free(s->title);
}

void document_free(struct document *d)
{
    if (d == NULL)
        return;
    for (size_t i = 0; i < d->n_sections; i++)
        section_clear(&d->sections[i]);
    free(d->sections);
    free(d);
}

/* ---- collecting ---- */

static char *copy_or_null(const char *text)
{
    return text != NULL ? mem_strdup(text) : NULL;
}

void document_section(struct document *d, const char *title)
{
    MEM_GROW(d->sections, d->n_sections, d->sections_capacity);
    d->sections[d->n_sections++] = (struct section){.title = copy_or_null(title)};
}

/* A section that is not the last one may still grow: document_tally puts its counts into the introduction. */
static void add_block_to(struct section *s, struct block b)
{
    MEM_GROW(s->blocks, s->n_blocks, s->blocks_capacity);
    s->blocks[s->n_blocks++] = b;
}

static void add_block(struct document *d, struct block b)
{
    /* Callers need no section: a report of one subject has no title. */
    if (d->n_sections == 0)
        document_section(d, NULL);
    add_block_to(&d->sections[d->n_sections - 1], b);
}

void document_paragraphf(struct document *d, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add_block(d, (struct block){.kind = PARAGRAPH, .text = mem_vformat(format, args)});
    va_end(args);
}

void document_table(struct document *d, const char *title, struct table *t)
{
    add_block(d, (struct block){.kind = TABLE, .text = copy_or_null(title), .table = t});
}

/* Later claims join this block until another block begins, so that kinds are sorted within it. */
void document_claims(struct document *d)
{
    add_block(d, (struct block){.kind = CLAIMS});
}

static struct block *last_block(struct document *d)
{
    assert(d->n_sections > 0 && d->sections[d->n_sections - 1].n_blocks > 0);
    struct section *s = &d->sections[d->n_sections - 1];
    return &s->blocks[s->n_blocks - 1];
}

void document_headline(struct document *d)
{
    last_block(d)->is_headline = true;
}

static struct block *last_claims(struct document *d)
{
    struct block *b = last_block(d);
    assert(b->kind == CLAIMS);
    return b;
}

void document_claim(struct document *d, const struct document_claim *c)
{
    struct block *b = last_claims(d);
    MEM_GROW(b->claims, b->n_claims, b->claims_capacity);
    b->claims[b->n_claims++] = (struct claim){.kind = c->kind,
                                              .holds = c->holds,
                                              .text = mem_strdup(c->text),
                                              .paper = copy_or_null(c->paper),
                                              .here = copy_or_null(c->here),
                                              .rule = copy_or_null(c->rule)};
}

void document_detail(struct document *d, const char *text)
{
    struct block *b = last_claims(d);
    assert(b->n_claims > 0);
    struct claim *c = &b->claims[b->n_claims - 1];
    MEM_GROW(c->details, c->n_details, c->details_capacity);
    c->details[c->n_details++] = mem_strdup(text);
}

void document_each_claim(const struct document *d,
                         void (*claim)(void *self, const char *section, const struct document_claim *c), void *self)
{
    for (const struct section *s = d->sections; s < d->sections + d->n_sections; s++)
        for (const struct block *b = s->blocks; b < s->blocks + s->n_blocks; b++)
            for (const struct claim *c = b->claims; c < b->claims + b->n_claims; c++)
                /* A view of the claim with borrowed texts, in the order of the members of struct document_claim. */
                claim(self, s->title, &(struct document_claim){c->holds, c->text, c->paper, c->here, c->rule, c->kind});
}

/* ---- counting ---- */

struct count {
    size_t n[DOCUMENT_KINDS], n_hold[DOCUMENT_KINDS], n_all;
};

static void count_claims(const struct section *s, struct count *count)
{
    for (const struct block *b = s->blocks; b < s->blocks + s->n_blocks; b++)
        for (const struct claim *c = b->claims; c < b->claims + b->n_claims; c++) {
            count->n[c->kind]++;
            count->n_hold[c->kind] += c->holds;
            count->n_all++;
        }
}

/* An introduction without claims gets the tally; without one it stands at the end. */
static size_t place_of_tally(const struct document *d)
{
    struct count c = {0};
    if (d->n_sections == 1 || d->sections[0].title != NULL)
        return d->n_sections - 1; /* the only section, or there is no introduction */
    count_claims(&d->sections[0], &c);
    return c.n_all == 0 ? 0 : d->n_sections - 1;
}

void document_add_count(const struct document *d, struct text *out)
{
    struct count c = {0};
    for (const struct section *s = d->sections; s < d->sections + d->n_sections; s++)
        count_claims(s, &c);
    /* "Of 1 tested claims 1 hold" would say no more than the claim itself. */
    if (c.n_all < 2)
        return;
    text_addf(out, "Of %zu tested claims %zu hold here.", c.n[DOCUMENT_TESTED], c.n_hold[DOCUMENT_TESTED]);
    if (c.n[DOCUMENT_TESTED] < c.n_all)
        text_addf(out, " Not counted: %zu of %zu hold by construction, %zu of %zu restate inputs.",
                  c.n_hold[DOCUMENT_CONSTRUCTION], c.n[DOCUMENT_CONSTRUCTION], c.n_hold[DOCUMENT_INPUT],
                  c.n[DOCUMENT_INPUT]);
}

static struct table *tally_table(const struct document *d, size_t *n_sections)
{
    struct table *t = table_of("section|hold>|tested>|by construction>|inputs>");
    for (const struct section *s = d->sections; s < d->sections + d->n_sections; s++) {
        struct count c = {0};
        count_claims(s, &c);
        if (c.n_all == 0)
            continue;
        table_cell(t, s->title != NULL ? s->title : "");
        table_count(t, c.n_hold[DOCUMENT_TESTED]);
        for (size_t kind = 0; kind < DOCUMENT_KINDS; kind++)
            table_count(t, c.n[kind]); /* kinds in the order of the headers: tested, construction, input */
        ++*n_sections;
    }
    return t;
}

void document_tally(struct document *d)
{
    struct text words = {0};
    size_t n_sections = 0;
    struct table *t = tally_table(d, &n_sections);
    /* Both are made before anything is added, so the tally does not count itself. */
    document_add_count(d, &words);
    if (words.size > 0)
        add_block_to(&d->sections[place_of_tally(d)],
                     (struct block){.kind = PARAGRAPH, .text = mem_strdup(text_str(&words))});
    /* With one section the table would repeat the sentence. */
    if (n_sections > 1)
        add_block_to(&d->sections[place_of_tally(d)], (struct block){.kind = TABLE, .table = t});
    else
        table_free(t);
    text_clear(&words);
}

/* ---- text: a blank line between blocks; claims are indented, so that their verdicts are a column ---- */

#define CLAIM_INDENT "       "

/* As many signs as the title is wide on a terminal, whatever its characters. */
static void add_title(struct text *out, const char *title)
{
    text_addf(out, "%s\n", title);
    for (int i = page_text_width(title); i > 0; i--)
        text_add(out, "=", 1);
    text_add(out, "\n", 1);
}

static void add_figures(struct text *out, const struct claim *c)
{
    struct text figures = {0};
    if (c->paper != NULL)
        text_addf(&figures, "Paper: %s.", c->paper);
    if (c->here != NULL)
        text_addf(&figures, "%sHere: %s.", figures.size > 0 ? " " : "", c->here);
    if (figures.size > 0)
        page_add_lines(out, CLAIM_INDENT, text_str(&figures));
    text_clear(&figures);
}

static void add_claim(struct text *out, const struct claim *c)
{
    struct text claim = {0};
    /* The verdict replaces the first blanks of the indented text, so that the text has one left edge. Both
       verdicts are as wide as "  yes". */
    page_add_lines(&claim, CLAIM_INDENT, c->text);
    text_addf(out, "%s%s", c->holds ? "  yes" : "   NO", text_str(&claim) + strlen("  yes"));
    text_clear(&claim);
    add_figures(out, c);
    if (c->rule != NULL)
        page_add_lines(out, CLAIM_INDENT, c->rule);
    for (size_t i = 0; i < c->n_details; i++)
        page_add_lines(out, CLAIM_INDENT, c->details[i]);
}

static void add_claims(struct text *out, const struct block *b)
{
    size_t n_before = 0;
    /* One pass for each kind keeps the order of the claims within a kind. */
    for (enum document_kind kind = 0; kind < DOCUMENT_KINDS; kind++) {
        size_t n = 0;
        for (const struct claim *c = b->claims; c < b->claims + b->n_claims; c++) {
            if (c->kind != kind)
                continue;
            if (n++ == 0 && headings[kind] != NULL) {
                text_addf(out, "%s", n_before > 0 ? "\n" : "");
                page_add_lines(out, "", headings[kind]);
                text_addf(out, "\n");
            }
            add_claim(out, c);
        }
        n_before += n;
    }
}

/* Several metrics as tables one below the other would repeat a long title (document_table). */
static bool has_title_of(const struct block *b, const struct block *before)
{
    return before != NULL && before->kind == TABLE && before->text != NULL && strcmp(before->text, b->text) == 0;
}

static void add_block_text(struct text *out, const struct block *b, const struct block *before)
{
    switch (b->kind) {
    case PARAGRAPH:
        page_add_lines(out, "", b->text);
        break;
    case TABLE:
        if (b->text != NULL && !has_title_of(b, before)) {
            page_add_lines(out, "", b->text);
            text_add(out, "\n", 1);
        }
        table_add_to(b->table, out);
        break;
    case CLAIMS:
        add_claims(out, b);
        break;
    }
}

/* Blank lines separate what this call adds; none stands before its first line, which may follow other text. */
static void part(struct text *out, size_t start)
{
    if (out->size > start)
        text_add(out, "\n", 1);
}

void document_add_to(const struct document *d, struct text *out)
{
    size_t start = out->size;
    for (const struct section *s = d->sections; s < d->sections + d->n_sections; s++) {
        if (s->title != NULL) {
            part(out, start);
            add_title(out, s->title);
        }
        for (size_t i = 0; i < s->n_blocks; i++) {
            part(out, start);
            add_block_text(out, &s->blocks[i], i > 0 ? &s->blocks[i - 1] : NULL);
        }
    }
}

static void add_headline(struct text *out, const struct block *b)
{
    page_add_lines(out, "", b->text);
    if (b->kind == TABLE)
        table_add_to(b->table, out);
}

void document_add_headlines(const struct document *d, struct text *out)
{
    for (const struct section *s = d->sections; s < d->sections + d->n_sections; s++) {
        /* A title is shown only above a section that has a headline, and once. */
        bool has_title = s->title == NULL;
        for (const struct block *b = s->blocks; b < s->blocks + s->n_blocks; b++) {
            if (!b->is_headline)
                continue;
            if (!has_title)
                text_addf(out, "%s\n", s->title);
            has_title = true;
            add_headline(out, b);
        }
    }
}

/* ---- JSON ---- */

/* Line feeds are layout of the text; in JSON they are blanks. */
static json_t *json_line(const char *text)
{
    if (text == NULL)
        return json_null();
    char *line = mem_strdup(text);
    for (char *at = line; (at = strchr(at, '\n')) != NULL;)
        *at = ' ';
    json_t *string = json_bytes(line);
    free(line);
    return string;
}

/* Names that are not UTF-8 become question marks in json_bytes, so packing does not fail because of a name. */
static json_t *json_claim(const struct claim *c)
{
    json_t *details = json_array();
    for (size_t i = 0; i < c->n_details; i++)
        json_array_append_new(details, json_line(c->details[i]));
    return json_pack("{s:s, s:b, s:o, s:o, s:o, s:o, s:o}", "kind", document_kind_names[c->kind], "holds", c->holds,
                     "claim", json_line(c->text), "paper", json_line(c->paper), "here", json_line(c->here), "rule",
                     json_line(c->rule), "details", details);
}

static void append_claims(json_t *to, const struct block *b, enum document_kind kind)
{
    for (const struct claim *c = b->claims; c < b->claims + b->n_claims; c++)
        if (c->kind == kind)
            json_array_append_new(to, json_claim(c));
}

static json_t *json_titled(const struct block *b)
{
    json_t *table = json_pack("{s:o}", "title", json_line(b->text)), *content = table_json(b->table);
    json_object_update(table, content);
    json_decref(content);
    return table;
}

static json_t *json_section(const struct section *s)
{
    /* Grouped by sort of content, for programs that look for all tables or all claims. What needs the order of the text
       uses document_blocks_json. */
    json_t *paragraphs = json_array(), *tables = json_array(), *claims = json_array();
    for (const struct block *b = s->blocks; b < s->blocks + s->n_blocks; b++) {
        if (b->kind == PARAGRAPH)
            json_array_append_new(paragraphs, json_line(b->text));
        else if (b->kind == TABLE)
            json_array_append_new(tables, json_titled(b));
        for (enum document_kind kind = 0; kind < DOCUMENT_KINDS; kind++)
            append_claims(claims, b, kind);
    }
    return json_pack("{s:o, s:o, s:o, s:o}", "title", json_line(s->title), "paragraphs", paragraphs, "tables", tables,
                     "claims", claims);
}

/* Claims are not handled here: one block of the text may become up to three (append_blocks). */
static json_t *json_block(const struct block *b, const struct block *before)
{
    if (b->kind == PARAGRAPH)
        return json_pack("{s:o}", "paragraph", json_line(b->text));
    json_t *table = json_titled(b);
    if (b->text != NULL && has_title_of(b, before))
        json_object_set_new(table, "title", json_null());
    return json_pack("{s:o}", "table", table);
}

static void append_blocks(json_t *to, const struct block *b, const struct block *before)
{
    if (b->kind != CLAIMS) {
        json_array_append_new(to, json_block(b, before));
        return;
    }
    for (enum document_kind kind = 0; kind < DOCUMENT_KINDS; kind++) {
        json_t *claims = json_array();
        append_claims(claims, b, kind);
        /* "O" keeps a reference of ours, which is dropped below in any case. */
        if (json_array_size(claims) > 0)
            json_array_append_new(to, json_pack("{s:O, s:o}", "claims", claims, "heading", json_line(headings[kind])));
        json_decref(claims);
    }
}

json_t *document_blocks_json(const struct document *d)
{
    json_t *sections = json_array();
    for (const struct section *s = d->sections; s < d->sections + d->n_sections; s++) {
        json_t *blocks = json_array();
        for (size_t i = 0; i < s->n_blocks; i++)
            append_blocks(blocks, &s->blocks[i], i > 0 ? &s->blocks[i - 1] : NULL);
        json_array_append_new(sections, json_pack("{s:o, s:o}", "title", json_line(s->title), "blocks", blocks));
    }
    return json_pack("{s:o}", "sections", sections);
}

json_t *document_json(const struct document *d)
{
    json_t *sections = json_array();
    for (size_t i = 0; i < d->n_sections; i++)
        json_array_append_new(sections, json_section(&d->sections[i]));
    return json_pack("{s:o}", "sections", sections);
}
