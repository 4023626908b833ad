/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A bar for people, or lines for programs and logs. Drawing is limited by time, not by runs, because a run may take a
   microsecond or an hour. Nothing here reaches a result: the clock is only shown.

   Counts come from the caller each time, never as increments, so a call that is lost to the rate limit loses
   nothing. */
#include "report/progress.h"

#include "base/clock.h"

#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { BAR = 24, MAX_LINE = 300 }; /* columns of the bar; bytes of a drawn line with its NUL */

void progress_init(struct progress *p, FILE *out, enum progress_style style)
{
    struct winsize size = {0};
    bool is_terminal = isatty(fileno(out));
    /* In a file, a bar that is redrawn would pile up in one very long line. */
    if (style == PROGRESS_AUTO)
        style = is_terminal ? PROGRESS_BAR : PROGRESS_NONE;
    if (style == PROGRESS_LINES && is_terminal)
        style = PROGRESS_BAR;
    *p = (struct progress){
        .out = style == PROGRESS_NONE ? NULL : out, .style = style, .start_s = clock_now_s(), .width = 80};
    /* 80 columns unless the terminal tells its width: a serial line does not. */
    if (p->out != NULL && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        p->width = size.ws_col;
}

/* "0:07", "12:30", "3:05:00". The limit keeps the conversion to long defined: a remaining time may be close to
   infinite. */
static void write_time(double s, char *out, size_t size)
{
    long t = s < 1e9 ? (long)(s + 0.5) : 1000000000L;
    if (t >= 3600)
        snprintf(out, size, "%ld:%02ld:%02ld", t / 3600, t / 60 % 60, t % 60);
    else
        snprintf(out, size, "%ld:%02ld", t / 60, t % 60);
}

static double rate_per_s(const struct progress_counts *c, double elapsed_s)
{
    return elapsed_s > 0 ? (double)c->n_done / elapsed_s : 0; /* 0 while nothing is known */
}

/* Negative: not known. From the mean rate of this run since its start: runs that were done
   before it took no time of it. */
static double remaining_s(const struct progress_counts *c, double elapsed_s)
{
    uint64_t n = c->n_before + c->n_done;
    double rate = rate_per_s(c, elapsed_s);
    return rate > 0 && c->n_total >= n ? (double)(c->n_total - n) / rate : -1;
}

const char *progress_json(const struct progress_counts *c, double elapsed_s, char *out, size_t size)
{
    char left[32] = "null";
    /* 0 at the end even if no run was done by this process (all had been done before), where the rate is unknown. */
    double left_s = c->n_total == c->n_before + c->n_done ? 0 : remaining_s(c, elapsed_s);
    if (left_s >= 0)
        snprintf(left, sizeof left, "%.6g", left_s);
    snprintf(out, size,
             "{\"done\": %" PRIu64 ", \"total\": %" PRIu64 ", \"passed\": %" PRIu64 ", \"failed\": %" PRIu64
             ", \"rate_per_s\": %.6g, \"elapsed_s\": %.6g, \"remaining_s\": %s}",
             c->n_before + c->n_done, c->n_total, c->n_before, c->n_failed, rate_per_s(c, elapsed_s), elapsed_s, left);
    return out;
}

const char *progress_words(const struct progress_counts *c, double elapsed_s, char *out, size_t size)
{
    uint64_t n = c->n_before + c->n_done;
    double left_s = remaining_s(c, elapsed_s);
    char after[32], left[32] = "?";
    write_time(elapsed_s, after, sizeof after);
    if (left_s >= 0)
        write_time(left_s, left, sizeof left);
    /* A scenario without runs is complete. */
    snprintf(out, size, "%d %% of %" PRIu64 " runs after %s, %s left",
             c->n_total > 0 ? (int)(100 * (double)n / (double)c->n_total) : 100, c->n_total, after, left);
    return out;
}

const char *progress_line(const struct progress_counts *c, double elapsed_s, int width, char *out, size_t size)
{
    uint64_t n = c->n_before + c->n_done;
    double part = c->n_total > 0 ? (double)n / (double)c->n_total : 1;
    double rate = rate_per_s(c, elapsed_s), left_s = remaining_s(c, elapsed_s);
    char bar[BAR + 1], left[32] = "?", failed[48] = "";
    int filled = part >= 1 ? BAR : (int)(part * BAR);
    memset(bar, '#', (size_t)filled);
    memset(bar + filled, '.', (size_t)(BAR - filled));
    bar[BAR] = '\0';
    if (left_s >= 0)
        write_time(left_s, left, sizeof left);
    if (c->n_failed > 0)
        snprintf(failed, sizeof failed, "  %llu failed", (unsigned long long)c->n_failed);
    char line[MAX_LINE];
    snprintf(line, sizeof line, "[%s] %llu/%llu  %.3g/s  %s left%s", bar, (unsigned long long)n,
             (unsigned long long)c->n_total, rate, left, failed);
    snprintf(out, size, "%.*s", width, line);
    return out;
}

/* Blanks overwrite the rest of the previous line, so no escape sequence is needed and any terminal will do. Expects
   that the line fits the terminal: a line that wraps cannot be overwritten by \r. Hence width - 1 below, because some
   terminals wrap as soon as the last column is written. */
static void redraw(struct progress *p, const char *line)
{
    int length = (int)strlen(line), rest = p->drawn_length > length ? p->drawn_length - length : 0;
    fprintf(p->out, "\r%s%*s", line, rest, "");
    p->drawn_length = length;
}

static void draw(struct progress *p)
{
    char line[MAX_LINE];
    double elapsed_s = p->drawn_s - p->start_s;
    if (p->style == PROGRESS_JSON)
        fprintf(p->out, "%s\n", progress_json(&p->last, elapsed_s, line, sizeof line));
    else if (p->style == PROGRESS_LINES)
        fprintf(p->out, "%s\n", progress_words(&p->last, elapsed_s, line, sizeof line));
    else
        redraw(p, progress_line(&p->last, elapsed_s, p->width - 1, line, sizeof line));
    fflush(p->out);
}

/* `last` is kept even if nothing is drawn: progress_end shows the final counts. */
void progress_show(struct progress *p, const struct progress_counts *counts)
{
    static const double intervals_s[] = {[PROGRESS_LINES] = 60, [PROGRESS_BAR] = 0.1, [PROGRESS_JSON] = 0.5};
    /* The first line of PROGRESS_LINES comes after a minute, so a short run leaves no lines in a log. For the
       others the caller chooses. */
    double now = clock_now_s(), delay_s = p->style == PROGRESS_LINES ? intervals_s[PROGRESS_LINES] : p->delay_s;
    p->last = *counts;
    if (p->out == NULL || now < p->drawn_s + intervals_s[p->style] || now < p->start_s + delay_s)
        return;
    p->drawn_s = now;
    draw(p);
}

/* A bar that was never drawn needs no removal, and JSON that was never written gets no last line. */
void progress_end(struct progress *p)
{
    if (p->out == NULL || p->drawn_s == 0)
        return;
    p->drawn_s = clock_now_s();
    if (p->style == PROGRESS_JSON) {
        draw(p);
    } else if (p->style == PROGRESS_BAR) {
        redraw(p, ""); /* blanks over the bar, then the cursor back to the start */
        fputs("\r", p->out);
    }
    fflush(p->out);
}
