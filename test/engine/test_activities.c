/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Activity scripts (doc/model.md, Files): what is read from them, and every message of the gallery. */
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "engine/activities.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static const char gallery[] = PROJECT_DIR "/test/gallery/activities";

/* Hosts a, b, c; routes from and to a. */
static enum err_code find_route(void *context, host_id src, host_id dst, struct route *out, struct err *e)
{
    (void)context;
    *out = (struct route){0};
    return src == 0 || dst == 0 ? ERR_NONE : err_set(e, ERR_INPUT, "there is no route");
}

static struct machine make_machine(void)
{
    struct machine m = {.source = mem_strdup("platform.xml"), .n_hosts = 3, .find_route = find_route};
    m.hosts = mem_zalloc(3, sizeof *m.hosts);
    for (int i = 0; i < 3; i++)
        m.hosts[i].name = mem_format("%c", 'a' + i);
    machine_seal(&m);
    return m;
}

static enum err_code parse(const char *text, struct activities *a, struct err *e)
{
    return activities_parse(text, strlen(text), "script", a, e);
}

static void a_line_is_an_activity(void)
{
    struct activities a;
    struct err e = {0};
    CHECK_OK(parse("exec 1.5 a 3e9\ncomm 0 a b 1000000\n", &a, &e), e);
    CHECK_INT(a.n, 2);
    CHECK(a.list[0].kind == ACTIVITY_EXEC && a.list[1].kind == ACTIVITY_COMM);
    CHECK_CLOSE(a.list[0].asked_start_s, 1.5, 0);
    CHECK_CLOSE(a.list[0].amount, 3e9, 0);
    CHECK_TEXT(a.list[0].host_names[0], "a");
    CHECK_TEXT(a.list[1].host_names[0], "a");
    CHECK_TEXT(a.list[1].host_names[1], "b");
    CHECK_CLOSE(a.list[1].amount, 1e6, 0);
    activities_clear(&a);
}

static void comments_blanks_and_other_line_ends_are_passed_over(void)
{
    struct activities a;
    struct err e = {0};
    CHECK_OK(parse("# a comment\r\n\r\n\t exec\t0  a   1  # another\r\n   \n#\ncomm 0 a b 1e6", &a, &e), e);
    CHECK_INT(a.n, 2);
    CHECK_INT(a.list[0].line, 3);
    CHECK_INT(a.list[1].line, 6);
    CHECK_CLOSE(a.list[1].amount, 1e6, 0);
    activities_clear(&a);
}

static void an_empty_script_is_one(void)
{
    static const char *const scripts[] = {"", "\n\n", "# nothing", "   "};
    for (size_t i = 0; i < 4; i++) {
        struct activities a;
        struct err e = {0};
        CHECK_OK(parse(scripts[i], &a, &e), e);
        CHECK_INT(a.n, 0);
        activities_clear(&a);
    }
}

static void the_largest_numbers_are_accepted(void)
{
    struct activities a;
    struct err e = {0};
    CHECK_OK(parse("exec 1e15 a 1e18\ncomm 1e15 a b 9007199254740992\nexec 0 a 4.9e-324\n", &a, &e), e);
    CHECK_INT(a.n, 3);
    activities_clear(&a);
}

static void hosts_are_found(void)
{
    struct machine m = make_machine();
    struct activities a;
    struct err e = {0};
    CHECK_OK(parse("exec 0 c 1\ncomm 0 b a 1\n", &a, &e), e);
    CHECK_OK(activities_bind(&a, &m, &e), e);
    CHECK_INT(a.list[0].hosts[0], 2);
    CHECK_INT(a.list[1].hosts[0], 1);
    CHECK_INT(a.list[1].hosts[1], 0);
    activities_clear(&a);
    machine_clear(&m);
}

static void a_missing_file_is_named(void)
{
    struct activities a = {0};
    struct err e = {0};
    CHECK(activities_read("/nowhere/script.txt", &a, &e) == ERR_IO);
    CHECK_TEXT(e.source, "/nowhere/script.txt");
}

/* ---- the gallery ---- */

static void check_entry(const struct machine *m, const char *name)
{
    struct activities a = {0};
    struct err e = {0}, none = {0};
    struct text want = {0};
    char got[2048];
    char *error_file = mem_format("%.*serror", (int)strlen(name) - 3, name);
    enum err_code code = activities_read(name, &a, &e);
    if (code == ERR_NONE)
        code = activities_bind(&a, m, &e);
    CHECK(code == ERR_PARSE || code == ERR_INPUT);
    CHECK_OK(text_read_file(&want, error_file, 10000, &none), none);
    if (want.size > 0 && want.data[want.size - 1] == '\n')
        want.data[--want.size] = '\0';
    CU_ASSERT(check_text(err_describe(&e, got, sizeof got), text_str(&want), true, name, 0, "message"));
    text_clear(&want);
    free(error_file);
    activities_clear(&a);
}

static void every_mistake_of_the_gallery_has_its_message(void)
{
    struct machine m = make_machine();
    DIR *folder = opendir(gallery);
    int n = 0;
    CHECK(folder != NULL && chdir(gallery) == 0);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        size_t size = strlen(entry->d_name);
        if (size < 4 || strcmp(entry->d_name + size - 4, ".txt") != 0)
            continue;
        check_entry(&m, entry->d_name);
        n++;
    }
    CHECK(n >= 20);
    if (folder != NULL)
        closedir(folder);
    machine_clear(&m);
}

static const struct test tests[] = {
    {"a_line_is_an_activity", a_line_is_an_activity},
    {"comments_blanks_and_other_line_ends_are_passed_over", comments_blanks_and_other_line_ends_are_passed_over},
    {"an_empty_script_is_one", an_empty_script_is_one},
    {"the_largest_numbers_are_accepted", the_largest_numbers_are_accepted},
    {"hosts_are_found", hosts_are_found},
    {"a_missing_file_is_named", a_missing_file_is_named},
    {"every_mistake_of_the_gallery_has_its_message", every_mistake_of_the_gallery_has_its_message},
};

TEST_MAIN(tests)
