/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Assembles a page: head with the content security policy and styles, the sections' data, the scripts. The policy
   allows nothing but the scripts and styles of html_assets, each by its hash, so nothing in the data can run and
   nothing is loaded from elsewhere; an asset therefore stands in the page exactly as it was hashed. */
#include "html/html.h"

#include "base/mem.h"
#include "base/new_file.h"
#include "base/text.h"
#include "html/assets.h"
#include "html/html_pack.h"
#include "report/json_bytes.h"

#include <stdlib.h>
#include <string.h>

struct html_page {
    /* JSON strings hold the title because json_bytes makes UTF-8 of any bytes. */
    json_t *title, *sections;
};

struct html_page *html_page_create(const char *title)
{
    struct html_page *p = mem_zalloc(1, sizeof *p);
    p->title = json_bytes(title);
    p->sections = json_array();
    return p;
}

void html_page_free(struct html_page *p)
{
    if (p == NULL)
        return;
    json_decref(p->title);
    json_decref(p->sections);
    free(p);
}

void html_page_add(struct html_page *p, const char *kind, const char *title, json_t *data)
{
    json_array_append_new(p->sections,
                          json_pack("{s:s, s:o, s:o}", "kind", kind, "title", json_bytes(title), "data", data));
}

/* ---- writing ---- */

/* By the names of the assets, which end in .js or .css, or neither (the licence). */
static bool is_script(const struct html_asset *a)
{
    return strcmp(a->name + strlen(a->name) - 3, ".js") == 0;
}

static bool is_style(const struct html_asset *a)
{
    return strcmp(a->name + strlen(a->name) - 4, ".css") == 0;
}

/* One directive of the policy. Browsers hash what stands between the tags, byte by byte: nothing may be put there but
   the asset. */
static void add_hashes(struct text *out, const char *directive, bool (*is_meant)(const struct html_asset *))
{
    text_addf(out, "; %s", directive);
    for (const struct html_asset *a = html_assets; a->name != NULL; a++)
        if (is_meant(a)) {
            text_add(out, " ", 1);
            html_add_hash(out, a->bytes, a->end);
        }
}

static void add_assets(struct text *out, const char *element, bool (*is_meant)(const struct html_asset *))
{
    for (const struct html_asset *a = html_assets; a->name != NULL; a++)
        if (is_meant(a)) {
            text_addf(out, "<%s>", element);
            text_add(out, a->bytes, (size_t)(a->end - a->bytes));
            text_addf(out, "</%s>\n", element);
        }
}

/* The policy comes before everything that it is to hold for. */
static void add_head(const struct html_page *p, struct text *out)
{
    text_addf(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
                   "form-action 'none'");
    add_hashes(out, "script-src", is_script);
    add_hashes(out, "style-src", is_style);
    text_addf(out, "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    html_add_text(out, json_string_value(p->title));
    text_addf(out, "</title>\n");
    add_assets(out, "style", is_style);
    text_addf(out, "</head>\n");
}

static void add_body(const struct html_page *p, struct text *out)
{
    text_addf(out, "<body>\n<noscript>This page is drawn by JavaScript, which is turned off here.</noscript>\n");
    for (size_t i = 0; i < json_array_size(p->sections); i++) {
        /* 9 digits are more than any picture or table shows; data that need more are texts (results_html.c). */
        char *json =
            json_dumps(json_array_get(p->sections, i), JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(9));
        html_add_json(out, json);
        free(json);
    }
    /* The licence of d3 as a comment. */
    text_addf(out, "<!--\n%s-->\n", html_assets[0].bytes);
    /* At the end: the sections are there when the scripts run. */
    add_assets(out, "script", is_script);
    text_addf(out, "</body>\n</html>\n");
}

/* Without d3 the build leaves the list of assets empty. Else its first entry is d3's licence. */
static enum err_code check_built(struct err *e)
{
    if (html_assets[0].name != NULL)
        return ERR_NONE;
    return err_set(
        e, ERR_USAGE,
        "this iasim was built without d3, which draws pages; install Debian's package node-d3 and build iasim again");
}

enum err_code html_page_write(const struct html_page *p, const char *path, struct err *e)
{
    struct text out = {0};
    enum err_code code = check_built(e);
    if (code != ERR_NONE)
        return code;
    /* All in memory, then written as one: a page that is cut off shows nothing useful. */
    add_head(p, &out);
    add_body(p, &out);
    code = text_write_file(path, text_str(&out), out.size, e);
    text_clear(&out);
    return code;
}

enum err_code html_check(const char *path, struct err *e)
{
    if (path == NULL)
        return ERR_NONE;
    enum err_code code = check_built(e);
    return code == ERR_NONE ? new_file_check(path, e) : code;
}
