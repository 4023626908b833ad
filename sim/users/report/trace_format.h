/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Formats of traces, one file each (trace_csv.c, trace_perfetto.c, trace_paje.c). Each is given the same events by date
   and writes them at once, so that a trace may be longer than the memory. Not installed. */
#ifndef IASIM_REPORT_TRACE_FORMAT_H
#define IASIM_REPORT_TRACE_FORMAT_H

#include "base/new_file.h"
#include "report/trace.h"

enum trace_what {
    TRACE_COMPUTE,
    TRACE_SEND,
    TRACE_TRANSFER,
    TRACE_RECEIVE,
    TRACE_RECEIVED, /* a farm has only the end of a receive */
    TRACE_REQUEST,
    TRACE_RATE,
    TRACE_FACTOR,
    TRACE_ARRIVAL,
};
extern const char *const trace_what_names[]; /* "compute"; those of rates and factors are for charts */

enum trace_phase {
    TRACE_STARTS,
    TRACE_ENDS,
    TRACE_PAUSES,
    TRACE_RESUMES,
    TRACE_HAPPENS,    /* at a date, without a start */
    TRACE_FLOW_FROM,  /* what has just started here is where the data come from, */
    TRACE_FLOW_OVER,  /* pass, */
    TRACE_FLOW_TO,    /* or go to: all of them with one id */
    TRACE_HAS_CHANGED /* a rate or a factor */
};

struct trace_event {
    double time_s;
    enum trace_what what;
    enum trace_phase phase;
    int at, peer;     /* hosts; of a rate the link; peer -1: none */
    const char *name; /* of the task or edge; NULL: none */
    const char *id;   /* of a flow: no other one has it */
    int key;          /* of a transfer: no other one under way has it; -1: the processor does this */
    bool is_empty;    /* it starts and ends at one date */
    double value;     /* TRACE_HAS_CHANGED: bytes/s, or a factor */
};

struct trace_names { /* borrowed */
    const char **hosts, **links;
    size_t n_hosts, n_links; /* no links: their rates are not known */
    int n_keys;              /* keys are below it */
    const char *task_prefix; /* "task " where tasks have only numbers */
};

struct trace_format {
    const char *const *extensions; /* ends with NULL */
    bool shows_rates;
    void *(*begin)(FILE *out, const struct trace_names *names); /* returns its own state, or NULL */
    void (*write)(void *self, FILE *out, const struct trace_names *names, const struct trace_event *x);
    void (*end)(void *self, FILE *out, const struct trace_names *names, double last_s); /* frees the state */
};

extern const struct trace_format trace_csv, trace_perfetto, trace_paje;

struct trace {
    struct new_file new_file;
    const struct trace_format *format;
    struct trace_names names;
    void *self; /* the format's */
    double last_s;
    struct trace_farm *farm; /* NULL: of a replay */
};

/* The caller puts in the names of hosts and what else there is. Without links: NULL. */
struct trace_names trace_names_of(size_t n_hosts, const struct machine *of_links);
/* Errors: ERR_IO. Takes the lists of names, also after an error. */
enum err_code trace_create(const char *path, const struct trace_names *names, struct trace **out, struct err *e);
void trace_put(struct trace *t, const struct trace_event *x);

/* trace_counters.c: the speed factor of each host, and the rate of each link as the sum of its transfers' rates. A host
   has no factor before the first one is set, nor a link a rate. */
struct trace_counters;
struct trace_counters *trace_counters_create(size_t n_hosts, size_t n_links);
void trace_counters_set_factor(struct trace_counters *x, int host, double factor_ratio);
/* A transfer over this link has another rate. */
void trace_counters_change_rate(struct trace_counters *x, link_id l, double before_bytes_per_s, double bytes_per_s);
/* Writes what has changed since the last call. */
void trace_counters_put(struct trace_counters *x, double date_s, struct trace *t);
void trace_counters_free(struct trace_counters *x); /* NULL is allowed */

/* trace_farm.c */
struct trace_farm;
void trace_farm_end(struct trace *t); /* writes what is left, and frees it */

/* trace_rates.c: rates and factors of a replay, by date. */
struct trace_rates;
struct trace_rates *trace_rates_create(const struct replay_record *record, const struct world_model *world);
void trace_rates_put_until(struct trace_rates *x, double date_s, struct trace *t);
void trace_rates_free(struct trace_rates *x); /* NULL is allowed */

/* trace_wfcommons.c */
bool trace_is_wfcommons(const char *path);
enum err_code trace_write_wfcommons(const char *path, const struct schedule *s, const struct replay_result *r,
                                    struct err *e);

#endif
