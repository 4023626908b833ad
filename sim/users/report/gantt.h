/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gantt charts of schedules, of their replays, and of farms. For graphs: a lane for each host and for each link (a
   split-duplex link is two), with bars for what occupies it: tasks, sends, receives, transfers. Tasks of zero length
   are drawn; other bars of zero length are not. A chart of two layers, a plan and its replay or two plans, has two
   lanes for each host and link, one above the other, on one time axis; a plan that books no links has no lanes for
   them. For farms: gantt_farm.c. */
#ifndef IASIM_REPORT_GANTT_H
#define IASIM_REPORT_GANTT_H

#include "base/text.h"
#include "engine/farm_run.h"
#include "engine/replay_record.h"

struct gantt_layer {  /* a plan, or with `result` a replay of it */
    const char *name; /* "planned", "simulated", a file */
    const struct schedule *schedule;
    const struct replay_result *result; /* NULL: the plan */
    const struct replay_record *record; /* of the replay; NULL: links are fluid, and stolen time is not shown */
    const struct world_model *world;    /* of the replay */
};

enum { GANTT_MOST_LAYERS = 2 };

struct gantt_farm {
    const struct tree *tree; /* bound */
    const struct machine *machine;
    const struct farm_run_options *options; /* with the run's record */
    const struct farm_run_result *result;
};

struct gantt_subject {
    struct gantt_layer layers[GANTT_MOST_LAYERS]; /* of one graph on one machine */
    int n_layers;
    bool folds_idle;               /* hosts and links on which nothing happens are counted, not shown */
    const struct gantt_farm *farm; /* NULL: the layers count. Else idle nodes are always folded */
};

/* A picture for a browser: SVG, with a tooltip (name and times) on every box. Size and labels adapt to the number of
   lanes and bars. From GANTT_MANY_BARS bars on a lane shows which share of its time is taken by what. The same subject
   gives the same bytes. */
void gantt_add_svg(const struct gantt_subject *subject, struct text *out);

/* For a terminal of `columns` columns (at least 40): plain ASCII, a line for each lane.

       p0 |[A#####]>>>>>[C##]......|      a column shows what takes most of its time: first which kind of
       p1 |........<<<<<<<<[B######]|     activity (idle is a kind, too), then which task
       l0 |........======...........|
          +---------+---------+------     */
enum { GANTT_LEAST_COLUMNS = 40 };
void gantt_add_text(const struct gantt_subject *subject, int columns, struct text *out);

/* A chart of a schedule alone. */
static inline struct gantt_subject gantt_of(const struct schedule *s)
{
    return (struct gantt_subject){.layers = {{.name = "planned", .schedule = s}}, .n_layers = 1};
}

/* ---- what both are drawn from ---- */

/* GANTT_STARVED: a node of a farm waits for a task; GANTT_DONE: it has computed its last one. The last two kinds lie on
   other bars. GANTT_DELAY, on the host that receives: data are under way and occupy nothing. GANTT_STOLEN:
   communication takes a share of the processor, which may compute meanwhile. */
enum gantt_kind {
    GANTT_TASK,
    GANTT_SEND,
    GANTT_RECEIVE,
    GANTT_TRANSFER,
    GANTT_STARVED,
    GANTT_DONE,
    GANTT_DELAY,
    GANTT_STOLEN,
    N_GANTT_KINDS
};

struct gantt_bar {
    enum gantt_kind kind;
    int id;  /* of the task or edge; of stolen time the host's; in a farm of a task, from 0 */
    int hop; /* of a transfer: the link's place in the route; on a port: its direction; in a farm: the node that
                receives */
    int lane;
    struct span span;
    int row;      /* from 0: bars that overlap (transfers on a link without contention) lie in rows of their own */
    double ratio; /* of stolen time: the share of the processor */
};

struct gantt_lane {
    const char *name; /* of a host or link: borrowed from the machine; of a port: "p0 sends", "p0 receives" */
    bool is_link;     /* or a port */
    bool is_part;     /* what a node of a farm receives or sends: as low as a link */
    int layer;
    int n_group;     /* how many lanes, from this one on, are of one resource; 0: not the first of them */
    size_t first, n; /* its bars, by start, in struct gantt */
    int n_rows;
};

/* All hosts, then the links of routes, then ports that are used. If there are more links (hosts) than these, only those
   with a bar are shown. */
enum {
    GANTT_MANY_LINKS = 64,
    GANTT_MANY_LINKS_TEXT = 12,
    GANTT_MANY_HOSTS = 256,
    GANTT_MAX_ROWS = 16,
    GANTT_MANY_BARS = 6000
};

struct gantt {
    const struct gantt_subject *subject;
    const struct schedule *schedule; /* of the first layer; NULL: a farm */
    struct gantt_lane *lanes;
    int n_lanes;
    struct gantt_bar *bars;
    size_t n_bars, capacity;
    double end_s; /* of the last bar */
    size_t n_of_kind[N_GANTT_KINDS];
    int n_remote_edges;
    int n_dates; /* sends, receives and transfers of zero length, which are not bars */
    int n_left_out_links, n_left_out_hosts;
    char **port_names; /* [host * 2 + direction]; NULL: not used, or no ports */
    struct gantt_mark {
        double date_s;
        const char *before; /* what the time before it is, from the mark before on */
    } marks[3];             /* the last one is at end_s */
    int n_marks;
};

static inline bool gantt_is_overlay(enum gantt_kind kind)
{
    return kind >= GANTT_DELAY;
}

extern const char *const gantt_kind_names[N_GANTT_KINDS];

/* The subject outlives the chart; `many_links` is one of the numbers above. */
void gantt_init(struct gantt *g, const struct gantt_subject *subject, size_t many_links);
void gantt_clear(struct gantt *g);

/* For gantt_init, which sorts bars and lanes once all have been added. The layer of a replay: gantt_replay.c; a farm:
   gantt_farm.c. */
void gantt_add_bar(struct gantt *g, int layer, size_t resource, struct gantt_bar bar);
void gantt_add_replay(struct gantt *g, int layer);
void gantt_init_farm(struct gantt *g);
void gantt_sort_bars(struct gantt *g);
size_t gantt_count_bars(const struct gantt *g, size_t at, size_t resource); /* how many of a resource begin at `at` */
void gantt_add_ports(struct gantt *g, int layer, edge_id e);
void gantt_set_rows(struct gantt *g, struct gantt_lane *lane);
void gantt_add_farm_title(const struct gantt *g, struct text *out);
void gantt_add_farm_subtitle(const struct gantt *g, struct text *out);

/* Whether messages occupy ports, and when one occupies that of its host: until its last byte has passed. */
bool gantt_has_ports(const struct gantt_layer *x);
struct span gantt_port(const struct gantt_layer *x, edge_id e, enum direction dir);

int gantt_n_tasks(const struct gantt *g);
/* "A" for a task, "A -> B" with this arrow for a communication; names are cut after `most_em`. In a farm "task 7",
   "task 7 -> host" for a send, "host -> task 7" for a receive; short "7", "7 -> host" and "host -> 7"; shortest "7",
   "host" and "7". NULL: no shorter name. The caller frees it. */
enum gantt_name { GANTT_NAME, GANTT_SHORT_NAME, GANTT_SHORTEST_NAME };
char *gantt_bar_name(const struct gantt *g, const struct gantt_bar *b, const char *arrow, double most_em,
                     enum gantt_name length);
char *gantt_farm_bar_name(const struct gantt *g, const struct gantt_bar *b, const char *arrow, double most_em,
                          enum gantt_name length);
/* "g.dot" of "some/where/g.dot". A generator with its parameters is not a path and stays. */
const char *gantt_base_name(const char *source);

/* "g.dot on p.xml: 24 s"; "model involvement, scheduler list[], 4 tasks, ..."; "Not shown: ..." or "". */
void gantt_add_title(const struct gantt *g, struct text *out);
void gantt_add_subtitle(const struct gantt *g, struct text *out);
void gantt_add_left_out(const struct gantt *g, struct text *out);

/* A step of 1, 2 or 5 times a power of ten that fits at most `at_most` times into `end_s`. 0 if end_s is 0. */
double gantt_tick_s(double end_s, int at_most);
/* The unit in which times up to end_s are easiest to read; *unit_s is its length. */
const char *gantt_unit(double end_s, double *unit_s);

#endif
