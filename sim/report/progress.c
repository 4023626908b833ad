/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/progress.h"

#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { BAR = 24, MAX_LINE = 200 };

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_init(struct progress *p, FILE *out, bool quiet)
{
    struct winsize size = {0};
    *p =
        (struct progress){.out = !quiet && isatty(fileno(out)) ? out : NULL, .start_s = now_s(), .width = 80};
    if (p->out != NULL && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        p->width = size.ws_col;
}

/* "0:07", "12:30", "3:05:00" */
static void write_time(double s, char *out, size_t size)
{
    long t = s < 1e9 ? (long)(s + 0.5) : 1000000000L;
    if (t >= 3600)
        snprintf(out, size, "%ld:%02ld:%02ld", t / 3600, t / 60 % 60, t % 60);
    else
        snprintf(out, size, "%ld:%02ld", t / 60, t % 60);
}

const char *progress_line(const struct progress_counts *c, double elapsed_s, int width, char *out,
                          size_t size)
{
    uint64_t n = c->n_before + c->n_done;
    double part = c->n_total > 0 ? (double)n / (double)c->n_total : 1;
    double rate = elapsed_s > 0 ? (double)c->n_done / elapsed_s : 0;
    char bar[BAR + 1], left[32] = "?", failed[48] = "";
    int filled = part >= 1 ? BAR : (int)(part * BAR);
    memset(bar, '#', (size_t)filled);
    memset(bar + filled, '.', (size_t)(BAR - filled));
    bar[BAR] = '\0';
    if (rate > 0 && c->n_total >= n)
        write_time((double)(c->n_total - n) / rate, left, sizeof left);
    if (c->n_failed > 0)
        snprintf(failed, sizeof failed, "  %llu failed", (unsigned long long)c->n_failed);
    char line[MAX_LINE];
    snprintf(line, sizeof line, "[%s] %llu/%llu  %.3g/s  %s left%s", bar, (unsigned long long)n,
             (unsigned long long)c->n_total, rate, left, failed);
    snprintf(out, size, "%.*s", width, line);
    return out;
}

void progress_show(struct progress *p, const struct progress_counts *counts)
{
    double now = now_s();
    char line[MAX_LINE];
    if (p->out == NULL || now < p->drawn_s + 0.1)
        return;
    p->drawn_s = now;
    fprintf(p->out, "\r%s\033[K", progress_line(counts, now - p->start_s, p->width - 1, line, sizeof line));
    fflush(p->out);
}

void progress_end(struct progress *p)
{
    if (p->out == NULL || p->drawn_s == 0)
        return;
    fputs("\r\033[K", p->out);
    fflush(p->out);
}
