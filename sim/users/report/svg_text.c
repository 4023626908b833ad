/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names come from users' files and may be any bytes; the picture must be well-formed XML whatever they are. Its fonts
   are the browser's, so widths are upper estimates by classes of letters: a text that is cut a little too early does
   less harm than one that runs over its box. */
#include "report/svg_text.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

#define ELLIPSIS "\xE2\x80\xA6"
static const double ellipsis_em = 1.0;

/* XML 1.0 allows no other control characters than tab and line feeds, which have no place in a label. */
static bool is_allowed(uint32_t c)
{
    return c >= 0x20 && c != 0x7F && c != 0xFFFE && c != 0xFFFF;
}

void svg_add_escaped(struct text *out, const char *s)
{
    while (*s != '\0') {
        const char *begin = s;
        uint32_t c = text_character(&s);
        if (c == '&' || c == '<' || c == '>')
            text_addf(out, "&%s;", c == '&' ? "amp" : c == '<' ? "lt" : "gt");
        else if (c == '"' || c == '\'')
            text_addf(out, "&#%u;", c);
        /* text_character gives U+FFFD for a byte that is no UTF-8: it must not be copied. */
        else if (!is_allowed(c) || c == 0xFFFD)
            text_add(out, "\xEF\xBF\xBD", 3);
        else
            text_add(out, begin, (size_t)(s - begin));
    }
}

static double character_em(uint32_t c)
{
    if (c >= 0x1100) /* many of these are square; arrows and dots are narrower */
        return c >= 0x2000 && c < 0x2C00 ? 1.0 : 1.05;
    if (c >= 0x80)
        return 0.9;
    /* By classes: narrow letters, middle ones, wide ones, wide capitals, and all others. */
    if (strchr("ijl'|.,:;!I ", (int)c) != NULL)
        return 0.34;
    if (strchr("frt()[]{}-/\\\"`", (int)c) != NULL)
        return 0.46;
    if (strchr("mMwW@%", (int)c) != NULL)
        return 1.0;
    if (strchr("+=<>#~^&GOQDNHU", (int)c) != NULL)
        return 0.84;
    return c >= 'A' && c <= 'Z' ? 0.73 : 0.64;
}

double svg_width_em(const char *s)
{
    double width = 0;
    while (*s != '\0')
        width += character_em(text_character(&s));
    return width;
}

/* Cuts after whole characters. The ellipsis is counted first, so the result is not wider than max_em
   unless not even that fits. */
char *svg_shorten(const char *s, double max_em)
{
    if (svg_width_em(s) <= max_em)
        return mem_strdup(s);
    double width = ellipsis_em;
    const char *end = s, *next = s;
    while (*next != '\0') {
        width += character_em(text_character(&next));
        if (width > max_em)
            break;
        end = next;
    }
    return mem_format("%.*s" ELLIPSIS, (int)(end - s), s);
}

/* Two decimals are finer than a screen shows; zeros at the end would only make the file larger. */
void svg_add_number(struct text *out, double value)
{
    double rounded = rint(value * 100) / 100;
    char digits[64];
    int n = snprintf(digits, sizeof digits, "%.2f", rounded == 0 ? 0 : rounded); /* not "-0.00" */
    while (n > 0 && strchr(digits, '.') != NULL && (digits[n - 1] == '0' || digits[n - 1] == '.')) {
        digits[--n] = '\0';
        if (strchr(digits, '.') == NULL)
            break;
    }
    text_add(out, digits, (size_t)n);
}
