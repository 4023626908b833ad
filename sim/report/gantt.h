/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gantt charts of a schedule: a lane for each processor and for each link (a split-duplex link is two), on it what
   occupies it when: tasks, sends, receives, transfers. What has no length occupies nothing and is not drawn, but for
   tasks. */
#ifndef IASIM_REPORT_GANTT_H
#define IASIM_REPORT_GANTT_H

#include "base/text.h"
#include "plan/schedule.h"

/* A picture for a browser: SVG, with a tooltip (name and times) on every box. Its size and its labels adapt to how much
   there is to see. */
void gantt_add_svg(const struct schedule *s, struct text *out);

/* For a terminal of so many columns (at least 40): plain ASCII, a line for each lane.

       p0 |[A#####]>>>>>[C##]......|      a column shows what takes most of its time: first of all which kind of
       p1 |........<<<<<<<<[B######]|     thing (nothing is one, too), then which task
       l0 |........======...........|
          +---------+---------+------     */
enum { GANTT_LEAST_COLUMNS = 40 };
void gantt_add_text(const struct schedule *s, int columns, struct text *out);

/* ---- what both are drawn from ---- */

enum gantt_kind { GANTT_TASK, GANTT_SEND, GANTT_RECEIVE, GANTT_TRANSFER, N_GANTT_KINDS };

struct gantt_bar {
    enum gantt_kind kind;
    int id;  /* of the task or edge */
    int hop; /* of a transfer: the link's place in the route */
    int lane;
    struct span span;
    int row; /* from 0: bars that overlap (transfers on a link without contention) lie in rows of their own */
};

struct gantt_lane {
    const char *name; /* borrowed from the machine */
    bool is_link;
    size_t first, n; /* its bars, by start, in struct gantt */
    int n_rows;
};

/* All processors, then the links of routes; of more links (hosts) than so many, only those on which something happens. */
enum { GANTT_MANY_LINKS = 64, GANTT_MANY_LINKS_TEXT = 12, GANTT_MANY_HOSTS = 256, GANTT_MAX_ROWS = 16 };

struct gantt {
    const struct schedule *schedule;
    struct gantt_lane *lanes;
    int n_lanes;
    struct gantt_bar *bars;
    size_t n_bars, capacity;
    double end_s; /* of the last bar */
    size_t n_of_kind[N_GANTT_KINDS];
    int n_remote_edges;
    int n_dates; /* sends, receives, transfers without length, which are not bars */
    int n_left_out_links, n_left_out_hosts;
};

extern const char *const gantt_kind_names[N_GANTT_KINDS];

/* `s` outlives it; `many_links`: one of the above. */
void gantt_init(struct gantt *g, const struct schedule *s, size_t many_links);
void gantt_clear(struct gantt *g);

/* "g.dot on p.xml: 24 s", "model involvement, scheduler list[], 4 tasks, ...", and what is left out, or "". */
void gantt_add_title(const struct gantt *g, struct text *out);
void gantt_add_subtitle(const struct gantt *g, struct text *out);
void gantt_add_left_out(const struct gantt *g, struct text *out);

/* A step of 1, 2 or 5 times a power of ten such that there are at most so many in `end_s`. 0 when end_s is 0. */
double gantt_tick_s(double end_s, int at_most);
/* The unit in which times up to end_s are best read; how many seconds it is. */
const char *gantt_unit(double end_s, double *unit_s);

#endif
