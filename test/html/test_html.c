/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The file of a page, as a browser would take it apart: its policy allows what it contains and nothing else, and
   whatever the data say stays data. */
#include "html/html.h"

#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "html/html_pack.h"

#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static const char folder[] = "test-html", path[] = "test-html/page.html"; /* where tests run */

static char *written(json_t *data, const char *title)
{
    struct html_page *page = html_page_create(title);
    struct err e = {0};
    struct text t = {0};
    mkdir(folder, 0777);
    html_page_add(page, "document", title, data);
    CHECK_OK(html_page_write(page, path, &e), e);
    html_page_free(page);
    CHECK_OK(text_read_file(&t, path, 1 << 24, &e), e);
    return text_take(&t);
}

static size_t count(const char *in, const char *what)
{
    size_t n = 0;
    for (const char *at = in; (at = strstr(at, what)) != NULL; at++)
        n++;
    return n;
}

/* The JSON between the tags of the first data block. */
static char *data_of(const char *page, const char *tag)
{
    const char *from = strstr(page, tag), *to = from != NULL ? strstr(from, "</script>") : NULL;
    CHECK(to != NULL);
    if (to == NULL)
        return mem_strdup("");
    from += strlen(tag);
    char *json = mem_zalloc((size_t)(to - from) + 1, 1);
    memcpy(json, from, (size_t)(to - from));
    return json;
}

static const char plain_tag[] = "<script type=\"application/json\">";

static void names_cannot_become_markup(void)
{
    static const char *const names[] = {
        "</script><img src=x onerror=alert(1)>", "<!--", "]]>", "\xe2\x80\xa8\xe2\x80\xa9", "a&amp;b\"'", "\xff\xfe"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *without = written(json_object(), "x");
        json_t *name = json_string(names[i]);
        char *page = written(json_pack("{s:o}", "name", name != NULL ? name : json_string("no UTF-8")), names[i]);
        char *json = data_of(page, plain_tag);
        CHECK_INT(count(page, "<script"), count(without, "<script"));
        CHECK_INT(count(page, "<!--"), count(without, "<!--"));
        CHECK_INT(count(page, "<img"), 0);
        CHECK_INT(strcspn(json, "<>&\x80\xe2\xff"), strlen(json));
        json_t *read = json_loads(json, 0, NULL);
        CHECK(read != NULL);
        if (name != NULL)
            CHECK_TEXT(json_string_value(json_object_get(json_object_get(read, "data"), "name")), names[i]);
        json_decref(read);
        free(json);
        free(page);
        free(without);
    }
}

/* base64 and SHA-256 of another source: openssl. */
static void hashes_match_known_values(void)
{
    struct text t = {0};
    html_add_hash(&t, "abc", &"abc"[3]);
    CHECK_TEXT(text_str(&t), "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
    text_clear(&t);
    static const char *const rfc4648[][2] = {{"", ""},
                                             {"f", "Zg=="},
                                             {"fo", "Zm8="},
                                             {"foo", "Zm9v"},
                                             {"foob", "Zm9vYg=="},
                                             {"fooba", "Zm9vYmE="},
                                             {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof rfc4648 / sizeof rfc4648[0]; i++) {
        html_add_base64(&t, rfc4648[i][0], strlen(rfc4648[i][0]));
        CHECK_TEXT(text_str(&t), rfc4648[i][1]);
        text_clear(&t);
    }
}

/* Every script that runs, and every style, is allowed by its hash, and there are no more hashes than these. */
static void policy_allows_exactly_the_embedded_scripts_and_styles(void)
{
    char *page = written(json_object(), "x"), *policy = data_of(page, "Content-Security-Policy\" content=\"");
    size_t n = 0;
    static const char *const tags[][2] = {{"<script>", "</script>"}, {"<style>", "</style>"}};
    policy[strcspn(policy, "\"")] = '\0';
    for (int i = 0; i < 2; i++)
        for (const char *at = page; (at = strstr(at, tags[i][0])) != NULL; n++) {
            struct text hash = {0};
            const char *from = at + strlen(tags[i][0]);
            at = strstr(from, tags[i][1]);
            html_add_hash(&hash, from, at);
            CHECK_CONTAINS(policy, text_str(&hash));
            text_clear(&hash);
        }
    CHECK_INT(n, count(policy, "sha256-"));
    CHECK(n > 5);
    CHECK_CONTAINS(policy, "default-src 'none'");
    CHECK_INT(count(policy, "unsafe") + count(policy, "data:") + count(policy, "blob:"), 0);
    CHECK_CONTAINS(page, "Redistributions in binary form"); /* d3's licence asks for it */
    free(policy);
    free(page);
}

static int digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return c == '=' ? 0 : (int)(strchr(digits, c) - digits);
}

static void large_data_are_compressed(void)
{
    json_t *list = json_array(), *data = json_pack("{s:o}", "list", list);
    for (int i = 0; i < 100000; i++)
        json_array_append_new(list, json_integer(i % 1000));
    char *page = written(json_incref(data), "x");
    char *packed = data_of(page, "<script type=\"application/json\" class=\"deflated\">");
    size_t n = strlen(packed) / 4 * 3;
    unsigned char *bytes = mem_alloc(n + 1), *plain = mem_zalloc(1 << 20, 1);
    uLongf size = (1 << 20) - 1;
    for (size_t i = 0; i < strlen(packed); i += 4) {
        int four =
            digit(packed[i]) << 18 | digit(packed[i + 1]) << 12 | digit(packed[i + 2]) << 6 | digit(packed[i + 3]);
        for (size_t k = 0; k < 3; k++)
            bytes[i / 4 * 3 + k] = (unsigned char)(four >> (16 - 8 * k));
    }
    CHECK_INT(uncompress(plain, &size, bytes, (uLong)n), Z_OK);
    json_t *read = json_loads((char *)plain, 0, NULL);
    CHECK(json_equal(json_object_get(read, "data"), data));
    json_decref(read);
    json_decref(data);
    free(bytes);
    free(plain);
    free(packed);
    free(page);
}

static void same_data_give_the_same_bytes(void)
{
    char *a = written(json_pack("{s:f, s:s}", "x", 0.1, "y", "z"), "title");
    char *b = written(json_pack("{s:f, s:s}", "x", 0.1, "y", "z"), "title");
    CHECK_TEXT(a, b);
    free(a);
    free(b);
}

static void unwritable_paths_are_rejected(void)
{
    struct err e = {0};
    char *nowhere = mem_format("%s/no/page.html", folder);
    CHECK_INT(html_check(path, &e), ERR_NONE);
    CHECK_INT(html_check(NULL, &e), ERR_NONE);
    CHECK_INT(html_check(nowhere, &e), ERR_IO);
    free(nowhere);
}

/* A page that cannot replace the old one leaves it, and nothing beside it. */
static void a_failed_write_leaves_no_partial_page(void)
{
    struct html_page *page = html_page_create("x");
    struct err e = {0};
    char *inside = mem_format("%s/page.html/below.html", folder), *before = written(json_object(), "x");
    CHECK(html_page_write(page, inside, &e) != ERR_NONE);
    struct text after = {0};
    CHECK(text_read_file(&after, path, 1 << 24, NULL) == ERR_NONE);
    CHECK_TEXT(before, text_str(&after));
    text_clear(&after);
    html_page_free(page);
    free(inside);
    free(before);
}

static void no_temporary_files_remain(void)
{
    CHECK_INT(unlink(path), 0);
    CHECK_INT(rmdir(folder), 0);
}

static const struct test tests[] = {
    {"names cannot become markup", names_cannot_become_markup},
    {"hashes match known values", hashes_match_known_values},
    {"the policy allows exactly the embedded scripts and styles",
     policy_allows_exactly_the_embedded_scripts_and_styles},
    {"large data are compressed", large_data_are_compressed},
    {"the same data give the same bytes", same_data_give_the_same_bytes},
    {"unwritable paths are rejected", unwritable_paths_are_rejected},
    {"a failed write leaves no partial page", a_failed_write_leaves_no_partial_page},
    {"no temporary files remain", no_temporary_files_remain},
};
TEST_MAIN(tests)
