/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Text in SVG: names of any bytes as well-formed XML, and how wide a text will be when nobody knows the font. */
#ifndef IASIM_REPORT_SVG_TEXT_H
#define IASIM_REPORT_SVG_TEXT_H

#include "base/text.h"

/* Escaped for XML; bytes that are no UTF-8, and characters that XML forbids, become U+FFFD. */
void svg_add_escaped(struct text *out, const char *s);

/* An upper estimate in units of the font size, for the common sans-serif fonts (measured by DejaVu Sans, a wide one). */
double svg_width_em(const char *s);

/* The text itself, or as much of its beginning as is at most so wide, with an ellipsis. Fresh memory. */
char *svg_shorten(const char *s, double max_em);

/* A coordinate: at most two decimals, no zeros at the end. */
void svg_add_number(struct text *out, double value);

#endif
