/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/chart.h"

#include "base/new_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

int chart_columns(FILE *out)
{
    struct winsize size = {0};
    const char *given = getenv("COLUMNS");
    long columns = 0;
    if (given != NULL && text_to_long(given, &columns) && columns > 0)
        return (int)fmin((double)columns, 1000);
    if (isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 100;
}

/* A chart is always SVG; a name with another extension would mislead. */
enum err_code chart_check_ending(const char *path, struct err *e)
{
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash : path;
    const char *dot = name ? strrchr(name, '.') : NULL;
    if (dot == NULL || strcasecmp(dot, ".svg") == 0)
        return ERR_NONE;
    return err_set(e, ERR_USAGE, "charts are written as SVG: the name '%.200s' should end in .svg", path);
}

enum err_code chart_check(const char *path, const char *const *inputs, size_t n, struct err *e)
{
    enum err_code code = new_file_check_not_input(path, inputs, n, e);
    if (code == ERR_NONE)
        code = chart_check_ending(path, e);
    return code == ERR_NONE ? new_file_check(path, e) : code;
}

enum err_code chart_check_apart(const char *const *outputs, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (outputs[i] != NULL && outputs[k] != NULL && new_file_is_same(outputs[i], outputs[k]))
                return err_set(e, ERR_USAGE, "two outputs cannot both be written to '%s'", outputs[i]);
    return ERR_NONE;
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
