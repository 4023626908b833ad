/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report/claims.h"

#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "scenario/turn.h"
#include "sweep/sweep_run.h"

#include <stdlib.h>
#include <unistd.h>

#define SCENARIO_FOLDER PROJECT_DIR "/scenarios/kreaseck-interference"

static char folder[] = "/tmp/iasim_test_XXXXXX";

static void remove_folder(void)
{
    char *command = mem_format("rm -rf '%s'", folder);
    if (system(command) != 0)
        perror(command);
    free(command);
}

static char *path_of(const char *name)
{
    static bool made;
    setenv("COLUMNS", "200", 1); /* a claim to a line */
    if (!made && mkdtemp(folder) != NULL)
        atexit(remove_folder);
    made = true;
    return mem_format("%s/%s", folder, name);
}

/* The report as text, or "" and the error if it fails; the caller frees both it and `json`, which may be NULL. */
static char *report(const struct scenario *s, struct store *results, const char *path, json_t **json,
                    enum err_code *code, struct err *e)
{
    struct document *d = document_create();
    struct text text = {0};
    *code = claims_tell(&(struct claims_inputs){.path = path, .scenario = s, .results = results}, d, e);
    if (*code == ERR_NONE)
        document_add_to(d, &text);
    if (json != NULL)
        *json = document_json(d);
    document_free(d);
    return text_take(&text);
}

/* Of the report's only section. */
static const json_t *part_of(const json_t *json, const char *name)
{
    return json_object_get(json_array_get(json_object_get(json, "sections"), 0), name);
}

struct verdicts {
    int tested, hold, constructed, inputs, others_fail;
};

static struct verdicts count_verdicts(const json_t *json)
{
    const json_t *claims = part_of(json, "claims");
    struct verdicts v = {0};
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const json_t *claim = json_array_get(claims, i);
        const char *kind = json_string_value(json_object_get(claim, "kind"));
        bool holds = json_is_true(json_object_get(claim, "holds")), tested = strcmp(kind, "tested") == 0;
        v.tested += tested;
        v.hold += tested && holds;
        v.constructed += strcmp(kind, "construction") == 0;
        v.inputs += strcmp(kind, "input") == 0;
        v.others_fail += !tested && !holds;
    }
    return v;
}

/* Runs a shipped scenario and tells its claims. The caller's. */
static char *tell_shipped(const char *name, int n_points, struct verdicts *out)
{
    struct scenario s = {0};
    struct store *results = NULL;
    struct run_progress progress = {0};
    struct err e = {0};
    char *path = mem_format(PROJECT_DIR "/scenarios/%s/scenario.xml", name);
    char *claims = mem_format(PROJECT_DIR "/scenarios/%s/claims.xml", name);
    CHECK_OK(scenario_read(path, NULL, &s, &e), e);
    char *db = path_of("shipped.db");
    struct run_options how = {.database = db, .pool = {.n_jobs = 2}, .shard = 1, .n_shards = 1};
    enum err_code code = run_scenario(&s, &how, &progress, &results, &e);
    CHECK_OK(code, e);
    CHECK_INT(progress.n_failed, 0);
    CHECK_INT(progress.n_done, n_points);
    json_t *json = NULL;
    char *text = report(&s, results, claims, &json, &code, &e);
    CHECK_OK(code, e);
    *out = count_verdicts(json);
    json_decref(json);
    store_close(results, NULL);
    scenario_clear(&s);
    remove(db);
    free(db);
    free(claims);
    free(path);
    return text;
}

/* Its platform has the rates of Table 2, so most claims only restate that or follow from it. What was tested fails; its
   README gives the reasons. (Parabolas err as much as lines: equal is not better.) */
static void one_of_the_claims_that_could_fail_holds_on_a_linear_machine(void)
{
    struct verdicts v;
    char *text = tell_shipped("kreaseck-interference", 27 * 3, &v);
    CHECK_INT(v.tested, 16);
    CHECK_INT(v.hold, 1);
    CHECK_INT(v.constructed, 7);
    CHECK_INT(v.inputs, 12);
    CHECK_INT(v.others_fail, 0);
    CHECK_CONTAINS(text, "\nBrazil  ");
    CHECK_CONTAINS(text, "  yes  The rates of four similar nodes add up when Lab0 sends to all (2.4).");
    free(text);
}

/* What curves explain, and what they contradict. Rates of two directions differ by chance: 95 points. */
static void claims_of_the_paper_on_a_curved_machine(void)
{
    struct verdicts v;
    char *text = tell_shipped("kreaseck-interference-curved", 27 * 3, &v);
    CHECK_INT(v.tested, 19);
    CHECK_INT(v.hold, 5);
    CHECK_INT(v.constructed, 3);
    CHECK_INT(v.inputs, 13);
    CHECK_INT(v.others_fail, 2);
    CHECK_CONTAINS(text, "  yes  The lines begin at the constants of Table 2 (2.3, 2.4).");
    CHECK_CONTAINS(text, "  yes  A parabola fits sending marginally better (2.4).");
    CHECK_CONTAINS(text, "   NO  The rates of four similar nodes add up when Lab0 sends to all (2.4).");
    free(text);
}

/* Table 3: three sizes of messages; what is tested is the size of errors, which fails. */
static void the_claims_about_programs_in_c_follow_from_the_platform(void)
{
    struct verdicts v;
    char *text = tell_shipped("kreaseck-interference-c", 8 * 2 * 3, &v);
    CHECK_INT(v.tested, 1);
    CHECK_INT(v.hold, 0);
    CHECK_INT(v.constructed, 1);
    CHECK_INT(v.inputs, 4);
    CHECK_INT(v.others_fail, 0);
    CHECK_CONTAINS(text, "Table 3 of [K]");
    CHECK_CONTAINS(text, "Paper: 0.033 and 0.051"); /* the means of the paper's table: 0.267 / 8 and 0.4113 / 8 */
    free(text);
}

/* ---- results made by hand ---- */

#define HEAD                                                                                                           \
    "<scenario name='x' experiment='interference'><param name='platform' value='" PROJECT_DIR                          \
    "/platforms/kreaseck-lab.xml'/><param name='host' value='Lab0'/>"
#define ALL_MODES "<sweep name='mode'><value>send</value><value>both</value><value>receive</value></sweep>"

static struct scenario scenario_of(const char *xml)
{
    struct scenario s = {0};
    struct err e = {0};
    CHECK_OK(scenario_parse(xml, strlen(xml), "here.xml", NULL, &s, &e), e);
    return s;
}

/* Every metric is 0.1 per place of its point, and a little more: 0.101 for metric 1 of point 1. */
static struct store *store_with(const struct scenario *s, size_t n_points)
{
    struct store *results = NULL;
    struct err e = {0};
    char *db = path_of("by_hand.db");
    unlink(db);
    CHECK_OK(store_open(db, s, &(struct store_options){0}, &results, &e), e);
    size_t n = run_n_metrics(s->experiment);
    double *metrics = mem_zalloc(n, sizeof *metrics);
    for (uint64_t point = 0; point < n_points; point++) {
        char key[DIGEST_HEX_SIZE];
        turn_key(s, point, key);
        for (size_t i = 0; i < n; i++)
            metrics[i] = 0.1 * (double)point + 0.001 * (double)i;
        CHECK_OK(store_put(results, &(struct store_row){point, key, 1, metrics, NULL}, &e), e);
    }
    CHECK_OK(store_commit(results, &e), e);
    free(metrics);
    free(db);
    return results;
}

static char *file_of(const char *name, const char *content)
{
    char *path = path_of(name);
    struct err e = {0};
    CHECK_OK(text_write_file(path, content, strlen(content), &e), e);
    return path;
}

/* The shipped claims beside another table of the paper. */
static char *claims_with_table2(const char *table2)
{
    struct text claims = {0};
    struct err e = {0};
    CHECK_OK(text_read_file(&claims, SCENARIO_FOLDER "/claims.xml", 1 << 20, &e), e);
    free(file_of("table2.csv", table2));
    char *path = file_of("claims.xml", text_str(&claims));
    text_clear(&claims);
    return path;
}

#define TABLE2_HEADER                                                                                                  \
    "node,ir_recv,recv_constant,recv_stdev,recv_max_error,ir_send,send_constant,send_stdev,send_max_error\n"

static void figures_stand_beside_those_of_the_paper(void)
{
    struct scenario s =
        scenario_of(HEAD "<sweep name='peers'><value>Lab2</value><value>Lab1</value></sweep>" ALL_MODES "</scenario>");
    struct store *results = store_with(&s, 6);
    char *claims = claims_with_table2(TABLE2_HEADER "Lab1,1,2,3,4,5,6,7,8\nTenn,9,9,9,9,9,9,9,9\n");
    struct err e = {0};
    enum err_code code;
    json_t *json = NULL;
    char *text = report(&s, results, claims, &json, &code, &e);
    CHECK_OK(code, e);
    /* Lab1 is points 3 to 5: send, both, receive; ir_send is metric 1, ir_recv metric 9 */
    CHECK_CONTAINS(text, "\nLab1                       1.0000  0.5090       2.0000  0.5100       3.0000  0.5110");
    CHECK_CONTAINS(text, "\nLab1                  5.0000  0.3010       6.0000  0.3020       7.0000  0.3030");
    CHECK(strstr(text, "\nTenn") == NULL); /* it has not been measured */
    CHECK(strstr(text, "four") == NULL);
    static const double sending[] = {5, 0.1 * 3 + 0.001, 6, 0.1 * 3 + 0.002, 7, 0.1 * 3 + 0.003};
    const json_t *table = json_array_get(part_of(json, "tables"), 1);
    const json_t *lab1 = json_array_get(json_object_get(table, "rows"), 0);
    CHECK_TEXT(json_string_value(json_array_get(json_object_get(table, "columns"), 2)), "IR here");
    CHECK_TEXT(json_string_value(json_array_get(lab1, 0)), "Lab1");
    for (size_t i = 0; i < sizeof sending / sizeof sending[0]; i++)
        CHECK_CLOSE(json_number_value(json_array_get(lab1, i + 1)), sending[i], 1e-15);
    json_decref(json);
    store_close(results, NULL);
    scenario_clear(&s);
    free(text);
    free(claims);
}

static void check_refused(const char *xml, size_t n_points, const char *table2, const char *why)
{
    struct scenario s = scenario_of(xml);
    struct store *results = store_with(&s, n_points);
    char *claims = claims_with_table2(table2);
    struct err e = {0};
    enum err_code code;
    char *text = report(&s, results, claims, NULL, &code, &e);
    CHECK(code == ERR_INPUT || code == ERR_PARSE);
    CHECK_CONTAINS(e.text, why);
    CHECK_TEXT(text, "");
    store_close(results, NULL);
    scenario_clear(&s);
    free(text);
    free(claims);
}

static void what_is_missing_is_an_error(void)
{
    static const char lab1[] = HEAD "<param name='peers' value='Lab1'/>" ALL_MODES "</scenario>";
    static const char one_mode[] =
        HEAD "<param name='peers' value='Lab1'/><param name='mode' value='send'/></scenario>";
    static const char good[] = TABLE2_HEADER "Lab1,1,2,3,4,5,6,7,8\n";
    check_refused(lab1, 2, good, "some points have no ir_recv[mode=receive]");
    check_refused(one_mode, 1, good, "the scenario has no value receive of mode");
    check_refused(lab1, 3, TABLE2_HEADER "Lab9,1,2,3,4,5,6,7,8\n", "no row is about a value of peers in the scenario");
    check_refused(lab1, 3, TABLE2_HEADER "Lab1,1,2,3,4,5,6,7\n", "7 numbers, expected 8");
    check_refused(lab1, 3, TABLE2_HEADER "Lab1,1,2,3,4,5,6,7,8,9\n", "'9': not a number, or an extra field");
    check_refused(lab1, 3, TABLE2_HEADER "Lab1,1,x,3,4,5,6,7,8\n", "'x': not a number");
    check_refused(lab1, 3, "node,ir_recv\nLab1,1\n", "unknown figure 'paper.ir_send'");
}

/* ---- formulas on six results made by hand: ir_send is 0.001 + 0, 0.1, 0.2 for Lab2 (sends, both, receives) and 0.3,
   0.4, 0.5 for Lab1 ---- */

static const char two_nodes[] =
    HEAD "<sweep name='peers'><value>Lab2</value><value>Lab1</value></sweep>" ALL_MODES "</scenario>";

static char *tell(const char *claims_xml, enum err_code *code, struct err *e)
{
    struct scenario s = scenario_of(two_nodes);
    struct store *results = store_with(&s, 6);
    char *claims = file_of("formulas.xml", claims_xml);
    char *text = report(&s, results, claims, NULL, code, e);
    store_close(results, NULL);
    scenario_clear(&s);
    free(claims);
    return text;
}

static void check_told(const char *elements, const char *want)
{
    struct err e = {0};
    enum err_code code;
    char *xml = mem_format("<claims>\n%s\n</claims>", elements), *text = tell(xml, &code, &e);
    CHECK_OK(code, e);
    CHECK_TEXT(text, want);
    free(text);
    free(xml);
}

static void check_formula(const char *formula, const char *want)
{
    char *element = mem_format("<text text='{%s}'/>", formula), *line = mem_format("%s\n", want);
    check_told(element, line);
    free(element);
    free(line);
}

static void formulas_follow_the_axes(void)
{
    check_formula("ir_send", "0.001, 0.101, 0.201, 0.301, 0.401, 0.501");
    check_formula("mean(ir_send)", "0.251");
    check_formula("ir_send[mode=both]", "0.101, 0.401");
    check_formula("ir_send[mode=both, peers=Lab1]", "0.401");
    check_formula("mean(ir_send over peers)", "0.151, 0.251, 0.351");
    check_formula("mean(ir_send by peers)", "0.101, 0.401");
    check_formula("max(ir_send[mode:send|both])|%.4f", "0.4010");
    check_formula("median(ir_send[peers=Lab2])", "0.101");
    check_formula("count(ir_send above 0.2)", "4");
    check_formula("min(where(ir_send, ir_send above 0.2))", "0.201");
    check_formula("mean(ir_send[mode=receive] - ir_send[mode=send])", "0.2");
    check_formula("ir_send[mode=both] / ir_send[mode=both,peers=Lab1]", "0.252, 1");
    check_formula("first(ir_send by peers)", "0.001, 0.301");
    check_formula("abs(1 - 2 * 3) + 50 % / (-2)", "4.75");
    check_formula("either(ir_send[mode:both], 7) - 7 + 0 * ir_send[peers=Lab1]", "0, -6.9, 0, 0, -6.6, 0");
    check_formula("mode", "send");
}

/* The scenario of the bounds here is one of interference, too: only its parameters matter. `want` NULL: refused. */
static void check_bounds(const char *interval, const char *of_bounds, const char *want)
{
    static const char format[] =
        HEAD "<param name='peers' value='Lab1'/><param name='mode' value='send'/>%s</scenario>";
    char *own = mem_format(format, interval), *other = mem_format(format, of_bounds);
    char *path = file_of("bounds.xml", "<claims><text text='{interval + 0}; {bound.interval}; {interval}'/></claims>");
    struct scenario s = scenario_of(own), bounds = scenario_of(other);
    struct document *d = document_create();
    struct text text = {0};
    struct err e = {0};
    enum err_code code = claims_tell(&(struct claims_inputs){.path = path, .scenario = &s, .bounds = &bounds}, d, &e);
    CHECK_INT(code, want != NULL ? ERR_NONE : ERR_INPUT);
    if (want == NULL)
        CHECK_CONTAINS(e.text, "differ in interval");
    document_add_to(d, &text);
    CHECK_TEXT(text_str(&text), want != NULL ? want : "");
    text_clear(&text);
    document_free(d);
    scenario_clear(&s);
    scenario_clear(&bounds);
    free(own);
    free(other);
    free(path);
}

static void bounds_are_taken_at_the_values_of_the_scenario(void)
{
    static const char two[] = "<param name='interval' value='2'/>", three[] = "<param name='interval' value='3'/>",
                      both[] = "<sweep name='interval'><value>5</value><value>2</value></sweep>";
    check_bounds(two, both, "2; 2; 2\n");
    check_bounds(both, both, "5, 2; 5, 2; 5\n");
    check_bounds(three, both, NULL);
    check_bounds(both, two, NULL);
}

/* 0.101 and 0.401 are the means of the rows, 0.251 is theirs. */
static void an_average_row_keeps_its_columns(void)
{
    struct scenario s = scenario_of(two_nodes);
    struct store *results = store_with(&s, 6);
    char *path = file_of("average.xml", "<claims samples='mode'><table title='T' rows='peers' average='yes'>"
                                        "<column name='a' value='ir_send' kind='interval'/><column name='b' value='7'/>"
                                        "</table></claims>");
    struct err e = {0};
    enum err_code code;
    json_t *json = NULL;
    char *text = report(&s, results, path, &json, &code, &e);
    CHECK_OK(code, e);
    const json_t *table = json_array_get(part_of(json, "tables"), 0),
                 *row = json_array_get(json_object_get(table, "rows"), 2);
    CHECK_INT((int)json_array_size(json_object_get(table, "rows")), 3);
    CHECK_INT((int)json_array_size(row), 5); /* peers, a, low, high, b */
    CHECK_TEXT(json_string_value(json_array_get(row, 0)), "average");
    CHECK_CLOSE(json_number_value(json_array_get(row, 1)), 0.251, 1e-15);
    CHECK(json_is_null(json_array_get(row, 2)) && json_is_null(json_array_get(row, 3)));
    CHECK_CLOSE(json_number_value(json_array_get(row, 4)), 7, 1e-15);
    json_decref(json);
    store_close(results, NULL);
    scenario_clear(&s);
    free(text);
    free(path);
}

static void a_file_may_be_included(void)
{
    char *path = file_of("shared.xml", "<claims><let name='shared' value='3'/><text text='{shared}'/></claims>");
    check_told("<include file='shared.xml'/><text text='{shared + 1}'/>", "3\n\n4\n");
    free(path);
    path = file_of("itself.xml", "<claims><include file='itself.xml'/></claims>");
    struct err e = {0};
    enum err_code code;
    free(tell("<claims><include file='itself.xml'/></claims>", &code, &e));
    CHECK_INT(code, ERR_INPUT);
    CHECK_CONTAINS(e.text, "includes are nested more than 8 deep");
    CHECK_CONTAINS(e.source, "itself.xml");
    e = (struct err){0};
    free(tell("<claims><include file='nowhere.xml'/></claims>", &code, &e));
    CHECK_INT(code, ERR_IO);
    free(path);
}

static void verdicts_follow_the_relation(void)
{
    static const char claim[] =
        "<claim kind='tested' text='X.' cell='{peers}'><holds what='it' value='ir_send[mode=both]' is='%s' "
        "limit='%s' of='nodes'/></claim>";
    static const struct {
        const char *is, *limit, *want;
    } cases[] = {
        {"below", "0.5", "  yes  X.\n       Holds if it is below 0.5 in all 2 nodes: in 2 here.\n"},
        {"above", "0.2", "   NO  X.\n       Holds if it is above 0.2 in all 2 nodes: in 1 here, not at Lab2.\n"},
        {"at least", "ir_send[mode=both]", "  yes  X.\n       Holds if it is at least in all 2 nodes: in 2 here.\n"},
        {"at most", "0.101",
         "   NO  X.\n       Holds if it is at most 0.101 in all 2 nodes: in 1 here, not at Lab1.\n"},
        {"of the size of", "0.21",
         "   NO  X.\n       Holds if it is of the size of 0.21 in all 2 nodes: in 1 here, not at Lab2.\n"},
        {"of the size of", "0.201",
         "  yes  X.\n       Holds if it is of the size of 0.201 in all 2 nodes: in 2 here.\n"},
        {"growing with", "peers", "  yes  X.\n       Holds if it grows with the peers: 0.101, 0.401 here.\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *element = NULL;
        if (asprintf(&element, claim, cases[i].is, cases[i].limit) < 0)
            continue;
        check_told(element, cases[i].want);
        free(element);
    }
    check_told("<claim kind='tested' text='X.'><holds what='the mean' value='mean(ir_send)' is='below' limit='30 %' "
               "unit='%'/></claim>",
               "  yes  X.\n       Holds if the mean is below 30 %: 25.1 % here.\n");
}

/* A claim whose mean of 0.251 has to be below `limit`, of this kind, with all that may explain it. */
static void check_explained(const char *kind, const char *limit, const char *want)
{
    static const char claim[] = "<claim kind='%s' section='2.4' text='X.'><holds what='it' value='mean(ir_send)' "
                                "is='below' limit='%s'/><note text='N {mean(ir_send)}.'/><cause text='C.' "
                                "shown_by='smoke'/><cause text='D.'/></claim>";
    char *element = NULL;
    if (asprintf(&element, claim, kind, limit) >= 0)
        check_told(element, want);
    free(element);
}

static void a_claim_that_fails_has_a_cause(void)
{
    check_explained("tested", "1", "  yes  X (2.4).\n       Holds if it is below 1: 0.251 here.\n       N 0.251.\n");
    check_explained("tested", "0.2",
                    "   NO  X (2.4).\n       Holds if it is below 0.2: 0.251 here.\n       N 0.251.\n"
                    "       Cause: C. Shown by the scenario smoke.\n       Cause, not settled: D.\n");
    check_explained("input", "1",
                    "These restate what the platform was given and are not counted:\n\n"
                    "  yes  X (2.4).\n       Holds if it is below 1: 0.251 here.\n       N 0.251.\n");
}

static void mistakes_are_named_with_their_line(void)
{
    static const struct {
        const char *element, *why;
    } cases[] = {
        {"<text text='{mean(ir_send}'/>", "')' is missing in 'mean(ir_send'"},
        {"<text text='{ir_sent}'/>", "unknown figure 'ir_sent'"},
        {"<text text='{ir_send[mode=both}'/>", "']' is missing"},
        {"<text text='{ir_send[mode=all]}'/>", "the scenario has no value all of mode"},
        {"<text text='{ir_send[model=x]}'/>", "unknown parameter 'model'"},
        {"<text text='{mean(ir_send over model)}'/>", "unknown parameter 'model'"},
        {"<text text='{sine(1)}'/>", "unknown function 'sine'; known: abs, count"},
        {"<text text='{1 2}'/>", "unexpected '2'"},
        {"<text text='{1|%s}'/>", "unknown format '%s'"},
        {"<text text='{1'/>", "'}' is missing"},
        {"<claim text='X.'/>", "<claim> lacks the attribute 'kind'"},
        {"<claim text='X.' kind='sure'/>", "unknown kind 'sure' of a claim; known: construction, input, tested"},
        {"<claim kind='tested' text='X.'/>", "a claim needs <holds> or <order>"},
        {"<claim kind='tested' text='X.'><holds what='a' value='1' is='below' limit='1'/><cause/></claim>",
         "<cause> lacks the attribute 'text'"},
        {"<claim kind='tested' text='X.'><holds what='a' value='1' is='near' limit='1'/></claim>",
         "unknown relation 'near'"},
        {"<claim kind='tested' text='X.'><holds what='a' value='ir_send above 9' is='below' limit='1'/></claim>",
         "there are no results to examine"},
        {"<let name='ir_send' value='1'/>", "'ir_send' is a metric"},
        {"<row/>", "unknown element <row>"},
        {"<table title='' rows='peers'><column value='1' format='%n'/></table>", "unknown format '%n'"},
        {"<table title='' rows='peers'><column value='1' kind='intervall'/></table>", "unknown kind 'intervall'"},
        {"<text text='{ir_send[mode=both|send]}'/>", "mode=.. takes one value; mode:A|B keeps several"},
        {"<text text='{1|intervals}'/>", "unknown format 'intervals'"},
        {"<text text='{1|interval by nodes}'/>", "interval by: unknown parameter 'nodes'"},
        {"<claim kind='tested' text='X.'><holds what='a' value='ir_send' is='growing with' limit='peers'/></claim>",
         "the value varies along 2 parameters, not one"},
        {"<claim kind='tested' text='X.'>"
         "<holds what='a' value='mean(ir_send above 9 over mode)' is='growing with' limit='peers'/></claim>",
         "there are no results to examine"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e = {0};
        enum err_code code;
        char *xml = mem_format("<claims>\n%s\n</claims>", cases[i].element), *text = tell(xml, &code, &e);
        CHECK_INT(code, ERR_INPUT);
        CHECK_CONTAINS(e.text, cases[i].why);
        CHECK_INT(e.line, 2);
        free(text);
        free(xml);
    }
}

static const struct test tests[] = {
    {"one of the claims that could fail holds on a linear machine",
     one_of_the_claims_that_could_fail_holds_on_a_linear_machine},
    {"claims of the paper on a curved machine", claims_of_the_paper_on_a_curved_machine},
    {"the claims about programs in C follow from the platform",
     the_claims_about_programs_in_c_follow_from_the_platform},
    {"figures stand beside those of the paper", figures_stand_beside_those_of_the_paper},
    {"what is missing is an error", what_is_missing_is_an_error},
    {"formulas follow the axes", formulas_follow_the_axes},
    {"verdicts follow the relation", verdicts_follow_the_relation},
    {"a claim that fails has a cause", a_claim_that_fails_has_a_cause},
    {"bounds are taken at the values of the scenario", bounds_are_taken_at_the_values_of_the_scenario},
    {"an average row keeps its columns", an_average_row_keeps_its_columns},
    {"a file may be included", a_file_may_be_included},
    {"mistakes are named with their line", mistakes_are_named_with_their_line},
};

TEST_MAIN(tests)
