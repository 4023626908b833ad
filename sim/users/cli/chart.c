/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/chart.h"

#include <math.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int chart_columns(FILE *out)
{
    struct winsize size = {0};
    const char *given = getenv("COLUMNS");
    long columns = 0;
    /* $COLUMNS first, as in other programs: it also serves where the output is no terminal, in tests and pipes. At most
       1000, so that a slip does not fill the memory. */
    if (given != NULL && text_to_long(given, &columns) && columns > 0)
        return (int)fmin((double)columns, 1000);
    if (isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 100;
}

enum err_code chart_write(const char *path, const struct gantt_subject *subject, struct err *e)
{
    struct text svg = {0};
    gantt_add_svg(subject, &svg);
    enum err_code code = text_write_file(path, text_str(&svg), svg.size, e);
    text_clear(&svg);
    return code;
}

void chart_print(const struct gantt_subject *subject, FILE *out)
{
    struct text chart = {0};
    gantt_add_text(subject, chart_columns(out), &chart);
    fprintf(out, "%s\n", text_str(&chart));
    text_clear(&chart);
}
