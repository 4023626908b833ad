/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Puts an explanation (sim/users/explain) into words and tables: first a few sentences, then the critical chain, the
   sums, and what-ifs. JSON has everything; the text leaves out what is small, and says how much that is.

   All shares are of the makespan: the segments of the chain cover it without gaps, so they add up to 100 %. */
#include "report/explain_report.h"

#include "base/choose.h"
#include "base/mem.h"
#include "base/text.h"
#include "report/json_bytes.h"
#include "report/page.h"
#include "report/table.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SUMS = 12, MOST_ROWS = 30 }; /* in tables: of causes, hosts or links; of the chain */

/* ---- JSON ---- */

static json_t *item_json(const struct dag *g, struct explain_item item)
{
    char *name = explain_item_name(g, item);
    json_t *x = json_bytes(name);
    free(name);
    return x;
}

/* What does not apply is null: a segment is on a host or on a link, of a task or of an edge. */
static json_t *segment_json(const struct explanation *x, const struct explain_segment *s)
{
    const struct dag *g = x->plan->dag;
    const struct machine *m = x->plan->machine;
    json_t *with = json_array();
    for (size_t i = 0; i < s->n_with; i++)
        json_array_append_new(with, item_json(g, x->with[s->first_with + i]));
    return json_pack("{s:f, s:f, s:s, s:o, s:o, s:o, s:o, s:o}", "from_s", s->from_s, "to_s", s->to_s, "cause",
                     explain_cause_names[s->cause], "host", json_bytes(s->host >= 0 ? m->hosts[s->host].name : NULL),
                     "link", json_bytes(s->link >= 0 ? m->links[s->link].name : NULL), "task",
                     s->item.task >= 0 ? item_json(g, s->item) : json_null(), "edge",
                     s->item.edge >= 0 ? item_json(g, s->item) : json_null(), "with", with);
}

/* ---- what causes, hosts and links sum up to ---- */

/* In the order of enum explain_kind. */
static const struct {
    const char *name, *key; /* in text, in JSON */
} kinds[N_EXPLAIN_KINDS] = {{"cause", "by_cause"}, {"host", "by_host"}, {"link", "by_link"}};

static double percent(double part_s, double whole_s)
{
    return whole_s > 0 ? 100 * part_s / whole_s : 0;
}

static const char *name_of(const struct machine *m, enum explain_kind kind, int id)
{
    return kind == BY_CAUSE ? explain_cause_sentences[id] : kind == BY_HOST ? m->hosts[id].name : m->links[id].name;
}

struct parts {
    enum explain_kind kind;
    struct choose_ranked *list; /* the largest first */
    size_t n;
};

/* Those of a kind that have more than `least_s` in one of the two, ranked by how much the second differs from the
   first, in either direction. The caller frees the list. */
static struct parts find_parts(const struct machine *m, enum explain_kind kind, const double *first_s,
                               const double *second_s, double least_s)
{
    /* Sums of all kinds stand one after the other in one array (struct explanation); a kind begins
       where the one before it ends. */
    size_t first = explain_first_sum(m, kind), end = explain_first_sum(m, kind + 1);
    struct parts parts = {kind, mem_alloc((end - first + 1) * sizeof *parts.list), 0};
    for (size_t i = first; i < end; i++)
        if (first_s[i] > least_s || second_s[i] > least_s)
            parts.list[parts.n++] = (struct choose_ranked){(int)(i - first), fabs(second_s[i] - first_s[i])};
    qsort(parts.list, parts.n, sizeof *parts.list, choose_largest_first);
    return parts;
}

/* Of one explanation: its difference from nothing is its sum. What is negligible beside the makespan is rounding. */
static struct parts find_sums(const struct explanation *x, enum explain_kind kind)
{
    const struct machine *m = x->plan->machine;
    double *none_s = mem_zalloc(explain_first_sum(m, N_EXPLAIN_KINDS), sizeof *none_s);
    struct parts parts = find_parts(m, kind, none_s, x->sums_s, 1e-12 * x->makespan_s);
    free(none_s);
    return parts;
}

/* A key must be UTF-8: the same bytes as in the segments. */
static void set_sum(json_t *sums, const struct machine *m, enum explain_kind kind, int id, json_t *value)
{
    json_t *key = json_bytes(kind == BY_CAUSE ? explain_cause_names[id] : name_of(m, kind, id));
    json_object_set_new(sums, json_string_value(key), value);
    json_decref(key);
}

static json_t *sums_json(const struct explanation *x, enum explain_kind kind)
{
    const struct machine *m = x->plan->machine;
    size_t first = explain_first_sum(m, kind);
    json_t *sums = json_object();
    /* All above 0, rounding or not: programs may have a threshold of their own. */
    for (size_t i = first; i < explain_first_sum(m, kind + 1); i++)
        if (x->sums_s[i] > 0)
            set_sum(sums, m, kind, (int)(i - first), json_real(x->sums_s[i]));
    return sums;
}

json_t *explain_report_json(const struct explain_report *r)
{
    const struct explanation *x = r->explanation;
    json_t *segments = json_array(), *what_ifs = json_array();
    for (size_t i = 0; i < x->n; i++)
        json_array_append_new(segments, segment_json(x, &x->segments[i]));
    for (size_t i = 0; i < r->n_what_ifs; i++) {
        const struct what_if *w = &r->what_ifs[i];
        char *name = what_if_name(x->plan->schedule, w);
        /* "error" is absent (o*) where the change was simulated. */
        json_array_append_new(what_ifs, json_pack("{s:o, s:o, s:o*}", "change", json_bytes(name), "makespan_s",
                                                  json_finite(w->makespan_s), "error",
                                                  w->error[0] != '\0' ? json_bytes(w->error) : NULL));
        free(name);
    }
    json_t *root = json_pack("{s:f, s:o}", "makespan_s", x->makespan_s, "segments", segments);
    for (enum explain_kind kind = 0; kind < N_EXPLAIN_KINDS; kind++)
        json_object_set_new(root, kinds[kind].key, sums_json(x, kind));
    json_object_set_new(root, "what_if", what_ifs);
    return root;
}

static void add_sum(struct table *t, double s, double makespan_s)
{
    table_number(t, s, 6);
    table_cellf(t, "%.1f", percent(s, makespan_s));
}

static void print_sums(const struct explanation *x, enum explain_kind kind, FILE *out)
{
    struct parts parts = find_sums(x, kind);
    struct table *t = table_of(kinds[kind].name);
    double rest_s = 0;
    table_columns(t, "seconds>|% of the makespan>");
    for (size_t i = 0; i < parts.n && i < MOST_SUMS; i++) {
        table_cell(t, name_of(x->plan->machine, kind, parts.list[i].id));
        add_sum(t, parts.list[i].value, x->makespan_s);
    }
    /* What is cut off is one row, so that the columns still add up. */
    for (size_t i = MOST_SUMS; i < parts.n; i++)
        rest_s += parts.list[i].value;
    if (parts.n > MOST_SUMS) {
        table_cellf(t, "(%zu others)", parts.n - MOST_SUMS);
        add_sum(t, rest_s, x->makespan_s);
    }
    if (parts.n > 0) {
        table_print(t, out);
        fputc('\n', out);
    }
    table_free(t);
    free(parts.list);
}

/* ---- the story ---- */

/* The largest cause always, others from 1 % on: the sentence is for those who read nothing else. */
static void tell_causes(const struct explain_report *r, struct text *out)
{
    const struct explanation *x = r->explanation;
    struct parts parts = find_sums(x, BY_CAUSE);
    text_addf(out, "The schedule took %.6g s.", x->makespan_s);
    for (size_t i = 0; i < parts.n && (i == 0 || percent(parts.list[i].value, x->makespan_s) >= 1); i++)
        text_addf(out, i == 0 ? " %.3g %% of the makespan is %s" : ", %.3g %% %s",
                  percent(parts.list[i].value, x->makespan_s), explain_cause_sentences[parts.list[i].id]);
    text_addf(out, "%s", parts.n > 0 ? "." : "");
    free(parts.list);
}

/* The what-if that doubles a host or link; NULL: it was not tried. A link of two directions is two links here,
   which are doubled together. */
static const struct what_if *find_doubling(const struct explain_report *r, enum what_if_kind kind, int id)
{
    const struct machine *m = r->explanation->plan->machine;
    for (size_t i = 0; i < r->n_what_ifs; i++) {
        const struct what_if *w = &r->what_ifs[i];
        if (w->kind == kind && (kind == WIDER_LINK ? what_if_is_same_link(m, w->id, id) : w->id == id))
            return w;
    }
    return NULL;
}

/* what_ifs are sorted, best first. Those that failed have no makespan. */
static const struct what_if *best_doubling(const struct explain_report *r)
{
    for (size_t i = 0; i < r->n_what_ifs; i++)
        if ((r->what_ifs[i].kind == FASTER_HOST || r->what_ifs[i].kind == WIDER_LINK) &&
            isfinite(r->what_ifs[i].makespan_s))
            return &r->what_ifs[i];
    return NULL;
}

/* "with host h twice as fast it takes 3 s, 25 % less" */
static void tell_gain(const struct explain_report *r, const struct what_if *w, struct text *out)
{
    /* Below 0: a faster host can make a fixed order slower. */
    double before_s = r->explanation->makespan_s, gain = percent(before_s - w->makespan_s, before_s);
    char *name = what_if_name(r->explanation->plan->schedule, w);
    bool is_without = strncmp(name, "without", strlen("without")) == 0; /* "without A -> B" needs no preposition */
    text_addf(out, " %s%s it takes %.6g s, %.3g %% %s", is_without ? "" : "with ", name, w->makespan_s, fabs(gain),
              gain < 0 ? "more" : "less");
    free(name);
}

/* The host or link with the largest sum, and whether doubling it is what helps most. It need not be: once it is faster,
   another chain may be the critical one. */
static void tell_bottleneck(const struct explain_report *r, struct text *out)
{
    const struct explanation *x = r->explanation;
    struct parts hosts = find_sums(x, BY_HOST), links = find_sums(x, BY_LINK);
    bool is_link = links.n > 0 && (hosts.n == 0 || links.list[0].value > hosts.list[0].value);
    const struct choose_ranked *most = is_link ? &links.list[0] : &hosts.list[0];
    if (hosts.n + links.n > 0) {
        const struct what_if *own = find_doubling(r, is_link ? WIDER_LINK : FASTER_HOST, most->id);
        const struct what_if *best = best_doubling(r);
        text_addf(out, " Most of it is on %s %s: %.6g s, %.3g %%", is_link ? "link" : "host",
                  name_of(x->plan->machine, is_link ? BY_LINK : BY_HOST, most->id), most->value,
                  percent(most->value, x->makespan_s));
        if (own != NULL && isfinite(own->makespan_s)) {
            text_addf(out, ";");
            tell_gain(r, own, out);
        }
        text_addf(out, ".");
        /* 1e-9: an equal makespan with another last digit is not better. NULL: no doubling could be replayed. */
        if (own != NULL && best != NULL && best != own && best->makespan_s < own->makespan_s * (1 - 1e-9)) {
            text_addf(out, " Doubling another host or link helps more, because other items are then critical:");
            tell_gain(r, best, out);
            text_addf(out, ".");
        }
    }
    free(hosts.list);
    free(links.list);
}

/* Only for changes of another kind than doublings, which tell_bottleneck has named, and only if it helps. */
static void tell_best(const struct explain_report *r, struct text *out)
{
    if (r->n_what_ifs == 0 || r->what_ifs[0].kind == FASTER_HOST || r->what_ifs[0].kind == WIDER_LINK ||
        !(r->what_ifs[0].makespan_s < r->explanation->makespan_s * (1 - 1e-9)))
        return;
    text_addf(out, " The best of all simulated changes:");
    tell_gain(r, &r->what_ifs[0], out);
    text_addf(out, ".");
}

/* ---- the chain ---- */

static const double least_fold_ratio = 1e-3; /* of the makespan: less is not mentioned */

static const char *const short_causes[N_CAUSES] = {
    [CAUSE_COMPUTING] = "computing",
    [CAUSE_SLOWED_BY_SEND] = "slowed by sends",
    [CAUSE_SLOWED_BY_RECEIVE] = "slowed by receives",
    [CAUSE_SLOW_HOST] = "slow host",
    [CAUSE_OVERHEAD_SEND] = "overhead, send",
    [CAUSE_OVERHEAD_RECEIVE] = "overhead, receive",
    [CAUSE_INVOLVEMENT_SEND] = "involved, send",
    [CAUSE_INVOLVEMENT_RECEIVE] = "involved, receive",
    [CAUSE_LATENCY] = "latency",
    [CAUSE_TRANSFER] = "transfer",
    [CAUSE_SHARING] = "sharing with",
    [CAUSE_SLOW_LINK] = "slow link",
    [CAUSE_WAITING] = "waiting behind",
    [CAUSE_PORT] = "port taken by",
    [CAUSE_OTHER_END] = "waiting for",
    [CAUSE_UNEXPLAINED] = "unexplained",
};

/* Consecutive segments that differ only in their rate or in who takes part are one row to a reader. */
struct row { /* segments of one item with one cause; or several rows that are folded into one */
    size_t first, behind;
    double s;
    bool is_shown;
};

static bool is_same_item(const struct explain_segment *a, const struct explain_segment *b)
{
    return a->cause == b->cause && a->item.task == b->item.task && a->item.edge == b->item.edge && a->host == b->host &&
           a->link == b->link;
}

static size_t make_rows(const struct explanation *x, struct row *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < x->n; i++) {
        if (i == 0 || !is_same_item(&x->segments[i - 1], &x->segments[i]))
            rows[n++] = (struct row){i, i, 0, false};
        rows[n - 1].behind = i + 1;
        /* From the first segment's start, not a sum of lengths: rounding would make rows overlap. */
        rows[n - 1].s = x->segments[i].to_s - x->segments[rows[n - 1].first].from_s;
    }
    return n;
}

static int compare_rows(const void *a, const void *b) /* the longest first */
{
    const struct row *x = *(struct row *const *)a, *y = *(struct row *const *)b;
    if (x->s != y->s)
        return x->s > y->s ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* The longest rows are shown, in the order of the chain; the rest is folded where it lies. */
static void choose_rows(struct row *rows, size_t n)
{
    struct row **sorted = mem_alloc((n + 1) * sizeof *sorted);
    for (size_t i = 0; i < n; i++)
        sorted[i] = &rows[i];
    qsort(sorted, n, sizeof *sorted, compare_rows);
    for (size_t i = 0; i < n && i < MOST_ROWS; i++)
        sorted[i]->is_shown = true;
    free(sorted);
}

/* At most two names: under contention a transfer may share its links with many. */
static char *with_text(const struct explanation *x, const struct row *row)
{
    enum { MOST_NAMES = 2 };
    struct text names = {0};
    size_t n = 0;
    /* The names may be repeated over the segments of a row; `n` counts them as often. */
    for (size_t i = row->first; i < row->behind; i++)
        for (size_t k = 0; k < x->segments[i].n_with; k++) {
            char *name = explain_item_name(x->plan->dag, x->with[x->segments[i].first_with + k]);
            if (n++ < MOST_NAMES)
                text_add_name(&names, name);
            free(name);
        }
    if (n > MOST_NAMES)
        text_addf(&names, ", %zu more", n - MOST_NAMES);
    return text_take(&names);
}

static void add_row(struct table *t, const struct explanation *x, const struct row *row)
{
    const struct machine *m = x->plan->machine;
    const struct explain_segment *s = &x->segments[row->first];
    char *item = explain_item_name(x->plan->dag, s->item), *with = with_text(x, row);
    table_number(t, s->from_s, 6);
    table_number(t, row->s, 4);
    table_cell(t, short_causes[s->cause]);
    table_cell(t, item);
    table_cell(t, s->host >= 0 ? m->hosts[s->host].name : s->link >= 0 ? m->links[s->link].name : "");
    /* The other end of a message could not take part because it computed something else. */
    if (s->cause == CAUSE_OTHER_END)
        table_cellf(t, "which computed %s", with);
    else
        table_cell(t, with);
    free(item);
    free(with);
}

/* Rows that are folded are neighbours, so their time is from the first one's start to the last one's end. */
static void add_folded_row(struct table *t, const struct explanation *x, const struct row *rows, size_t n)
{
    double s = n > 0 ? x->segments[rows[n - 1].behind - 1].to_s - x->segments[rows[0].first].from_s : 0;
    if (s <= least_fold_ratio * x->makespan_s) /* the chain may begin, or end, with a shown row */
        return;
    table_number(t, x->segments[rows[0].first].from_s, 6);
    table_number(t, s, 4);
    table_cellf(t, "(%zu shorter)", n);
    for (int i = 0; i < 3; i++)
        table_cell(t, "");
}

static void print_chain(const struct explanation *x, FILE *out)
{
    struct row *rows = mem_alloc((x->n + 1) * sizeof *rows);
    size_t n = make_rows(x, rows), n_printed = 0;
    struct table *t = table_of("from_s>|seconds>|cause|task or edge|where|with");
    choose_rows(rows, n);
    for (size_t i = 0; i < n; i++) {
        if (!rows[i].is_shown) /* folded into the next row that is shown, or the last one */
            continue;
        add_folded_row(t, x, &rows[n_printed], i - n_printed);
        add_row(t, x, &rows[i]);
        n_printed = i + 1;
    }
    add_folded_row(t, x, &rows[n_printed], n - n_printed);
    if (n > 0) {
        table_print(t, out);
        fputc('\n', out);
    }
    table_free(t);
    free(rows);
}

/* ---- what-ifs ---- */

/* The column for reasons would be empty in most reports. */
static bool any_has_failed(const struct explain_report *r)
{
    bool any = false;
    for (size_t i = 0; i < r->n_what_ifs; i++)
        any = any || r->what_ifs[i].error[0] != '\0';
    return any;
}

static void print_what_ifs(const struct explain_report *r, FILE *out)
{
    const struct explanation *x = r->explanation;
    bool has_reasons = any_has_failed(r);
    struct table *t = table_of(has_reasons ? "change|makespan_s>|% less>|why not" : "change|makespan_s>|% less>");
    for (size_t i = 0; i < r->n_what_ifs; i++) {
        char *name = what_if_name(x->plan->schedule, &r->what_ifs[i]);
        table_cell(t, name);
        table_number(t, r->what_ifs[i].makespan_s, 9);
        /* + 0.0: -0.0 would be shown as "-0.0" */
        if (isfinite(r->what_ifs[i].makespan_s))
            table_cellf(t, "%.1f", percent(x->makespan_s - r->what_ifs[i].makespan_s, x->makespan_s) + 0.0);
        else
            table_cell(t, "-");
        if (has_reasons)
            table_cell(t, r->what_ifs[i].error);
        free(name);
    }
    if (r->n_what_ifs > 0)
        table_print(t, out);
    table_free(t);
    if (r->n_left_out > 0)
        page_paragraphf(out,
                        "Each change was simulated, in the order of the schedule. %zu hosts, links and edges with "
                        "smaller parts of the chain were not tried (--what-ifs).",
                        r->n_left_out);
}

void explain_report_print(const struct explain_report *r, FILE *out)
{
    const struct explanation *x = r->explanation;
    struct text story = {0};
    tell_causes(r, &story);
    tell_bottleneck(r, &story);
    tell_best(r, &story);
    page_paragraphf(out, "%s", text_str(&story));
    text_clear(&story);
    fputc('\n', out);
    print_chain(x, out);
    for (enum explain_kind kind = 0; kind < N_EXPLAIN_KINDS; kind++)
        print_sums(x, kind, out);
    print_what_ifs(r, out);
}

/* ---- two schedules ---- */

/* Sorted by the size of the difference: what is equal in both comes last or not at all. */
static void print_differences(const struct machine *m, const struct explain_sums sums[2], const struct parts *parts,
                              FILE *out)
{
    struct table *t = table_of(kinds[parts->kind].name);
    table_columns(t, "first_s>|second_s>|difference_s>");
    for (size_t i = 0; i < parts->n && i < MOST_SUMS; i++) {
        size_t at = explain_first_sum(m, parts->kind) + (size_t)parts->list[i].id;
        table_cell(t, name_of(m, parts->kind, parts->list[i].id));
        table_number(t, sums[0].sums_s[at], 6);
        table_number(t, sums[1].sums_s[at], 6);
        table_number(t, sums[1].sums_s[at] - sums[0].sums_s[at], 6);
    }
    if (parts->n > 0) {
        fputc('\n', out);
        table_print(t, out);
    }
    if (parts->n > MOST_SUMS)
        fprintf(out, "(%zu others differ less)\n", parts->n - MOST_SUMS);
    table_free(t);
}

/* The causes whose differences go the same way as that of the makespans, the largest ones: those of the other direction
   explain why the difference is not greater. */
static void tell_differences(const struct explain_sums sums[2], const struct parts *causes, double more_s,
                             struct text *out)
{
    enum { MOST = 3 };
    size_t n = 0;
    for (size_t i = 0; i < causes->n && n < MOST; i++) {
        int id = causes->list[i].id; /* causes come first among the sums, so their number is their place */
        double s = sums[1].sums_s[id] - sums[0].sums_s[id];
        bool is_telling = more_s > 0 ? s > 0 : s < 0;
        if (is_telling && fabs(s) > 1e-9 * sums[0].makespan_s)
            text_addf(out, n++ == 0 ? " Above all: %s, %+.4g s" : "; %s, %+.4g s", explain_cause_sentences[id], s);
    }
    text_addf(out, n > 0 ? "." : "");
}

void explain_difference_print(const struct machine *m, const struct explain_sums sums[2], FILE *out)
{
    struct parts parts[N_EXPLAIN_KINDS];
    struct text story = {0};
    double more_s = sums[1].makespan_s - sums[0].makespan_s;
    /* Nothing is cut off by size: a small sum may be the only one that differs. */
    for (enum explain_kind kind = 0; kind < N_EXPLAIN_KINDS; kind++)
        parts[kind] = find_parts(m, kind, sums[0].sums_s, sums[1].sums_s, 0);
    text_addf(&story, "The first schedule, %s, took %.6g s, the second, %s, %.6g s", sums[0].name, sums[0].makespan_s,
              sums[1].name, sums[1].makespan_s);
    if (more_s != 0 && sums[0].makespan_s > 0)
        text_addf(&story, ": %.3g %% %s", 100 * fabs(more_s) / sums[0].makespan_s, more_s > 0 ? "more" : "less");
    text_addf(&story, ".");
    if (more_s != 0)
        tell_differences(sums, &parts[BY_CAUSE], more_s, &story);
    page_paragraphf(out, "%s", text_str(&story));
    text_clear(&story);
    for (enum explain_kind kind = 0; kind < N_EXPLAIN_KINDS; kind++) {
        print_differences(m, sums, &parts[kind], out);
        free(parts[kind].list);
    }
}

static json_t *pair_json(double first, double second)
{
    return json_pack("[o, o]", json_finite(first), json_finite(second));
}

json_t *explain_difference_json(const struct machine *m, const struct explain_sums sums[2])
{
    json_t *root = json_pack("{s:[o, o], s:o}", "schedules", json_bytes(sums[0].name), json_bytes(sums[1].name),
                             "makespan_s", pair_json(sums[0].makespan_s, sums[1].makespan_s));
    for (enum explain_kind kind = 0; kind < N_EXPLAIN_KINDS; kind++) {
        struct parts parts = find_parts(m, kind, sums[0].sums_s, sums[1].sums_s, 0);
        json_t *of = json_object();
        for (size_t i = 0; i < parts.n; i++) {
            size_t at = explain_first_sum(m, kind) + (size_t)parts.list[i].id;
            set_sum(of, m, kind, parts.list[i].id, pair_json(sums[0].sums_s[at], sums[1].sums_s[at]));
        }
        json_object_set_new(root, kinds[kind].key, of);
        free(parts.list);
    }
    return root;
}
