/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gantt charts for terminals, column by column; scales and units. */
#include "gantt_case.h"

static void a_text_chart_has_everything_in_its_columns(void)
{
    struct plan p;
    struct text chart = {0};
    three_tasks(&p);
    draw_text(&p.schedule, 50, &chart); /* 45 columns of 0.2 s */
    CHECK_TEXT(text_str(&chart), "test graph on test machine: 9 s\n"
                                 "model involvement, scheduler by hand, 3 tasks, 2 edges (1 remote)\n"
                                 "p0 |[A#################]>>>>>>>>>>[C#######].....|\n"
                                 "p1 |....................<<<<<<<<<<[B############]|\n"
                                 "l  |....................==========...............|\n"
                                 "    +------------------------+-------------------+\n"
                                 "    0 s                      5\n"
                                 "[A##] task   >>> send   <<< receive   === transfer\n"
                                 "... idle\n"
                                 "(a column is 0.2 s: what takes most of it)\n");
    text_clear(&chart);
    draw_text(&p.schedule, 120, &chart);
    CHECK_CONTAINS(text_str(&chart), "\n[A##] task   >>> send   <<< receive   === transfer   ... idle"
                                     "   (a column is 0.0783 s: what takes most of it)\n");
    text_clear(&chart);
    plan_clear(&p);
}

static void a_column_shows_what_takes_most_of_its_time(void)
{
    struct plan p;
    struct text chart = {0};
    plan_init(&p, dag_from_text("A:1 B:1 C:1 D:1 E:1 F:1 G:1 Y:1 Z:1 |"), machine_from_text("p0:1 | |"), "classic");
    set_task(&p, "A", 0, 0, 0.6);
    set_task(&p, "B", 0, 1, 1.4);
    set_task(&p, "C", 0, 2, 2.3); /* 0.6 of the column are tasks, though no task has more than nothing */
    set_task(&p, "D", 0, 2.3, 2.6);
    set_task(&p, "E", 0, 3, 3.2);
    set_task(&p, "F", 0, 3.2, 3.9);
    set_task(&p, "G", 0, 4, 4.5);   /* a tie with nothing */
    set_task(&p, "Y", 0, 5.8, 7.2); /* in three columns, but one is its own */
    set_task(&p, "Z", 0, 39, 40);
    draw_text(&p.schedule, 45, &chart); /* 40 columns of 1 s */
    CHECK_CONTAINS(text_str(&chart), "\np0 |A.CFG.Y................................Z|\n");
    CHECK_CONTAINS(text_str(&chart), "\n3 of 9 tasks are too short for this chart\n"); /* B, D, E */
    text_clear(&chart);
    plan_clear(&p);
}

static void tasks_show_as_much_of_themselves_as_fits(void)
{
    struct plan p;
    struct text chart = {0};
    plan_init(&p, dag_from_text("abc:1 def:1 ghi:1 jklm:1 nopq:1 rstu:1 Z:1 |"), machine_from_text("p0:1 | |"),
              "classic");
    set_task(&p, "abc", 0, 0, 5);    /* the name in brackets */
    set_task(&p, "def", 0, 5, 8);    /* only the name */
    set_task(&p, "ghi", 0, 8, 12);   /* with one column to spare */
    set_task(&p, "jklm", 0, 12, 15); /* not the name */
    set_task(&p, "nopq", 0, 15, 17);
    set_task(&p, "rstu", 0, 17, 18);
    set_task(&p, "Z", 0, 18, 40);
    draw_text(&p.schedule, 45, &chart); /* 40 columns of 1 s */
    CHECK_CONTAINS(text_str(&chart), "\np0 |[abc]defghi#[#][]#[Z###################]|\n");
    text_clear(&chart);
    plan_clear(&p);
}

static void text_is_ascii_and_no_wider_than_asked(void)
{
    struct plan p;
    struct err e = {0};
    struct dag g = {0};
    dag_init(&g, "g");
    CHECK_OK(dag_add_task(&g, "\xC3\xA4 b", 1, 0, NULL, &e), e);
    CHECK_OK(dag_seal(&g, &e), e);
    plan_init(&p, g,
              machine_from_text("a_host_with_a_name_that_is_far_too_long_for_a_label:1 \xC3\xB6:1 | "
                                "| a_host_with_a_name_that_is_far_too_long_for_a_label-\xC3\xB6:"),
              "classic");
    p.schedule.tasks[0] = (struct planned_task){0, {0, 1e7}};
    for (int columns = 1; columns < 200; columns += 7) {
        struct text chart = {0};
        draw_text(&p.schedule, columns, &chart);
        int line = 0, width = 0, most = columns < GANTT_LEAST_COLUMNS ? GANTT_LEAST_COLUMNS : columns;
        for (const char *s = text_str(&chart); *s != '\0'; s++) {
            CHECK((unsigned char)*s < 128);
            width = *s == '\n' ? 0 : width + 1;
            line += *s == '\n';
            CHECK(line < 2 || line > 5 || width <= most); /* lanes and scale; words before and after */
        }
        CHECK_CONTAINS(text_str(&chart), "[?_b#");
        text_clear(&chart);
    }
    plan_clear(&p);
}

/* One link is busy for long, the others for a moment. */
static void of_many_links_a_terminal_shows_those_with_something_to_see(void)
{
    for (int n_hosts = 12; n_hosts <= 13; n_hosts++) {
        struct text words = {0}, chart = {0};
        text_addf(&words, "A:1");
        for (int i = 1; i < n_hosts; i++)
            text_addf(&words, " B%d:1", i);
        text_addf(&words, " |");
        for (int i = 1; i < n_hosts; i++)
            text_addf(&words, " A>B%d:1", i);
        struct plan p;
        plan_init(&p, dag_from_text(text_str(&words)), machine_star(n_hosts, 1, 1, 0, LINK_SHARED), "contention");
        set_task(&p, "A", 0, 0, 10);
        for (int i = 1; i < n_hosts; i++) {
            p.schedule.tasks[i] = (struct planned_task){i, {50, 60}};
            set_edge(&p, i - 1, 10 + i, i == 3 ? 40 : 10.1 + i);
        }
        draw_text(&p.schedule, 65, &chart);
        CHECK_CONTAINS(text_str(&chart), "\nl0  |"); /* every edge leaves by it */
        CHECK_CONTAINS(text_str(&chart), "\nl3  |");
        CHECK((strstr(text_str(&chart), "\nl4  |") != NULL) == (n_hosts == 12));
        CHECK((strstr(text_str(&chart), "\nNot shown: 11 links never busy") != NULL) == (n_hosts == 13));
        text_clear(&words);
        text_clear(&chart);
        plan_clear(&p);
    }
}

/* A sends to B and C at 4 and 8, in o = 1; its port is taken for g = 4 each time, theirs when data come. */
static void ports_have_lanes_of_their_own(void)
{
    struct plan p;
    struct gantt g;
    struct text out = {0};
    static const struct {
        const char *name;
        double start_s, finish_s;
    } want[] = {{"p0 sends", 4, 8}, {"p0 sends", 8, 12}, {"p1 receives", 7, 11}, {"p2 receives", 11, 15}};
    plan_init(&p, dag_from_text("A:4 B:3 C:2 | A>B:2 A>C:2"),
              machine_from_text("p0:1 p1:1 p2:1 | l:1 | p0-p1:l p0-p2:l p1-p2:l"), "logp[L=2,o=1,g=4]");
    set_task(&p, "A", 0, 0, 4);
    set_task(&p, "B", 1, 8, 11);
    set_task(&p, "C", 2, 12, 14);
    set_edge(&p, 0, 4, 5);
    set_edge(&p, 1, 8, 9);
    p.schedule.edges[0].recv = (struct span){7, 8};
    p.schedule.edges[1].recv = (struct span){11, 12};
    struct gantt_subject subject = gantt_of(&p.schedule);
    gantt_init(&g, &subject, GANTT_MANY_LINKS);
    CHECK_INT(g.n_lanes, 3 + 3);
    CHECK_INT(g.n_of_kind[GANTT_TRANSFER], 4);
    for (size_t i = 0, n = 0; i < g.n_bars; i++)
        if (g.bars[i].kind == GANTT_TRANSFER && n < 4) {
            CHECK_TEXT(g.lanes[g.bars[i].lane].name, want[n].name);
            CHECK_CLOSE(g.bars[i].span.start_s, want[n].start_s, 0);
            CHECK_CLOSE(g.bars[i].span.finish_s, want[n++].finish_s, 0);
        }
    draw_text(&p.schedule, 80, &out);
    CHECK_CONTAINS(text_str(&out), "p1_receives |");
    text_clear(&out);
    draw_svg(&p.schedule, &out);
    CHECK_CONTAINS(text_str(&out), ">p0 sends<");
    text_clear(&out);
    gantt_clear(&g);
    plan_clear(&p);
}

static void a_text_chart_of_nothing_has_no_column_of_anything(void)
{
    struct plan p;
    struct text chart = {0};
    plan_init(&p, dag_from_text("A:0 |"), machine_from_text("p0:1 | |"), "classic");
    set_task(&p, "A", 0, 0, 0);
    draw_text(&p.schedule, 45, &chart);
    CHECK_CONTAINS(text_str(&chart), "\np0 |........................................|\n");
    CHECK_CONTAINS(text_str(&chart), "\n1 of 1 tasks is too short for this chart\n");
    CHECK(strstr(text_str(&chart), "nan") == NULL);
    text_clear(&chart);
    plan_clear(&p);
}

/* ---- scale ---- */

static void ticks_are_the_densest_that_are_not_too_many(void)
{
    CHECK_CLOSE(gantt_tick_s(9, 3), 5, 1e-15);
    CHECK_CLOSE(gantt_tick_s(10, 10), 1, 1e-15);
    CHECK_CLOSE(gantt_tick_s(7, 5), 2, 1e-15);
    CHECK_CLOSE(gantt_tick_s(0.3, 5), 0.1, 1e-15);
    CHECK_INT(gantt_tick_s(0, 5), 0);
    for (double end_s = 1e-12; end_s < 1e12; end_s *= 1.37)
        for (int most = 1; most < 40; most += 3) {
            double tick_s = gantt_tick_s(end_s, most), digit = tick_s / pow(10, floor(log10(tick_s) + 1e-9));
            CHECK(end_s / tick_s <= most + 1e-9 && end_s / tick_s > most / 2.5 - 1e-9);
            CHECK(fabs(digit - 1) < 1e-9 || fabs(digit - 2) < 1e-9 || fabs(digit - 5) < 1e-9);
        }
}

static void units_keep_numbers_short(void)
{
    double unit_s;
    CHECK_TEXT(gantt_unit(3, &unit_s), "s");
    CHECK_TEXT(gantt_unit(0.02, &unit_s), "ms");
    CHECK_CLOSE(unit_s, 1e-3, 0);
    CHECK_TEXT(gantt_unit(5e-6, &unit_s), "us");
    CHECK_TEXT(gantt_unit(0, &unit_s), "s");
    CHECK_CLOSE(unit_s, 1, 0);
}

static const struct test tests[] = {
    {"ports have lanes of their own", ports_have_lanes_of_their_own},
    {"a text chart has everything in its columns", a_text_chart_has_everything_in_its_columns},
    {"a column shows what takes most of its time", a_column_shows_what_takes_most_of_its_time},
    {"tasks show as much of themselves as fits", tasks_show_as_much_of_themselves_as_fits},
    {"text is ASCII and no wider than asked", text_is_ascii_and_no_wider_than_asked},
    {"of many links a terminal shows those with something to see",
     of_many_links_a_terminal_shows_those_with_something_to_see},
    {"a text chart of nothing has no column of anything", a_text_chart_of_nothing_has_no_column_of_anything},
    {"ticks are the densest that are not too many", ticks_are_the_densest_that_are_not_too_many},
    {"units keep numbers short", units_keep_numbers_short},
};

TEST_MAIN(tests)
