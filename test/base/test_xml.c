/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"
#include "base/text.h"
#include "base/xml.h"
#include "check.h"

#include <stdlib.h>

static xmlDocPtr read_ok(const char *xml)
{
    xmlDocPtr doc;
    struct err e = {0};
    CHECK_OK(xml_read(xml, strlen(xml), "x.xml", &doc, &e), e);
    return doc;
}

static void read_fails(const char *xml, int line, const char *message)
{
    xmlDocPtr doc;
    struct err e = {0};
    CHECK_INT(xml_read(xml, strlen(xml), "x.xml", &doc, &e), ERR_PARSE);
    CHECK(doc == NULL);
    CHECK_INT(e.line, line);
    CHECK_TEXT(e.source, "x.xml");
    CHECK_CONTAINS(e.text, message);
}

static void attributes_are_what_they_mean(void)
{
    xmlDocPtr doc = read_ok("<a one='&lt;&#65;&amp;' two=''/>");
    const xmlNode *a = xmlDocGetRootElement(doc);
    CHECK_TEXT(xml_attribute(a, "one"), "<A&");
    CHECK_TEXT(xml_attribute(a, "two"), "");
    CHECK(xml_attribute(a, "three") == NULL);
    CHECK(xml_is(a, "a") && !xml_is(a, "b"));
    xmlFreeDoc(doc);
}

static void elements_are_walked_in_document_order(void)
{
    xmlDocPtr doc = read_ok("<r>text<a><b/><!-- no --><c><d/></c></a>\n<?no no?><e/></r>");
    const xmlNode *root = xmlDocGetRootElement(doc);
    struct text names = {0};
    for (const xmlNode *n = root; n != NULL; n = xml_following(root, n))
        text_addf(&names, "%s", xml_name(n));
    CHECK_TEXT(text_str(&names), "rabcde");
    const xmlNode *a = xml_first(root);
    CHECK_TEXT(xml_name(xml_next(a)), "e");
    CHECK(xml_next(xml_next(a)) == NULL && xml_first(xml_first(a)) == NULL);
    names.size = 0;
    for (const xmlNode *n = a; n != NULL; n = xml_following(a, n))
        text_addf(&names, "%s", xml_name(n));
    CHECK_TEXT(text_str(&names), "abcd"); /* not beyond the subtree */
    text_clear(&names);
    xmlFreeDoc(doc);
}

static void a_mistake_has_its_line(void)
{
    read_fails("<a>\n\n<b></a>", 3, "not well-formed XML: ");
    read_fails("", 1, "not well-formed XML: ");
    read_fails("no xml", 1, "not well-formed XML: ");
    read_fails("<a/>\n<b/>", 2, "not well-formed XML: ");
}

static void entities_are_not_read(void)
{
    read_fails("<!DOCTYPE a [<!ENTITY q 'x'>]>\n<a>\n<b c='&q;'/></a>", 3, "unknown entity '&q;'");
    read_fails("<!DOCTYPE a [<!ENTITY q 'x'>]>\n<a>\n&q;</a>", 2, "unknown entity '&q;'");
}

static void a_billion_laughs_end_soon(void)
{
    struct text t = {0};
    text_addf(&t, "<!DOCTYPE a [<!ENTITY e0 'ha'>\n");
    for (int i = 1; i < 30; i++)
        text_addf(&t, "<!ENTITY e%d '&e%d;&e%d;&e%d;'>\n", i, i - 1, i - 1, i - 1);
    text_addf(&t, "]>\n<a b='&e29;'/>");
    xmlDocPtr doc;
    struct err e = {0};
    CHECK_INT(xml_read(text_str(&t), t.size, "x.xml", &doc, &e), ERR_PARSE);
    text_clear(&t);
}

static void depth_is_limited(void)
{
    struct text t = {0};
    for (int i = 0; i < 100000; i++)
        text_addf(&t, "<a>");
    xmlDocPtr doc;
    struct err e = {0};
    CHECK_INT(xml_read(text_str(&t), t.size, "x.xml", &doc, &e), ERR_PARSE);
    text_clear(&t);
}

static void no_file_and_no_network_is_asked_for(void)
{
    xmlFreeDoc(read_ok("<!DOCTYPE a SYSTEM 'https://127.0.0.1:1/none.dtd'>\n<a/>"));
    xmlFreeDoc(read_ok("<!DOCTYPE a SYSTEM 'file:///etc/passwd'>\n<a/>"));
}

static enum err_code attributes(const char *xml, struct err *e)
{
    static const char *const known[] = {"id", "value", NULL};
    static const char *const required[] = {"id", NULL};
    xmlDocPtr doc = read_ok(xml);
    enum err_code code = xml_check_attributes(xmlDocGetRootElement(doc), "x.xml", known, required, e);
    xmlFreeDoc(doc);
    return code;
}

static void unknown_and_missing_attributes_are_told(void)
{
    struct err e = {0};
    CHECK_OK(attributes("<p id='1'/>", &e), e);
    CHECK_OK(attributes("<p value='2' id='1'/>", &e), e);
    CHECK_INT(attributes("\n<p id='1' valeu='2'/>", &e), ERR_INPUT);
    CHECK_TEXT(e.text, "<p> has no attribute 'valeu'; known: id, value; did you mean 'value'?");
    CHECK_INT(e.line, 2);
    e = (struct err){0};
    CHECK_INT(attributes("<p value='2'/>", &e), ERR_INPUT);
    CHECK_TEXT(e.text, "<p> lacks the attribute 'id'");
}

static void files_are_read(void)
{
    xmlDocPtr doc;
    struct err e = {0};
    CHECK_OK(xml_read_file(PROJECT_DIR "/platforms/star-8.xml", &doc, &e), e);
    CHECK(doc != NULL && xml_is(xmlDocGetRootElement(doc), "platform"));
    xmlFreeDoc(doc);
    CHECK_INT(xml_read_file(PROJECT_DIR "/platforms/none.xml", &doc, &e), ERR_IO);
    CHECK(doc == NULL);
}

/* libxml2 has 16 bits for them; with many elements between two texts it guesses. */
static void lines_beyond_65535_are_exact(void)
{
    enum { N_BLANK = 70000, N_ELEMENTS = 100 };
    struct text t = {0};
    text_addf(&t, "<r>");
    for (int i = 0; i < N_BLANK; i++)
        text_addf(&t, "\n");
    text_addf(&t, "<a><b/><c><d/>\n</c><e/></a>\n\n<f/>\n          <g/>");
    for (int i = 0; i < N_ELEMENTS; i++)
        text_addf(&t, "<h\n/>");
    text_addf(&t, "</r>");
    xmlDocPtr doc = read_ok(text_str(&t));
    const xmlNode *root = xmlDocGetRootElement(doc);
    const struct {
        const char *name;
        int line;
    } want[] = {{"r", 1},     {"a", 70001}, {"b", 70001}, {"c", 70001},
                {"d", 70001}, {"e", 70002}, {"f", 70004}, {"g", 70005}};
    size_t i = 0;
    for (const xmlNode *n = root; n != NULL; n = xml_following(root, n), i++) {
        CHECK_TEXT(xml_name(n), i < 8 ? want[i].name : "h");
        CHECK_INT(xml_line(n), i < 8 ? want[i].line : 70005 + (int)i - 7);
    }
    CHECK_INT(i, 8 + N_ELEMENTS);
    text_clear(&t);
    xmlFreeDoc(doc);
}

/* ---- child by child ---- */

struct seen {
    struct text names;  /* of what was taken, with lines and children */
    const char *refuse; /* an element */
};

static enum err_code see(void *self, const xmlNode *element, struct err *e)
{
    struct seen *s = self;
    text_addf(&s->names, "%s%s:%d", xml_is_root(element) ? "/" : " ", xml_name(element), xml_line(element));
    for (const xmlNode *child = xml_first(element); child != NULL; child = xml_next(child))
        text_addf(&s->names, ".%s:%d", xml_name(child), xml_line(child));
    return s->refuse != NULL && xml_is(element, s->refuse) ? xml_refuse(e, "x.xml", element, "refused") : ERR_NONE;
}

static void check_visit(const char *xml, const char *refuse, const char *seen, const char *message)
{
    struct seen s = {.refuse = refuse};
    struct err e = {0};
    char got[2048];
    enum err_code code = xml_visit(xml, strlen(xml), "x.xml", see, &s, &e);
    CHECK_INT(code, e.code);
    CHECK_TEXT(text_str(&s.names), seen);
    CHECK_CONTAINS(code == ERR_NONE ? "fine" : err_describe(&e, got, sizeof got), message);
    text_clear(&s.names);
}

static void children_of_the_root_are_taken_one_by_one(void)
{
    check_visit("<r x='1'>text<a>\n<b/><!-- no --><c><d/></c></a>\n<?no no?><e/> more</r>", NULL,
                "/r:1 a:1.b:2.c:2 e:3", "fine");
    check_visit("<r/>", NULL, "/r:1", "fine");
    check_visit("<r xmlns='u' xmlns:p='v'><p:a p:b='c'/></r>", NULL, "/r:1 a:1", "fine");
}

static void a_refusal_has_its_line_and_ends_the_taking(void)
{
    check_visit("<r>\n<a/>\n<b/>\n<c/></r>", "b", "/r:1 a:2 b:3", "x.xml:3: refused");
    check_visit("<r>\n<a/></r>", "r", "/r:1", "x.xml:1: refused");
}

static void what_is_not_well_formed_comes_before_a_refusal(void)
{
    check_visit("<r>\n<a/>\n<b/>\n<c>", "b", "/r:1 a:2 b:3", "x.xml:4: not well-formed XML");
    check_visit("", NULL, "", "x.xml:1: not well-formed XML");
    check_visit("<r/><r/>", NULL, "/r:1", "x.xml:1: not well-formed XML");
}

static void entities_are_not_read_there_either(void)
{
#define DTD "<!DOCTYPE r [<!ENTITY q 'x'><!ENTITY t '<a><b/></a>'>]>\n"
    check_visit(DTD "<r>\n<a/><b c='&q;'/></r>", "a", "/r:2 a:3", "x.xml:3: unknown entity '&q;'");
    check_visit(DTD "<r>\n&q;</r>", NULL, "/r:2", "x.xml:2: unknown entity '&q;'");
    check_visit(DTD "<r>\n&t;\n<c/></r>", NULL, "/r:2 c:4", "x.xml:2: unknown entity '&t;'");
    check_visit(DTD "<r y='&q;'>\n</r>", NULL, "/r:2", "x.xml:2: unknown entity '&q;'");
#undef DTD
}

static const struct test tests[] = {
    {"attributes are what they mean", attributes_are_what_they_mean},
    {"elements are walked in document order", elements_are_walked_in_document_order},
    {"a mistake has its line", a_mistake_has_its_line},
    {"lines beyond 65535 are exact", lines_beyond_65535_are_exact},
    {"children of the root are taken one by one", children_of_the_root_are_taken_one_by_one},
    {"a refusal has its line and ends the taking", a_refusal_has_its_line_and_ends_the_taking},
    {"what is not well-formed comes before a refusal", what_is_not_well_formed_comes_before_a_refusal},
    {"entities are not read there either", entities_are_not_read_there_either},
    {"entities are not read", entities_are_not_read},
    {"a billion laughs end soon", a_billion_laughs_end_soon},
    {"depth is limited", depth_is_limited},
    {"no file and no network is asked for", no_file_and_no_network_is_asked_for},
    {"unknown and missing attributes are told", unknown_and_missing_attributes_are_told},
    {"files are read", files_are_read},
};

TEST_MAIN(tests)
