/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Text, numbers, and files that appear complete or not at all. */
#include "base/text.h"

#include "base/new_file.h"
#include "check.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void numbers_are_read_strictly(void)
{
    static const char *const good[] = {"1", "-1.5", "+2", "1e3", ".5", "5.", "1E-3"};
    static const char *const bad[] = {"", " 1", "1 ", "1,5", "0x1", "inf", "nan", "1e999", "1e", "--1", "1 2", "e"};
    double x;
    long n;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        CHECK(text_to_double(good[i], &x));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!text_to_double(bad[i], &x));
    CHECK(text_to_long("-12", &n) && n == -12);
    CHECK(!text_to_long("1.5", &n) && !text_to_long("99999999999999999999", &n) && !text_to_long("", &n));
}

static void whole_numbers_may_have_an_exponent(void)
{
    static const char *const good[] = {"1000000", "1e6", "1E+6", "+1e6", "1.e6", "0.1e7", "10000000e-1"};
    static const char *const bad[] = {"1.5",  "1.0",  "1.5e0", "1e-1", "1e",   "e6",
                                      "1e6x", " 1e6", "1e16",  "1e99", "1e999"};
    long n;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        CHECK(text_to_whole(good[i], &n) && n == 1000000);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!text_to_whole(bad[i], &n));
    CHECK(text_to_whole("-2.5e1", &n) && n == -25);
    CHECK(text_to_whole("9223372036854775807", &n) && n == INT64_MAX);
    CHECK(!text_to_long("1e6", &n)); /* as in files of others, where it is none */
}

static void a_written_number_is_read_back_the_same(void)
{
    static const double values[] = {0.1, 1.0 / 3, 1e-320, 123456789012345678.0, 5e300};
    char out[TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        CHECK(strtod(text_number(values[i], out), NULL) == values[i]);
}

static void a_number_for_people_has_no_more_digits_than_it_needs(void)
{
    static const char *const texts[] = {"0.1", "100", "-2.5", "1e-09", "5e+300", "0.3", "0.30000000000000004"};
    char out[TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        CHECK_TEXT(text_number_short(strtod(texts[i], NULL), out), texts[i]);
    CHECK(strtod(text_number_short(1.0 / 3, out), NULL) == 1.0 / 3);
    CHECK(strtod(text_number_short(0x1p-1074, out), NULL) == 0x1p-1074);
    CHECK_TEXT(text_number_short(-0.0, out), "0");
}

static void taken_text_is_the_caller_s(void)
{
    struct text t = {0};
    char *taken = text_take(&t);
    CHECK_TEXT(taken, "");
    free(taken);
    text_addf(&t, "a word");
    taken = text_take(&t);
    text_addf(&t, "another");
    CHECK_TEXT(taken, "a word");
    CHECK_TEXT(text_str(&t), "another");
    free(taken);
    text_clear(&t);
}

static void text_grows(void)
{
    struct text t = {0};
    CHECK_TEXT(text_str(&t), "");
    for (int i = 0; i < 1000; i++)
        text_addf(&t, "%d,", i % 10);
    CHECK_INT(t.size, 2000);
    CHECK(strncmp(text_str(&t) + 1990, "5,6,7,8,9,", 10) == 0);
    text_clear(&t);
    CHECK_INT(t.size, 0);
}

static void fields_are_quoted_where_they_must(void)
{
    char *out = NULL;
    size_t n;
    FILE *f = open_memstream(&out, &n);
    text_write_csv_field(f, "plain");
    putc(';', f);
    text_write_csv_field(f, "a,b");
    putc(';', f);
    text_write_csv_field(f, "say \"x\"");
    putc(';', f);
    text_write_csv_field(f, "two\nlines");
    fclose(f);
    CHECK_TEXT(out, "plain;\"a,b\";\"say \"\"x\"\"\";\"two\nlines\"");
    free(out);
}

/* ---- files ---- */

struct folder {
    char path[64], file[80];
};

static void folder_make(struct folder *d)
{
    strcpy(d->path, "/tmp/iasim-test-XXXXXX");
    CHECK(mkdtemp(d->path) != NULL);
    snprintf(d->file, sizeof d->file, "%s/x", d->path);
}

static void folder_remove(struct folder *d)
{
    unlink(d->file);
    CHECK(rmdir(d->path) == 0); /* nothing else was left there */
}

static void check_content(const char *path, const char *want)
{
    struct text t = {0};
    struct err e = {0};
    CHECK_OK(text_read_file(&t, path, 1000, &e), e);
    CHECK_TEXT(text_str(&t), want);
    text_clear(&t);
}

static void a_new_file_takes_its_place_at_the_end(void)
{
    struct folder d;
    struct new_file f;
    struct err e = {0};
    folder_make(&d);
    CHECK_OK(text_write_file(d.file, "old", 3, &e), e);
    CHECK_OK(new_file_open(d.file, &f, &e), e);
    fputs("new", f.out);
    fflush(f.out);
    check_content(d.file, "old");
    CHECK_OK(new_file_close(&f, true, &e), e);
    check_content(d.file, "new");
    folder_remove(&d);
}

static void a_file_that_is_not_kept_never_appears(void)
{
    struct folder d;
    struct new_file f;
    struct err e = {0};
    folder_make(&d);
    CHECK_OK(new_file_open(d.file, &f, &e), e);
    fputs("half", f.out);
    CHECK_OK(new_file_close(&f, false, &e), e);
    CHECK(access(d.file, F_OK) != 0);
    folder_remove(&d);
}

static void a_link_stays_and_permissions_are_kept(void)
{
    struct folder d;
    struct stat st;
    struct err e = {0};
    char link[100];
    folder_make(&d);
    snprintf(link, sizeof link, "%s/link", d.path);
    CHECK_OK(text_write_file(d.file, "old", 3, &e), e);
    CHECK(chmod(d.file, 0600) == 0 && symlink("x", link) == 0);
    CHECK_OK(text_write_file(link, "new", 3, &e), e);
    check_content(d.file, "new");
    CHECK(lstat(link, &st) == 0 && S_ISLNK(st.st_mode));
    CHECK(stat(d.file, &st) == 0 && (st.st_mode & 0777) == 0600);
    unlink(link);
    folder_remove(&d);
}

static void an_output_that_is_an_input_is_refused(void)
{
    struct folder d;
    struct err e = {0};
    folder_make(&d);
    CHECK_OK(text_write_file(d.file, "x", 1, &e), e);
    const char *inputs[] = {NULL, "/dev/null", d.file};
    CHECK(new_file_check_not_input(d.file, inputs, 3, &e) == ERR_USAGE);
    CHECK(new_file_check_not_input(d.file, inputs, 2, NULL) == ERR_NONE);
    CHECK(new_file_check_not_input("/dev/null", inputs, 3, NULL) == ERR_NONE);
    CHECK(new_file_check_not_input(NULL, inputs, 3, NULL) == ERR_NONE);
    folder_remove(&d);
}

static void one_file_has_many_names(void)
{
    struct folder d;
    struct err e = {0};
    char link[100], roundabout[200], other[100];
    folder_make(&d);
    snprintf(link, sizeof link, "%s/link", d.path);
    snprintf(other, sizeof other, "%s/other", d.path);
    snprintf(roundabout, sizeof roundabout, "%s/../%s/./x", d.path, strrchr(d.path, '/') + 1);
    CHECK(new_file_is_same(d.file, d.file) && new_file_is_same(d.file, roundabout)); /* not there yet */
    CHECK(!new_file_is_same(d.file, other) && !new_file_is_same("nowhere/x", "nowhere/y"));
    CHECK_OK(text_write_file(d.file, "x", 1, &e), e);
    CHECK(symlink("x", link) == 0);
    CHECK(new_file_is_same(d.file, link) && new_file_is_same(d.file, roundabout) && !new_file_is_same(d.file, other));
    unlink(link);
    folder_remove(&d);
}

static void what_cannot_be_written_is_found_beforehand(void)
{
    struct folder d;
    struct err e = {0};
    folder_make(&d);
    CHECK(new_file_check(d.file, NULL) == ERR_NONE); /* not there yet */
    CHECK_OK(text_write_file(d.file, "x", 1, &e), e);
    CHECK(new_file_check(d.file, NULL) == ERR_NONE);
    CHECK(new_file_check(NULL, NULL) == ERR_NONE);
    CHECK(new_file_check("/dev/null", NULL) == ERR_NONE);
    CHECK(new_file_check("new-name", NULL) == ERR_NONE);
    CHECK(new_file_check("no/such", NULL) == ERR_IO);
    CHECK(new_file_check("/", &e) == ERR_IO);
    CHECK_TEXT(e.text, "cannot write: Is a directory");
    folder_remove(&d);
}

static void a_full_disk_is_an_error(void)
{
    struct err e = {0};
    CHECK(text_write_file("/dev/full", "x", 1, &e) == ERR_FULL);
    CHECK_TEXT(e.text, "cannot write: No space left on device");
    struct err f = {0};
    CHECK(text_write_file("/no/such/folder/x", "x", 1, &f) == ERR_IO);
    CHECK_TEXT(f.source, "/no/such/folder/x");
}

static void a_file_that_is_too_large_is_refused(void)
{
    struct folder d;
    struct text t = {0};
    struct err e = {0};
    folder_make(&d);
    CHECK_OK(text_write_file(d.file, "12345", 5, &e), e);
    CHECK(text_read_file(&t, d.file, 4, &e) == ERR_INPUT);
    CHECK_TEXT(e.text, "larger than 4 bytes, the largest size that can be read");
    text_clear(&t);
    folder_remove(&d);
}

static void the_first_error_wins(void)
{
    struct err e = {0};
    char line[200];
    err_set_at(&e, ERR_PARSE, "a.xml", 7, "first %d", 1);
    CHECK(err_set(&e, ERR_INPUT, "second") == ERR_INPUT);
    CHECK_TEXT(err_describe(&e, line, sizeof line), "a.xml:7: first 1");
    CHECK(e.code == ERR_PARSE);
    CHECK(err_set(NULL, ERR_IO, "nobody listens") == ERR_IO);
}

static const struct test tests[] = {
    {"numbers_are_read_strictly", numbers_are_read_strictly},
    {"whole_numbers_may_have_an_exponent", whole_numbers_may_have_an_exponent},
    {"a_written_number_is_read_back_the_same", a_written_number_is_read_back_the_same},
    {"a_number_for_people_has_no_more_digits_than_it_needs", a_number_for_people_has_no_more_digits_than_it_needs},
    {"text_grows", text_grows},
    {"taken_text_is_the_caller_s", taken_text_is_the_caller_s},
    {"fields_are_quoted_where_they_must", fields_are_quoted_where_they_must},
    {"a_new_file_takes_its_place_at_the_end", a_new_file_takes_its_place_at_the_end},
    {"a_file_that_is_not_kept_never_appears", a_file_that_is_not_kept_never_appears},
    {"a_link_stays_and_permissions_are_kept", a_link_stays_and_permissions_are_kept},
    {"an_output_that_is_an_input_is_refused", an_output_that_is_an_input_is_refused},
    {"one_file_has_many_names", one_file_has_many_names},
    {"what_cannot_be_written_is_found_beforehand", what_cannot_be_written_is_found_beforehand},
    {"a_full_disk_is_an_error", a_full_disk_is_an_error},
    {"a_file_that_is_too_large_is_refused", a_file_that_is_too_large_is_refused},
    {"the_first_error_wins", the_first_error_wins},
};
TEST_MAIN(tests)
