/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Gantt charts as SVG, read back by libxml2. */
#include "base/xml.h"
#include "gantt_case.h"
#include "schedulers/scheduler.h"

#include <ctype.h>
#include <stdlib.h>

/* ---- reading pictures ---- */

struct seen {
    char title[400], kind[20];
    double x, y, width, height, start_s, finish_s;
};

struct picture {
    xmlDocPtr doc;
    struct seen *boxes;
    size_t n, capacity;
};

static double attribute(const xmlNode *element, const char *name)
{
    double value = NAN;
    const char *text = xml_attribute(element, name);
    CHECK(text != NULL && text_to_double(text, &value));
    return value;
}

static void take_box(struct picture *p, const xmlNode *rect)
{
    const xmlNode *title = xml_first(rect);
    if (title == NULL)
        return; /* a lane, or a square of the legend */
    MEM_GROW(p->boxes, p->n, p->capacity);
    struct seen *s = &p->boxes[p->n++];
    *s = (struct seen){.x = attribute(rect, "x"), .y = attribute(rect, "y")};
    s->width = attribute(rect, "width");
    s->height = attribute(rect, "height");
    xmlChar *content = xmlNodeGetContent(title);
    snprintf(s->title, sizeof s->title, "%s", (const char *)content);
    snprintf(s->kind, sizeof s->kind, "%s", xml_attribute(rect->parent, "class"));
    const char *times = strrchr(s->title, ':');
    CHECK(times != NULL && sscanf(times, ": %lf to %lf s", &s->start_s, &s->finish_s) == 2);
    xmlFree(content);
}

static struct picture look(const struct schedule *s)
{
    struct text svg = {0};
    struct picture p = {0};
    struct err e = {0};
    draw_svg(s, &svg);
    CHECK(strstr(text_str(&svg), "nan") == NULL && strstr(text_str(&svg), "inf\"") == NULL);
    CHECK_OK(xml_read(text_str(&svg), svg.size, "chart.svg", &p.doc, &e), e);
    const xmlNode *root = xmlDocGetRootElement(p.doc);
    for (const xmlNode *x = root; x != NULL && (x = xml_following(root, x)) != NULL;)
        if (xml_is(x, "rect"))
            take_box(&p, x);
    text_clear(&svg);
    return p;
}

static void look_away(struct picture *p)
{
    xmlFreeDoc(p->doc);
    free(p->boxes);
}

static const struct seen *find(const struct picture *p, const char *begin)
{
    static const struct seen none;
    const struct seen *found = NULL;
    for (size_t i = 0; i < p->n; i++)
        if (strncmp(p->boxes[i].title, begin, strlen(begin)) == 0) {
            CHECK(found == NULL); /* once */
            found = &p->boxes[i];
        }
    CHECK(check_that(found != NULL, __FILE__, __LINE__, begin));
    return found != NULL ? found : &none;
}

/* How many texts of the picture are this one. */
static int count_texts(const struct picture *p, const char *text)
{
    int n = 0;
    const xmlNode *root = xmlDocGetRootElement(p->doc);
    for (const xmlNode *x = root; x != NULL && (x = xml_following(root, x)) != NULL;)
        if (xml_is(x, "text")) {
            xmlChar *content = xmlNodeGetContent(x);
            n += strcmp((const char *)content, text) == 0;
            xmlFree(content);
        }
    return n;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 0.021; /* coordinates have two decimals */
}

/* ---- SVG ---- */

static void everything_is_in_the_picture_once_at_its_time_in_its_lane(void)
{
    struct plan p;
    three_tasks(&p);
    struct picture seen = look(&p.schedule);
    CHECK_INT(seen.n, 6);
    const struct seen *a = find(&seen, "A: 0 to 4 s"), *b = find(&seen, "B: 6 to 9 s"), *c = find(&seen, "C: 6 to 8 s");
    const struct seen *send = find(&seen, "A \xE2\x86\x92 B, send: 4 to 6 s");
    const struct seen *receive = find(&seen, "A \xE2\x86\x92 B, receive: 4 to 6 s");
    const struct seen *transfer = find(&seen, "A \xE2\x86\x92 B, transfer: 4 to 6 s");
    double pixels_per_s = (b->x - a->x) / 6;
    CHECK(pixels_per_s > 10);
    const struct seen *all[] = {a, b, c, send, receive, transfer};
    for (size_t i = 0; i < 6; i++) {
        CHECK(near(all[i]->x, a->x + pixels_per_s * all[i]->start_s));
        CHECK(near(all[i]->width, pixels_per_s * (all[i]->finish_s - all[i]->start_s)));
    }
    CHECK_TEXT(a->kind, "task");
    CHECK_TEXT(send->kind, "send");
    CHECK_TEXT(receive->kind, "receive");
    CHECK_TEXT(transfer->kind, "transfer");
    CHECK(a->y == send->y && a->y == c->y && b->y == receive->y && b->y > a->y + a->height);
    CHECK(transfer->y > b->y + b->height);
    look_away(&seen);
    plan_clear(&p);
}

static void lanes_and_large_boxes_have_their_names_and_the_title_shows_the_length(void)
{
    struct plan p;
    three_tasks(&p);
    struct picture seen = look(&p.schedule);
    const char *const once[] = {"p0",
                                "p1",
                                "l",
                                "A",
                                "B",
                                "C",
                                "test graph on test machine: 9 s",
                                "model involvement, scheduler by hand, 3 tasks, 2 edges (1 remote)"};
    for (size_t i = 0; i < sizeof once / sizeof once[0]; i++)
        CHECK(check_that(count_texts(&seen, once[i]) == 1, __FILE__, __LINE__, once[i]));
    CHECK_INT(count_texts(&seen, "A\xE2\x86\x92"
                                 "B"),
              3);
    look_away(&seen);
    plan_clear(&p);
}

static void a_name_that_does_not_fit_into_its_box_is_not_written(void)
{
    struct plan p;
    plan_init(&p, dag_from_text("short:1 a_very_long_name_indeed_it_is:1 long:98 |"), machine_from_text("p:1 | |"),
              "classic");
    set_task(&p, "short", 0, 0, 1);
    set_task(&p, "a_very_long_name_indeed_it_is", 0, 1, 2);
    set_task(&p, "long", 0, 2, 100);
    struct picture seen = look(&p.schedule);
    CHECK_INT(count_texts(&seen, "short"), 0);
    CHECK_INT(count_texts(&seen, "a_very_long_name_indeed_it_is"), 0);
    CHECK_INT(count_texts(&seen, "long"), 1);
    find(&seen, "a_very_long_name_indeed_it_is: 1 to 2 s");
    look_away(&seen);
    plan_clear(&p);
}

static void names_of_any_bytes_make_well_formed_xml(void)
{
    struct plan p;
    struct dag g = {0};
    struct err e = {0};
    dag_init(&g, "<g> & \"h\"\x01.dot");
    CHECK_OK(dag_add_task(&g, "<&\"'>]]>", 1, 0, NULL, &e), e);
    CHECK_OK(dag_add_task(&g, "\xC3\xA4\xFF\x02", 1, 0, NULL, &e), e); /* a-umlaut, no character, a control character */
    CHECK_OK(dag_seal(&g, &e), e);
    plan_init(&p, g, machine_from_text("a&b<c:1 | |"), "classic");
    p.schedule.tasks[0] = (struct planned_task){0, {0, 1}};
    p.schedule.tasks[1] = (struct planned_task){0, {1, 2}};
    struct picture seen = look(&p.schedule);
    find(&seen, "<&\"'>]]>: 0 to 1 s");
    find(&seen, "\xC3\xA4\xEF\xBF\xBD\xEF\xBF\xBD: 1 to 2 s");
    CHECK_INT(count_texts(&seen, "a&b<c"), 1);
    look_away(&seen);
    plan_clear(&p);
}

static void tasks_without_length_are_seen_even_when_nothing_has_length(void)
{
    struct plan p;
    plan_init(&p, dag_from_text("A:0 B:0 | A>B:0"), machine_from_text("p0:1 p1:1 | l:1 | p0-p1:l"), "contention");
    set_task(&p, "A", 0, 0, 0);
    set_task(&p, "B", 1, 0, 0);
    set_edge(&p, 0, 0, 0);
    struct picture seen = look(&p.schedule);
    CHECK_INT(seen.n, 2);
    CHECK(find(&seen, "A: 0 to 0 s")->width > 0 && find(&seen, "B: 0 to 0 s")->width > 0);
    CHECK_INT(count_texts(&seen, "Not shown: 1 communication part without length"), 1);
    look_away(&seen);
    plan_clear(&p);
}

static void transfers_that_share_a_link_lie_above_each_other(void)
{
    struct plan p;
    plan_init(&p, dag_from_text("A:1 B:1 C:1 D:1 | A>B:9 A>C:9 A>D:9"),
              machine_from_text("p0:1 p1:1 p2:1 p3:1 | l:1,fatpipe | p0-p1:l p0-p2:l p0-p3:l p1-p2:l p1-p3:l p2-p3:l"),
              "contention");
    set_task(&p, "A", 0, 0, 1);
    const char *const names[] = {"B", "C", "D"};
    for (int k = 0; k < 3; k++) {
        set_task(&p, names[k], k + 1, 10, 11);
        set_edge(&p, k, 1 + k, 7 + 2 * k);
    }
    struct picture seen = look(&p.schedule);
    for (size_t i = 0; i < seen.n; i++)
        for (size_t k = 0; k < i; k++) {
            const struct seen *a = &seen.boxes[i], *b = &seen.boxes[k];
            bool beside = a->x + a->width <= b->x + 0.02 || b->x + b->width <= a->x + 0.02;
            CHECK(beside || a->y + a->height <= b->y + 0.02 || b->y + b->height <= a->y + 0.02);
        }
    look_away(&seen);
    plan_clear(&p);
}

/* Each begins later and ends earlier than the one before; the first row to become free is that of the last but one. */
static void more_transfers_than_rows_share_the_row_that_is_free_first(void)
{
    enum { N = GANTT_MAX_ROWS + 1 };
    struct plan p;
    struct text words = {0};
    for (int i = 0; i < N; i++)
        text_addf(&words, "s%d:1 d%d:1 ", i, i);
    text_addf(&words, "|");
    for (int i = 0; i < N; i++)
        text_addf(&words, " s%d>d%d:9", i, i);
    plan_init(&p, dag_from_text(text_str(&words)), machine_from_text("p0:1 p1:1 | l:1,fatpipe | p0-p1:l"),
              "contention");
    for (int i = 0; i < N; i++) {
        p.schedule.tasks[2 * i] = (struct planned_task){0, {i, i + 1}};
        p.schedule.tasks[2 * i + 1] = (struct planned_task){1, {200 + i, 201 + i}};
        set_edge(&p, i, 1 + i, 100 - i);
    }
    struct gantt g;
    struct gantt_subject subject = gantt_of(&p.schedule);
    gantt_init(&g, &subject, GANTT_MANY_LINKS);
    const struct gantt_lane *link = &g.lanes[2];
    CHECK_INT(link->n, N);
    CHECK_INT(link->n_rows, GANTT_MAX_ROWS);
    for (int i = 0; i < N; i++)
        CHECK_INT(g.bars[link->first + (size_t)i].row, i < GANTT_MAX_ROWS ? i : GANTT_MAX_ROWS - 1);
    gantt_clear(&g);
    text_clear(&words);
    plan_clear(&p);
}

static void of_many_links_only_the_used_ones_are_shown_and_the_others_counted(void)
{
    for (int n_hosts = 32; n_hosts <= 33; n_hosts++) { /* 64 and 66 links */
        struct plan p;
        plan_init(&p, dag_from_text("A:1 B:1 | A>B:2"), machine_star(n_hosts, 1, 1, 0, LINK_SPLITDUPLEX), "contention");
        set_task(&p, "A", 3, 0, 1);
        set_task(&p, "B", 5, 3, 4);
        set_edge(&p, 0, 1, 3);
        struct gantt g;
        struct gantt_subject subject = gantt_of(&p.schedule);
        gantt_init(&g, &subject, GANTT_MANY_LINKS);
        CHECK_INT(g.n_lanes, n_hosts == 32 ? 32 + 64 : 33 + 2);
        struct text chart = {0};
        draw_text(&p.schedule, 100, &chart); /* a terminal shows fewer */
        CHECK_CONTAINS(text_str(&chart), n_hosts == 32 ? "\nNot shown: 62 links without transfers"
                                                       : "\nNot shown: 64 links without transfers");
        text_clear(&chart);
        struct picture seen = look(&p.schedule);
        CHECK_INT(count_texts(&seen, "Not shown: 64 links without transfers"), n_hosts == 32 ? 0 : 1);
        gantt_clear(&g);
        look_away(&seen);
        plan_clear(&p);
    }
}

static void lines_follow_few_edges_only(void)
{
    for (int n = 30; n <= 31; n++) { /* remote edges */
        struct text words = {0};
        for (int i = 0; i < n; i++)
            text_addf(&words, "s%d:1 d%d:1 ", i, i);
        text_addf(&words, "|");
        for (int i = 0; i < n; i++)
            text_addf(&words, " s%d>d%d:1", i, i);
        struct plan p;
        plan_init(&p, dag_from_text(text_str(&words)), machine_from_text("p0:1 p1:1 | l:1 | p0-p1:l"), "classic");
        for (int i = 0; i < n; i++) {
            p.schedule.tasks[2 * i] = (struct planned_task){0, {i, i + 1}};
            p.schedule.tasks[2 * i + 1] = (struct planned_task){1, {i + 2, i + 3}};
            set_edge(&p, i, 0, 0);
        }
        struct text svg = {0};
        draw_svg(&p.schedule, &svg);
        int n_lines = 0;
        for (const char *s = text_str(&svg); (s = strstr(s, "url(#arrow)")) != NULL; s++)
            n_lines++;
        CHECK_INT(n_lines, n == 30 ? 30 : 0);
        text_clear(&words);
        text_clear(&svg);
        plan_clear(&p);
    }
}

/* 500 tasks; each needs up to three of the twenty before it. */
static struct dag large_graph(void)
{
    struct text words = {0};
    for (int t = 0; t < 500; t++)
        text_addf(&words, "task%d:%d ", t, 1 + t * 7919 % 20);
    text_addf(&words, "|");
    for (int t = 1; t < 500; t++)
        for (int k = 0; k < (t < 20 ? 1 : 3 - (t % 5 == 0)); k++)
            text_addf(&words, " task%d>task%d:%d", t - 1 - k * 6, t, 1 + t * 31 % 7);
    struct dag g = dag_from_text(text_str(&words));
    text_clear(&words);
    return g;
}

static void a_picture_of_500_tasks_is_complete_and_below_a_megabyte(void)
{
    struct plan p;
    struct err e = {0};
    struct scheduler_choice choice;
    struct machine m = machine_star(8, 1, 1, 0, LINK_SPLITDUPLEX);
    machine_text_set_all(&m, "involvement_send", "1");
    machine_text_set_all(&m, "involvement_recv", "1");
    plan_init(&p, large_graph(), m, "involvement");
    CHECK(p.dag.n_edges > 1300);
    struct problem problem = p.schedule.problem;
    schedule_clear(&p.schedule);
    CHECK_OK(scheduler_choose("list", &choice, &e), e);
    CHECK_OK(scheduler_plan(&choice, &problem, NULL, &p.schedule, &e), e);
    struct picture seen = look(&p.schedule);
    int n_tasks = 0, n_expected = 500, n_remote = 0;
    for (size_t i = 0; i < seen.n; i++)
        n_tasks += strcmp(seen.boxes[i].kind, "task") == 0;
    for (edge_id k = 0; k < p.dag.n_edges; k++)
        n_remote += p.schedule.edges[k].is_remote;
    CHECK_INT(n_tasks, n_expected);
    CHECK(n_remote > 100);
    CHECK_INT(seen.n, n_expected + 4 * n_remote); /* send, two links, receive */
    struct text svg = {0};
    draw_svg(&p.schedule, &svg);
    CHECK(svg.size < 1000000);
    text_clear(&svg);
    look_away(&seen);
    scheduler_choice_clear(&choice);
    plan_clear(&p);
}

/* Eight letters need 40 pixels. */
static void a_picture_of_500_tasks_is_wide_enough_for_names(void)
{
    struct plan p;
    struct err e = {0};
    struct scheduler_choice choice;
    struct text svg = {0};
    struct text words = {0};
    int n_texts = 0;
    for (int t = 0; t < 500; t++)
        text_addf(&words, "task_%d:%d ", t, 18 + t * 7919 % 5);
    plan_init(&p, dag_from_text(text_str(&words)), machine_star(8, 1, 1, 0, LINK_SHARED), "classic");
    text_clear(&words);
    struct problem problem = p.schedule.problem;
    schedule_clear(&p.schedule);
    CHECK_OK(scheduler_choose("list", &choice, &e), e);
    CHECK_OK(scheduler_plan(&choice, &problem, NULL, &p.schedule, &e), e);
    draw_svg(&p.schedule, &svg);
    for (const char *at = text_str(&svg); (at = strstr(at, "<text")) != NULL; at++)
        n_texts++;
    CHECK(n_texts > 300);
    CHECK(svg.size < 1000000);
    text_clear(&svg);
    scheduler_choice_clear(&choice);
    plan_clear(&p);
}

static const struct test tests[] = {
    {"everything is in the picture once, at its time, in its lane",
     everything_is_in_the_picture_once_at_its_time_in_its_lane},
    {"lanes and large boxes have their names, and the title shows the length",
     lanes_and_large_boxes_have_their_names_and_the_title_shows_the_length},
    {"a name that does not fit into its box is not written", a_name_that_does_not_fit_into_its_box_is_not_written},
    {"names of any bytes make well-formed XML", names_of_any_bytes_make_well_formed_xml},
    {"tasks without length are seen, even when nothing has length",
     tasks_without_length_are_seen_even_when_nothing_has_length},
    {"transfers that share a link lie above each other", transfers_that_share_a_link_lie_above_each_other},
    {"more transfers than rows share the row that is free first",
     more_transfers_than_rows_share_the_row_that_is_free_first},
    {"of many links only the used ones are shown, and the others counted",
     of_many_links_only_the_used_ones_are_shown_and_the_others_counted},
    {"lines follow few edges only", lines_follow_few_edges_only},
    {"a picture of 500 tasks is complete and below a megabyte",
     a_picture_of_500_tasks_is_complete_and_below_a_megabyte},
    {"a picture of 500 tasks is wide enough for names", a_picture_of_500_tasks_is_wide_enough_for_names},
};

TEST_MAIN(tests)
