/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The style and scripts of pages, which the build puts into the library, in the order in which they are written. */
#ifndef IASIM_HTML_ASSETS_H
#define IASIM_HTML_ASSETS_H

struct html_asset {
    const char *name;        /* "shell.js" */
    const char *bytes, *end; /* a NUL follows */
};

extern const struct html_asset html_assets[]; /* ends with a NULL name; empty if d3 was not there when it was built */

#endif
