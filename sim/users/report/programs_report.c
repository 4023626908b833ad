/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Means over graphs and platforms, indexed by the values of these axes. */
enum axis { WAITING, CCR, MODEL, N_AXES };
static const char *const axis_names[N_AXES] = {"waiting", "ccr", "model"};

enum figure { ERROR, REPLAY_ERROR, SPEEDUP, DIFFERENCE, N_FIGURES };
static const char *const figure_names[N_FIGURES] = {"estimation_error_ratio", "replay_error_ratio", "speedup",
                                                    "difference_ratio"};

struct results {
    const struct scenario_axis *axes[N_AXES];
    double *means[N_FIGURES], *filling;
};

static double *mean_at(const struct results *r, double *means, size_t waiting, size_t ccr, size_t model)
{
    return &means[(waiting * r->axes[CCR]->n_values + ccr) * r->axes[MODEL]->n_values + model];
}

static void take(void *self, const size_t *at, double mean)
{
    const struct results *r = self;
    *mean_at(r, r->filling, at[WAITING], at[CCR], at[MODEL]) = mean;
}

static enum err_code read_results(const struct report_inputs *in, struct results *r, struct err *e)
{
    enum err_code code = ERR_NONE;
    size_t n = 1;
    for (enum axis a = 0; a < N_AXES; a++) {
        r->axes[a] = scenario_axis(in->scenario, axis_names[a]);
        n *= r->axes[a]->n_values;
    }
    for (enum figure f = 0; f < N_FIGURES && code == ERR_NONE; f++) {
        r->filling = r->means[f] = mem_alloc(n * sizeof(double));
        for (size_t i = 0; i < n; i++)
            r->filling[i] = NAN;
        code = store_each_mean(in->results, figure_names[f], axis_names, N_AXES, take, r, e);
    }
    return code;
}

static const char *sends_of(const struct results *r, size_t waiting)
{
    return strcmp(r->axes[WAITING]->values[waiting].text, "active") == 0 ? "MPI_Ssend" : "MPI_Isend";
}

static void add_column(struct table *t, const char *belief, const char *unit)
{
    char *header = mem_format("%s%s", belief, unit);
    table_column(t, TABLE_RIGHT, header);
    free(header);
}

static void show(const struct results *r, enum figure f, const char *title, double factor, const char *unit,
                 struct document *d)
{
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "sends");
    table_column(t, TABLE_RIGHT, "CCR");
    for (size_t m = 0; m < r->axes[MODEL]->n_values; m++)
        add_column(t, r->axes[MODEL]->values[m].text, unit);
    for (size_t w = 0; w < r->axes[WAITING]->n_values; w++)
        for (size_t c = 0; c < r->axes[CCR]->n_values; c++) {
            table_cell(t, sends_of(r, w));
            table_cell(t, r->axes[CCR]->values[c].text);
            for (size_t m = 0; m < r->axes[MODEL]->n_values; m++)
                table_number(t, factor * *mean_at(r, r->means[f], w, c, m), 3);
        }
    document_table(d, title, t);
}

/* Of a belief's errors with one kind of sends: the mean over CCR, and whether they grow with it. */
struct trend {
    double mean;
    bool grows, falls;
};

static struct trend find_trend(const struct results *r, size_t waiting, size_t model)
{
    size_t n = r->axes[CCR]->n_values;
    struct trend t = {0, true, true};
    for (size_t c = 0; c < n; c++) {
        double error = *mean_at(r, r->means[ERROR], waiting, c, model);
        double before = c > 0 ? *mean_at(r, r->means[ERROR], waiting, c - 1, model) : NAN;
        t.mean += error / (double)n;
        t.grows = t.grows && !(error <= before);
        t.falls = t.falls && !(error >= before);
    }
    return t;
}

static double largest_difference(const struct results *r, size_t waiting)
{
    double largest = 0;
    for (size_t c = 0; c < r->axes[CCR]->n_values; c++)
        for (size_t m = 0; m < r->axes[MODEL]->n_values; m++)
            largest = fmax(largest, fabs(*mean_at(r, r->means[DIFFERENCE], waiting, c, m)));
    return largest;
}

static void claim(const struct results *r, size_t waiting, size_t classic, size_t involvement, struct document *d)
{
    struct trend mine = find_trend(r, waiting, involvement), theirs = find_trend(r, waiting, classic);
    const char *sends = sends_of(r, waiting);
    document_claimf(d, mine.mean < 0.2,
                    "%s: under involvement the error is below 20 %% on average: %.3g %% here (classic: %.3g %%).",
                    sends, 100 * mine.mean, 100 * theirs.mean);
    document_claimf(d, theirs.grows, "%s: under classic the error grows with the CCR.", sends);
    document_claimf(d, mine.falls, "%s: under involvement the error is largest for the lowest CCR.", sends);
}

static enum err_code tell(const struct report_inputs *in, struct document *d, struct err *e)
{
    struct results r = {0};
    enum err_code code = read_results(in, &r, e);
    long classic = scenario_axis_place(r.axes[MODEL], "classic"),
         involvement = scenario_axis_place(r.axes[MODEL], "involvement");
    if (code == ERR_NONE && (classic < 0 || involvement < 0))
        code = err_set(e, ERR_INPUT, "the scenario does not sweep the models classic and involvement");
    if (code == ERR_NONE) {
        show(&r, ERROR, "Programs: estimation error, |program - planned| / planned", 100, ", %", d);
        show(&r, REPLAY_ERROR, "Replay: estimation error, |replayed - planned| / planned", 100, ", %", d);
        show(&r, SPEEDUP, "Programs: speed-up over one processor", 1, "", d);
        for (size_t w = 0; w < r.axes[WAITING]->n_values; w++)
            document_paragraphf(d,
                                "With %s, the programs' makespans differ from replay's by at most %.2g %% in the mean.",
                                sends_of(&r, w), 100 * largest_difference(&r, w));
        document_paragraphf(d, "What the chapter claims (8.4.3), and the figures of the programs here:");
        document_claims(d, CLAIMS_LISTED);
        for (size_t w = 0; w < r.axes[WAITING]->n_values; w++)
            claim(&r, w, (size_t)classic, (size_t)involvement, d);
    }
    for (enum figure f = 0; f < N_FIGURES; f++)
        free(r.means[f]);
    return code;
}

extern const struct report report_programs;
const struct report report_programs = {
    .name = "programs",
    .summary =
        "how far plans were off when programs with MPI carried them out, and how far replay was off the programs",
    .source = "[S] 8.4.3",
    .experiment = "codegen",
    .tell = tell,
};
