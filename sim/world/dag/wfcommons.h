/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of WfCommons share: formats/wfcommons.c reads documents and versions 1.5 and 1.6, wfcommons_flat.c
   versions 1.3 and 1.4, wfcommons_metrics.c the metrics of 1.6, wfcommons_value.c single values, wfcommons_write.c
   writes. Not installed. */
#ifndef IASIM_DAG_WFCOMMONS_H
#define IASIM_DAG_WFCOMMONS_H

#include "base/json_tape.h"
#include "base/line_index.h"
#include "base/name_index.h"
#include "dag/file_uses.h"
#include "dag/format.h"

struct wf_names {
    char **list;
    size_t n, capacity;
};

struct wf_reader {
    const char *path;
    double reference_flop_per_s;
    struct dag *g;
    struct file_uses *files;
    struct tape_value tasks;   /* of the specification, or of the workflow */
    struct name_index *ids;    /* the names by which tasks refer to each other; NULL: the names of the tasks */
    struct wf_names *called;   /* the names in `ids` */
    struct text *name, *other; /* the current strings */
    struct line_index *lines;  /* NULL: lines are not needed, and are 0 */
    struct err *e;
};

/* ---- values: errors are ERR_INPUT, with the line of the value ---- */

enum err_code wf_refuse(const struct wf_reader *r, struct tape_value v, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

int wf_line(const struct wf_reader *r, struct tape_value v);

/* `what` and `name` (NULL: it has none) are what messages call the object. */
enum err_code wf_find_member(const struct wf_reader *r, struct tape_value object, const char *what, const char *name,
                             const char *key, enum tape_kind kind, struct tape_value *out);
enum err_code wf_need_member(const struct wf_reader *r, struct tape_value object, const char *what, const char *name,
                             const char *key, enum tape_kind kind, struct tape_value *out);

enum err_code wf_need_object(const struct wf_reader *r, struct tape_value v, const char *what);
enum err_code wf_need_name(const struct wf_reader *r, struct tape_value v, const char *what, struct text *out);
/* A string that is not empty. `noun`: "an id". */
enum err_code wf_read_name(const struct wf_reader *r, struct tape_value v, const char *what, const char *key,
                           const char *noun, struct text *out);
/* A number that is not negative. */
enum err_code wf_read_amount(const struct wf_reader *r, struct tape_value object, const char *what, const char *name,
                             const char *key, double *out);
enum err_code wf_read_runtime(const struct wf_reader *r, struct tape_value object, task_id task, const char *key);

/* ---- edges ---- */

struct wf_relation { /* one task names another */
    task_id parent, child;
    int line;
};
struct wf_relations {
    struct wf_relation *list;
    size_t n, capacity;
};

/* The tasks that each task's list `key` names. */
enum err_code wf_read_relations(const struct wf_reader *r, const char *key, bool to_parents, bool is_required,
                                struct wf_relations *out);
enum err_code wf_add_edge(const struct wf_reader *r, task_id parent, task_id child, int line);
int wf_compare_relations(const void *a, const void *b); /* by parent, child, line */

/* ---- versions ---- */

enum err_code wf_read_flat(struct wf_reader *r, struct tape_value workflow, bool is_1_3);
/* Compares the metrics of version 1.6 with what was read. Seals the graph if there are any. Errors: ERR_INPUT; those of
   dag_seal. */
enum err_code wf_check_metrics(const struct wf_reader *r, struct tape_value workflow);

/* A run of the graph, for the execution part of a file: where and when tasks were computed. */
struct wf_machine {
    const char *name;
    int n_cores;
};
struct wf_run {
    const struct wf_machine *machines;
    size_t n_machines;
    const int *machine_of;             /* [task] */
    const double *start_s, *runtime_s; /* [task] */
    double makespan_s;
    const char *description;
};

/* As dag_format.write, with this run: the tasks' run times are those of the run, and it begins on 1 January 1970.
   Errors: ERR_INPUT also for a start after the year 9999 and for a machine whose name is not UTF-8. */
enum err_code wfcommons_write_run(const struct dag *g, const struct wf_run *run, struct text *out, struct err *e);

enum err_code wfcommons_write(const struct dag *g, const struct dag_read_options *options, struct text *out,
                              struct err *e);

#endif
