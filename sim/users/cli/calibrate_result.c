/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Output of `iasim calibrate`: tables and JSON of both hosts, points as CSV, and the platform with its deployment.
   Units: rates per MB/s, where MB is 1e6 bytes, as in [K]; overheads and latencies are kept in seconds and shown in
   microseconds. A figure that is NAN is unknown: "-" in tables, null in JSON. */
#include "cli/calibrate_result.h"

#include "base/mem.h"
#include "base/new_file.h"
#include "cli/command.h"
#include "report/json_bytes.h"
#include "report/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const activities[N_RATE_DIRECTIONS] = {"sending", "receiving", "both"};

/* ---- table ---- */

/* A sentence for each rate that is not good. What else ran on the host is added where a rate cannot be used: that is
   the usual reason, and the user can end it. */
static void print_judgements(const struct measured *m, const struct rates *rates)
{
    struct text line = {0};
    bool is_any = false;
    for (enum rate_direction d = 0; d < N_RATE_DIRECTIONS; d++) {
        if (!rates->of[d].is_known || judge_rate(&rates->of[d]) == JUDGED_GOOD)
            continue;
        judge_describe(m, rates, d, &line);
        text_addf(&line, "\n");
        is_any = is_any || !judgement_is_usable(judge_rate(&rates->of[d]));
    }
    if (is_any && !isnan(m->busy.steal_ratio)) {
        judge_describe_busy(m, &line);
        text_addf(&line, "\n");
    }
    fputs(text_str(&line), stdout);
    text_clear(&line);
}

static void print_host(const struct measured *m, const struct rates *rates)
{
    printf("%s: ", m->name);
    if (!isnan(m->alone_flop_per_s))
        printf("%.6g flop/s alone, ", m->alone_flop_per_s);
    printf("%zu points\n\n", m->points.n);
    struct table *t = table_create();
    table_column(t, TABLE_LEFT, "");
    table_column(t, TABLE_RIGHT, "IR per MB/s");
    table_column(t, TABLE_RIGHT, "95 % interval");
    table_column(t, TABLE_RIGHT, "R2");
    table_column(t, TABLE_RIGHT, "constant");
    table_column(t, TABLE_RIGHT, "stolen");
    table_column(t, TABLE_RIGHT, "points");
    for (enum rate_direction d = 0; d < N_RATE_DIRECTIONS; d++) {
        const struct rate *r = &rates->of[d];
        /* A direction without points, as in a file of one's own that only has sends. */
        if (!r->is_known)
            continue;
        table_cell(t, activities[d]);
        table_number(t, r->ir, 4);
        if (isnan(r->low))
            table_cell(t, "-");
        else
            table_cellf(t, "%.3g to %.3g", r->low, r->high);
        table_number(t, r->r2, 4);
        table_number(t, r->constant, 4);
        table_number(t, r->stolen, 4);
        table_count(t, r->n);
    }
    table_print(t, stdout);
    table_free(t);
    printf("\nat most %.4g MB/s sent, %.4g MB/s received", points_max_MB_per_s(m, FIT_RATE_SEND),
           points_max_MB_per_s(m, FIT_RATE_RECV));
    if (!isnan(m->overhead_send_s))
        printf("; a small message takes the processor %.3g us to send and %.3g us to receive, latency %.3g us",
               m->overhead_send_s * 1e6, m->overhead_recv_s * 1e6, m->latency_s * 1e6);
    putchar('\n');
    print_judgements(m, rates);
}

void calibrate_print_table(const struct calibrate_result *r)
{
    print_host(&r->hosts[0], &r->rates[0]);
    if (r->has_peer) {
        putchar('\n');
        print_host(&r->hosts[1], &r->rates[1]);
    }
}

/* ---- JSON ---- */

/* The keys are an interface: scripts read them (json_finite makes null of NAN). */
static json_t *json_fit(const struct rates *rates, enum rate_direction d)
{
    const struct rate *r = &rates->of[d];
    json_t *fit = json_pack("{s:s, s:f, s:[o, o], s:o, s:I, s:f, s:o, s:s}", "direction", rate_words[d], "ir_per_MB_s",
                            r->ir, "interval", json_finite(r->low), json_finite(r->high), "r2", json_finite(r->r2), "n",
                            (json_int_t)r->n, "constant", r->constant, "stolen_per_MB_s", json_finite(r->stolen),
                            "judgement", judgement_words[judge_rate(r)]);
    /* With both directions at once a plane can tell the two rates apart ([K] 2.5); null if the points do not determine
       it. */
    if (d == RATE_BOTH) {
        json_object_set_new(fit, "ir_send_per_MB_s", json_finite(rates->plane_send));
        json_object_set_new(fit, "ir_recv_per_MB_s", json_finite(rates->plane_recv));
    }
    return fit;
}

static json_t *json_points(const struct measured *m)
{
    json_t *list = json_array();
    for (size_t k = 0; k < m->points.n; k++) {
        const struct fit_point *p = &m->points.points[k];
        json_array_append_new(list,
                              json_pack("{s:o, s:f, s:f, s:f, s:o, s:o}", "start_s",
                                        m->start_s != NULL ? json_finite(m->start_s[k]) : json_null(),
                                        "send_rate_MB_per_s", p->send_MB_per_s, "recv_rate_MB_per_s", p->recv_MB_per_s,
                                        "compute_ratio", p->compute_ratio, "compute_flop_per_s",
                                        json_finite(p->compute_flop_per_s), "cpu_ratio", json_finite(p->cpu_ratio)));
    }
    return list;
}

/* The same object for the host and, under "peer", for its peer. */
static json_t *json_host(const struct measured *m, const struct rates *rates)
{
    json_t *list = json_array();
    for (enum rate_direction d = 0; d < N_RATE_DIRECTIONS; d++)
        if (rates->of[d].is_known)
            json_array_append_new(list, json_fit(rates, d));
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "host", m->name, "alone_flop_per_s",
                     json_finite(m->alone_flop_per_s), "fits", list, "overhead_send_s", json_finite(m->overhead_send_s),
                     "overhead_recv_s", json_finite(m->overhead_recv_s), "latency_s", json_finite(m->latency_s),
                     "steal_ratio", json_finite(m->busy.steal_ratio), "others_processors",
                     json_finite(m->busy.others_processors), "points", json_points(m));
}

void calibrate_print_json(const struct calibrate_result *r)
{
    json_t *root = json_host(&r->hosts[0], &r->rates[0]);
    if (r->has_peer)
        json_object_set_new(root, "peer", json_host(&r->hosts[1], &r->rates[1]));
    command_print_json(root);
}

/* ---- files ---- */

enum err_code calibrate_write_points(const struct measured *m, const char *path, struct err *e)
{
    struct text t = {0};
    points_write(m, &t);
    enum err_code code = text_write_file(path, text_str(&t), t.size, e);
    text_clear(&t);
    return code;
}

/* a.xml and a.platform.xml: a.deployment.xml. NULL: it does not end with .xml. */
static char *deployment_path(const char *platform)
{
    static const char *const ends[] = {".platform.xml", ".xml"};
    size_t n = strlen(platform);
    /* The longer ending first: ".xml" would match both. */
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(ends[i]);
        if (n > length && strcmp(platform + n - length, ends[i]) == 0)
            return mem_format("%.*s.deployment.xml", (int)(n - length), platform);
    }
    return NULL;
}

/* --emit names one file, but two are written. The table of options knows of the first one only (`output`). */
enum err_code calibrate_check_emit(const char *path, const struct words *inputs, struct err *e)
{
    char *deployment = deployment_path(path);
    enum err_code code = ERR_NONE;
    if (deployment == NULL)
        code = err_set(e, ERR_USAGE, "--emit '%s': the name of a platform ends with .xml", path);
    if (code == ERR_NONE)
        code = new_file_check_not_input(deployment, inputs->list, inputs->n, e);
    if (code == ERR_NONE)
        code = new_file_check(deployment, e);
    free(deployment);
    return code;
}

/* The first rate that would put noise into a platform; NULL: there is none. *d is its direction. */
static const struct rate *unusable(const struct rates *rates, enum rate_direction *d)
{
    for (*d = 0; *d < N_RATE_DIRECTIONS; (*d)++)
        if (rates->of[*d].is_known && !judgement_is_usable(judge_rate(&rates->of[*d])))
            return &rates->of[*d];
    return NULL;
}

enum err_code calibrate_check_usable(const struct calibrate_result *r, struct err *e)
{
    enum rate_direction d;
    /* Without a peer the second host is a copy of the first. */
    for (int i = 0; i < (r->has_peer ? 2 : 1); i++) {
        struct text why = {0};
        if (unusable(&r->rates[i], &d) == NULL)
            continue;
        judge_describe(&r->hosts[i], &r->rates[i], d, &why);
        if (!isnan(r->hosts[i].busy.steal_ratio)) {
            text_addf(&why, "; ");
            judge_describe_busy(&r->hosts[i], &why);
        }
        /* Not a mistake of the user, so exit status 1: the measurement has been printed, its platform would mislead. */
        err_set(e, ERR_NO,
                "no platform is written: %s; measure on a quieter machine or longer (--seconds), or give --anyway",
                text_str(&why));
        text_clear(&why);
        return ERR_NO;
    }
    return ERR_NONE;
}

enum err_code calibrate_emit(const struct calibrate_result *r, const char *path, struct err *e)
{
    const struct emit_host hosts[2] = {{&r->hosts[0], &r->rates[0]}, {&r->hosts[1], &r->rates[1]}};
    struct text platform = {0}, deployment = {0}, notes = {0};
    char *beside = deployment_path(path);
    emit_platform(hosts, &platform);
    emit_deployment(hosts, &deployment);
    emit_notes(hosts, &notes);
    /* Both texts are made before the first file is written; each file appears whole or not at all. */
    enum err_code code = text_write_file(path, text_str(&platform), platform.size, e);
    if (code == ERR_NONE)
        code = text_write_file(beside, text_str(&deployment), deployment.size, e);
    if (code == ERR_NONE)
        fprintf(stderr, "%s%s and %s are written\n", text_str(&notes), path, beside);
    text_clear(&platform);
    text_clear(&deployment);
    text_clear(&notes);
    free(beside);
    return code;
}
