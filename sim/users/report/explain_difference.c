/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/explain_difference.h"

#include "base/mem.h"
#include "base/text.h"
#include "report/json_bytes.h"
#include "report/page.h"
#include "report/table.h"

#include <math.h>
#include <stdlib.h>

enum { BY_CAUSE, BY_HOST, BY_LINK, N_KINDS };

struct difference {
    int id;
    const char *name;
    double s[2];
};

struct differences { /* of what has a part in one of the two */
    struct difference *list;
    size_t n;
};

static int compare_differences(const void *a, const void *b) /* the largest first */
{
    const struct difference *x = a, *y = b;
    double of_x = fabs(x->s[1] - x->s[0]), of_y = fabs(y->s[1] - y->s[0]);
    if (of_x != of_y)
        return of_x > of_y ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static void add_difference(struct differences *to, int id, const char *name, double first_s, double second_s)
{
    if (first_s > 0 || second_s > 0)
        to->list[to->n++] = (struct difference){id, name, {first_s, second_s}};
}

/* The caller frees the lists. */
static void find_differences(const struct machine *m, const struct explain_sums sums[2],
                             struct differences out[N_KINDS])
{
    const size_t sizes[N_KINDS] = {N_CAUSES, m->n_hosts, m->n_links};
    for (int i = 0; i < N_KINDS; i++)
        out[i] = (struct differences){mem_alloc((sizes[i] + 1) * sizeof *out[i].list), 0};
    for (int c = 0; c < N_CAUSES; c++)
        add_difference(&out[BY_CAUSE], c, explain_cause_sentences[c], sums[0].by_cause_s[c], sums[1].by_cause_s[c]);
    for (size_t h = 0; h < m->n_hosts; h++)
        add_difference(&out[BY_HOST], (int)h, m->hosts[h].name, sums[0].by_host_s[h], sums[1].by_host_s[h]);
    for (size_t l = 0; l < m->n_links; l++)
        add_difference(&out[BY_LINK], (int)l, m->links[l].name, sums[0].by_link_s[l], sums[1].by_link_s[l]);
    for (int i = 0; i < N_KINDS; i++)
        qsort(out[i].list, out[i].n, sizeof *out[i].list, compare_differences);
}

static void print_differences(const struct differences *d, const char *what, FILE *out)
{
    enum { MOST = 12 };
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, what);
    table_column(t, TABLE_RIGHT, "first_s");
    table_column(t, TABLE_RIGHT, "second_s");
    table_column(t, TABLE_RIGHT, "difference_s");
    for (size_t i = 0; i < d->n && i < MOST; i++) {
        table_cell(t, d->list[i].name);
        table_number(t, d->list[i].s[0], 6);
        table_number(t, d->list[i].s[1], 6);
        table_number(t, d->list[i].s[1] - d->list[i].s[0], 6);
    }
    if (d->n > 0) {
        fputc('\n', out);
        table_print(t, out);
    }
    if (d->n > MOST)
        fprintf(out, "(%zu others differ less)\n", d->n - MOST);
    table_free(t);
}

/* The largest differences that go the same way as that of the makespans. */
static void tell_causes(const struct differences *d, double more_s, double scale_s, struct text *out)
{
    enum { MOST = 3 };
    size_t n = 0;
    for (size_t i = 0; i < d->n && n < MOST; i++) {
        double s = d->list[i].s[1] - d->list[i].s[0];
        bool is_telling = more_s > 0 ? s > 0 : s < 0;
        if (is_telling && fabs(s) > 1e-9 * scale_s)
            text_addf(out, n++ == 0 ? " Above all: %s, %+.4g s" : "; %s, %+.4g s", d->list[i].name, s);
    }
    text_addf(out, n > 0 ? "." : "");
}

void explain_difference_print(const struct machine *m, const struct explain_sums sums[2], FILE *out)
{
    static const char *const kinds[N_KINDS] = {"cause", "host", "link"};
    struct differences d[N_KINDS];
    struct text story = {0};
    double more_s = sums[1].makespan_s - sums[0].makespan_s;
    find_differences(m, sums, d);
    text_addf(&story, "The first schedule, %s, took %.6g s, the second, %s, %.6g s", sums[0].name, sums[0].makespan_s,
              sums[1].name, sums[1].makespan_s);
    if (more_s != 0 && sums[0].makespan_s > 0)
        text_addf(&story, ": %.3g %% %s", 100 * fabs(more_s) / sums[0].makespan_s, more_s > 0 ? "more" : "less");
    text_addf(&story, ".");
    if (more_s != 0)
        tell_causes(&d[BY_CAUSE], more_s, sums[0].makespan_s, &story);
    page_paragraphf(out, "%s", text_str(&story));
    text_clear(&story);
    for (int i = 0; i < N_KINDS; i++) {
        print_differences(&d[i], kinds[i], out);
        free(d[i].list);
    }
}

static json_t *pair_json(double first, double second)
{
    return json_pack("[o, o]", json_finite(first), json_finite(second));
}

json_t *explain_difference_json(const struct machine *m, const struct explain_sums sums[2])
{
    static const char *const keys[N_KINDS] = {"by_cause", "by_host", "by_link"};
    struct differences d[N_KINDS];
    find_differences(m, sums, d);
    json_t *root = json_pack("{s:[o, o], s:o}", "schedules", json_bytes(sums[0].name), json_bytes(sums[1].name),
                             "makespan_s", pair_json(sums[0].makespan_s, sums[1].makespan_s));
    for (int i = 0; i < N_KINDS; i++) {
        json_t *of = json_object();
        for (size_t k = 0; k < d[i].n; k++) {
            const struct difference *x = &d[i].list[k];
            json_t *name = json_bytes(i == BY_CAUSE ? explain_cause_names[x->id] : x->name);
            json_object_set_new(of, json_string_value(name), pair_json(x->s[0], x->s[1]));
            json_decref(name);
        }
        json_object_set_new(root, keys[i], of);
        free(d[i].list);
    }
    return root;
}
