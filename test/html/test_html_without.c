/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* As it is built where d3 is not: this program has no assets, in place of the library's. */
#include "html/html.h"

#include "check.h"
#include "html/assets.h"

#include <unistd.h>

const struct html_asset html_assets[] = {{0}};

static void without_d3_a_page_is_refused_and_the_package_named(void)
{
    struct err e = {0};
    struct html_page *page = html_page_create("x");
    CHECK_INT(html_check("page.html", &e), ERR_USAGE);
    CHECK_CONTAINS(e.text, "install Debian's package node-d3");
    e = (struct err){0};
    CHECK_INT(html_page_write(page, "without-d3.html", &e), ERR_USAGE);
    CHECK(access("without-d3.html", F_OK) != 0);
    CHECK_INT(html_check(NULL, NULL), ERR_NONE);
    html_page_free(page);
}

static const struct test tests[] = {
    {"without d3 a page is refused and the package named", without_d3_a_page_is_refused_and_the_package_named},
};
TEST_MAIN(tests)
