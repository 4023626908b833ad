/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files that are read through a window give the same values, places, lines and errors as a text in memory. */
#include "base/json_source.h"
#include "base/mem.h"
#include "base/random.h"
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const keys[] = {"list", "other"};

/* A list of entries from a few bytes to more than a window, then a second list, and members around them. */
static struct text make_text(void)
{
    struct text t = {0};
    struct random_stream random;
    random_init(&random, 7, 0);
    text_addf(&t, "\n{ \"head\":\n \"x\", \"list\" :\n [\n");
    for (int i = 0; i < 300; i++) {
        uint64_t n_blanks = random_below(&random, 3), n_bytes = i % 120 == 30 ? 300000 : random_below(&random, 5000);
        text_addf(&t, "%s{\"n\":%d,%*s\"text\":\"%0*d\\\"[{\"}\n", i > 0 ? "," : "", i, (int)n_blanks, "", (int)n_bytes,
                  i);
    }
    text_addf(&t, "], \"number\": 2.5,\n\n\"other\":[1,\n2],\"tail\": [3]}\n");
    return t;
}

static void write_to(const char *path, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    CHECK(f != NULL && fwrite(bytes, 1, n, f) == n);
    fclose(f);
}

/* The whole content as text; ends with the error, if there is one. */
static struct text everything(struct json_source *s)
{
    struct text out = {0}, own = {0};
    struct tape_value v;
    struct err e = {0};
    char line[2048];
    enum err_code code = json_source_members(s, keys, 2, &e);
    for (size_t i = 0; i < s->n_members && code == ERR_NONE; i++)
        text_addf(&out, "%s at %zu, line %d\n", s->members[i].key, s->members[i].place,
                  i % 2 ? 0 : json_source_line(s, s->members[i].place));
    for (int i = 0; i < 2 && code == ERR_NONE && json_source_find(s, keys[i]) != NULL; i++) {
        json_source_list(s, json_source_find(s, keys[i]));
        while ((code = json_source_next(s, &v, &e)) == ERR_NONE && v.tape != NULL) {
            const char *text = tape_string(tape_member(v, "text"), &own);
            text_addf(&out, "%zu: %zu, %g, %g, %s\n", s->n_read, tape_place(v), tape_number(v),
                      tape_number(tape_member(v, "n")), text != NULL ? text : "-");
        }
    }
    if (code == ERR_NONE)
        code = json_source_value(s, json_source_find(s, "number"), &v, &e);
    if (code == ERR_NONE)
        text_addf(&out, "number: %g\n", tape_number(v));
    if (code != ERR_NONE)
        text_addf(&out, "%d: %s\n", code, err_describe(&e, line, sizeof line));
    text_clear(&own);
    json_source_clear(s);
    return out;
}

static bool comes_out_alike(const char *path, const char *bytes, size_t n, const char *ending)
{
    struct json_source file, memory;
    struct err e = {0};
    write_to(path, bytes, n);
    CHECK_OK(json_source_open(&file, path, n, &e), e);
    json_source_text(&memory, bytes, n, path);
    struct text a = everything(&file), b = everything(&memory);
    bool is_same = a.size == b.size && memcmp(text_str(&a), text_str(&b), a.size) == 0 &&
                   (ending == NULL || strstr(text_str(&a), ending) != NULL);
    if (!is_same)
        fprintf(stderr, "of %zu bytes: ...%s and ...%s\n", n, text_str(&a) + (a.size > 300 ? a.size - 300 : 0),
                text_str(&b) + (b.size > 300 ? b.size - 300 : 0));
    text_clear(&a);
    text_clear(&b);
    return is_same;
}

static char path[] = "/tmp/iasim_json_XXXXXX";

static void a_window_over_a_file_shows_what_is_in_it(void)
{
    struct text t = make_text();
    CHECK(t.size > 1000000);
    CHECK(comes_out_alike(path, t.data, t.size, "number: 2.5\n"));
    text_clear(&t);
}

/* Cut off, and with one byte changed, anywhere. */
static void mistakes_have_the_same_words_and_lines(void)
{
    struct text t = make_text();
    struct random_stream random;
    random_init(&random, 11, 0);
    for (int i = 0; i < 24; i++) {
        size_t n = random_below(&random, t.size - 3);
        char kept = t.data[n];
        CHECK(comes_out_alike(path, t.data, n, "this is not JSON"));
        t.data[n] = "\"{}[],:\\\n\x80 1"[i % 12];
        CHECK(comes_out_alike(path, t.data, t.size, NULL));
        t.data[n] = kept;
    }
    text_clear(&t);
}

static void a_mistake_is_on_its_line(void)
{
    static const char text[] = "{\n\"list\": [\n1,\n2,\n3 4]}";
    struct json_source s;
    json_source_text(&s, text, sizeof text - 1, "f");
    struct text out = everything(&s);
    CHECK_CONTAINS(text_str(&out), "f:5: this is not JSON: ',' or ']' expected");
    text_clear(&out);
    static const char again[] = "{\n\"a\": 1,\n\"list\": [],\n\"\\u0061\": 2}";
    json_source_text(&s, again, sizeof again - 1, "f");
    out = everything(&s);
    CHECK_CONTAINS(text_str(&out), "f:4: this is not JSON: duplicate object key near '\"a\"'");
    text_clear(&out);
}

static void a_file_that_is_too_large_or_no_file_is_refused(void)
{
    struct json_source s;
    struct err e = {0};
    write_to(path, "[1,2,3]", 7);
    CHECK_INT(json_source_open(&s, path, 6, &e), ERR_INPUT);
    CHECK_CONTAINS(e.text, "larger than 6 bytes");
    e = (struct err){0};
    CHECK_INT(json_source_open(&s, "/tmp", 100, &e), ERR_IO);
    CHECK_CONTAINS(e.text, "cannot read");
    e = (struct err){0};
    CHECK_INT(json_source_open(&s, "/tmp/is/not/there", 100, &e), ERR_IO);
    CHECK_CONTAINS(e.text, "cannot open");
}

static void lines_are_counted_from_one(void)
{
    struct text t = {0};
    struct line_index x;
    for (int i = 0; i < 20000; i++)
        text_add(&t, i % 7 == 3 ? "\n" : "x", 1);
    line_index_init(&x, t.data, t.size);
    for (size_t at = 0, line = 1; at <= t.size; line += at < t.size && t.data[at] == '\n', at++)
        if ((size_t)line_index_at(&x, at) != line)
            CHECK_INT(line_index_at(&x, at), line);
    CHECK_INT(line_index_at(&x, t.size + 100), line_index_at(&x, t.size));
    line_index_clear(&x);
    line_index_init(&x, "", 0);
    CHECK_INT(line_index_at(&x, 0), 1);
    line_index_clear(&x);
    text_clear(&t);
}

static void no_file_is_left(void)
{
    CHECK_INT(unlink(path), 0);
}

static const struct test tests[] = {
    {"a_window_over_a_file_shows_what_is_in_it", a_window_over_a_file_shows_what_is_in_it},
    {"mistakes_have_the_same_words_and_lines", mistakes_have_the_same_words_and_lines},
    {"a_mistake_is_on_its_line", a_mistake_is_on_its_line},
    {"a_file_that_is_too_large_or_no_file_is_refused", a_file_that_is_too_large_or_no_file_is_refused},
    {"lines_are_counted_from_one", lines_are_counted_from_one},
    {"no_file_is_left", no_file_is_left},
};

int main(void)
{
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    return test_main(__FILE__, tests, sizeof tests / sizeof *tests);
}
