/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* CSV: a line for each event, by date; rates, factors and flows are not in it. Dates have 17 digits, so differences of
   dates read from the file are those of the run. */
#include "base/text.h"
#include "report/trace_format.h"

static void *begin(FILE *out, const struct trace_names *names)
{
    (void)names;
    fputs("time_s,host,event,task,peer\n", out);
    return NULL;
}

static void write(void *self, FILE *out, const struct trace_names *names, const struct trace_event *x)
{
    static const char *const phases[] = {"_start", "_end", "_pause", "_resume", ""};
    char number[TEXT_NUMBER_SIZE];
    (void)self;
    if (x->phase > TRACE_HAPPENS) /* flows and changes come after TRACE_HAPPENS in the enumeration */
        return;
    fprintf(out, "%s,", text_number(x->time_s, number));
    text_write_csv_field(out, names->hosts[x->at]);
    fprintf(out, ",%s%s,", trace_what_names[x->what], phases[x->phase]);
    if (x->name != NULL)
        text_write_csv_field(out, x->name);
    putc(',', out);
    if (x->peer >= 0) /* none: nobody else takes part */
        text_write_csv_field(out, names->hosts[x->peer]);
    putc('\n', out);
}

static void end(void *self, FILE *out, const struct trace_names *names, double last_s)
{
    (void)self, (void)out, (void)names, (void)last_s;
}

static const char *const extensions[] = {".csv", NULL};
const struct trace_format trace_csv = {extensions, false, begin, write, end};
