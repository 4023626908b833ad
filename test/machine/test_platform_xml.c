/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "check.h"
#include "gallery.h"
#include "machine/platform_check.h"
#include "machine/platform_xml.h"

#include <time.h>

#define HEAD "<?xml version='1.0'?>\n<platform version='4.1'>\n"

static enum err_code read_only(const char *path, struct err *e)
{
    struct platform_xml *p;
    enum err_code code = platform_xml_read(path, &p, e);
    CHECK((p != NULL) == (code == ERR_NONE));
    platform_xml_free(p);
    return code;
}

static struct platform_xml *parse(const char *xml)
{
    struct platform_xml *p;
    struct err e = {0};
    CHECK_OK(platform_xml_parse(xml, strlen(xml), "p.xml", &p, &e), e);
    return p;
}

static void every_platform_of_the_gallery_is_refused_in_its_words(void)
{
    gallery_walk(PROJECT_DIR "/test/gallery/platforms", 80, read_only);
}

static void accept_all(const char *folder, int at_least)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, is_xml, alphasort);
    CHECK(n >= at_least);
    for (int i = 0; i < n; i++) {
        struct err e = {0};
        char *path = mem_format("%s/%s", folder, entries[i]->d_name);
        CHECK_OK(read_only(path, &e), e);
        free(path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

static void what_simgrid_loads_well_is_accepted(void)
{
    accept_all(TEST_DATA "/accepted", 75);
    accept_all(PROJECT_DIR "/platforms", 4);
}

static void other_files_are_listed_in_order(void)
{
    struct platform_xml *p;
    struct err e = {0};
    CHECK_OK(platform_xml_read(TEST_DATA "/accepted/file_twice_by_two_names.xml", &p, &e), e);
    CHECK_INT(platform_xml_n_files(p), 2);
    CHECK_TEXT(platform_xml_file(p, 0), TEST_DATA "/accepted/steady.profile");
    CHECK_TEXT(platform_xml_file(p, 1), TEST_DATA "/accepted/./steady.profile");
    platform_xml_free(p);
}

static void the_line_of_a_property_is_found(void)
{
    struct platform_xml *p = parse(HEAD "<zone id='z' routing='Full'>\n"
                                        "<host id='a' speed='1f'>\n"
                                        "<prop id='other' value='1'/>\n"
                                        "<prop id='ir_send' value='1'/></host>\n"
                                        "<link id='a' bandwidth='1Bps' latency='0'>\n"
                                        "\n<prop id='ir_send' value='1'/></link>\n"
                                        "</zone></platform>");
    CHECK_INT(platform_xml_property_line(p, "host", "a", "ir_send"), 6);
    CHECK_INT(platform_xml_property_line(p, "link", "a", "ir_send"), 9);
    CHECK_INT(platform_xml_property_line(p, "host", "a", "ir_recv"), 0);
    CHECK_INT(platform_xml_property_line(p, "host", "b", "ir_send"), 0);
    platform_xml_free(p);
}

static void the_properties_of_a_cluster_s_members_are_the_cluster_s(void)
{
    struct platform_xml *p = parse(HEAD "<cluster id='c' prefix='n-' suffix='.org' radical='0-3,10' speed='1f'\n"
                                        "bw='1Bps' lat='0'>\n<prop id='ir_send' value='1'/></cluster>\n</platform>");
    static const char *const members[] = {"n-0.org", "n-3.org", "n-10.org"};
    static const char *const others[] = {"n-4.org", "n-.org", "n-0", "0.org", "m-0.org", "n-0.net", "", "n-x.org"};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        CHECK_INT(platform_xml_property_line(p, "host", members[i], "ir_send"), 5);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        CHECK_INT(platform_xml_property_line(p, "host", others[i], "ir_send"), 0);
    platform_xml_free(p);
}

static void lines_beyond_65535_are_told(void)
{
    struct text t = {0};
    struct platform_xml *p;
    struct err e = {0};
    text_addf(&t, HEAD "<zone id='z' routing='Full'>\n");
    for (int i = 0; i < 70000; i++)
        text_addf(&t, "<host id='h%d' speed='1f'/>\n", i);
    text_addf(&t, "<host id='x' speed='-1f'/>\n</zone></platform>");
    CHECK_INT(platform_xml_parse(text_str(&t), t.size, "p.xml", &p, &e), ERR_INPUT);
    CHECK_INT(e.line, 70004);
    text_clear(&t);
}

/* Time per host must not grow: ten times the hosts in less than thirty times the time. */
static double seconds_for(int n_hosts)
{
    struct text t = {0};
    text_addf(&t, HEAD "<zone id='z' routing='Dijkstra'>\n");
    for (int i = 0; i < n_hosts; i++)
        text_addf(&t, "<host id='h%d' speed='1f'/><link id='l%d' bandwidth='1Bps' latency='0'/>\n", i, i);
    for (int i = 1; i < n_hosts; i++)
        text_addf(&t, "<route src='h0' dst='h%d'><link_ctn id='l%d'/></route>\n", i, i);
    text_addf(&t, "</zone></platform>");
    clock_t start = clock();
    platform_xml_free(parse(text_str(&t)));
    text_clear(&t);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

static void time_is_linear_in_the_number_of_hosts(void)
{
    double small_s = seconds_for(5000), large_s = seconds_for(50000);
    CHECK(large_s < 30 * small_s + 0.1);
}

static void a_trace_can_be_joined_to_a_link_if_simgrid_can(void)
{
    static const char xml[] = HEAD "<zone id='z' routing='Full'><host id='a' speed='1f'/>\n"
                                   "<link id='l' bandwidth='1Bps' latency='0'/></zone>\n"
                                   "<trace id='t' periodicity='-1'>\n5 1e6\n</trace>\n"
                                   "<trace_connect trace='t' kind='BANDWIDTH' element='l'/></platform>";
    struct platform_xml *p;
    struct err e = {0};
    enum err_code code = platform_xml_parse(xml, strlen(xml), "p.xml", &p, &e);
    CHECK_INT(code, SIMGRID_MAJOR < 4 ? ERR_INPUT : ERR_NONE);
    if (code != ERR_NONE)
        CHECK_CONTAINS(e.text, "SimGrid 3 aborts on it; use bandwidth_file");
    platform_xml_free(p);
}

/* SimGrid 4.0 crashes on a torus, a fat tree or a dragonfly that is in no zone; a flat cluster may stand alone. */
static void a_torus_may_stand_alone_if_simgrid_lets_it(void)
{
#define CLUSTER(topology)                                                                                              \
    "<cluster id='c' prefix='p' suffix='' radical='0-3' speed='1f' bw='1Bps' lat='0' " topology "/>\n"
#define TORUS CLUSTER("topology='TORUS' topo_parameters='2,2'")
    struct platform_xml *p;
    struct err e = {0};
    enum err_code code =
        platform_xml_parse(HEAD TORUS "</platform>", strlen(HEAD TORUS "</platform>"), "p.xml", &p, &e);
    CHECK_INT(code, SIMGRID_MAJOR < 4 ? ERR_NONE : ERR_INPUT);
    if (code != ERR_NONE)
        CHECK_CONTAINS(e.text, "cluster 'c' of topology TORUS: SimGrid 4 crashes on it outside a zone");
    platform_xml_free(p);
    platform_xml_free(parse(HEAD "<zone id='z' routing='Full'>" TORUS "</zone></platform>"));
    platform_xml_free(parse(HEAD CLUSTER("topology='FLAT'") "</platform>"));
    platform_xml_free(parse(HEAD CLUSTER("") "</platform>"));
}

static void a_missing_file_is_an_io_error(void)
{
    struct platform_xml *p;
    struct err e = {0};
    CHECK_INT(platform_xml_read(TEST_DATA "/no-such-file.xml", &p, &e), ERR_IO);
    CHECK_CONTAINS(e.text, "No such file");
}

static void units_are_simgrid_s(void)
{
    static const struct {
        const char *text;
        enum unit unit;
        double si;
        enum quantity_state state;
    } cases[] = {
        {"1Gf", UNIT_FLOP_PER_S, 1e9, QUANTITY_OK},
        {"2.5kiloflops", UNIT_FLOP_PER_S, 2500, QUANTITY_OK},
        {"1flops", UNIT_FLOP_PER_S, 1, QUANTITY_OK},
        {"7", UNIT_FLOP_PER_S, 7, QUANTITY_NO_UNIT},
        {"10.7MBps", UNIT_BYTES_PER_S, 1.07e7, QUANTITY_OK},
        {"8Mbps", UNIT_BYTES_PER_S, 1e6, QUANTITY_OK},
        {"1KiBps", UNIT_BYTES_PER_S, 1024, QUANTITY_OK},
        {"1Kibps", UNIT_BYTES_PER_S, 128, QUANTITY_OK},
        {"1Bps", UNIT_BYTES_PER_S, 1, QUANTITY_OK},
        {"3us", UNIT_S, 3e-6, QUANTITY_OK},
        {"2m", UNIT_S, 120, QUANTITY_OK},
        {"1w", UNIT_S, 604800, QUANTITY_OK},
        {"1Kf", UNIT_FLOP_PER_S, 1, QUANTITY_UNKNOWN_UNIT},
        {"1 Gf", UNIT_FLOP_PER_S, 1, QUANTITY_UNKNOWN_UNIT},
        {"1s", UNIT_FLOP_PER_S, 1, QUANTITY_UNKNOWN_UNIT},
        {"fast", UNIT_FLOP_PER_S, 0, QUANTITY_NO_NUMBER},
        {"", UNIT_S, 0, QUANTITY_NO_NUMBER},
        {"1e400s", UNIT_S, 0, QUANTITY_NO_NUMBER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double got = 0;
        CHECK_INT(quantity_parse(cases[i].text, cases[i].unit, &got), cases[i].state);
        if (cases[i].state <= QUANTITY_NO_UNIT)
            CHECK_CLOSE(got, cases[i].si, 1e-15);
    }
}

static const struct test tests[] = {
    {"every platform of the gallery is refused in its words", every_platform_of_the_gallery_is_refused_in_its_words},
    {"what SimGrid loads well is accepted", what_simgrid_loads_well_is_accepted},
    {"other files are listed in order", other_files_are_listed_in_order},
    {"the line of a property is found", the_line_of_a_property_is_found},
    {"the properties of a cluster's members are the cluster's",
     the_properties_of_a_cluster_s_members_are_the_cluster_s},
    {"lines beyond 65535 are told", lines_beyond_65535_are_told},
    {"time is linear in the number of hosts", time_is_linear_in_the_number_of_hosts},
    {"a trace can be joined to a link if SimGrid can", a_trace_can_be_joined_to_a_link_if_simgrid_can},
    {"a torus may stand alone if SimGrid lets it", a_torus_may_stand_alone_if_simgrid_lets_it},
    {"a missing file is an I/O error", a_missing_file_is_an_io_error},
    {"units are SimGrid's", units_are_simgrid_s},
};

TEST_MAIN(tests)
