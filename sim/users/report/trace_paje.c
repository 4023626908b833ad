/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Paje's format, which pj_dump and ViTE read. Hosts and links are containers. The state of a host is what its processor
   does; transfers are links from host to host; the speed factor of a host and the rate of a link are variables. The
   field Task, ours, is the name of the task or the edge. Quotation marks and control characters cannot be written in
   this format: they become apostrophes and spaces.

   Aliases are a letter and a number (h3, l7, p0), because names may have blanks and need not be
   unique among hosts and links. */
#include "base/mem.h"
#include "base/text.h"
#include "report/trace_format.h"

#include <stdlib.h>

/* The format describes itself: each event has the fields of its definition, in this order. */
static const char header[] =
    "%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineStateType 1\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEventType 2\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineVariableType 3\n% Alias string\n% Type string\n% Name string\n% Color color\n"
    "%EndEventDef\n"
    "%EventDef PajeDefineLinkType 4\n% Alias string\n% Type string\n% StartContainerType string\n"
    "% EndContainerType string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeDefineEntityValue 5\n% Alias string\n% Type string\n% Name string\n% Color color\n"
    "%EndEventDef\n"
    "%EventDef PajeCreateContainer 6\n% Time date\n% Alias string\n% Type string\n% Container string\n"
    "% Name string\n%EndEventDef\n"
    "%EventDef PajeDestroyContainer 7\n% Time date\n% Type string\n% Name string\n%EndEventDef\n"
    "%EventDef PajeSetVariable 8\n% Time date\n% Type string\n% Container string\n% Value double\n"
    "%EndEventDef\n"
    "%EventDef PajePushState 9\n% Time date\n% Type string\n% Container string\n% Value string\n"
    "% Task string\n%EndEventDef\n"
    "%EventDef PajePopState 10\n% Time date\n% Type string\n% Container string\n%EndEventDef\n"
    "%EventDef PajeStartLink 11\n% Time date\n% Type string\n% Container string\n"
    "% StartContainer string\n% Value string\n% Key string\n% Task string\n%EndEventDef\n"
    "%EventDef PajeEndLink 12\n% Time date\n% Type string\n% Container string\n"
    "% EndContainer string\n% Value string\n% Key string\n%EndEventDef\n"
    "%EventDef PajeNewEvent 13\n% Time date\n% Type string\n% Container string\n% Value string\n"
    "% Task string\n%EndEventDef\n";

enum { DESTROY = 7, SET_VARIABLE, PUSH, POP, START_LINK, END_LINK, NEW_EVENT }; /* numbers of the header */

/* Values have the numbers of enum trace_what: p0 is TRACE_COMPUTE, t2 is TRACE_TRANSFER. */
static const char types[] = "0 R 0 \"run\"\n"
                            "0 H R \"host\"\n"
                            "0 L R \"link\"\n"
                            "1 P H \"processor\"\n"
                            "2 N H \"notice\"\n"
                            "3 F H \"speed factor\" \"0.2 0.4 0.8\"\n"
                            "3 B L \"rate in bytes/s\" \"0.9 0.5 0.1\"\n"
                            "4 T R H H \"transfer\"\n"
                            "5 p0 P \"compute\" \"0.2 0.4 0.8\"\n"
                            "5 p1 P \"send\" \"0.9 0.6 0.1\"\n"
                            "5 p3 P \"receive\" \"0.1 0.6 0.5\"\n"
                            "5 t1 T \"send\" \"0.5 0.5 0.5\"\n"
                            "5 t2 T \"transfer\" \"0.5 0.5 0.5\"\n"
                            "5 n4 N \"receive_end\" \"0.1 0.6 0.5\"\n"
                            "5 n5 N \"request\" \"0.9 0.1 0.1\"\n"
                            "5 n8 N \"arrive\" \"0.1 0.4 0.1\"\n"
                            "6 0 r R 0 \"iasim\"\n";

static void write_quoted(FILE *out, const char *prefix, const char *name)
{
    putc('"', out);
    fputs(prefix, out);
    for (const unsigned char *c = (const unsigned char *)name; *c != '\0'; c++)
        putc(*c == '"' ? '\'' : *c < ' ' || *c == 127 ? ' ' : *c, out);
    putc('"', out);
}

static void write_containers(FILE *out, char alias, char type, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "6 0 %c%zu %c r ", alias, i, type);
        write_quoted(out, "", names[i]);
        putc('\n', out);
    }
}

struct paje { /* pj_dump wants a new key for each transfer, even when another one with this key is over */
    long n_links;
    long *link_of_key; /* of what is under way */
};

static void *begin(FILE *out, const struct trace_names *names)
{
    struct paje *p = mem_zalloc(1, sizeof *p);
    p->link_of_key = mem_zalloc((size_t)names->n_keys + 1, sizeof *p->link_of_key);
    fputs(header, out);
    fputs(types, out);
    write_containers(out, 'h', 'H', names->hosts, names->n_hosts);
    write_containers(out, 'l', 'L', names->links, names->n_links);
    return p;
}

static void write_task(FILE *out, const struct trace_names *names, const struct trace_event *x)
{
    putc(' ', out);
    if (x->name != NULL)
        write_quoted(out, names->task_prefix, x->name);
    else
        fputs("\"-\"", out); /* the field may not be missing */
    putc('\n', out);
}

static void write_link(struct paje *p, FILE *out, const struct trace_names *names, const struct trace_event *x,
                       const char *date, bool starts)
{
    /* A link that starts and ends at one date is written all the same: unlike a state it does not nest. */
    if (starts)
        p->link_of_key[x->key] = ++p->n_links;
    fprintf(out, "%d %s T r h%d t%d %ld", starts ? START_LINK : END_LINK, date, starts ? x->at : x->peer, (int)x->what,
            p->link_of_key[x->key]);
    if (starts)
        write_task(out, names, x);
    else
        putc('\n', out);
}

static void write_state(FILE *out, const struct trace_names *names, const struct trace_event *x, const char *date,
                        bool starts)
{
    /* A state of no length would be pushed over, or under, the one that begins at its date. */
    if (x->is_empty)
        return;
    if (starts) {
        fprintf(out, "%d %s P h%d p%d", PUSH, date, x->at, (int)x->what);
        write_task(out, names, x);
    } else {
        fprintf(out, "%d %s P h%d\n", POP, date, x->at);
    }
}

static void write(void *self, FILE *out, const struct trace_names *names, const struct trace_event *x)
{
    char number[TEXT_NUMBER_SIZE], value[TEXT_NUMBER_SIZE];
    const char *date = text_number(x->time_s, number);
    bool is_rate = x->what == TRACE_RATE;
    bool starts = x->phase == TRACE_STARTS || x->phase == TRACE_RESUMES;
    switch (x->phase) {
    case TRACE_STARTS:
    case TRACE_RESUMES:
    case TRACE_ENDS:
    case TRACE_PAUSES:
        if (x->key >= 0)
            write_link(self, out, names, x, date, starts);
        else
            write_state(out, names, x, date, starts);
        break;
    case TRACE_HAPPENS:
        fprintf(out, "%d %s N h%d n%d", NEW_EVENT, date, x->at, (int)x->what);
        write_task(out, names, x);
        break;
    case TRACE_HAS_CHANGED:
        fprintf(out, "%d %s %c %c%d %s\n", SET_VARIABLE, date, is_rate ? 'B' : 'F', is_rate ? 'l' : 'h', x->at,
                text_number(x->value, value));
        break;
    case TRACE_FLOW_FROM:
    case TRACE_FLOW_OVER:
    case TRACE_FLOW_TO:
        break; /* links are that */
    }
}

/* Containers are destroyed, the inner ones before the one that has them. */
static void end(void *self, FILE *out, const struct trace_names *names, double last_s)
{
    char number[TEXT_NUMBER_SIZE];
    const char *date = text_number(last_s, number);
    struct paje *p = self;
    for (size_t i = 0; i < names->n_links; i++)
        fprintf(out, "%d %s L l%zu\n", DESTROY, date, i);
    for (size_t i = 0; i < names->n_hosts; i++)
        fprintf(out, "%d %s H h%zu\n", DESTROY, date, i);
    fprintf(out, "%d %s R r\n", DESTROY, date);
    free(p->link_of_key);
    free(p);
}

static const char *const extensions[] = {".paje", ".trace", NULL};
const struct trace_format trace_paje = {extensions, true, begin, write, end};
