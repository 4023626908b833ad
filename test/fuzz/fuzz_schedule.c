/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Schedule files: the reader and the validator end with a message; what the reader accepts is written and read back
   unchanged; what the validator calls valid is accepted by the reader, except a finish that is before its start by less
   than a billionth of the length. */
#include "../dag_text.h"
#include "../machine_text.h"
#include "fuzz.h"
#include "plan/check.h"
#include "plan/schedule_json.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static struct machine machine;
static struct dag dag;
static struct route_table routes;

static void set_up(void)
{
    if (machine.hosts != NULL)
        return;
    machine =
        machine_from_text("p0:1,overhead_send=0.5,overhead_recv=0.5,involvement_send=0.75,involvement_recv=0.75 p1:1 "
                          "p2:1 | l0:1,1,split l1:2,1,split l2:1,1 | "
                          "p0-p1:l0_UP,l1_DOWN p0-p2:l0_UP,l2 p1-p2:l1_UP,l2");
    dag = dag_from_text("A:2 B:3 C:2 | A>B:4 A>C:1 B>C:0");
    require(route_table_init(&routes, &machine, NULL) == ERR_NONE);
}

/* Written, read, and written again: the same bytes. */
static void comes_back(const struct schedule *s, struct problem *p)
{
    struct text once = {0}, twice = {0};
    struct schedule again;
    schedule_write_json(s, &once);
    require(schedule_parse_json(once.data, once.size, "fuzz", p, &again, NULL) == ERR_NONE);
    schedule_write_json(&again, &twice);
    require(once.size == twice.size && memcmp(once.data, twice.data, once.size) == 0);
    schedule_clear(&again);
    text_clear(&twice);
    text_clear(&once);
}

static bool reads(const char *bytes, size_t n, struct err *e)
{
    struct problem p = {.dag = &dag, .machine = &machine, .routes = &routes};
    struct schedule s;
    if (schedule_parse_json(bytes, n, "fuzz", &p, &s, e) != ERR_NONE) {
        require((e->code == ERR_PARSE || e->code == ERR_INPUT) && e->text[0] != '\0' && s.tasks == NULL);
        return false;
    }
    require(isfinite(schedule_length_s(&s)));
    comes_back(&s, &p);
    schedule_clear(&s);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct check_result r;
    struct err e = {0}, why = {0};
    set_up();
    bool is_read = reads((const char *)bytes, n, &why);
    if (check_schedule_text((const char *)bytes, n, "fuzz", &dag, &machine, NULL, &r, &e) != ERR_NONE) {
        require(e.code == ERR_PARSE && e.text[0] != '\0' && r.list == NULL && !is_read);
        return 0;
    }
    for (size_t i = 0; i < r.n; i++)
        require(r.list[i].condition != NULL && r.list[i].line > 0 && r.list[i].text[0] != '\0' &&
                (i == 0 || r.list[i].line >= r.list[i - 1].line));
    require(r.n > 0 || is_read || strstr(why.text, "is before start_s") != NULL);
    check_result_clear(&r);
    return 0;
}
