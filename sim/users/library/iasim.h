/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface of libiasim: what a program of your own may ask of iasim. C and C++; doc/library.md has a whole
   program.

       cc mine.c $(pkg-config --cflags --libs iasim) -o mine

   Units are SI: seconds, bytes, flop. Names of models, schedulers, policies and worlds are those of `iasim list`, with
   their parameters: "list[technique=insertion]". A path that leads nowhere is looked for among the files that come with
   iasim, too: "platforms/star-8.xml" (in $IASIM_DATA, else in PREFIX/share/iasim).

   A function that can fail returns ERR_NONE, which is 0, or the kind of the error, and puts a sentence for people into
   `e`, which need not be initialised and may be NULL (iasim/base/err.h: err_describe makes a line of it). Where all
   went well e->text is empty, or a warning. On failure *out and results are as they were. What a function puts into
   *out belongs to the caller, who ends it with the _free of its type; what is handed in is borrowed until the function
   returns, but for platforms and graphs, which must outlive the schedules made for them. _free does nothing with NULL.

   Not for several threads at a time. Simulations run in child processes, so that each is the first one of its process:
   the same arguments give the same bits. The decimal point is '.', whatever the locale. Who runs out of memory ends
   with status 3. Simulation and formats: doc/model.md; sources: [K] and [S] in doc/references.md. */
#ifndef IASIM_IASIM_H
#define IASIM_IASIM_H

#ifdef __cplusplus
extern "C" {
#endif

#include "base/api.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct iasim_platform; /* a machine: hosts, links, routes */
struct iasim_graph;    /* a task graph */
struct iasim_schedule; /* a schedule of a graph on a platform */

/* ---- inputs ---- */

/* Loads a SimGrid platform. A process can load one, for good: SimGrid has one engine per process. Errors: ERR_IO,
   ERR_PARSE, ERR_INPUT with the line; ERR_INPUT for a second platform; ERR_INTERNAL when SimGrid crashes on it. */
IASIM_API enum err_code iasim_platform_load(const char *path, struct iasim_platform **out, struct err *e);
/* Frees what was kept for planning; the process cannot load another one. */
IASIM_API void iasim_platform_free(struct iasim_platform *platform);

/* Reads a task graph in one of the formats of `iasim list graph_formats`, by name and content. In those that give
   times, not work, a second is 1e9 flop. Errors: ERR_IO, ERR_PARSE, ERR_INPUT with the line. */
IASIM_API enum err_code iasim_graph_load(const char *path, struct iasim_graph **out, struct err *e);
IASIM_API void iasim_graph_free(struct iasim_graph *graph);

/* Unrelated hosts: the seconds of each task of the graph on each host of the platform, instead of work / speed, from a
   CSV file or from text. The header is task,HOST,HOST,..., then there is a line for each task; an empty cell forbids
   the host. Plans, schedules that are read, and checks of this graph count these times from now on. A graph takes times
   once, so that none of its schedules changes. Errors: ERR_IO; ERR_PARSE and ERR_INPUT with the line; ERR_INPUT for a
   graph that has times. */
IASIM_API enum err_code iasim_costs_load(struct iasim_graph *graph, const struct iasim_platform *platform,
                                         const char *path, struct err *e);
IASIM_API enum err_code iasim_costs_parse(struct iasim_graph *graph, const struct iasim_platform *platform,
                                          const char *text, struct err *e);

/* ---- schedules ([S] 3, 5, 7, 8) ---- */

/* Plans the graph on the platform with a scheduler ("list") under a cost model: what it believes of communication
   ("involvement"). A warning says that the platform has no properties that the model reads. Errors: ERR_INPUT for an
   unknown name or parameter (the known are listed), and for dates that would not be finite; ERR_NO for an invalid plan
   of a plugin. */
IASIM_API enum err_code iasim_plan(struct iasim_platform *platform, const struct iasim_graph *graph, const char *model,
                                   const char *scheduler, struct iasim_schedule **out, struct err *e);

/* Reads and writes schedule files, iasim-schedule/1 (JSON; doc/model.md, Files). A file is of this graph and this
   platform; its dates are taken as they stand: iasim_check judges them. A file that cannot be written whole does not
   appear. Errors: ERR_IO; of reading also ERR_PARSE and ERR_INPUT with the line. */
IASIM_API enum err_code iasim_schedule_read(const char *path, struct iasim_platform *platform,
                                            const struct iasim_graph *graph, struct iasim_schedule **out,
                                            struct err *e);
IASIM_API enum err_code iasim_schedule_write(const struct iasim_schedule *schedule, const char *path, struct err *e);
IASIM_API void iasim_schedule_free(struct iasim_schedule *schedule);

/* When its last task ends. */
IASIM_API double iasim_schedule_length_s(const struct iasim_schedule *schedule);

/* The i-th task, counted from 0 in the order of the graph: where it runs, and when. False: there are no more. The names
   live as long as the graph and the platform. */
struct iasim_task {
    const char *name, *host;
    double start_s, finish_s;
};
IASIM_API bool iasim_schedule_task(const struct iasim_schedule *schedule, size_t i, struct iasim_task *out);

/* Judges a schedule file by an independent validator, which shares no code with schedulers. `violation`, which may be
   NULL, is called with `self` for each condition that the file violates: its line, the condition (a word of `iasim
   check --help`) and a sentence; they are gone after the call. Errors: ERR_NO when there are violations; ERR_IO;
   ERR_PARSE for a file that is not a schedule at all. */
typedef void iasim_violation(void *self, int line, const char *condition, const char *text);
IASIM_API enum err_code iasim_check(const char *path, const struct iasim_platform *platform,
                                    const struct iasim_graph *graph, iasim_violation *violation, void *self,
                                    struct err *e);

/* ---- simulations (doc/model.md: World, Farms, Bounds, Replay) ---- */

enum iasim_links {
    IASIM_FLUID,     /* transfers share the bandwidth of a link */
    IASIM_EXCLUSIVE, /* a link carries one transfer at a time, in the order of the schedule */
};

/* Carries a schedule out in a world ("interference", "involvement"): each processor does what is planned, in that
   order, as soon as it can. *makespan_s: when the last task has ended. `tasks` is NULL or has room for all tasks of the
   graph: when they really ran. A warning as that of iasim_plan. Errors: ERR_INPUT for an unknown world, an order that
   waits for itself, a host or link that fails while it is used, a deadlock; ERR_INTERNAL when the simulation
   crashes. */
IASIM_API enum err_code iasim_replay(const struct iasim_schedule *schedule, const char *world, enum iasim_links links,
                                     double *makespan_s, struct iasim_task *tasks, struct err *e);

enum iasim_waiting {
    IASIM_PASSIVE, /* a processor is free while data are under way */
    IASIM_ACTIVE,  /* communication blocks: a send and a receive hold their processor until the last byte has arrived */
    IASIM_RENDEZVOUS, /* data of a message of more than eager_bytes move when both of its ends are ready */
};

/* What moves the data of a rendezvous, once its destination is in its receive. */
enum iasim_progress {
    IASIM_CALLS,    /* a call (send, receive, end of the list) of the source, which lasts until they are through */
    IASIM_HARDWARE, /* nothing more is needed */
    IASIM_POLLS,    /* calls of the source: between them data stand still */
};

struct iasim_replay_how {
    const char *world;
    enum iasim_links links;
    enum iasim_waiting waiting;
    const char *noise;            /* "work=0.1,size=0.3,rate=0.1", as --noise of `iasim replay`; NULL: none */
    uint64_t seed;                /* of the noise */
    enum iasim_progress progress; /* of IASIM_RENDEZVOUS */
    double eager_bytes;
};

/* iasim_replay, with everything that a replay can be asked for. */
IASIM_API enum err_code iasim_replay_with(const struct iasim_schedule *schedule, const struct iasim_replay_how *how,
                                          double *makespan_s, struct iasim_task *tasks, struct err *e);

/* A farm of equal, independent tasks, which begin at the root of a tree of hosts ([K] 3, 4). */
struct iasim_farm {
    const char *deployment; /* the tree: a SimGrid deployment file */
    const char *policy;     /* whom a node serves next: "ia_multi" */
    const char *world;      /* NULL: "interference" */
    long n_tasks;
    double task_bytes, task_flop;
    int n_buffers;        /* task slots of every node but the root; 0: 2 */
    double request_bytes; /* 0: a request for a task takes no time */
    const char *noise;    /* as in struct iasim_replay_how; a bound takes no notice of it */
    uint64_t seed;
};

struct iasim_farm_result {
    double makespan_s;
    double throughput_tasks_per_s;           /* of the whole run */
    double steady_tasks_per_s;               /* between start-up and wind-down; NAN: no steady phase */
    double startup_end_s, wind_down_start_s; /* every node that computes has started; the root has none left to give */
};

/* Simulates it. A warning as that of iasim_plan. Errors: ERR_IO, ERR_PARSE and ERR_INPUT of the deployment, with the
   line; ERR_INPUT for unknown names, figures out of range, a host or link that fails, a deadlock; ERR_INTERNAL when the
   simulation crashes. */
IASIM_API enum err_code iasim_farm_run(const struct iasim_platform *platform, const struct iasim_farm *farm,
                                       struct iasim_farm_result *out, struct err *e);

enum iasim_ports { IASIM_MULTI_PORT, IASIM_SINGLE_PORT }; /* whether a node sends to several children at a time */

/* The highest steady throughput that the farm can have, in tasks per second, from its tree and the sizes of its tasks
   alone. `method`: "physical" (what the world allows), "lp" or "greedy" (what [K] 3.2 allows). A warning says where the
   bound overlooks something. Errors: as iasim_farm_run; ERR_INTERNAL when the solver fails. */
IASIM_API enum err_code iasim_farm_bound(const struct iasim_platform *platform, const struct iasim_farm *farm,
                                         enum iasim_ports ports, const char *method, double *tasks_per_s,
                                         struct err *e);

/* ---- any run ---- */

/* Does one run of a kind that `iasim list experiments` lists ("farm", "bound", "plan", "replay", "message", ...) and
   tells its figures: what a scenario with one point gives. `settings`, a list that ends with NULL or NULL itself,
   are "name=value" with the parameters of that kind, in their units; others have their defaults. "seed=7" is the
   seed of what is drawn at random, 1 if not given: the same settings give the same figures, while the points of a
   scenario draw from streams of their own. Every parameter that a later version adds is a name that can be given.
   `figure`, which may be NULL, is called with `self` for each figure, NAN where there is none. The run loads its
   platform in a process of its own, so the calling process must have loaded none. Errors: ERR_INPUT for unknown
   kinds and names (the known are listed), values that cannot be, and what is not given; those of the run. */
typedef void iasim_figure(void *self, const char *name, const char *unit, double value);
IASIM_API enum err_code iasim_run(const char *kind, const char *const *settings, iasim_figure *figure, void *self,
                                  struct err *e);

/* ---- what there is ---- */

/* The i-th of a kind, counted from 0; false: there are no more, or there is no such kind. Kinds are those of `iasim
   list`: "schedulers", "policies", "models:cost", "models:world", "graph_formats" ... The strings stay. */
struct iasim_listed {
    const char *name, *summary, *source; /* source: a paper and section, or who made it */
};
IASIM_API bool iasim_list(const char *kind, size_t i, struct iasim_listed *out);

/* Loads a plugin (iasim/plugin.h), a shared object: its schedulers, policies, worlds and cost models are known from now
   on. For this, and for planning with it, the process must have no other children and no threads: what a plugin leaves
   behind is ended. Errors: ERR_IO, ERR_INPUT, with the path. */
IASIM_API enum err_code iasim_plugin_load(const char *path, struct err *e);

IASIM_API const char *iasim_version(void); /* as `iasim --version` says */

/* The program `iasim` itself: the arguments of a main function, what it prints, its exit status. It may end the process
   (--help, a wrong option), runs Python instead where --plugin names a file in Python, and loads a platform for good in
   no process but its children: commands that simulate need a process that has loaded none. */
IASIM_API int iasim_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
