/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The Gantt chart for a terminal, in plain ASCII. Each column stands for a stretch of time and shows one thing, so
   short activities may not appear; the notes below the chart say how many.

   Time is linear in the number of bars and in lanes times columns. */
#include "report/gantt.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { IDLE = -1, MAX_LABEL = 24, COLUMNS_PER_TICK = 14 };

/* By kind, as in the legend; the space is a node that is done. */
static const char fill[N_GANTT_KINDS] = {'#', '>', '<', '=', '_', ' ', '-', '%'};
static const double seen_stolen_ratio = 0.05; /* of the time of a column */

/* What one column would show is known only when all bars of its lane have been spread, hence the sums. */
struct column { /* the activities during its time */
    double amount_s[N_GANTT_KINDS];
    struct {
        double amount_s;
        int bar; /* place in struct gantt's bars */
    } most[N_GANTT_KINDS];
};

struct page {
    const struct gantt *gantt;
    struct text *out;
    int label_width, n_columns; /* columns: of the plot */
    double column_s;
    struct column *columns;
    /* For the note about tasks that are too short: those whose bar won no column. */
    bool *is_seen; /* [task] */
    bool has_many_links;
    int n_quiet_links, n_quiet_parts; /* left out because no column would show a transfer */
};

/* Characters of UTF-8. East Asian wide ones count once, because add_name writes each as one `?`. */
static int name_length(const char *name)
{
    int n = 0;
    for (; *name != '\0'; name++)
        n += ((unsigned char)*name & 0xC0) != 0x80; /* not inside a character */
    return n;
}

/* Adds a name as at most `width` ASCII characters: ~ marks a cut, ? replaces other characters, _ a blank, which would
   look like a gap in the bar. Returns how many it added. */
static int add_name(struct text *out, const char *name, int width)
{
    int n = 0;
    bool is_longer = name_length(name) > width;
    for (const char *c = name; *c != '\0' && n < width; c++) {
        if (((unsigned char)*c & 0xC0) == 0x80)
            continue;
        bool is_cut = n == width - 1 && is_longer;
        char shown = is_cut ? '~' : *c > ' ' && *c < 127 ? *c : *c == ' ' ? '_' : '?';
        text_add(out, &shown, 1);
        n++;
    }
    return n;
}

static void add_repeated(struct text *out, char c, int n)
{
    for (; n > 0; n--)
        text_add(out, &c, 1);
}

/* ---- what a column shows ---- */

/* The first of equal bars stays, and rounding does not make two bars unequal. */
static void add_amount(struct column *c, enum gantt_kind kind, int bar, double amount_s, double tolerance_s)
{
    c->amount_s[kind] += amount_s;
    if (amount_s > c->most[kind].amount_s + tolerance_s) {
        c->most[kind].amount_s = amount_s;
        c->most[kind].bar = bar;
    }
}

static void spread(struct page *p, int bar)
{
    const struct gantt_bar *b = &p->gantt->bars[bar];
    /* Bars of zero length take no part of any column. */
    if (!(b->span.finish_s > b->span.start_s))
        return;
    double ratio = b->kind == GANTT_STOLEN ? b->ratio : 1;
    int first = (int)fmin(b->span.start_s / p->column_s, p->n_columns - 1);
    int last = (int)fmin(b->span.finish_s / p->column_s, p->n_columns - 1);
    for (int i = first; i <= last; i++) {
        double begin_s = fmax(b->span.start_s, i * p->column_s);
        double end_s = fmin(b->span.finish_s, (i + 1) * p->column_s);
        if (end_s > begin_s)
            add_amount(&p->columns[i], b->kind, bar, ratio * (end_s - begin_s), 1e-9 * p->column_s);
    }
}

/* The bar that a column shows, or IDLE. At a tie a bar goes before idle time, and a task before a send. The kind is
   chosen first, then the longest bar of that kind: ten short tasks are "busy", not "idle". */
static int shown(const struct page *p, const struct column *c)
{
    double idle_s = p->column_s, most_s = 0, tolerance_s = 1e-9 * p->column_s;
    int bar = IDLE;
    for (int k = 0; !gantt_is_overlay(k); k++) {
        idle_s -= c->amount_s[k];
        if (c->amount_s[k] > most_s + tolerance_s) {
            most_s = c->amount_s[k];
            bar = c->most[k].bar;
        }
    }
    if (most_s >= idle_s - tolerance_s)
        return bar;
    /* Data under way are shown only where nothing else is. */
    return c->amount_s[GANTT_DELAY] >= p->column_s / 2 - tolerance_s ? c->most[GANTT_DELAY].bar : IDLE;
}

/* ---- drawing ---- */

/* A task on n columns: [name##], the name alone, [#], or #. Brackets tell neighbouring tasks apart; a name that does
   not fit is left out, not cut. */
static void add_task(struct text *out, const char *name, int n)
{
    int width = name_length(name);
    if (n >= width + 2 || (n >= 3 && n < width)) {
        bool is_named = n >= width + 2;
        text_add(out, "[", 1);
        int done = is_named ? add_name(out, name, width) : 0;
        add_repeated(out, '#', n - 2 - done);
        text_add(out, "]", 1);
    } else if (n >= width) {
        add_repeated(out, '#', n - add_name(out, name, n));
    } else {
        text_add(out, n == 2 ? "[]" : "#", (size_t)n);
    }
}

static void add_run(struct page *p, int bar, int n)
{
    const struct gantt_bar *b = bar == IDLE ? NULL : &p->gantt->bars[bar];
    if (b == NULL) {
        add_repeated(p->out, '.', n);
    } else if (b->kind != GANTT_TASK) {
        add_repeated(p->out, fill[b->kind], n);
    } else {
        char *name = gantt_bar_name(p->gantt, b, "", INFINITY, GANTT_SHORT_NAME);
        p->is_seen[b->id] = true;
        add_task(p->out, name, n);
        free(name);
    }
}

static void add_label(struct page *p, const char *label)
{
    int n = add_name(p->out, label, p->label_width);
    add_repeated(p->out, ' ', p->label_width - n + 1);
}

/* Columns show what takes most of them. So a link with a few short transfers may show nothing. */
static bool is_quiet(const struct page *p)
{
    for (int i = 0; i < p->n_columns; i++)
        if (shown(p, &p->columns[i]) != IDLE)
            return false;
    return true;
}

/* Neighbouring columns of one bar are one run, so its name is written once. Idle columns join, too. */
static void add_columns(struct page *p)
{
    for (int i = 0, n; i < p->n_columns; i += n) {
        int bar = shown(p, &p->columns[i]);
        for (n = 1; i + n < p->n_columns && shown(p, &p->columns[i + n]) == bar;)
            n++;
        size_t before = p->out->size;
        add_run(p, bar, n);
        /* Only # gives way to %: names and brackets stay. */
        for (int k = 0; k < n; k++)
            if (p->out->data[before + (size_t)k] == '#' &&
                p->columns[i + k].amount_s[GANTT_STOLEN] >= seen_stolen_ratio * p->column_s)
                p->out->data[before + (size_t)k] = fill[GANTT_STOLEN];
    }
}

static void take_columns(struct page *p, const struct gantt_lane *lane)
{
    memset(p->columns, 0, (size_t)p->n_columns * sizeof *p->columns);
    for (size_t i = lane->first; i < lane->first + lane->n; i++)
        spread(p, (int)i);
}

/* Parts of farm nodes (sends, receives) are dropped without their node; lanes of graphs together (add_lanes). */
static void add_lane(struct page *p, const struct gantt_lane *lane, bool is_named)
{
    take_columns(p, lane);
    if (lane->is_part && is_quiet(p)) {
        p->n_quiet_parts++;
        return;
    }
    add_label(p, is_named ? lane->name : "");
    text_add(p->out, "|", 1);
    add_columns(p);
    text_add(p->out, "|\n", 2);
}

/* The lanes of a resource. With two layers a link is left out only if both are quiet, or pairs would not line up. */
static void add_lanes(struct page *p, const struct gantt_lane *lanes)
{
    bool are_quiet = lanes->is_link && p->has_many_links;
    for (int i = 0; i < lanes->n_group && are_quiet; i++) {
        take_columns(p, &lanes[i]);
        are_quiet = is_quiet(p);
    }
    if (are_quiet)
        p->n_quiet_links++;
    for (int i = 0; i < lanes->n_group && !are_quiet; i++)
        add_lane(p, &lanes[i], i == 0);
}

/* A line with a | at every mark, and what the time before it is. */
static void add_marks(struct page *p)
{
    int at = 0;
    if (p->gantt->n_marks == 0)
        return;
    add_repeated(p->out, ' ', p->label_width + 2);
    for (int i = 0; i < p->gantt->n_marks; i++) {
        const struct gantt_mark *mark = &p->gantt->marks[i];
        /* fmin: rounding may put the last mark beyond the last column. */
        int to = (int)fmin(mark->date_s / p->column_s, p->n_columns), length = (int)strlen(mark->before);
        /* A name that would not fit is left out, not cut. */
        int n = to - at >= length ? add_name(p->out, mark->before, length) : 0;
        add_repeated(p->out, ' ', to - at - n);
        if (i + 1 < p->gantt->n_marks && to < p->n_columns) {
            text_add(p->out, "|", 1);
            to++;
        }
        at = to;
    }
    text_add(p->out, "\n", 1);
}

/* A line with a + at every tick, and one with the numbers. Each number begins under its + and is left out if it would
   end beyond the chart. Ticks are far enough apart (COLUMNS_PER_TICK) for their numbers. */
static void add_scale(struct page *p)
{
    double end_s = p->gantt->end_s, unit_s, tick_s = gantt_tick_s(end_s, p->n_columns / COLUMNS_PER_TICK);
    const char *unit = gantt_unit(end_s, &unit_s);
    struct text rule = {0}, numbers = {0};
    add_repeated(&rule, '-', p->n_columns);
    for (int i = 0; i == 0 || (tick_s > 0 && i * tick_s <= end_s * (1 + 1e-9)); i++) {
        int at = end_s > 0 ? (int)rint(i * tick_s / p->column_s) : 0;
        if (at < p->n_columns)
            rule.data[at] = '+';
        char *number = mem_format("%.10g%s%s", i * tick_s / unit_s, i == 0 ? " " : "", i == 0 ? unit : "");
        if (at + (int)strlen(number) <= p->n_columns + 1) {
            add_repeated(&numbers, ' ', at - (int)numbers.size);
            text_add(&numbers, number, strlen(number));
        }
        free(number);
    }
    text_addf(p->out, "%*s %s+\n%*s %s\n", p->label_width + 1, "", text_str(&rule), p->label_width + 1, "",
              text_str(&numbers));
    text_clear(&rule);
    text_clear(&numbers);
}

/* Adds words to the current line, or to a new one if the line would be wider than the chart. */
static void add_words(struct page *p, size_t *line_start, const char *words)
{
    size_t columns = (size_t)(p->label_width + p->n_columns + 3), used = p->out->size - *line_start;
    if (used > 0 && used + 3 + strlen(words) > columns) {
        text_add(p->out, "\n", 1);
        *line_start = p->out->size;
    } else if (used > 0) {
        text_add(p->out, "   ", 3);
    }
    text_add(p->out, words, strlen(words));
}

/* Only what occurs, but always idle time and the length of a column. */
static void add_legend(struct page *p)
{
    static const char *const examples[N_GANTT_KINDS] = {"[A##]", ">>>", "<<<", "===", "___", "'   '", "---", "%%%"};
    size_t line_start = p->out->size;
    char words[160];
    for (int k = 0; k < N_GANTT_KINDS; k++)
        if (p->gantt->n_of_kind[k] > 0) {
            snprintf(words, sizeof words, "%s %s%s", examples[k], gantt_kind_names[k],
                     k == GANTT_STOLEN ? " in part (5 % or more)" : "");
            add_words(p, &line_start, words);
        }
    add_words(p, &line_start, "... idle");
    snprintf(words, sizeof words, "(a column is %.3g s: what takes most of it)", p->column_s);
    if (p->column_s > 0)
        add_words(p, &line_start, words);
    const struct gantt_layer *layers = p->gantt->subject->layers;
    snprintf(words, sizeof words, "each lane twice: above %.60s, below %.60s", layers[0].name, layers[1].name);
    if (p->gantt->subject->n_layers > 1)
        add_words(p, &line_start, words);
    text_add(p->out, "\n", 1);
}

static void add_notes(struct page *p)
{
    int n_tasks = gantt_n_tasks(p->gantt), n_unseen = 0;
    size_t before = p->out->size;
    for (task_id t = 0; t < n_tasks; t++)
        n_unseen += !p->is_seen[t];
    gantt_add_left_out(p->gantt, p->out);
    if (p->out->size > before)
        text_add(p->out, "\n", 1);
    if (p->n_quiet_links > 0)
        text_addf(p->out, "Not shown: %d link%s never busy for most of a column\n", p->n_quiet_links,
                  p->n_quiet_links == 1 ? "" : "s");
    if (p->n_quiet_parts > 0)
        text_addf(p->out, "Not shown: %d row%s of sends or receives that never take most of a column\n",
                  p->n_quiet_parts, p->n_quiet_parts == 1 ? "" : "s");
    if (n_unseen > 0)
        text_addf(p->out, "%d of %d tasks %s too short for this chart\n", n_unseen, n_tasks,
                  n_unseen == 1 ? "is" : "are");
}

/* Names get at most a quarter of the line: the chart is about time. */
static int label_width(const struct gantt *g, int columns)
{
    int most = columns / 4 < MAX_LABEL ? columns / 4 : MAX_LABEL, width = 0;
    for (int l = 0; l < g->n_lanes; l++)
        width = (int)fmax(width, name_length(g->lanes[l].name));
    return width < most ? width : most;
}

void gantt_add_text(const struct gantt_subject *subject, int columns, struct text *out)
{
    struct gantt g;
    gantt_init(&g, subject, GANTT_MANY_LINKS_TEXT);
    int n_links = 0;
    /* Lanes of one resource follow each other; n_group steps over them. */
    for (int l = 0; l < g.n_lanes; l += g.lanes[l].n_group)
        n_links += g.lanes[l].is_link;
    columns = columns < GANTT_LEAST_COLUMNS ? GANTT_LEAST_COLUMNS : columns;
    struct page p = {.gantt = &g,
                     .out = out,
                     .label_width = label_width(&g, columns),
                     .has_many_links = n_links > GANTT_MANY_LINKS_TEXT};
    p.n_columns = columns - p.label_width - 3; /* a blank and two bars */
    p.column_s = g.end_s / p.n_columns;
    p.columns = mem_zalloc((size_t)p.n_columns, sizeof *p.columns);
    p.is_seen = mem_zalloc((size_t)gantt_n_tasks(&g), sizeof *p.is_seen);
    gantt_add_title(&g, out);
    text_add(out, "\n", 1);
    gantt_add_subtitle(&g, out);
    text_add(out, "\n", 1);
    add_marks(&p);
    for (int l = 0; l < g.n_lanes; l += g.lanes[l].n_group)
        add_lanes(&p, &g.lanes[l]);
    add_scale(&p);
    add_legend(&p);
    add_notes(&p);
    free(p.columns);
    free(p.is_seen);
    gantt_clear(&g);
}
