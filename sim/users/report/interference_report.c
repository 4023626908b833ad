/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/interference_report.h"

#include "base/mem.h"
#include "base/text.h"
#include "stats/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum mode { RECEIVE, SEND, BOTH, N_MODES };
static const char *const mode_names[N_MODES] = {"receive", "send", "both"};

/* ---- the paper's values ---- */

enum { IR, CONSTANT, STDEV, MAX_ERROR, N_KINDS }; /* of each direction, receive first as in the paper */

struct paper_row {
    char *node;
    double values[2][N_KINDS];
};

struct paper {
    int table; /* of [K] */
    struct paper_row *rows;
    size_t n, capacity;
};

static void paper_clear(struct paper *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->rows[i].node);
    free(p->rows);
}

static const char header[] =
    "node,ir_recv,recv_constant,recv_stdev,recv_max_error,ir_send,send_constant,send_stdev,send_max_error";

static enum err_code read_paper_row(const char *path, int number, char *line, struct paper *p, struct err *e)
{
    struct paper_row row = {0};
    char *rest = line, *node = strtok_r(line, ",", &rest);
    size_t n = 0;
    for (char *field; (field = strtok_r(NULL, ",", &rest)) != NULL; n++)
        if (n >= 2 * N_KINDS || !text_to_double(field, &row.values[n / N_KINDS][n % N_KINDS]))
            return err_set_at(e, ERR_PARSE, path, number, "'%s': not a number, or an extra field", field);
    if (n != 2 * N_KINDS)
        return err_set_at(e, ERR_PARSE, path, number, "%zu numbers, expected %d", n, 2 * N_KINDS);
    row.node = mem_strdup(node);
    MEM_GROW(p->rows, p->n, p->capacity);
    p->rows[p->n++] = row;
    return ERR_NONE;
}

static enum err_code read_paper(const char *path, struct paper *p, struct err *e)
{
    static const size_t max_bytes = 1 << 20;
    struct text text = {0};
    int number = 0;
    enum err_code code = text_read_file(&text, path, max_bytes, e);
    char *copy = mem_strdup(text_str(&text)), *rest = copy;
    for (char *line; code == ERR_NONE && (line = strsep(&rest, "\n")) != NULL;) {
        number++;
        if (number == 1 && strcmp(line, header) != 0)
            code = err_set_at(e, ERR_PARSE, path, 1, "found '%s', expected '%s'", line, header);
        else if (number > 1 && *line != '\0')
            code = read_paper_row(path, number, line, p, e);
    }
    free(copy);
    text_clear(&text);
    return code;
}

/* ---- ours ---- */

enum figure {
    RECV_IR,
    RECV_CONSTANT,
    RECV_STDEV,
    RECV_MAX_ERROR, /* receiving: the kinds, in their order */
    SEND_IR,
    SEND_CONSTANT,
    SEND_STDEV,
    SEND_MAX_ERROR,
    RECV_MEAN_ERROR,
    SEND_MEAN_ERROR,
    RECV_PARABOLA_STDEV,
    RECV_PARABOLA_MAX_ERROR,
    SEND_PARABOLA_STDEV,
    SEND_PARABOLA_MAX_ERROR,
    RECV_MAX_RATE,
    SEND_MAX_RATE,
    RECV_PREDICTED,
    SEND_PREDICTED,
    PLANE_MEAN_ERROR,
    PLANE_MAX_ERROR,
    PLANE_IR_SEND,
    PLANE_IR_RECV,
    SUM_MEAN_ERROR,
    SUM_MAX_ERROR,
    THREE_MEAN_ERROR,
    THREE_IR_SEND,
    THREE_IR_RECV,
    HULL_PLANE_MEAN_ERROR,
    HULL_THREE_MEAN_ERROR,
    SEPARATE_IR_SEND,
    SEPARATE_IR_RECV,
    AT_ONCE_SEND,
    AT_ONCE_RECV,
    N_FIGURES
};

static const struct {
    const char *metric;
    enum mode mode;
} sources[N_FIGURES] = {
    [RECV_IR] = {"ir_recv", RECEIVE},
    [RECV_CONSTANT] = {"recv_constant", RECEIVE},
    [RECV_STDEV] = {"recv_stdev", RECEIVE},
    [RECV_MAX_ERROR] = {"recv_max_error", RECEIVE},
    [SEND_IR] = {"ir_send", SEND},
    [SEND_CONSTANT] = {"send_constant", SEND},
    [SEND_STDEV] = {"send_stdev", SEND},
    [SEND_MAX_ERROR] = {"send_max_error", SEND},
    [RECV_MEAN_ERROR] = {"recv_mean_error", RECEIVE},
    [SEND_MEAN_ERROR] = {"send_mean_error", SEND},
    [RECV_PARABOLA_STDEV] = {"recv_quadratic_stdev", RECEIVE},
    [RECV_PARABOLA_MAX_ERROR] = {"recv_quadratic_max_error", RECEIVE},
    [SEND_PARABOLA_STDEV] = {"send_quadratic_stdev", SEND},
    [SEND_PARABOLA_MAX_ERROR] = {"send_quadratic_max_error", SEND},
    [RECV_MAX_RATE] = {"recv_max_rate_MB_per_s", RECEIVE},
    [SEND_MAX_RATE] = {"send_max_rate_MB_per_s", SEND},
    [RECV_PREDICTED] = {"predicted_mean_error", RECEIVE},
    [SEND_PREDICTED] = {"predicted_mean_error", SEND},
    [PLANE_MEAN_ERROR] = {"planar_mean_error", BOTH},
    [PLANE_MAX_ERROR] = {"planar_max_error", BOTH},
    [PLANE_IR_SEND] = {"planar_ir_send", BOTH},
    [PLANE_IR_RECV] = {"planar_ir_recv", BOTH},
    [SUM_MEAN_ERROR] = {"sum_mean_error", BOTH},
    [SUM_MAX_ERROR] = {"sum_max_error", BOTH},
    [THREE_MEAN_ERROR] = {"three_point_mean_error", BOTH},
    [THREE_IR_SEND] = {"three_point_ir_send", BOTH},
    [THREE_IR_RECV] = {"three_point_ir_recv", BOTH},
    [HULL_PLANE_MEAN_ERROR] = {"hull_planar_mean_error", BOTH},
    [HULL_THREE_MEAN_ERROR] = {"hull_three_point_mean_error", BOTH},
    [SEPARATE_IR_SEND] = {"ir_send", BOTH},
    [SEPARATE_IR_RECV] = {"ir_recv", BOTH},
    [AT_ONCE_SEND] = {"at_once_send_ratio", BOTH},
    [AT_ONCE_RECV] = {"at_once_recv_ratio", BOTH},
};

struct ours {
    const struct scenario_axis *peers;
    size_t modes[N_MODES];     /* places on the axis `mode` */
    double *values[N_FIGURES]; /* [peer]; NAN: missing */
};

static enum err_code find_axes(const struct scenario *s, enum mode n_modes, struct ours *o, struct err *e)
{
    const struct scenario_axis *modes = scenario_axis(s, "mode");
    o->peers = scenario_axis(s, "peers");
    if (o->peers == NULL || modes == NULL)
        return err_set_at(e, ERR_INPUT, s->path, 0, "the scenario does not have the experiment interference");
    for (enum mode m = RECEIVE; m < n_modes; m++) {
        size_t i = 0;
        while (i < modes->n_values && strcmp(modes->values[i].text, mode_names[m]) != 0)
            i++;
        if (i == modes->n_values)
            return err_set_at(e, ERR_INPUT, s->path, modes->line, "the report needs mode=%s", mode_names[m]);
        o->modes[m] = i;
    }
    return ERR_NONE;
}

struct filling {
    double *values;
    size_t mode;
};

static void fill(void *self, const size_t *places, double mean)
{
    const struct filling *f = self;
    if (places[1] == f->mode)
        f->values[places[0]] = mean;
}

static enum err_code read_ours(const struct interference_inputs *in, struct ours *o, struct err *e)
{
    static const char *const params[] = {"peers", "mode"};
    enum mode n_modes = in->table == 2 ? N_MODES : BOTH;
    enum err_code code = find_axes(in->scenario, n_modes, o, e);
    for (size_t f = 0; f < N_FIGURES && code == ERR_NONE; f++) {
        if (sources[f].mode >= n_modes)
            continue;
        o->values[f] = mem_alloc(o->peers->n_values * sizeof(double));
        for (size_t i = 0; i < o->peers->n_values; i++)
            o->values[f][i] = NAN;
        struct filling filling = {o->values[f], o->modes[sources[f].mode]};
        code = store_each_mean(in->results, sources[f].metric, params, 2, fill, &filling, e);
    }
    return code;
}

static void ours_clear(struct ours *o)
{
    for (size_t f = 0; f < N_FIGURES; f++)
        free(o->values[f]);
}

static bool is_single(const struct ours *o, size_t peer)
{
    return strchr(o->peers->values[peer].text, ' ') == NULL;
}

/* The mean over the nodes that were measured one by one. */
static double average(const struct ours *o, enum figure f)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < o->peers->n_values; i++)
        if (is_single(o, i) && !isnan(o->values[f][i])) {
            sum += o->values[f][i];
            n++;
        }
    return n > 0 ? sum / n : NAN;
}

/* Over the nodes that were measured one by one: that of a typical experiment. */
static double median(const struct ours *o, enum figure f)
{
    double *values = mem_alloc(o->peers->n_values * sizeof *values);
    size_t n = 0;
    for (size_t i = 0; i < o->peers->n_values; i++)
        if (is_single(o, i) && !isnan(o->values[f][i]))
            values[n++] = o->values[f][i];
    quantile_sort(values, n);
    double middle = quantile_median(values, n);
    free(values);
    return middle;
}

static double highest(const struct ours *o, enum figure f)
{
    double most = NAN;
    for (size_t i = 0; i < o->peers->n_values; i++)
        if (is_single(o, i))
            most = fmax(most, o->values[f][i]);
    return most;
}

/* ---- Table 2 ---- */

static void add_pair(struct table *t, double paper, double ours)
{
    table_valuef(t, paper, "%.4f", paper);
    table_valuef(t, ours, "%.4f", ours);
}

/* Each figure has two columns, the paper's and the one found here; in the text only the first has the figure's name. */
static struct table *begin_direction(int direction)
{
    static const char *const nodes[] = {"Lab0 receives from node", "Lab0 sends to node"};
    static const char *const figures[N_KINDS] = {"IR", "const", "StDev", "MaxE"};
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, nodes[direction]);
    for (int kind = 0; kind < N_KINDS; kind++) {
        char *paper = mem_format("%s paper", figures[kind]), *here = mem_format("%s here", figures[kind]);
        table_column(t, TABLE_RIGHT, paper);
        table_column_as(t, TABLE_RIGHT, "here", here);
        free(paper);
        free(here);
    }
    return t;
}

static void tell_direction(const struct paper *p, const struct ours *o, int direction, struct document *d)
{
    struct table *t = begin_direction(direction);
    double sums[N_KINDS][2] = {{0}};
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        long peer = scenario_axis_place(o->peers, p->rows[i].node);
        if (peer < 0)
            continue;
        table_cell(t, p->rows[i].node);
        for (int kind = 0; kind < N_KINDS; kind++) {
            double ours = o->values[(direction ? SEND_IR : RECV_IR) + kind][peer];
            add_pair(t, p->rows[i].values[direction][kind], ours);
            sums[kind][0] += p->rows[i].values[direction][kind];
            sums[kind][1] += ours;
        }
        n++;
    }
    table_cell(t, "average");
    for (int kind = 0; kind < N_KINDS; kind++)
        add_pair(t, sums[kind][0] / (double)n, sums[kind][1] / (double)n);
    char *title =
        mem_format("Table %d of [K]: interference rates of Lab0 (per MB/s), in the paper and measured here", p->table);
    document_table(d, title, t);
    free(title);
}

static enum err_code check_nodes(const struct paper *p, const struct ours *o, struct err *e)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        long peer = scenario_axis_place(o->peers, p->rows[i].node);
        if (peer < 0)
            continue;
        if (isnan(o->values[RECV_IR][peer]) || isnan(o->values[SEND_IR][peer]) ||
            (p->table == 2 && isnan(o->values[PLANE_MEAN_ERROR][peer])))
            return err_set(e, ERR_INPUT, "the results have no fits for %s: points are missing or failed",
                           p->rows[i].node);
        n++;
    }
    return n > 0 ? ERR_NONE : err_set(e, ERR_INPUT, "the results have no node of Table %d", p->table);
}

/* ---- claims ---- */

static double furthest_from_paper(const struct paper *p, const struct ours *o, int direction)
{
    double most = 0;
    for (size_t i = 0; i < p->n; i++) {
        long peer = scenario_axis_place(o->peers, p->rows[i].node);
        if (peer < 0)
            continue;
        double want = p->rows[i].values[direction][IR];
        most = fmax(most, fabs(o->values[direction ? SEND_IR : RECV_IR][peer] / want - 1));
    }
    return most;
}

static size_t count_if_less(const struct ours *o, enum figure a, enum figure b, size_t *n)
{
    size_t less = 0;
    *n = 0;
    for (size_t i = 0; i < o->peers->n_values; i++) {
        if (!is_single(o, i))
            continue;
        less += o->values[a][i] < o->values[b][i];
        ++*n;
    }
    return less;
}

/* A little less: less as printed (so equal figures do not count), but not by half. */
static bool is_marginally_less(const struct ours *o, enum figure a, enum figure b)
{
    double x = average(o, a), y = average(o, b);
    return round(1000 * x) < round(1000 * y) && x > 0.5 * y;
}

static double mean_in_paper(const struct paper *p, int direction, int kind)
{
    double sum = 0;
    for (size_t i = 0; i < p->n; i++)
        sum += p->rows[i].values[direction][kind];
    return sum / (double)p->n;
}

static void claim_recovery(const struct paper *p, const struct ours *o, const char *section, struct document *d)
{
    size_t n;
    double recv = furthest_from_paper(p, o, 0), send = furthest_from_paper(p, o, 1);
    document_figuresf(d, recv < 0.01, "the platform's rates are recovered: receiving", "(given)", "within %.2f %%",
                      100 * recv);
    document_figuresf(d, send < 0.01, "... and sending", "(given)", "within %.2f %%", 100 * send);
    size_t n_less = count_if_less(o, SEND_IR, RECV_IR, &n);
    char *claim = mem_format("sending costs less than receiving (%s)", section);
    char *paper = mem_format("%.3f < %.3f", mean_in_paper(p, 1, IR), mean_in_paper(p, 0, IR));
    document_figuresf(d, n_less == n, claim, paper, "%.3f < %.3f, %zu of %zu nodes", average(o, SEND_IR),
                      average(o, RECV_IR), n_less, n);
    free(paper);
    free(claim);
}

/* Programs in C (2.5). */
static void claim_table3(const struct paper *p, const struct ours *o, struct document *d)
{
    double mean_error = (average(o, RECV_MEAN_ERROR) + average(o, SEND_MEAN_ERROR)) / 2;
    claim_recovery(p, o, "2.5", d);
    document_figuresf(d, mean_error < 0.03, "a line fits: mean error (2.5)", "2.51 %", "%.2f %%", 100 * mean_error);
}

static void claim_rates(const struct paper *p, const struct ours *o, struct document *d)
{
    claim_recovery(p, o, "2.4", d);
    document_figuresf(d, average(o, RECV_STDEV) < 0.02, "a line fits receiving: deviation, largest error (2.3)",
                      "0.75 %, 2.2 %", "%.2f %%, %.1f %%", 100 * average(o, RECV_STDEV),
                      100 * average(o, RECV_MAX_ERROR));
    document_figuresf(d, is_marginally_less(o, RECV_PARABOLA_MAX_ERROR, RECV_MAX_ERROR),
                      "a parabola is marginally better", "0.52 %, 1.8 %", "%.2f %%, %.1f %%",
                      100 * average(o, RECV_PARABOLA_STDEV), 100 * average(o, RECV_PARABOLA_MAX_ERROR));
    document_figuresf(d, average(o, SEND_STDEV) < 0.02, "a line fits sending (2.4)", "1.05 %, 3.1 %",
                      "%.2f %%, %.1f %%", 100 * average(o, SEND_STDEV), 100 * average(o, SEND_MAX_ERROR));
    document_figuresf(d, is_marginally_less(o, SEND_PARABOLA_MAX_ERROR, SEND_MAX_ERROR),
                      "a parabola is marginally better", "0.74 %, 2.6 %", "%.2f %%, %.1f %%",
                      100 * average(o, SEND_PARABOLA_STDEV), 100 * average(o, SEND_PARABOLA_MAX_ERROR));
    document_figuresf(d, average(o, SEND_STDEV) > average(o, RECV_STDEV),
                      "fits of sending are looser than those of receiving", "1.05 % > 0.75 %", "%.2f %% and %.2f %%",
                      100 * average(o, SEND_STDEV), 100 * average(o, RECV_STDEV));
    document_figuresf(d, highest(o, RECV_MAX_RATE) > highest(o, SEND_MAX_RATE), "highest rates received and sent, MB/s",
                      "11 and 10.7", "%.1f and %.1f", highest(o, RECV_MAX_RATE), highest(o, SEND_MAX_RATE));
}

static void claim_sums(const struct ours *o, struct document *d)
{
    static const struct {
        const char *peers, *what[2], *paper[2];
    } groups[] = {
        {"Lab1 Lab2 Lab3 Lab6",
         {"rates of four similar nodes add up: mean error, receiving", "... and sending"},
         {"2.58 %", "0.88 %"}},
        {"Lab1 Campus4 SB1 Tenn", {"... of four dissimilar, receiving", "... and sending"}, {"1.21 %", "2.04 %"}},
    };
    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        long peer = scenario_axis_place(o->peers, groups[g].peers);
        for (int direction = 0; direction < 2 && peer >= 0; direction++) {
            double error = o->values[direction ? SEND_PREDICTED : RECV_PREDICTED][peer];
            document_figuresf(d, error < 0.03, groups[g].what[direction], groups[g].paper[direction], "%.2f %%",
                              100 * error);
        }
    }
}

/* Near nodes reach the highest rate when they are alone. */
static void find_range_of_near(const struct ours *o, enum figure f, double *least, double *most)
{
    double top = highest(o, SEND_MAX_RATE);
    *least = INFINITY;
    *most = -INFINITY;
    for (size_t i = 0; i < o->peers->n_values; i++)
        if (is_single(o, i) && o->values[SEND_MAX_RATE][i] > 0.9 * top) {
            *least = fmin(*least, o->values[f][i]);
            *most = fmax(*most, o->values[f][i]);
        }
}

static void claim_rates_at_once(const struct ours *o, struct document *d)
{
    double least, most;
    find_range_of_near(o, AT_ONCE_SEND, &least, &most);
    document_figuresf(d, least > 0.85 && most < 1,
                      "both at once with near nodes: sends almost at its highest rate (2.5)", "90-95 %", "%.0f-%.0f %%",
                      100 * least, 100 * most);
    find_range_of_near(o, AT_ONCE_RECV, &least, &most);
    document_figuresf(d, least >= 0.45 && most <= 0.7, "... but receives below it", "45-70 %", "%.0f-%.0f %%",
                      100 * least, 100 * most);
}

static void claim_both(const struct ours *o, struct document *d)
{
    size_t n;
    size_t n_better = count_if_less(o, PLANE_MEAN_ERROR, SUM_MEAN_ERROR, &n);
    document_figuresf(d, average(o, SUM_MEAN_ERROR) > 2 * average(o, PLANE_MEAN_ERROR),
                      "both at once: mean and largest error of the sum of separate rates (2.5)", "5.3 %, 37.3 %",
                      "%.1f %%, %.1f %%", 100 * average(o, SUM_MEAN_ERROR), 100 * average(o, SUM_MAX_ERROR));
    document_figuresf(d, n_better == n, "... errors of the plane, which are less", "1.5 %, 19.1 %",
                      "%.1f %%, %.1f %%, less for %zu of %zu nodes", 100 * average(o, PLANE_MEAN_ERROR),
                      100 * average(o, PLANE_MAX_ERROR), n_better, n);
    document_figuresf(d, median(o, PLANE_IR_SEND) < 0.98 * median(o, SEPARATE_IR_SEND),
                      "... with lower rates (medians): sending", "0.0265 < 0.0327", "%.4f and %.4f",
                      median(o, PLANE_IR_SEND), median(o, SEPARATE_IR_SEND));
    document_figuresf(d, median(o, PLANE_IR_RECV) < 0.98 * median(o, SEPARATE_IR_RECV), "... and receiving",
                      "0.0427 < 0.0502", "%.4f and %.4f", median(o, PLANE_IR_RECV), median(o, SEPARATE_IR_RECV));
    claim_rates_at_once(o, d);
    document_figuresf(d, average(o, THREE_MEAN_ERROR) < 1.5 * average(o, PLANE_MEAN_ERROR),
                      "mean errors of the three-point model and the plane (3.1)", "2.6 % and 2.2 %",
                      "%.2f %% and %.2f %%", 100 * average(o, THREE_MEAN_ERROR), 100 * average(o, PLANE_MEAN_ERROR));
    document_figuresf(d, average(o, HULL_THREE_MEAN_ERROR) < average(o, HULL_PLANE_MEAN_ERROR),
                      "... inside its triangle the model is better", "0.67 % < 1.2 %", "%.2f %% and %.2f %%",
                      100 * average(o, HULL_THREE_MEAN_ERROR), 100 * average(o, HULL_PLANE_MEAN_ERROR));
}

static void tell(const struct paper *p, const struct ours *o, struct document *d)
{
    tell_direction(p, o, 0, d);
    tell_direction(p, o, 1, d);
    document_paragraphf(
        d, "Claims of sections 2 and 3.1. Errors are in percent of the highest compute rate, averaged over nodes.");
    document_claims(d, CLAIMS_TABLE);
    if (p->table == 2) {
        claim_rates(p, o, d);
        claim_sums(o, d);
        claim_both(o, d);
    } else {
        claim_table3(p, o, d);
    }
    document_paragraphf(
        d, "The platform was given these rates. Recovering them shows that the method works, not that the real machine "
           "behaved like this. Constants are 1 here because the speed of a simulated host that does not communicate is "
           "always its highest; in the paper rates are relative to the highest that was measured.");
}

enum err_code interference_report_tell(const struct interference_inputs *in, struct document *d, struct err *e)
{
    struct paper paper = {.table = in->table};
    struct ours ours = {0};
    enum err_code code = read_paper(in->table_path, &paper, e);
    if (code == ERR_NONE)
        code = read_ours(in, &ours, e);
    if (code == ERR_NONE)
        code = check_nodes(&paper, &ours, e);
    if (code == ERR_NONE)
        tell(&paper, &ours, d);
    paper_clear(&paper);
    ours_clear(&ours);
    return code;
}

/* The paper's values are in the scenario's folder. */
static char *table_beside(const struct scenario *s, int table)
{
    const char *slash = strrchr(s->path, '/');
    return mem_format("%.*stable%d.csv", slash != NULL ? (int)(slash + 1 - s->path) : 0, s->path, table);
}

static bool has_table(const struct scenario *s, int table)
{
    char *path = table_beside(s, table);
    bool is_there = access(path, R_OK) == 0;
    free(path);
    return is_there;
}

static bool has_a_table(const struct scenario *s)
{
    return has_table(s, 2) || has_table(s, 3);
}

static enum err_code tell_report(const struct report_inputs *in, struct document *d, struct err *e)
{
    int table = !has_table(in->scenario, 2) && has_table(in->scenario, 3) ? 3 : 2;
    char *path = table_beside(in->scenario, table);
    enum err_code code =
        interference_report_tell(&(struct interference_inputs){in->scenario, in->results, path, table}, d, e);
    free(path);
    return code;
}

extern const struct report report_interference;
const struct report report_interference = {
    .name = "interference",
    .summary = "measured interference rates beside the paper's (from table2.csv or table3.csv in the scenario's "
               "folder)",
    .source = "[K] 2, 3.1",
    .experiment = "interference",
    .is_default = has_a_table,
    .tell = tell_report,
};
