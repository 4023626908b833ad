/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes what a program did in the form of `iasim replay --json`, and checks it: each task was done once, and each
   message arrived as it was sent. A transfer's finish is when the receiver found the message there, which may be after
   it came. Without jansson: the runtime is compiled wherever the program is, with MPI and C alone. */
#include "ia_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By the first byte; 0xc0, 0xc1 and from 0xf5 on none begins: overlong forms, and what lies beyond Unicode. */
static int n_bytes_of_sequence(unsigned char first)
{
    return first < 0x80                    ? 1
           : first >= 0xc2 && first < 0xe0 ? 2
           : (first & 0xf0) == 0xe0        ? 3
           : first >= 0xf0 && first < 0xf5 ? 4
                                           : 0;
}

/* Whether it is UTF-8, which JSON must be. */
static int is_utf8(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at != 0) {
        int n = n_bytes_of_sequence(*at);
        /* The second byte decides about overlong forms (e0, f0), surrogates (ed) and the end of Unicode (f4). NUL fails
           the test for a following byte, so nothing beyond the end is read. */
        if (n == 0 || (*at == 0xe0 && at[1] < 0xa0) || (*at == 0xed && at[1] > 0x9f) || (*at == 0xf0 && at[1] < 0x90) ||
            (*at == 0xf4 && at[1] > 0x8f))
            return 0;
        for (at++; n > 1; n--)
            if ((*at++ & 0xc0) != 0x80)
                return 0;
    }
    return 1;
}

static void write_string(FILE *out, const char *text)
{
    int is_readable = is_utf8(text);
    fputc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at != 0; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < ' ')
            fprintf(out, "\\u%04x", *at);
        else
            /* As json_bytes does in iasim: other bytes become question marks. */
            fputc(*at < 0x80 || is_readable ? *at : '?', out);
    }
    fputc('"', out);
}

static void write_span(FILE *out, const char *key, const char *host, double start_s, double finish_s)
{
    fprintf(out, ", \"%s\": {", key);
    if (host != NULL) {
        fputs("\"host\": ", out);
        write_string(out, host);
        fputs(", ", out);
    }
    fprintf(out, "\"start_s\": %.17g, \"finish_s\": %.17g}", start_s, finish_s);
}

static const char *host_of(const struct ia_program *p, int task)
{
    return p->ranks[p->tasks[task].rank].host;
}

static void write_tasks(FILE *out, const struct ia_program *p, const struct ia_results *r)
{
    for (int t = 0; t < p->n_tasks; t++) {
        fputs(t > 0 ? ",\n  {\"name\": " : "\n  {\"name\": ", out);
        write_string(out, p->tasks[t].name);
        fputs(", \"host\": ", out);
        write_string(out, host_of(p, t));
        fprintf(out,
                ", \"start_s\": %.17g, \"finish_s\": %.17g, \"planned_start_s\": %.17g, \"planned_finish_s\": %.17g}",
                r->tasks[t].start_s, r->tasks[t].finish_s, p->tasks[t].planned_start_s, p->tasks[t].planned_finish_s);
    }
}

static void write_edges(FILE *out, const struct ia_program *p, const struct ia_results *r)
{
    for (int e = 0; e < p->n_edges; e++) {
        const struct ia_edge_row *row = &p->edges[e];
        const struct ia_edge_result *x = &r->edges[e];
        fputs(e > 0 ? ",\n  {\"src\": " : "\n  {\"src\": ", out);
        write_string(out, p->tasks[row->src].name);
        fputs(", \"dst\": ", out);
        write_string(out, p->tasks[row->dst].name);
        fprintf(out, ", \"local\": %s", row->tag < 0 ? "true" : "false");
        if (row->tag >= 0) {
            write_span(out, "send", host_of(p, row->src), x->send_start_s, x->send_finish_s);
            write_span(out, "transfer", NULL, x->left_s, x->arrived_s);
            write_span(out, "recv", host_of(p, row->dst), x->receive_start_s, x->receive_finish_s);
        }
        fputc('}', out);
    }
}

/* A send may end after the last task: what it holds a processor for then is nobody's loss. */
static double length_until(double start_s, double finish_s, double end_s)
{
    double until_s = finish_s < end_s ? finish_s : end_s;
    return until_s > start_s ? until_s - start_s : 0;
}

static void write_hosts(FILE *out, const struct ia_program *p, const struct ia_results *r, double makespan_s)
{
    double *busy_s = calloc((size_t)p->n_ranks, sizeof *busy_s),
           *stolen_s = calloc((size_t)p->n_ranks, sizeof *stolen_s);
    for (int t = 0; t < p->n_tasks; t++)
        busy_s[p->tasks[t].rank] += r->tasks[t].finish_s - r->tasks[t].start_s;
    for (int e = 0; e < p->n_edges; e++) {
        const struct ia_edge_result *x = &r->edges[e];
        stolen_s[p->tasks[p->edges[e].src].rank] += length_until(x->send_start_s, x->send_finish_s, makespan_s);
        stolen_s[p->tasks[p->edges[e].dst].rank] += length_until(x->receive_start_s, x->receive_finish_s, makespan_s);
    }
    for (int h = 0; h < p->n_ranks; h++) {
        /* Below 0 by rounding alone. */
        double idle_s = makespan_s - busy_s[h] - stolen_s[h];
        fputs(h > 0 ? ",\n  {\"host\": " : "\n  {\"host\": ", out);
        write_string(out, p->ranks[h].host);
        fprintf(out, ", \"busy_s\": %.17g, \"stolen_s\": %.17g, \"idle_s\": %.17g}", busy_s[h], stolen_s[h],
                idle_s > 0 ? idle_s : 0);
    }
    free(busy_s);
    free(stolen_s);
}

/* Complains about the first task that was not done, or message that changed on its way. */
static int check(const struct ia_program *p, const struct ia_results *r, long long *n_bytes)
{
    *n_bytes = 0;
    for (int t = 0; t < p->n_tasks; t++)
        if (r->tasks[t].n_runs != 1) {
            fprintf(stderr, "task %s ran %llu times\n", p->tasks[t].name, (unsigned long long)r->tasks[t].n_runs);
            return 1;
        }
    for (int i = 0; i < p->n_messages; i++) {
        const struct ia_edge_row *row = &p->edges[p->messages[i]];
        const struct ia_edge_result *x = &r->edges[p->messages[i]];
        /* a sum of 0 is one that was never taken: the message did not pass through our hands */
        if (x->sent_sum != x->received_sum || x->sent_sum == 0) {
            fprintf(stderr, "the %lld bytes of %s -> %s did not arrive as they were sent\n", row->bytes,
                    p->tasks[row->src].name, p->tasks[row->dst].name);
            return 1;
        }
        *n_bytes += row->bytes;
    }
    return 0;
}

static void write_heading(FILE *out, const struct ia_program *p)
{
    const char *const members[][2] = {
        {"graph", p->graph}, {"platform", p->platform}, {"model", p->model}, {"world", p->world}};
    fputs("{\"format\": \"iasim-replay/1\"", out);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        fprintf(out, ", \"%s\": ", members[i][0]);
        write_string(out, members[i][1]);
    }
    fprintf(out, ", \"links\": \"fluid\", \"waiting\": \"%s\"",
            p->is_blocking     ? "active"
            : p->is_rendezvous ? "rendezvous"
                               : "passive");
}

int ia_trace_write(const struct ia_program *p, const struct ia_results *r, const char *path)
{
    long long n_bytes;
    double makespan_s = 0;
    int status = check(p, r, &n_bytes);
    /* written also when the check fails: the dates then help to find out why */
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        perror(path);
        return 3;
    }
    /* The length is that of the tasks, as in a replay; sends may end later. */
    for (int t = 0; t < p->n_tasks; t++)
        makespan_s = r->tasks[t].finish_s > makespan_s ? r->tasks[t].finish_s : makespan_s;
    write_heading(out, p);
    fprintf(out, ", \"ranks\": %d, \"bytes_checked\": %lld, \"makespan_s\": %.17g, \"planned_s\": %.17g", p->n_ranks,
            n_bytes, makespan_s, p->planned_s);
    /* Real programs only. Dates are in seconds of the schedule, so readers can compare them as they are. */
    if (ia_target_scale() != 1)
        fprintf(out, ", \"seconds_per_s\": %.17g", ia_target_scale());
    if (p->planned_s > 0)
        fprintf(out, ", \"estimation_error_ratio\": %.17g",
                (makespan_s > p->planned_s ? makespan_s - p->planned_s : p->planned_s - makespan_s) / p->planned_s);
    fputs(",\n \"tasks\": [", out);
    write_tasks(out, p, r);
    fputs("],\n \"edges\": [", out);
    write_edges(out, p, r);
    fputs("],\n \"hosts\": [", out);
    write_hosts(out, p, r, makespan_s);
    fputs("]}\n", out);
    int has_failed = ferror(out);
    if (fclose(out) != 0 || has_failed) {
        perror(path);
        return 3;
    }
    return status;
}
