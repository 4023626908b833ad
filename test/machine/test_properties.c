/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "check.h"
#include "machine/machine.h"

#include <stdlib.h>

static struct machine m;

static void make(void)
{
    static const char *const names[] = {"Lab0", "Lab3", "SB0"};
    m = (struct machine){.n_hosts = 3, .n_links = 1};
    m.hosts = mem_zalloc(m.n_hosts, sizeof m.hosts[0]);
    m.links = mem_zalloc(m.n_links, sizeof m.links[0]);
    for (size_t i = 0; i < m.n_hosts; i++)
        m.hosts[i].name = mem_strdup(names[i]);
    m.links[0].name = mem_strdup("l");
    machine_seal(&m);
}

static void host_ok(const char *id, const char *value)
{
    struct err e = {0};
    CHECK_OK(machine_set_host_property(&m, 0, id, value, &e), e);
}

static void refused(bool on_link, const char *id, const char *value, const char *message)
{
    struct err e = {0};
    enum err_code code =
        on_link ? machine_set_link_property(&m, 0, id, value, &e) : machine_set_host_property(&m, 0, id, value, &e);
    CHECK_INT(code, ERR_INPUT);
    CHECK_TEXT(e.text, message);
}

static void rates_are_kept_per_byte_per_s(void)
{
    make();
    host_ok("ir_send", "0.03");
    host_ok("ir_recv", "0.05");
    host_ok("ir_send_duplex", "0.0235");
    CHECK_CLOSE(machine_ir_s_per_byte(&m, 0, REGIME_ONE_WAY, DIR_SEND, 1), 0.03 / 1e6, 0);
    CHECK_CLOSE(machine_ir_s_per_byte(&m, 0, REGIME_ONE_WAY, DIR_RECV, 1), 0.05 / 1e6, 0);
    CHECK_CLOSE(machine_ir_s_per_byte(&m, 0, REGIME_DUPLEX, DIR_SEND, 1), 0.0235 / 1e6, 0);
    CHECK_CLOSE(machine_ir_s_per_byte(&m, 0, REGIME_DUPLEX, DIR_RECV, 1), 0.05 / 1e6, 0);
    machine_clear(&m);
}

static void other_properties_go_where_they_belong(void)
{
    make();
    host_ok("ir_floor", "0.25");
    host_ok("overhead_send", "1e-3");
    host_ok("overhead_recv", "2e-3");
    host_ok("involvement_send", "1");
    host_ok("involvement_recv", "0.5");
    const struct host *h = &m.hosts[0];
    CHECK_CLOSE(h->ir_floor_ratio, 0.25, 0);
    CHECK_CLOSE(h->overhead_s[DIR_SEND].number, 1e-3, 0);
    CHECK_CLOSE(h->overhead_s[DIR_RECV].number, 2e-3, 0);
    CHECK_CLOSE(h->involvement_ratio[DIR_SEND].number, 1, 0);
    CHECK_CLOSE(h->involvement_ratio[DIR_RECV].number, 0.5, 0);
    struct err e = {0};
    CHECK_OK(machine_set_link_property(&m, 0, "involvement_send", "0.75", &e), e);
    CHECK_OK(machine_set_link_property(&m, 0, "involvement_recv", "0", &e), e);
    CHECK_CLOSE(m.links[0].involvement_ratio[DIR_SEND].number, 0.75, 0);
    CHECK_CLOSE(m.links[0].involvement_ratio[DIR_RECV].number, 0, 0);
    machine_clear(&m);
}

/* The first of these forms that is given counts; those of one way have no _duplex. */
static const struct form {
    const char *suffix, *peer, *value;
    double number;
} forms[] = {
    {"_duplex", ".Lab3", "0.1", 0.1}, {"_duplex", "", "0.2", 0.2}, {"", ".Lab3", "0.3", 0.3}, {"", "", "0.4", 0.4}};

static double first_given(unsigned given, bool is_duplex, bool is_lab3, double absent)
{
    for (int i = is_duplex ? 0 : 2; i < 4; i++)
        if (given >> i & 1 && (is_lab3 || forms[i].peer[0] == '\0'))
            return forms[i].number;
    return absent;
}

static void check_precedence(const char *name, enum direction dir, bool is_constant, unsigned given)
{
    make();
    for (int i = 0; i < 4; i++) {
        char *id = mem_format("%s%s%s", name, forms[i].suffix, forms[i].peer);
        if (given >> i & 1)
            host_ok(id, forms[i].value);
        free(id);
    }
    CHECK_INT(m.properties, given != 0 ? PROPERTIES_INTERFERENCE : 0);
    for (enum regime regime = 0; regime < N_REGIMES; regime++)
        for (host_id peer = 1; peer <= 2; peer++)
            for (int other = 0; other < 2; other++) { /* the other direction has nothing */
                enum direction asked = other ? (enum direction) !dir : dir;
                unsigned here = other ? 0 : given;
                double rate = machine_ir_s_per_byte(&m, 0, regime, asked, peer) * 1e6;
                double constant = machine_ir_constant_ratio(&m, 0, regime, asked, peer);
                bool is_duplex = regime == REGIME_DUPLEX, is_lab3 = peer == 1;
                CHECK_CLOSE(rate, first_given(is_constant ? 0 : here, is_duplex, is_lab3, 0), 1e-15);
                CHECK_CLOSE(constant, first_given(is_constant ? here : 0, is_duplex, is_lab3, 1), 1e-15);
            }
    machine_clear(&m);
}

static void the_more_special_of_any_given_forms_counts(void)
{
    for (unsigned given = 0; given < 16; given++) {
        check_precedence("ir_send", DIR_SEND, false, given);
        check_precedence("ir_recv", DIR_RECV, false, given);
        check_precedence("ir_constant_send", DIR_SEND, true, given);
        check_precedence("ir_constant_recv", DIR_RECV, true, given);
    }
}

static void check_curve(enum direction dir, host_id peer, double gamma, double rate_bytes_per_s)
{
    struct ir_curve curve = machine_ir_curve(&m, 0, dir, peer);
    CHECK_CLOSE(curve.gamma, gamma, 0);
    CHECK_CLOSE(curve.rate_bytes_per_s, rate_bytes_per_s, 1e-15);
}

static void a_curve_is_a_power_and_a_rate_as_simgrid_writes_it(void)
{
    static const struct {
        const char *value;
        double gamma, rate_bytes_per_s;
    } values[] = {{"0.9@11MBps", 0.9, 11e6}, {"2@8kbps", 2, 1000},         {"1.5e0@2GBps", 1.5, 2e9},
                  {"100@1Bps", 100, 1},      {"0.5@1MiBps", 0.5, 1048576}, {"0.5@2.5e6", 0.5, 2.5e6},
                  {"1@11MBps", 0, 0}}; /* the line */
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        make();
        host_ok("ir_recv_curve", values[i].value);
        check_curve(DIR_RECV, 1, values[i].gamma, values[i].rate_bytes_per_s);
        check_curve(DIR_SEND, 1, 0, 0);
        CHECK_INT(m.properties, 0); /* it costs nothing without a rate of interference */
        machine_clear(&m);
    }
}

static void the_curve_of_a_peer_counts_before_that_of_all(void)
{
    struct err e = {0};
    make();
    host_ok("ir_send_curve.Lab3", "1@3MBps");
    host_ok("ir_send_curve", "2@2MBps");
    host_ok("ir_recv_curve.SB0", "0.5@5MBps");
    check_curve(DIR_SEND, 1, 0, 0);
    check_curve(DIR_SEND, 2, 2, 2e6);
    check_curve(DIR_RECV, 1, 0, 0);
    check_curve(DIR_RECV, 2, 0.5, 5e6);
    CHECK(!machine_ir_is_curved(&m, 0, DIR_SEND, 2));
    host_ok("ir_send_duplex.SB0", "0.1");
    host_ok("ir_send.Lab3", "0.1");
    CHECK(machine_ir_is_curved(&m, 0, DIR_SEND, 2));
    CHECK(!machine_ir_is_curved(&m, 0, DIR_SEND, 1));
    CHECK(!machine_ir_is_curved(&m, 0, DIR_RECV, 2));
    /* a rate for all hosts is a line */
    CHECK_OK(machine_override(&m, &(struct machine_values){.ir_send = "0.5"}, &e), e);
    check_curve(DIR_SEND, 2, 0, 0);
    check_curve(DIR_RECV, 2, 0.5, 5e6);
    machine_clear(&m);
}

static void curve_refused(const char *words, size_t n, const char *const values[])
{
    for (size_t i = 0; i < n; i++) {
        char *message = mem_format("property ir_send_curve is '%s'%s", values[i], words);
        refused(false, "ir_send_curve", values[i], message);
        free(message);
    }
    CHECK(!m.hosts[0].ir_curve[DIR_SEND].gamma.is_given);
}
#define CURVE_REFUSED(words, ...)                                                                                      \
    curve_refused(words, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),                                  \
                  (const char *const[]){__VA_ARGS__})

static void what_is_not_a_curve_is_refused(void)
{
    make();
    CURVE_REFUSED("; it must be GAMMA@RATE, such as 0.9@11MBps", "0.9", "", "nan", "0.9:11MBps");
    CURVE_REFUSED("; what is before the @ must be a number above 0 and at most 100", "-1@10MBps", "@1", "@", "0@1MBps",
                  "nan@1MBps", "inf@1MBps", "x@1MBps", "101@1MBps", "1 2@1MBps");
    CURVE_REFUSED("; what is after the @ must be a rate of at least 1e-06 B/s, such as 11MBps", "0.9@", "2@0",
                  "2@-1MBps", "2@nan", "2@infMBps", "2@MBps", "2@1e-9");
    CURVE_REFUSED(", whose rate has an unknown unit; known: Bps, kBps, MBps, GBps ..., KiBps, MiBps, GiBps ..., and "
                  "with a small b for bits: bps, kbps, Kibps ...",
                  "2@11MB", "2@11 MBps", "2@1MBps@1MBps");
    refused(false, "ir_recv_curve.Lab3", "2",
            "property ir_recv_curve.Lab3 is '2'; it must be GAMMA@RATE, such as "
            "0.9@11MBps");
    CHECK_INT(m.hosts[0].ir_curve[DIR_RECV].gamma.n_peers, 0);
    refused(false, "ir_send_curve.nobody", "2@1MBps",
            "property ir_send_curve.nobody: there is no host 'nobody' among the 3 hosts of the platform");
    struct err e = {0};
    CHECK_INT(machine_set_host_property(&m, 0, "ir_send_curv", "2@1MBps", &e), ERR_INPUT);
    CHECK_CONTAINS(e.text, "did you mean 'ir_send_curve'?");
    machine_clear(&m);
}

static void a_host_with_any_cost_of_transfers_has_one(void)
{
    static const struct {
        const char *id, *value;
        bool costs;
    } cases[] = {{"ir_send", "0", false},
                 {"ir_send", "0.1", true},
                 {"ir_recv.SB0", "0.1", true},
                 {"ir_recv_duplex", "0.1", true},
                 {"ir_send_duplex.SB0", "0.1", true},
                 {"ir_constant_recv", "0.9", true},
                 {"ir_constant_send_duplex.SB0", "0.9", true},
                 {"ir_constant_send", "1", false},
                 {"ir_constant_recv_duplex", "1.02", false},
                 {"ir_floor", "0.5", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        make();
        CHECK(!machine_host_has_ir(&m, 0));
        host_ok(cases[i].id, cases[i].value);
        CHECK_INT(machine_host_has_ir(&m, 0), cases[i].costs);
        CHECK(!machine_host_has_ir(&m, 1));
        machine_clear(&m);
    }
}

static void a_peer_s_rate_wins_over_the_general_one(void)
{
    make();
    host_ok("ir_send", "0.03");
    host_ok("ir_send.SB0", "0.01");
    host_ok("ir_send.Lab0", "0.09");
    host_ok("ir_send.Lab3", "0.02");
    host_ok("ir_send.Lab3", "0.04"); /* the last one counts */
    CHECK_CLOSE(machine_ir_s_per_byte(&m, 0, REGIME_ONE_WAY, DIR_SEND, 2), 0.01 / 1e6, 0);
    CHECK_CLOSE(machine_ir_s_per_byte(&m, 0, REGIME_ONE_WAY, DIR_SEND, 1), 0.04 / 1e6, 0);
    CHECK_CLOSE(machine_ir_s_per_byte(&m, 0, REGIME_ONE_WAY, DIR_SEND, 0), 0.09 / 1e6, 0);
    CHECK_CLOSE(machine_ir_s_per_byte(&m, 0, REGIME_ONE_WAY, DIR_RECV, 1), 0, 0);
    const struct peer_values *sends = &m.hosts[0].ir_s_per_byte[REGIME_ONE_WAY][DIR_SEND];
    CHECK_INT(sends->n_peers, 3);
    for (size_t i = 1; i < 3; i++)
        CHECK(sends->peers[i - 1].peer < sends->peers[i].peer);
    host_ok("ir_recv.Lab3", "0.07");
    CHECK_CLOSE(machine_ir_s_per_byte(&m, 0, REGIME_ONE_WAY, DIR_RECV, 1), 0.07 / 1e6, 0);
    machine_clear(&m);
}

static void values_are_numbers_in_range(void)
{
    make();
    refused(false, "ir_send", "0,03", "property ir_send is '0,03', which is not a finite number");
    refused(false, "ir_send", "", "property ir_send is '', which is not a finite number");
    refused(false, "ir_send", "nan", "property ir_send is 'nan', which is not a finite number");
    refused(false, "ir_recv", "1e999", "property ir_recv is '1e999', which is not a finite number");
    refused(false, "overhead_send", "1ms", "property overhead_send is '1ms', which is not a finite number");
    refused(false, "ir_send", "2e6", "property ir_send is 2e6; it must be between 0 and 1e+06");
    refused(false, "overhead_send", "1e308", "property overhead_send is 1e308; it must be between 0 and 1e+12 s");
    refused(true, "overhead_recv", "2e12", "property overhead_recv is 2e12; it must be between 0 and 1e+12 s");
    refused(false, "ir_recv", "-0.1", "property ir_recv is -0.1; it must not be negative");
    refused(false, "ir_send.Lab3", "-1", "property ir_send.Lab3 is -1; it must not be negative");
    refused(false, "ir_floor", "1.5", "property ir_floor is 1.5; it must be between 0 and 1");
    refused(true, "involvement_send", "2", "property involvement_send is 2; it must be between 0 and 1");
    refused(false, "ir_recv_duplex", "-1", "property ir_recv_duplex is -1; it must not be negative");
    refused(false, "ir_send_duplex.Lab3", "x", "property ir_send_duplex.Lab3 is 'x', which is not a finite number");
    refused(false, "ir_constant_send", "97", "property ir_constant_send is 97; it must be between 0 and 2");
    refused(false, "ir_constant_recv.SB0", "-0.5", "property ir_constant_recv.SB0 is -0.5; it must not be negative");
    refused(false, "ir_constant_recv", "0:1", "property ir_constant_recv is '0:1', which is not a finite number");
    for (enum regime regime = 0; regime < N_REGIMES; regime++)
        for (enum direction dir = 0; dir < N_DIRECTIONS; dir++) {
            CHECK(!m.hosts[0].ir_s_per_byte[regime][dir].is_given);
            CHECK_INT(m.hosts[0].ir_s_per_byte[regime][dir].n_peers, 0);
            CHECK(!m.hosts[0].ir_constant_ratio[regime][dir].is_given);
        }
    CHECK_INT(m.properties, 0);
    machine_clear(&m);
}

static void steps_are_refused_with_the_step_and_what_to_do(void)
{
    make();
    refused(false, "overhead_send", "0:1",
            "property overhead_send: step 1, '0:1', has 2 numbers; a step is MIN_BYTES:CONSTANT:PER_BYTE");
    refused(false, "overhead_recv", "0:1:0;10:1:0:1",
            "property overhead_recv: step 2, '10:1:0:1', has 4 numbers; a step is MIN_BYTES:CONSTANT:PER_BYTE");
    refused(false, "involvement_send", "0:1:0",
            "property involvement_send: step 1, '0:1:0', has 3 numbers; a step is MIN_BYTES:FRACTION");
    refused(true, "involvement_recv", "0:0.5;7",
            "property involvement_recv: step 2, '7', has 1 number; a step is MIN_BYTES:FRACTION");
    refused(false, "overhead_send", "0:1:0;;9:1:0",
            "property overhead_send: step 2 is empty; steps are MIN_BYTES:CONSTANT:PER_BYTE, with one ';' between two");
    refused(false, "overhead_send", ";",
            "property overhead_send: step 1 is empty; steps are MIN_BYTES:CONSTANT:PER_BYTE, with one ';' between two");
    refused(true, "overhead_send", "0:1ms:0",
            "property overhead_send: step 1, '0:1ms:0': '1ms' is not a finite number");
    refused(true, "overhead_send", "0::0", "property overhead_send: step 1, '0::0': '' is not a finite number");
    refused(true, "overhead_recv", "0:1:-1e-9",
            "property overhead_recv: step 1, '0:1:-1e-9': -1e-9 is negative; sizes and costs are at least 0");
    refused(true, "overhead_recv", "-1:1:0",
            "property overhead_recv: step 1, '-1:1:0': -1 is negative; sizes and costs are at least 0");
    refused(true, "involvement_send", "0:0.5;8:1.5",
            "property involvement_send: step 2, '8:1.5': 1.5 is too large; it must be between 0 and 1");
    refused(false, "overhead_send", "10:1:0;5:1:0",
            "property overhead_send: step 2, '5:1:0', does not begin above the 10 bytes of the previous step; sort the "
            "steps by MIN_BYTES, each given once");
    refused(
        false, "overhead_send", "10:1:0;10:1:0",
        "property overhead_send: step 2, '10:1:0', does not begin above the 10 bytes of the previous step; sort the "
        "steps by MIN_BYTES, each given once");
    refused(false, "ir_send", "0:1", "property ir_send is '0:1', which is not a finite number");
    refused(false, "ir_floor", "0:1", "property ir_floor is '0:1', which is not a finite number");
    CHECK(!m.hosts[0].overhead_s[DIR_SEND].is_given && !m.links[0].involvement_ratio[DIR_SEND].is_given);
    machine_clear(&m);
}

/* The default of smpi/os in SimGrid's own calibrations is of this kind. */
static void steps_of_smpi_are_read_as_they_are(void)
{
    make();
    host_ok("overhead_send",
            "0:8.93009e-06:7.654382e-10;1420:1.396843e-05:2.974094e-10;32768:1.540828e-05:2.441040e-10;"
            "65536:0.000238:0;327680:0:0;");
    CHECK_INT(m.hosts[0].overhead_s[DIR_SEND].n, 5);
    CHECK_CLOSE(machine_overhead_s(&m, 0, DIR_SEND, -1, 1420), 8.93009e-06 + 7.654382e-10 * 1420, 1e-20);
    CHECK_CLOSE(machine_overhead_s(&m, 0, DIR_SEND, -1, 1421), 1.396843e-05 + 2.974094e-10 * 1421, 1e-20);
    CHECK_CLOSE(machine_overhead_s(&m, 0, DIR_SEND, -1, 65537), 0.000238, 0);
    CHECK_CLOSE(machine_overhead_s(&m, 0, DIR_SEND, -1, 1e9), 0, 0);
    host_ok("overhead_send", "2"); /* the last one counts */
    CHECK_INT(m.hosts[0].overhead_s[DIR_SEND].n, 0);
    CHECK_CLOSE(machine_overhead_s(&m, 0, DIR_SEND, -1, 1420), 2, 0);
    machine_clear(&m);
}

static void values_for_all_hosts_may_be_steps(void)
{
    struct err e = {0};
    make();
    m.links[0].bandwidth_bytes_per_s = 4;
    CHECK_OK(machine_set_link_property(&m, 0, "overhead_send", "7", &e), e);
    CHECK_OK(machine_set_link_property(&m, 0, "involvement_send", "0:0.5;8:1", &e), e);
    CHECK_CLOSE(machine_overhead_s(&m, 1, DIR_SEND, 0, 9), 7, 0);
    CHECK_CLOSE(machine_overhead_s(&m, 1, DIR_SEND, -1, 9), 0, 0);
    CHECK_OK(machine_override(&m, &(struct machine_values){.overhead = "0:1:0;8:2:0.5"}, &e), e);
    for (enum direction dir = 0; dir < N_DIRECTIONS; dir++) {
        CHECK_CLOSE(machine_overhead_s(&m, 2, dir, 0, 8), 1, 0);
        CHECK_CLOSE(machine_overhead_s(&m, 2, dir, 0, 10), 7, 0);
    }
    CHECK_CLOSE(machine_involvement_s(&m, 0, DIR_SEND, 0, 8), 1, 0);
    CHECK_OK(machine_override(&m, &(struct machine_values){.involvement = "0:0.25;8:0.75"}, &e), e);
    CHECK_CLOSE(machine_involvement_s(&m, 0, DIR_SEND, 0, 8), 0.5, 0);
    CHECK_CLOSE(machine_involvement_s(&m, 0, DIR_RECV, 0, 16), 3, 0);
    machine_clear(&m);
}

static void misspelt_names_are_refused_with_what_is_known(void)
{
    static const char known[] =
        "; known: ir_send, ir_recv, ir_send_duplex, ir_recv_duplex, ir_constant_send, ir_constant_recv, "
        "ir_constant_send_duplex, ir_constant_recv_duplex, ir_send_curve, ir_recv_curve, ir_floor, overhead_send, "
        "overhead_recv, involvement_send, "
        "involvement_recv, logp_L, logp_o, logp_g, logp_G, logp_M";
    static const char peer[] = " (all ir_ properties but ir_floor can be given for one peer: ir_send.PEER)";
    static const struct {
        const char *name, *peer, *hint;
    } wrong[] = {
        {"ir_sent", "", "; did you mean 'ir_send'?"},
        {"IR_send", "", "; did you mean 'ir_send'?"},
        {"overhead_sends", "", "; did you mean 'overhead_send'?"},
        {"ir_duplex_send", "", known},
        {"ir_floor.Lab3", peer, known},
        {"ir_sen.Lab3", peer, known},
        {"overhead_send.Lab3", peer, "; did you mean 'overhead_send'?"},
    };
    make();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char *message = mem_format("unknown property '%s' of a host%s%s", wrong[i].name, wrong[i].peer, wrong[i].hint);
        refused(false, wrong[i].name, "0", message);
        free(message);
    }
    refused(true, "ir_send", "0",
            "unknown property 'ir_send' of a link; known: overhead_send, overhead_recv, involvement_send, "
            "involvement_recv");
    machine_clear(&m);
}

static void a_peer_must_be_a_host(void)
{
    make();
    refused(false, "ir_send.Lab33", "0.1",
            "property ir_send.Lab33: there is no host 'Lab33' among the 3 hosts of the platform; did you mean 'Lab3'?");
    refused(false, "ir_recv.Timbuktu", "0.1",
            "property ir_recv.Timbuktu: there is no host 'Timbuktu' among the 3 hosts of the platform");
    refused(false, "ir_send_duplex.lab3", "0.1",
            "property ir_send_duplex.lab3: there is no host 'lab3' among the 3 hosts of the platform; did you mean "
            "'Lab3'?");
    refused(false, "ir_constant_recv_duplex.SB1", "1",
            "property ir_constant_recv_duplex.SB1: there is no host 'SB1' among the 3 hosts of the platform; did you "
            "mean 'SB0'?");
    refused(false, "ir_recv.", "0.1", "property ir_recv.: there is no host '' among the 3 hosts of the platform");
    machine_clear(&m);
}

static void properties_of_others_are_ignored(void)
{
    make();
    host_ok("wattage_per_state", "95.0:120.0:200.0");
    host_ok("iris", "x");
    host_ok("irc", "x");
    struct err e = {0};
    CHECK_OK(machine_set_link_property(&m, 0, "wattage_range", "100:200", &e), e);
    machine_clear(&m);
}

static void values_for_all_hosts_replace_all_that_the_platform_says(void)
{
    struct err e = {0};
    make();
    host_ok("ir_send", "0.03");
    host_ok("ir_send.SB0", "0.07");
    host_ok("ir_send_duplex", "0.01");
    host_ok("ir_send_duplex.SB0", "0.02");
    host_ok("ir_constant_send", "0.9");
    host_ok("ir_constant_send_duplex.SB0", "0.8");
    host_ok("ir_recv.Lab3", "0.09");
    host_ok("ir_recv_duplex.Lab3", "0.08");
    host_ok("ir_constant_recv", "0.7");
    host_ok("involvement_send", "0.25");
    CHECK_OK(machine_set_link_property(&m, 0, "involvement_recv", "0.75", &e), e);
    CHECK_OK(machine_override(&m, &(struct machine_values){.ir_send = "0.5", .overhead = "2"}, &e), e);
    for (host_id h = 0; h < 3; h++) {
        for (enum regime regime = 0; regime < N_REGIMES; regime++) {
            CHECK_CLOSE(machine_ir_s_per_byte(&m, h, regime, DIR_SEND, 2), 0.5e-6, 0);
            CHECK_CLOSE(machine_ir_constant_ratio(&m, h, regime, DIR_SEND, 2), 1, 0);
        }
        CHECK_CLOSE(machine_overhead_s(&m, h, DIR_SEND, -1, 1), 2, 0);
        CHECK_CLOSE(machine_overhead_s(&m, h, DIR_RECV, -1, 1), 2, 0);
    }
    /* not given: as the platform says */
    CHECK_CLOSE(machine_ir_s_per_byte(&m, 0, REGIME_ONE_WAY, DIR_RECV, 1), 0.09e-6, 0);
    CHECK_CLOSE(machine_ir_s_per_byte(&m, 0, REGIME_DUPLEX, DIR_RECV, 1), 0.08e-6, 0);
    CHECK_CLOSE(machine_ir_constant_ratio(&m, 0, REGIME_ONE_WAY, DIR_RECV, 1), 0.7, 0);
    CHECK_CLOSE(m.links[0].involvement_ratio[DIR_RECV].number, 0.75, 0);
    CHECK_OK(machine_override(&m, &(struct machine_values){.ir_recv = "0", .involvement = "0.5"}, &e), e);
    m.links[0].bandwidth_bytes_per_s = 4;
    CHECK_CLOSE(machine_ir_s_per_byte(&m, 0, REGIME_DUPLEX, DIR_RECV, 1), 0, 0);
    CHECK_CLOSE(machine_ir_constant_ratio(&m, 0, REGIME_DUPLEX, DIR_RECV, 1), 1, 0);
    for (enum direction dir = 0; dir < N_DIRECTIONS; dir++)
        CHECK_CLOSE(machine_involvement_s(&m, 1, dir, 0, 8), 1, 0);
    CHECK_INT(machine_override(&m, &(struct machine_values){.involvement = "1.5"}, &e), ERR_INPUT);
    CHECK_TEXT(e.text, "involvement is 1.5; it must be between 0 and 1");
    machine_clear(&m);
}

static void the_machine_knows_which_properties_it_has(void)
{
    struct err e = {0};
    make();
    m.source = mem_strdup("p.xml");
    host_ok("ir_floor", "0.5"); /* takes nothing by itself */
    char *warning = machine_missing_properties(&m, PROPERTIES_INTERFERENCE, "world", "w");
    CHECK_TEXT(warning, "p.xml: no host or link has a property that world w reads (ir_send, ir_recv), so communication "
                        "costs the processors nothing; set it for all hosts with --ir-send, --ir-recv");
    free(warning);
    CHECK(machine_missing_properties(&m, 0, "world", "none") == NULL);
    host_ok("ir_recv.SB0", "0");
    CHECK_INT(m.properties, PROPERTIES_INTERFERENCE);
    CHECK_OK(machine_set_link_property(&m, 0, "involvement_recv", "0.75", &e), e);
    CHECK_INT(m.properties, PROPERTIES_INTERFERENCE | PROPERTIES_INVOLVEMENT);
    CHECK(machine_missing_properties(&m, PROPERTIES_OVERHEAD | PROPERTIES_INVOLVEMENT, "world", "w") == NULL);
    CHECK_OK(machine_override(&m, &(struct machine_values){.overhead = "0"}, &e), e);
    CHECK_INT(m.properties, PROPERTIES_INTERFERENCE | PROPERTIES_INVOLVEMENT | PROPERTIES_OVERHEAD);
    machine_clear(&m);
}

static const struct test tests[] = {
    {"rates are kept per byte/s", rates_are_kept_per_byte_per_s},
    {"other properties go where they belong", other_properties_go_where_they_belong},
    {"the more special of any given forms counts", the_more_special_of_any_given_forms_counts},
    {"a curve is a power and a rate as SimGrid writes it", a_curve_is_a_power_and_a_rate_as_simgrid_writes_it},
    {"the curve of a peer counts before that of all", the_curve_of_a_peer_counts_before_that_of_all},
    {"what is not a curve is refused", what_is_not_a_curve_is_refused},
    {"a host with any cost of transfers has one", a_host_with_any_cost_of_transfers_has_one},
    {"a peer's rate wins over the general one", a_peer_s_rate_wins_over_the_general_one},
    {"values are numbers in range", values_are_numbers_in_range},
    {"steps_are_refused_with_the_step_and_what_to_do", steps_are_refused_with_the_step_and_what_to_do},
    {"steps_of_smpi_are_read_as_they_are", steps_of_smpi_are_read_as_they_are},
    {"values_for_all_hosts_may_be_steps", values_for_all_hosts_may_be_steps},
    {"misspelt names are refused with what is known", misspelt_names_are_refused_with_what_is_known},
    {"a peer must be a host", a_peer_must_be_a_host},
    {"properties of others are ignored", properties_of_others_are_ignored},
    {"values_for_all_hosts_replace_all_that_the_platform_says",
     values_for_all_hosts_replace_all_that_the_platform_says},
    {"the_machine_knows_which_properties_it_has", the_machine_knows_which_properties_it_has},
};

TEST_MAIN(tests)
