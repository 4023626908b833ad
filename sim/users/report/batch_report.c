/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where a batch stands, and what to do next. The states are what batch_status found out; nothing
   is asked of the queue here. */
#include "report/batch_report.h"

#include "report/json_bytes.h"
#include "report/table.h"

#include <inttypes.h>

enum { LONG_LIST = 50 }; /* parts; a longer list leaves out those that are done */

/* Results of more runs than expected (a database that was extended by hand) must not give a huge number. */
static uint64_t missing_of(uint64_t n_runs, uint64_t n_done, uint64_t n_failed)
{
    return n_runs > n_done + n_failed ? n_runs - n_done - n_failed : 0;
}

/* --- text --- */

static void add_part(struct table *t, long number, const struct batch_part *p)
{
    table_cellf(t, "%ld", number);
    table_cell(t, part_state_name(p->state));
    table_cellf(t, "%" PRIu64, p->n_runs);
    table_cellf(t, "%" PRIu64, p->n_done);
    table_cellf(t, "%" PRIu64, p->n_failed);
    if (p->job != 0) /* the form in which Slurm names tasks of an array */
        table_cellf(t, "%ld_%ld", p->job, number);
    else
        table_cell(t, "");
}

static void print_parts(const struct batch *b, const struct batch_status *s, bool all, FILE *out)
{
    /* Who waits wants to see what is not done; 1,000 lines of "done" hide it. */
    struct table *t = table_of("part>|state|runs>|done>|failed>|job>");
    bool has_done = all || b->n_parts <= LONG_LIST;
    size_t n = 0;
    for (long i = 1; i <= b->n_parts; i++)
        if (has_done || s->parts[i - 1].state != PART_DONE) {
            add_part(t, i, &s->parts[i - 1]);
            n++;
        }
    if (n > 0) {
        fputc('\n', out);
        table_print(t, out);
    }
    table_free(t);
}

static void print_states(const struct batch_status *s, FILE *out)
{
    const char *before = "parts: ";
    for (int i = 0; i < N_PART_STATES; i++)
        if (s->n_in[i] > 0) {
            fprintf(out, "%s%zu %s", before, s->n_in[i], part_state_name((enum part_state)i));
            before = ", ";
        }
    fputc('\n', out);
}

static const char *out_state(const struct batch_status *s)
{
    /* Merged is not the same as complete: a part that ended with failed runs is merged as well. */
    if (s->is_merged)
        return s->is_complete ? "is complete" : "has all parts, including those that failed";
    return s->is_merging ? "will be written when all parts are done: the merge job is in the queue"
                         : "does not exist yet";
}

void batch_report_print(const struct batch *b, const struct batch_status *s, const char *folder, bool all, FILE *out)
{
    /* In these states nothing runs and nothing waits, so only the user can go on. */
    static const bool idle[N_PART_STATES] = {[PART_FAILED] = true, [PART_STOPPED] = true, [PART_MISSING] = true};
    struct text parts = {0};
    fprintf(out, "%s: scenario %s, %" PRIu64 " runs in %ld parts\n", folder, b->scenario, b->n_runs, b->n_parts);
    print_parts(b, s, all, out);
    fprintf(out, "\nruns: %" PRIu64 " done, %" PRIu64 " failed, %" PRIu64 " missing\n", s->n_done, s->n_failed,
            missing_of(b->n_runs, s->n_done, s->n_failed));
    print_states(s, out);
    fprintf(out, "%s %s\n", b->out, out_state(s));
    batch_add_parts(&parts, b, s, idle);
    if (parts.size > 0 && !s->is_complete)
        fprintf(out, "iasim submit with this folder submits again: %s (their output: %s/PART.log)\n", text_str(&parts),
                folder);
    text_clear(&parts);
}

void survey_report_print(const struct survey *s, const char *database, FILE *out)
{
    fprintf(out, "%s: scenario %s", database, s->scenario ? s->scenario : "not known yet");
    /* A run that has just begun may not have written how many there will be. */
    if (s->n_runs > 0)
        fprintf(out, ", %" PRIu64 " runs", s->n_runs);
    fprintf(out, ": %" PRIu64 " done, %" PRIu64 " failed", s->n_done, s->n_failed);
    if (s->n_runs > 0)
        fprintf(out, ", %" PRIu64 " missing", missing_of(s->n_runs, s->n_done, s->n_failed));
    else
        fprintf(out, "; the database does not record how many there should be");
    if (s->is_torn) /* a run was killed while it wrote: nothing could be read */
        fprintf(out, "; its run ended during a write; it can be read again after iasim run --resume");
    if (s->in_use)
        fprintf(out, "; a run is writing to it");
    fputc('\n', out);
}

/* --- JSON --- */

static json_t *part_json(long number, const struct batch_part *p)
{
    return json_pack("{s:I, s:s, s:I, s:I, s:I, s:o}", "part", (json_int_t)number, "state", part_state_name(p->state),
                     "runs", (json_int_t)p->n_runs, "done", (json_int_t)p->n_done, "failed", (json_int_t)p->n_failed,
                     "job", p->job != 0 ? json_integer(p->job) : json_null());
}

json_t *batch_report_json(const struct batch *b, const struct batch_status *s)
{
    json_t *parts = json_array();
    for (long i = 1; i <= b->n_parts; i++)
        json_array_append_new(parts, part_json(i, &s->parts[i - 1]));
    return json_pack("{s:o, s:s, s:o, s:I, s:I, s:I, s:I, s:b, s:b, s:o}", "folder", json_bytes(b->folder), "scenario",
                     b->scenario, "out", json_bytes(b->out), "runs", (json_int_t)b->n_runs, "done",
                     (json_int_t)s->n_done, "failed", (json_int_t)s->n_failed, "missing",
                     (json_int_t)missing_of(b->n_runs, s->n_done, s->n_failed), "merged", (int)s->is_merged, "merging",
                     (int)s->is_merging, "parts", parts);
}

/* Unknown counts are null, not 0: nothing is missing of what is not known. */
json_t *survey_report_json(const struct survey *s, const char *database)
{
    bool known = s->n_runs > 0;
    return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:b}", "database", json_bytes(database), "scenario",
                     json_bytes(s->scenario), "command", json_bytes(s->command), "runs",
                     known ? json_integer((json_int_t)s->n_runs) : json_null(), "done", (json_int_t)s->n_done, "failed",
                     (json_int_t)s->n_failed, "missing",
                     known ? json_integer((json_int_t)missing_of(s->n_runs, s->n_done, s->n_failed)) : json_null(),
                     "running", (int)s->in_use);
}
