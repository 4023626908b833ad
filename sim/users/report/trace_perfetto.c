/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Chrome's trace event format, which Perfetto opens. A host is a process. Its thread 1 is the processor: tasks, and
   sends and receives that hold it. Transfers that leave the host have threads of their own, as many as are under way at
   once, because slices of a thread may not overlap. Flows go from a send to its transfer and to what uses the data.
   Counters are the speed factor of each host, and, in a process of their own, the rate of each link. Activities that
   take no time are left out: begin and end at one date would nest in either order.

   Written by hand rather than with jansson, whose tree would hold all events; jansson quotes the strings. */
#include "base/mem.h"
#include "base/text.h"
#include "report/trace_format.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

enum { PROCESSOR = 1 }; /* a thread; 0 would be the idle task of a kernel */

struct lanes { /* the threads of a host's transfers: those that are free, and how many there are */
    int *free_lanes, n_free, capacity, n;
};

struct perfetto {
    bool has_events;
    struct lanes *of_host;
    int *lane_of_key; /* of what is under way */
};

/* Every event except the first follows a comma. JSON allows none at the end, and which event is the last is not
   known. */
static FILE *next(struct perfetto *p, FILE *out)
{
    fputs(p->has_events ? ",\n" : "\n", out);
    p->has_events = true;
    return out;
}

/* Writes a string in quotes, or "?" if it is not UTF-8: one such byte would make the whole file invalid. */
static void write_quoted(FILE *out, const char *prefix, const char *name)
{
    char *both = mem_format("%s%s", prefix, name);
    json_t *value = json_string(both);
    char *quoted = value != NULL ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    fputs(quoted != NULL ? quoted : "\"?\"", out);
    json_decref(value);
    free(quoted);
    free(both);
}

/* `thread` 0: the name of the process. */
static void write_name(struct perfetto *p, FILE *out, int process, int thread, const char *name)
{
    fprintf(next(p, out), "{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%d", thread > 0 ? "thread_name" : "process_name",
            process);
    if (thread > 0)
        fprintf(out, ",\"tid\":%d", thread);
    fputs(",\"args\":{\"name\":", out);
    write_quoted(out, "", name);
    fputs("}}", out);
}

/* From 1 on, like the threads: 0 would be the kernel's. */
static int process_of(int host)
{
    return host + 1;
}

static int process_of_links(const struct trace_names *names)
{
    return (int)names->n_hosts + 1;
}

static void *begin(FILE *out, const struct trace_names *names)
{
    struct perfetto *p = mem_zalloc(1, sizeof *p);
    p->of_host = mem_zalloc(names->n_hosts + 1, sizeof *p->of_host);
    p->lane_of_key = mem_zalloc((size_t)names->n_keys + 1, sizeof *p->lane_of_key);
    fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", out);
    for (int h = 0; h < (int)names->n_hosts; h++) {
        write_name(p, out, process_of(h), 0, names->hosts[h]);
        write_name(p, out, process_of(h), PROCESSOR, "processor");
    }
    if (names->n_links > 0)
        write_name(p, out, process_of_links(names), 0, "links");
    return p;
}

/* A freed thread is used again, the last one first, so that a host has as few as possible. A new one is
   named when it is first used. */
static int take_lane(struct perfetto *p, FILE *out, int host)
{
    struct lanes *lanes = &p->of_host[host];
    if (lanes->n_free > 0)
        return lanes->free_lanes[--lanes->n_free];
    int lane = PROCESSOR + ++lanes->n;
    char *name = mem_format("transfers %d", lanes->n);
    write_name(p, out, process_of(host), lane, name);
    free(name);
    return lane;
}

static void give_lane(struct perfetto *p, int host, int lane)
{
    struct lanes *lanes = &p->of_host[host];
    MEM_GROW(lanes->free_lanes, lanes->n_free, lanes->capacity);
    lanes->free_lanes[lanes->n_free++] = lane;
}

/* The thread that an event belongs to. */
static int thread_of(struct perfetto *p, FILE *out, const struct trace_event *x)
{
    if (x->key < 0)
        return PROCESSOR;
    /* A send that pauses gives its thread back and may get another one. */
    if (x->phase == TRACE_STARTS || x->phase == TRACE_RESUMES)
        p->lane_of_key[x->key] = take_lane(p, out, x->at);
    return p->lane_of_key[x->key];
}

static void write_start(struct perfetto *p, FILE *out, const struct trace_names *names, const struct trace_event *x,
                        const char *date)
{
    /* A thread may have to be named: that is an event of its own and must not begin within this one. */
    int thread = thread_of(p, out, x);
    fprintf(next(p, out), "{\"ph\":\"%s,\"name\":", x->phase == TRACE_HAPPENS ? "i\",\"s\":\"t\"" : "B\"");
    write_quoted(out, x->name != NULL ? names->task_prefix : trace_what_names[x->what], x->name != NULL ? x->name : "");
    fprintf(out, ",\"cat\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%s", trace_what_names[x->what], process_of(x->at),
            thread, date);
    if (x->peer >= 0) {
        fputs(",\"args\":{\"peer\":", out);
        write_quoted(out, "", names->hosts[x->peer]);
        putc('}', out);
    }
    putc('}', out);
}

static void write_end(struct perfetto *p, FILE *out, const struct trace_event *x, const char *date)
{
    int thread = thread_of(p, out, x);
    /* An end has no name: it closes the slice of its thread that is open. */
    fprintf(next(p, out), "{\"ph\":\"E\",\"pid\":%d,\"tid\":%d,\"ts\":%s}", process_of(x->at), thread, date);
    if (x->key >= 0)
        give_lane(p, x->at, thread);
}

static void write_flow(struct perfetto *p, FILE *out, const struct trace_event *x, const char *date)
{
    /* "bp":"e": the flow binds to the slice that encloses the date, not to the next one. */
    fprintf(next(p, out), "{\"ph\":\"%c\",\"name\":\"data\",\"cat\":\"flow\",\"id\":\"%s\",\"pid\":%d,\"tid\":%d,",
            "stf"[x->phase - TRACE_FLOW_FROM], x -> id, process_of(x->at), thread_of(p, out, x));
    fprintf(out, "\"bp\":\"e\",\"ts\":%s}", date);
}

static void write_counter(struct perfetto *p, FILE *out, const struct trace_names *names, const struct trace_event *x,
                          const char *date)
{
    char number[TEXT_NUMBER_SIZE];
    bool is_rate = x->what == TRACE_RATE;
    fputs("{\"ph\":\"C\",\"name\":", next(p, out));
    write_quoted(out, is_rate ? "rate of " : "speed factor", is_rate ? names->links[x->at] : "");
    fprintf(out, ",\"pid\":%d,\"ts\":%s,\"args\":{\"%s\":%s}}", is_rate ? process_of_links(names) : process_of(x->at),
            date, is_rate ? "bytes_per_s" : "factor", text_number(x->value, number));
}

static void write(void *self, FILE *out, const struct trace_names *names, const struct trace_event *x)
{
    char number[TEXT_NUMBER_SIZE];
    const char *date = text_number(x->time_s * 1e6, number); /* the format counts in microseconds */
    if (x->is_empty)
        return;
    switch (x->phase) {
    case TRACE_STARTS:
    case TRACE_RESUMES:
    case TRACE_HAPPENS:
        write_start(self, out, names, x, date);
        break;
    case TRACE_ENDS:
    case TRACE_PAUSES:
        write_end(self, out, x, date);
        break;
    case TRACE_FLOW_FROM:
    case TRACE_FLOW_OVER:
    case TRACE_FLOW_TO:
        write_flow(self, out, x, date);
        break;
    case TRACE_HAS_CHANGED:
        write_counter(self, out, names, x, date);
        break;
    }
}

static void end(void *self, FILE *out, const struct trace_names *names, double last_s)
{
    struct perfetto *p = self;
    (void)last_s;
    fputs("\n]}\n", out);
    for (size_t h = 0; h < names->n_hosts; h++)
        free(p->of_host[h].free_lanes);
    free(p->of_host);
    free(p->lane_of_key);
    free(p);
}

static const char *const extensions[] = {".json", NULL};
const struct trace_format trace_perfetto = {extensions, true, begin, write, end};
