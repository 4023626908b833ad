/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Only names that are probably slips of the fingers are suggested: a wrong suggestion costs the reader more than
   none. The answer does not depend on the order in which names are offered. */
#include "base/nearest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* LONGEST_COMPARED bounds the rows on the stack; nobody mistypes longer names, they paste them. One or two letters
   begin too many names to be a hint (SHORTEST_PREFIX). Up to FEW names are all shown, because a reader takes them in
   at once. */
enum { LONGEST_COMPARED = 63, SHORTEST_PREFIX = 3, FEW = 8 };

/* Not tolower: the environment's language must not decide. */
static int small(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static bool is_same(char a, char b)
{
    return small(a) == small(b);
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance, where swapping two neighbours is one change: the commonest slip of fingers. Three rows of
   the usual table are kept: a swap looks two rows back, everything else one. */
static size_t distance(const char *a, size_t n_a, const char *b, size_t n_b)
{
    size_t rows[3][LONGEST_COMPARED + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= n_b; j++)
        last[j] = j;
    for (size_t i = 1; i <= n_a; i++) {
        row[0] = i;
        for (size_t j = 1; j <= n_b; j++) {
            row[j] = least_of(last[j - 1] + !is_same(a[i - 1], b[j - 1]), least_of(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) && is_same(a[i - 2], b[j - 1]))
                row[j] = least_of(row[j], before[j - 2] + 1);
        }
        /* The oldest row is not needed any more and becomes the next one. */
        size_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[n_b];
}

static bool begins_with(const char *name, size_t length, const char *prefix, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (i >= length || !is_same(name[i], prefix[i]))
            return false;
    return true;
}

static bool is_before(const struct nearest *x, const char *name, size_t length)
{
    int order = strncmp(name, x->name, least_of(length, x->length));
    return order < 0 || (order == 0 && length < x->length);
}

/* Of names at the same distance, the one with the right first letter: that is seldom mistyped ("hetf" is heft, not
   etf). */
void nearest_offer(struct nearest *x, const char *name, size_t length)
{
    size_t n = strlen(x->wanted), most = n / 3; /* more changes would make another word of it */
    /* Names that are too long would overflow the rows; one letter is near to every other letter. */
    if (n <= 1 || n > LONGEST_COMPARED || length == 0 || length > LONGEST_COMPARED)
        return;
    size_t d = distance(x->wanted, n, name, length);
    /* Twice the distance leaves room for the first letter to decide between equal distances without outweighing one. */
    unsigned rank = (unsigned)(2 * d + !is_same(name[0], x->wanted[0]));
    /* After every name that is near enough, whose rank is at most 2 most + 1, and the shorter the better: what
       has been typed is then the larger part of it. */
    if (d > most && n >= SHORTEST_PREFIX && begins_with(name, length, x->wanted, n))
        rank = (unsigned)(2 * most + 2 + length);
    else if (d > most)
        return;
    /* Of equal rank the first in alphabetical order, so that the order of offers is without effect. */
    if (x->name != NULL && (rank > x->rank || (rank == x->rank && !is_before(x, name, length))))
        return;
    x->name = name;
    x->length = length;
    x->rank = rank;
}

struct hint hint_nearest(const char *name)
{
    struct hint h = {""};
    if (name != NULL)
        snprintf(h.text, sizeof h.text, "; did you mean '%.200s'?", name);
    return h;
}

static bool is_word_of(const char *text, const char *word)
{
    size_t n = strlen(word);
    return strncmp(text, word, n) == 0 && (text[n] == '\0' || text[n] == ' ' || text[n] == ':');
}

/* What `iasim list` calls a kind; NULL: it does not list it. */
static const char *shown_by(const char *kind)
{
    static const char *const kinds[][2] = {{"policy", "policies"},
                                           {"actor", "actors"},
                                           {"runtime policy", "runtime_policies"},
                                           {"scheduler", "schedulers"},
                                           {"model", "models"},
                                           {"world model", "models"},
                                           {"task graph format", "graph_formats"},
                                           {"generator", "generators"},
                                           {"fit", "fits"},
                                           {"experiment", "experiments"},
                                           {"report", "reports"},
                                           {"command", "commands"},
                                           {"scenario", "scenarios"},
                                           {"platform", "platforms"},
                                           {"deployment", "deployments"}};
    for (size_t i = 0; kind != NULL && i < sizeof kinds / sizeof kinds[0]; i++)
        /* "policy ia_multi" as well, for its parameters, and "models:cost" */
        if (is_word_of(kind, kinds[i][0]) || is_word_of(kind, kinds[i][1]))
            return kinds[i][1];
    return NULL;
}

/* Three parts, each of which can be absent: all names, the nearest one, the command that lists them. */
struct hint hint_among(const char *wanted, const char *known, const char *kind)
{
    struct nearest best = {.wanted = wanted};
    const char *list = shown_by(kind), *separator = strchr(known, '|') != NULL ? "|" : ",";
    size_t count = 0;
    for (const char *at = known; *at != '\0'; count++) {
        at += strspn(at, " ");
        size_t n = strcspn(at, separator);
        nearest_offer(&best, at, n);
        at += n + (at[n] != '\0');
    }
    struct hint h = {""};
    int n = 0;
    /* At most 700 bytes, so that the suggestion behind them always fits. */
    if (count <= FEW || (list == NULL && best.name == NULL))
        n = snprintf(h.text, sizeof h.text, "; known: %.700s", count > 0 ? known : "none");
    else if (best.name == NULL)
        n = snprintf(h.text, sizeof h.text, "; `iasim list %s` shows all", list);
    if (best.name != NULL)
        n += snprintf(h.text + n, sizeof h.text - (size_t)n, "; did you mean '%.*s'?", (int)best.length, best.name);
    if (best.name != NULL && count > FEW && list != NULL)
        snprintf(h.text + n, sizeof h.text - (size_t)n, " `iasim list %s` shows all", list);
    return h;
}

struct hint hint_unit(const char *value, const char *unit)
{
    struct hint h = {""};
    size_t n = strspn(value, "+-.0123456789"), letters = strspn(value + n, " ");
    const char *given = value + n + letters;
    /* A number, and letters right behind it or after a blank. "1e6x" and "abc" get no advice about units. */
    bool is_word = n > 0 && strpbrk(value, "0123456789") < value + n && small(*given) >= 'a' && small(*given) <= 'z';
    /* Something like "5MB,3MB" or "4:5" is not a number with a unit but a list where one value was expected. */
    if (!is_word || strpbrk(given, "0123456789,.;:") != NULL)
        return h;
    /* The value is right but for its unit, so the message can say exactly what to write. Another unit ("5GB" for MB)
       would have to be converted, which is left to the user. */
    if (unit != NULL && unit[0] != '\0' && strlen(unit) == strlen(given) &&
        begins_with(given, strlen(given), unit, strlen(unit)))
        snprintf(h.text, sizeof h.text, "; the unit is %s: write %.*s", unit, (int)n, value);
    else
        snprintf(h.text, sizeof h.text, "; write the number without a unit");
    return h;
}
