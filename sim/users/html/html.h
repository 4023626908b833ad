/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A page for browsers: one file that needs no network, with any number of sections. Each section is JSON; a script of
   this folder, its view, draws it (README.md). Nothing in the data is executed, whatever names it contains: the page
   allows only its own scripts and styles, by their hashes. The same sections give the same bytes. */
#ifndef IASIM_HTML_HTML_H
#define IASIM_HTML_HTML_H

#include "base/err.h"

#include <jansson.h>
#include <stddef.h>

struct html_page;

/* `title` is the title of the browser's window and the heading of the page; it need not be UTF-8. */
struct html_page *html_page_create(const char *title);
void html_page_free(struct html_page *p);

/* Adds a section, which the script `iasim.views.KIND` draws: "document", "run", "farm", "results". Takes `data`. */
void html_page_add(struct html_page *p, const char *kind, const char *title, json_t *data);

/* Writes the file, whole or not at all. Numbers get 9 significant digits. Errors: ERR_IO; ERR_USAGE: built without
   d3. */
enum err_code html_page_write(const struct html_page *p, const char *path, struct err *e);

/* For commands, before the work: whether iasim was built with d3, and the page can be written there. `path` may be
   NULL. Errors: ERR_USAGE, ERR_IO. */
enum err_code html_check(const char *path, struct err *e);

#endif
