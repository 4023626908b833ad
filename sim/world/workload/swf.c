/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The Standard Workload Format ([Chapin 1999]): a line for each job, of 18 numbers between blanks, of which the second
   is the submit time in seconds; lines that begin with ';' are comments. Only the submit times are read. */
#include "base/mem.h"
#include "base/text.h"
#include "workload/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MOST_DATE_S = 1e15; /* as `release` in a workload */

struct log_line {
    const char *path;
    int number;
    double **dates_s;
    size_t *n, *capacity;
};

static enum err_code take_line(const struct log_line *l, char *line, struct err *e)
{
    static const char blanks[] = " \t\r";
    char *rest = NULL, *job = strtok_r(line, blanks, &rest), *submit = strtok_r(NULL, blanks, &rest);
    double date_s, number;
    if (job == NULL || job[0] == ';')
        return ERR_NONE;
    if (!text_to_double(job, &number) || submit == NULL || !text_to_double(submit, &date_s))
        return err_set_at(e, ERR_PARSE, l->path, l->number,
                          "'%.40s': expected the numbers of a job, of which the second is its submit time",
                          submit != NULL ? submit : job);
    if (*l->n > 0 && date_s < (*l->dates_s)[*l->n - 1])
        return err_set_at(e, ERR_INPUT, l->path, l->number,
                          "the submit time %g is before that of the job above; a log is sorted by submit time", date_s);
    if (!(fabs(date_s) <= MOST_DATE_S))
        return err_set_at(e, ERR_INPUT, l->path, l->number, "the submit time is %g s; it must be at most %g s", date_s,
                          MOST_DATE_S);
    MEM_GROW(*l->dates_s, *l->n, *l->capacity);
    (*l->dates_s)[(*l->n)++] = date_s;
    return ERR_NONE;
}

enum err_code swf_read(const char *path, double **out, long *n, struct err *e)
{
    struct text bytes = {0};
    double *dates_s = NULL;
    size_t n_dates = 0, capacity = 0;
    enum err_code code = text_read_file(&bytes, path, 1000000000, e);
    if (code == ERR_NONE && strlen(text_str(&bytes)) != bytes.size)
        code = err_set_at(e, ERR_PARSE, path, 0, "a byte 0 is in the file; a log is text");
    struct log_line l = {path, 0, &dates_s, &n_dates, &capacity};
    for (char *line = bytes.data, *next; code == ERR_NONE && line != NULL; line = next) {
        next = strchr(line, '\n');
        if (next != NULL)
            *next++ = '\0';
        l.number++;
        code = take_line(&l, line, e);
    }
    if (code == ERR_NONE && n_dates == 0)
        code = err_set_at(e, ERR_INPUT, path, 0, "the log has no jobs");
    text_clear(&bytes);
    if (code != ERR_NONE) {
        free(dates_s);
        return code;
    }
    double first_s = dates_s[0];
    for (size_t i = 0; i < n_dates; i++)
        dates_s[i] -= first_s;
    *out = dates_s;
    *n = (long)n_dates;
    return ERR_NONE;
}
