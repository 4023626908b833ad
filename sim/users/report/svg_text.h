/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Text in SVG: any bytes become well-formed XML, and the width of a text is estimated because the font is not known. */
#ifndef IASIM_REPORT_SVG_TEXT_H
#define IASIM_REPORT_SVG_TEXT_H

#include "base/text.h"

/* Adds text escaped for XML. Bytes that are not UTF-8 and characters that XML forbids become U+FFFD. */
void svg_add_escaped(struct text *out, const char *s);

/* An upper estimate of the width in units of the font size, for common sans-serif fonts (from DejaVu Sans, a wide
   one). */
double svg_width_em(const char *s);

/* The text, or, if it is wider than `max_em`, as much of its beginning as fits with an ellipsis. The caller frees
   it. */
char *svg_shorten(const char *s, double max_em);

/* A coordinate: at most two decimals, no zeros at the end. */
void svg_add_number(struct text *out, double value);

#endif
