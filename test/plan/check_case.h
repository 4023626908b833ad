/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Schedules worked out by hand from [S] 8.2, with idle time around every item, which tests damage; and what the
   validator finds in them. */
#ifndef IASIM_TEST_PLAN_CHECK_CASE_H
#define IASIM_TEST_PLAN_CHECK_CASE_H

#include "check.h"
#include "dag_text.h"
#include "machine_text.h"
#include "plan/check.h"

/* o_s = o_r = 0.5, i = 0.75 zeta as in Figures 8.8 to 8.14; latency 1; l1 is twice as fast as l0.
   A -> B, 4 bytes: o_s + i_s = 3.5, zeta 4 and 2, i_r + o_r = 2. C -> D, 2 bytes: 2; 2 and 1; 1.25.
   B -> E, 2 bytes, the other way: 1.25; 1 and 2; 2. */
static const char *const hosts =
    "p0:1,overhead_send=0.5,overhead_recv=0.5,involvement_send=0.75,involvement_recv=0.75 "
    "p1:1,overhead_send=0.5,overhead_recv=0.5,involvement_send=0.75,involvement_recv=0.75 p2:1 | "
    "l0:1,1,split l1:2,1,split l2:1,1,split | p0-p1:l0_UP,l1_DOWN p0-p2:l0_UP,l2_DOWN p1-p2:l1_UP,l2_DOWN";
static const char *const graph = "A:2 B:3 C:2 D:2 E:1 | A>B:4 A>C:1 B>D:1 C>D:2 B>E:2";

#define TASKS                                                                                                          \
    "\"tasks\":[\n"                                                                                                    \
    "{\"name\":\"A\",\"host\":\"p0\",\"start_s\":0.5,\"finish_s\":2.5},\n"                                             \
    "{\"name\":\"B\",\"host\":\"p1\",\"start_s\":13,\"finish_s\":16},\n"                                               \
    "{\"name\":\"C\",\"host\":\"p0\",\"start_s\":9,\"finish_s\":11},\n"                                                \
    "{\"name\":\"D\",\"host\":\"p1\",\"start_s\":22,\"finish_s\":24},\n"                                               \
    "{\"name\":\"E\",\"host\":\"p0\",\"start_s\":28,\"finish_s\":29}],\n"
#define HEAD(model)                                                                                                    \
    "{\"format\":\"iasim-schedule/1\",\"graph\":\"g\",\"platform\":\"p\",\"model\":\"" model                           \
    "\",\"scheduler\":\"hand\",\"length_s\":29,\n"

static const char *const involvement =
    HEAD("involvement") TASKS "\"edges\":[\n"
                              "{\"src\":\"A\",\"dst\":\"B\",\"local\":false,\n"
                              "\"send\":{\"host\":\"p0\",\"start_s\":3,\"finish_s\":6.5},\n"
                              "\"links\":[{\"link\":\"l0\",\"direction\":\"up\",\"start_s\":4,\"finish_s\":8},\n"
                              "{\"link\":\"l1\",\"direction\":\"down\",\"start_s\":8,\"finish_s\":10}],\n"
                              "\"recv\":{\"host\":\"p1\",\"start_s\":10,\"finish_s\":12}},\n"
                              "{\"src\":\"A\",\"dst\":\"C\",\"local\":true},\n"
                              "{\"src\":\"B\",\"dst\":\"D\",\"local\":true},\n"
                              "{\"src\":\"C\",\"dst\":\"D\",\"local\":false,\n"
                              "\"send\":{\"host\":\"p0\",\"start_s\":12,\"finish_s\":14},\n"
                              "\"links\":[{\"link\":\"l0\",\"direction\":\"up\",\"start_s\":13,\"finish_s\":15},\n"
                              "{\"link\":\"l1\",\"direction\":\"down\",\"start_s\":15.5,\"finish_s\":16.5}],\n"
                              "\"recv\":{\"host\":\"p1\",\"start_s\":18.25,\"finish_s\":19.5}},\n"
                              "{\"src\":\"B\",\"dst\":\"E\",\"local\":false,\n"
                              "\"send\":{\"host\":\"p1\",\"start_s\":20,\"finish_s\":21.25},\n"
                              "\"links\":[{\"link\":\"l1\",\"direction\":\"up\",\"start_s\":21,\"finish_s\":22},\n"
                              "{\"link\":\"l0\",\"direction\":\"down\",\"start_s\":23,\"finish_s\":25}],\n"
                              "\"recv\":{\"host\":\"p0\",\"start_s\":25,\"finish_s\":27}}]}\n";

/* Arrivals: B at 10 + 1, D at 16.5 + 1, E at 25 + 1. */
static const char *const contention =
    HEAD("contention") TASKS "\"edges\":[\n"
                             "{\"src\":\"A\",\"dst\":\"B\",\"local\":false,\n"
                             "\"links\":[{\"link\":\"l0\",\"direction\":\"up\",\"start_s\":4,\"finish_s\":8},\n"
                             "{\"link\":\"l1\",\"direction\":\"down\",\"start_s\":8,\"finish_s\":10}]},\n"
                             "{\"src\":\"A\",\"dst\":\"C\",\"local\":true},\n"
                             "{\"src\":\"B\",\"dst\":\"D\",\"local\":true},\n"
                             "{\"src\":\"C\",\"dst\":\"D\",\"local\":false,\n"
                             "\"links\":[{\"link\":\"l0\",\"direction\":\"up\",\"start_s\":13,\"finish_s\":15},\n"
                             "{\"link\":\"l1\",\"direction\":\"down\",\"start_s\":15.5,\"finish_s\":16.5}]},\n"
                             "{\"src\":\"B\",\"dst\":\"E\",\"local\":false,\n"
                             "\"links\":[{\"link\":\"l1\",\"direction\":\"up\",\"start_s\":21,\"finish_s\":22},\n"
                             "{\"link\":\"l0\",\"direction\":\"down\",\"start_s\":23,\"finish_s\":25}]}]}\n";

/* Arrivals: finish, the time on l0 (the slower link), two latencies: B at 2.5 + 4 + 2, D at 11 + 2 + 2, E at 16 + 2 +
   2. */
static const char *const classic = HEAD("classic") TASKS "\"edges\":[\n"
                                                         "{\"src\":\"A\",\"dst\":\"B\",\"local\":false},\n"
                                                         "{\"src\":\"A\",\"dst\":\"C\",\"local\":true},\n"
                                                         "{\"src\":\"B\",\"dst\":\"D\",\"local\":true},\n"
                                                         "{\"src\":\"C\",\"dst\":\"D\",\"local\":false},\n"
                                                         "{\"src\":\"B\",\"dst\":\"E\",\"local\":false}]}\n";

/* ---- what is found ---- */

/* "duration,length": the conditions in the file's order; "" when valid. *line is that of the first. Fresh memory. */
static inline char *conditions_of(const char *machine_words, const char *graph_words, const char *json, int *line,
                                  struct text *words)
{
    struct machine m = machine_from_text(machine_words);
    struct dag g = dag_from_text(graph_words);
    struct check_result r;
    struct err e = {0};
    struct text got = {0};
    if (check_schedule_text(json, strlen(json), "s.json", &g, &m, NULL, &r, &e) != ERR_NONE)
        text_addf(&got, "error: %s", e.text);
    for (size_t i = 0; i < r.n; i++) {
        text_addf(&got, "%s%s", i ? "," : "", r.list[i].condition);
        if (words != NULL)
            text_addf(words, "%d: %s: %s\n", r.list[i].line, r.list[i].condition, r.list[i].text);
    }
    if (line != NULL)
        *line = r.n > 0 ? r.list[0].line : 0;
    check_result_clear(&r);
    dag_clear(&g);
    machine_text_clear(&m);
    return got.data != NULL ? got.data : mem_strdup("");
}

/* A copy with the only `from` replaced. */
static inline char *replace(const char *json, const char *from, const char *to)
{
    const char *at = strstr(json, from);
    if (at == NULL || strstr(at + 1, from) != NULL) {
        fprintf(stderr, "%s is in the schedule %s\n", from, at == NULL ? "not at all" : "twice");
        abort();
    }
    return mem_format("%.*s%s%s", (int)(at - json), json, to, at + strlen(from));
}

static inline void expect(const char *json, const char *want, const char *what)
{
    struct text words = {0};
    char *got = conditions_of(hosts, graph, json, NULL, &words);
    if (strcmp(got, want) != 0)
        fprintf(stderr, "after %s:\n%s", what, text_str(&words));
    CHECK_TEXT(got, want);
    text_clear(&words);
    free(got);
}

struct damage {
    const char *from, *to, *conditions;
};

static inline void damage_all(const char *json, const struct damage *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char *damaged = replace(json, list[i].from, list[i].to);
        expect(damaged, list[i].conditions, list[i].to);
        free(damaged);
    }
}
#define DAMAGE(json, list) damage_all(json, list, sizeof(list) / sizeof(list)[0])

#endif
