/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A parser by recursive descent that keeps only where values are, and the queries on what it kept. Nodes are in the
   order of the text. A node's `next` skips everything inside it, so siblings are reached without their contents. In
   an object keys and values alternate: the value of the key at node k is node k + 1, and the next key is at nodes[k
   + 1].next.

   A text that was accepted is not checked again: the queries rely on closed strings and valid escapes. */
#include "base/json_tape.h"

#include "base/mem.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 2048, MANY_KEYS = 16 }; /* the depth is jansson's */

struct reading {
    const char *at, *end;
    struct json_tape *t;
    bool is_int_bounded;
};

static void skip_blanks(struct reading *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
}

static bool take(struct reading *r, char c)
{
    if (r->at >= r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

/* A node is opened before its contents and closed behind them. Its number, not its address, is kept: the array may
   move. */
static uint32_t open_node(struct reading *r)
{
    struct json_tape *t = r->t;
    MEM_GROW(t->nodes, t->n, t->capacity);
    t->nodes[t->n].at = (uint32_t)(r->at - t->text);
    return (uint32_t)t->n++;
}

static void close_node(struct json_tape *t, uint32_t node)
{
    t->nodes[node].next = (uint32_t)t->n;
}

/* ---- strings ---- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The value of the four hexadecimal digits at `s`; -1: they are not digits. */
static int hex_four(const char *s, const char *end)
{
    int code = 0;
    if (end - s < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        if (hex_digit(s[i]) < 0)
            return -1;
        code = code * 16 + hex_digit(s[i]);
    }
    return code;
}

/* The character of the escape whose backslash is before *s; moves *s past it. -1: not a valid escape. \u0000
   is not valid here, because strings end with a NUL. A character beyond 16 bits is a pair of surrogates. */
static long unescape(const char **s, const char *end)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    if (*s >= end)
        return -1;
    char c = *(*s)++;
    const char *known = memchr(letters, c, sizeof letters - 1);
    if (known != NULL)
        return meant[known - letters];
    int high = c == 'u' ? hex_four(*s, end) : -1;
    /* The second half of a pair without its first one means nothing. */
    if (high <= 0 || (high >= 0xDC00 && high <= 0xDFFF))
        return -1;
    *s += 4;
    if (high < 0xD800 || high > 0xDFFF)
        return high;
    int low = end - *s >= 6 && (*s)[0] == '\\' && (*s)[1] == 'u' ? hex_four(*s + 2, end) : -1;
    if (low < 0xDC00 || low > 0xDFFF)
        return -1;
    *s += 6;
    return 0x10000 + ((long)(high - 0xD800) << 10) + (low - 0xDC00);
}

/* Bytes of the UTF-8 character beyond ASCII at `s`; 0: not a valid character. `least` refuses overlong forms, by
   which one character could be written in several ways and compare as different. */
static size_t utf8_size(const char *s, const char *end)
{
    static const long least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)*s;
    size_t size = first >= 0xC2 && first <= 0xDF   ? 2
                  : first >= 0xE0 && first <= 0xEF ? 3
                  : first >= 0xF0 && first <= 0xF4 ? 4
                                                   : 0;
    if (size == 0 || (size_t)(end - s) < size)
        return 0;
    /* The first byte of a character of 2, 3 or 4 bytes holds its highest 5, 4 or 3 bits. */
    long code = first & (0x7F >> size);
    for (size_t i = 1; i < size; i++) {
        if (((unsigned char)s[i] & 0xC0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3F);
    }
    return code < least[size] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF) ? 0 : size;
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/* From the opening quote to behind the closing one. */
static bool read_string(struct reading *r)
{
    /* The node is at the quote: its byte tells the kind of the value. */
    close_node(r->t, open_node(r));
    r->at++;
    for (;;) {
        const char *s = r->at;
        while (s < r->end && is_plain((unsigned char)*s))
            s++;
        r->at = s;
        if (s >= r->end)
            return false;
        unsigned char c = (unsigned char)*s;
        size_t size = c < 0x80 ? 1 : utf8_size(s, r->end);
        if (c == '"') {
            r->at++;
            return true;
        }
        if (c < 0x20 || size == 0)
            return false;
        r->at += size;
        if (c == '\\' && unescape(&r->at, r->end) < 0)
            return false;
    }
}

/* ---- numbers ---- */

static void skip_digits(struct reading *r)
{
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
        r->at++;
}

/* A copy, because strtod reads on until it meets something else, and the text need not end with a NUL. On the stack:
   numbers are short, and schedules are full of them. */
static double convert(const char *s, size_t n)
{
    char few[64], *many = n < sizeof few ? NULL : mem_alloc(n + 1), *copy = many != NULL ? many : few;
    memcpy(copy, s, n);
    copy[n] = '\0';
    double value = strtod(copy, NULL);
    free(many);
    return value;
}

static bool is_in_range(const struct reading *r, const char *begin, bool is_int, bool has_exponent)
{
    size_t n = (size_t)(r->at - begin);
    char digits[24] = "";
    /* As jansson without JSON_DECODE_INT_AS_REAL: an integer must fit into 64 bits. */
    if (is_int && r->is_int_bounded) {
        if (n >= sizeof digits)
            return false;
        memcpy(digits, begin, n);
        errno = 0;
        strtoll(digits, NULL, 10);
        return errno == 0;
    }
    /* Fewer than 300 digits without an exponent cannot be infinite. So the usual number is not converted here, only
       when it is asked for. */
    return (!has_exponent && n < 300) || isfinite(convert(begin, n));
}

static bool read_number(struct reading *r)
{
    const char *begin = r->at, *digits;
    bool is_int = true, has_exponent = false;
    close_node(r->t, open_node(r));
    take(r, '-');
    digits = r->at;
    skip_digits(r);
    /* JSON has no leading zeros: 007 would be octal in other languages. */
    if (r->at == digits || (*digits == '0' && r->at > digits + 1))
        return false;
    if (take(r, '.')) {
        is_int = false;
        digits = r->at;
        skip_digits(r);
        if (r->at == digits)
            return false;
    }
    if (take(r, 'e') || take(r, 'E')) {
        is_int = false;
        has_exponent = true;
        (void)(take(r, '+') || take(r, '-'));
        digits = r->at;
        skip_digits(r);
        if (r->at == digits)
            return false;
    }
    return is_in_range(r, begin, is_int, has_exponent);
}

/* ---- values ---- */

static bool read_word(struct reading *r, const char *word)
{
    size_t n = strlen(word);
    close_node(r->t, open_node(r));
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
        return false;
    r->at += n;
    /* "trueish" is one wrong word, not a word and something behind it. */
    bool goes_on = r->at < r->end && ((*r->at >= 'a' && *r->at <= 'z') || (*r->at >= 'A' && *r->at <= 'Z'));
    return !goes_on;
}

static bool read_value(struct reading *r, int depth);

static bool read_array(struct reading *r, int depth)
{
    uint32_t node = open_node(r);
    r->at++;
    skip_blanks(r);
    if (!take(r, ']')) {
        do {
            skip_blanks(r);
            if (!read_value(r, depth + 1))
                return false;
            skip_blanks(r);
        } while (take(r, ','));
        if (!take(r, ']'))
            return false;
    }
    close_node(r->t, node);
    return true;
}

/* The next character of a string that has been read; -1: its closing quote. */
static long next_character(const char **s, const char *end)
{
    unsigned char c = (unsigned char)**s;
    if (c == '"')
        return -1;
    (*s)++;
    if (c == '\\')
        return unescape(s, end);
    size_t size = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    long code = size == 1 ? c : c & (0x7F >> size);
    for (size_t i = 1; i < size; i++)
        code = code << 6 | (*(*s)++ & 0x3F);
    return code;
}

/* By characters, not bytes: "a" and "\u0061" are one key. */
static int compare_keys(const void *a, const void *b, void *reading)
{
    const struct reading *r = reading;
    const char *x = r->t->text + r->t->nodes[*(const uint32_t *)a].at + 1;
    const char *y = r->t->text + r->t->nodes[*(const uint32_t *)b].at + 1;
    for (;;) {
        long c = next_character(&x, r->end), d = next_character(&y, r->end);
        if (c != d || c < 0)
            return (c > d) - (c < d);
    }
}

/* Up to MANY_KEYS keys, as most objects have, are compared each with each, without memory from the heap. More are
   sorted: the time would be quadratic in an object that somebody else's file makes as large as it likes. */
static bool has_key_twice(struct reading *r, uint32_t object)
{
    uint32_t few[MANY_KEYS], *many = NULL, *keys = few;
    const struct json_node *nodes = r->t->nodes;
    size_t n = 0, capacity = 0;
    bool found = false;
    /* Called when the object has just been read: nothing follows it in the tape, so its last node is the tape's. */
    for (uint32_t key = object + 1; key < r->t->n; key = nodes[key + 1].next) {
        if (n == MANY_KEYS && many == NULL) {
            capacity = 4 * MANY_KEYS;
            keys = many = mem_alloc(capacity * sizeof *many);
            memcpy(many, few, sizeof few);
        }
        if (many != NULL) {
            MEM_GROW(many, n, capacity);
            keys = many;
        }
        keys[n++] = key;
    }
    /* In the sorted array equal keys are neighbours, so one comparison each suffices. */
    if (many != NULL)
        qsort_r(many, n, sizeof *many, compare_keys, r);
    for (size_t i = 1; i < n; i++)
        for (size_t k = many != NULL ? i - 1 : 0; k < i && !found; k++)
            found = compare_keys(&keys[k], &keys[i], r) == 0;
    free(many);
    return found;
}

static bool read_member(struct reading *r, int depth)
{
    skip_blanks(r);
    if (r->at >= r->end || *r->at != '"' || !read_string(r))
        return false;
    skip_blanks(r);
    if (!take(r, ':'))
        return false;
    skip_blanks(r);
    bool is_read = read_value(r, depth + 1);
    skip_blanks(r);
    return is_read;
}

static bool read_object(struct reading *r, int depth)
{
    uint32_t node = open_node(r);
    r->at++;
    skip_blanks(r);
    if (!take(r, '}')) {
        do {
            if (!read_member(r, depth))
                return false;
        } while (take(r, ','));
        if (!take(r, '}'))
            return false;
    }
    close_node(r->t, node);
    return !has_key_twice(r, node);
}

static bool read_value(struct reading *r, int depth)
{
    /* The depth bounds the recursion: a file of a million brackets must not overflow the stack. */
    if (r->at >= r->end || depth > MAX_DEPTH)
        return false;
    switch (*r->at) {
    case '{':
        return read_object(r, depth);
    case '[':
        return read_array(r, depth);
    case '"':
        return read_string(r);
    case 't':
        return read_word(r, "true");
    case 'f':
        return read_word(r, "false");
    case 'n':
        return read_word(r, "null");
    default:
        return read_number(r);
    }
}

bool tape_read(struct json_tape *t, const char *text, size_t n, bool is_int_bounded, size_t *end)
{
    struct reading r = {text, text + n, t, is_int_bounded};
    t->text = text;
    t->n = 0;
    skip_blanks(&r);
    bool is_read = read_value(&r, 1);
    /* Also where reading failed: the caller shows that place. */
    *end = t->n_bytes = (size_t)(r.at - text);
    return is_read;
}

void tape_clear(struct json_tape *t)
{
    free(t->nodes);
    *t = (struct json_tape){0};
}

/* ---- queries ---- */

static const char *text_of(struct tape_value v)
{
    return v.tape->text + v.tape->nodes[v.node].at;
}

static uint32_t end_of(struct tape_value v)
{
    return v.tape->nodes[v.node].next;
}

struct tape_value tape_root(const struct json_tape *t)
{
    return (struct tape_value){t, 0};
}

enum tape_kind tape_kind(struct tape_value v)
{
    if (v.tape == NULL)
        return TAPE_NONE;
    switch (*text_of(v)) {
    case '{':
        return TAPE_OBJECT;
    case '[':
        return TAPE_ARRAY;
    case '"':
        return TAPE_STRING;
    case 't':
    case 'f':
        return TAPE_BOOL;
    case 'n':
        return TAPE_NULL;
    default:
        return TAPE_NUMBER;
    }
}

size_t tape_place(struct tape_value v)
{
    return v.tape->place + v.tape->nodes[v.node].at;
}

/* The key is ASCII, so its bytes are characters. A character of the file that is not ASCII differs from each. */
static bool is_key(const char *s, const char *end, const char *key)
{
    for (; *key != '\0'; key++)
        if (next_character(&s, end) != (unsigned char)*key)
            return false;
    return *s == '"';
}

struct tape_value tape_member(struct tape_value object, const char *key)
{
    if (tape_kind(object) == TAPE_OBJECT)
        for (struct tape_value k = {object.tape, object.node + 1}; k.node < end_of(object);
             k.node = object.tape->nodes[k.node + 1].next)
            if (is_key(text_of(k) + 1, object.tape->text + object.tape->n_bytes, key))
                return (struct tape_value){k.tape, k.node + 1};
    return (struct tape_value){0};
}

static struct tape_value element(struct tape_value array, uint32_t node)
{
    return node < end_of(array) ? (struct tape_value){array.tape, node} : (struct tape_value){0};
}

struct tape_value tape_first(struct tape_value array)
{
    return tape_kind(array) == TAPE_ARRAY ? element(array, array.node + 1) : (struct tape_value){0};
}

struct tape_value tape_next(struct tape_value array, struct tape_value x)
{
    return element(array, end_of(x));
}

size_t tape_length(struct tape_value array)
{
    size_t n = 0;
    for (struct tape_value x = tape_first(array); x.tape != NULL; x = tape_next(array, x))
        n++;
    return n;
}

static void add_utf8(struct text *out, long code)
{
    char s[4];
    size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = size; i-- > 1; code >>= 6)
        s[i] = (char)(0x80 | (code & 0x3F));
    /* The leading byte is 0xC0, 0xE0 or 0xF0 plus the highest bits. */
    s[0] = (char)(size == 1 ? code : (0xF00 >> size & 0xFF) | code);
    text_add(out, s, size);
}

const char *tape_string(struct tape_value v, struct text *own)
{
    if (tape_kind(v) != TAPE_STRING)
        return NULL;
    const char *s = text_of(v) + 1, *end = v.tape->text + v.tape->n_bytes;
    /* Emptied but not freed: one buffer serves all strings of a file. */
    own->size = 0;
    for (;;) {
        size_t n = 0;
        while (s[n] != '"' && s[n] != '\\')
            n++;
        text_add(own, s, n);
        s += n;
        if (*s == '"')
            return text_str(own);
        s++;
        add_utf8(own, unescape(&s, end));
    }
}

bool tape_is_empty(struct tape_value string)
{
    return text_of(string)[1] == '"';
}

double tape_number(struct tape_value v)
{
    if (tape_kind(v) != TAPE_NUMBER)
        return 0;
    const char *s = text_of(v), *end = v.tape->text + v.tape->n_bytes;
    /* The text goes on behind a number without a mark, so its end is found again here, by what a number may hold. */
    size_t n = 0;
    while (s + n < end &&
           ((s[n] >= '0' && s[n] <= '9') || s[n] == '.' || s[n] == '-' || s[n] == '+' || (s[n] | 32) == 'e'))
        n++;
    return convert(s, n);
}

bool tape_is_true(struct tape_value v)
{
    return v.tape != NULL && *text_of(v) == 't';
}
