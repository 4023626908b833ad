/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A window of the file moves over the text. Values are read in place in the window, so one value must fit into it,
   but the file need not: a schedule of millions of bookings is one list of small entries. Everything is found by its
   place, a byte offset in the file, because the window moves.

   Time: the first pass reads each byte once, and skips lists by their brackets; an entry is parsed when it is asked
   for. */
#include "base/json_source.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The window is much larger than an entry, so few entries straddle its end. A literal that is cut off by the end of
   the window is shorter than LONGEST_WORD. */
enum { WINDOW_BYTES = 1 << 18, LONGEST_WORD = 64 };

/* ---- the text ---- */

void json_source_text(struct json_source *s, const char *bytes, size_t n, const char *path)
{
    *s = (struct json_source){
        .path = path, .fd = -1, .window = bytes, .at = bytes, .end = bytes + n, .is_last = true, .index = NULL};
}

enum err_code json_source_open(struct json_source *s, const char *path, size_t max_bytes, struct err *e)
{
    struct stat is;
    /* A pipe cannot be read at a place, and a file that is too large gets its message from text_read_file. */
    bool is_file = stat(path, &is) == 0 && S_ISREG(is.st_mode) && (size_t)is.st_size <= max_bytes;
    int fd = is_file ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        *s = (struct json_source){.path = path, .fd = fd};
        return ERR_NONE;
    }
    struct text whole = {0};
    enum err_code code = text_read_file(&whole, path, max_bytes, e);
    if (code != ERR_NONE) {
        text_clear(&whole);
        return code;
    }
    json_source_text(s, text_str(&whole), whole.size, path);
    s->whole = whole;
    return ERR_NONE;
}

void json_source_clear(struct json_source *s)
{
    if (s->fd >= 0)
        close(s->fd);
    for (size_t i = 0; i < s->n_members; i++)
        free(s->members[i].key);
    free(s->members);
    name_index_free(s->index);
    free(s->buffer);
    text_clear(&s->whole);
    text_clear(&s->key);
    tape_clear(&s->tape);
    line_index_clear(&s->lines);
    *s = (struct json_source){.fd = -1};
}

static size_t place_of(const struct json_source *s)
{
    return s->place + (size_t)(s->at - s->window);
}

/* A place within the window costs nothing: single values are read again after the first pass, and most files fit.
   For any other place the window is emptied; the next fill reads there. */
static void go_to(struct json_source *s, size_t place)
{
    size_t n = (size_t)(s->end - s->window);
    if (place >= s->place && place <= s->place + n) {
        s->at = s->window + (place - s->place);
        return;
    }
    s->window = s->at = s->end = s->buffer;
    s->place = place;
    s->is_last = false;
}

/* Moves the window to begin at `at` and reads more behind it; false: the file has ended. The window grows only where
   one value is larger than half of it, so that each byte is moved once on average. */
static bool fill(struct json_source *s)
{
    size_t kept = (size_t)(s->end - s->at);
    ssize_t got;
    if (s->is_last)
        return false;
    s->place = place_of(s);
    /* What is kept is the value that has begun: it must be contiguous. */
    if (kept > 0)
        memmove(s->buffer, s->at, kept);
    if (2 * kept >= s->capacity) {
        s->capacity = s->capacity > 0 ? 2 * s->capacity : WINDOW_BYTES;
        s->buffer = mem_resize(s->buffer, s->capacity, 1);
    }
    /* pread, not read: the place is ours, so nothing depends on where the descriptor stands. */
    do
        got = pread(s->fd, s->buffer + kept, s->capacity - kept, (off_t)(s->place + kept));
    while (got < 0 && errno == EINTR);
    s->read_error = got < 0 ? errno : 0;
    /* An error ends the text, too. Whoever then misses something finds read_error and says so instead of "not JSON". */
    s->is_last = got <= 0;
    s->window = s->at = s->buffer;
    s->end = s->buffer + kept + (got > 0 ? got : 0);
    return got > 0;
}

/* Lines are counted once, for the first message that needs one. In a text in memory the window is the whole text. */
int json_source_line(struct json_source *s, size_t place)
{
    if (s->lines.before == NULL && s->fd < 0)
        line_index_init(&s->lines, s->window, (size_t)(s->end - s->window));
    /* The file is read again as a whole. If it is gone meanwhile the message has no line, which is better than none. */
    if (s->lines.before == NULL && text_read_file(&s->whole, s->path, SIZE_MAX, NULL) == ERR_NONE)
        line_index_init(&s->lines, text_str(&s->whole), s->whole.size);
    return s->lines.before != NULL ? line_index_at(&s->lines, place) : 0;
}

/* ---- tokens ---- */

static void skip_blanks(struct json_source *s)
{
    /* Blanks may fill the rest of the window and go on behind it. */
    do
        while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\r' || *s->at == '\n'))
            s->at++;
    while (s->at == s->end && fill(s));
}

static bool is_next(struct json_source *s, char c)
{
    skip_blanks(s);
    return s->at < s->end && *s->at == c;
}

static bool take(struct json_source *s, char c)
{
    bool is = is_next(s, c);
    s->at += is;
    return is;
}

static enum err_code refuse(struct json_source *s, const char *expected, struct err *e)
{
    if (s->read_error != 0)
        return err_set_at(e, ERR_IO, s->path, 0, "cannot read: %s", strerror(s->read_error));
    return err_set_at(e, ERR_PARSE, s->path, json_source_line(s, place_of(s)), "this is not JSON: %s expected",
                      expected);
}

/* jansson's words, because users know them from other programs, and they say what is wrong inside the value. It
   accepts a NUL byte behind a number, which we do not: then it has no words. */
static enum err_code refuse_value(struct json_source *s, struct err *e)
{
    json_error_t why;
    if (s->read_error != 0)
        return refuse(s, "a value", e);
    json_decref(json_loadb(s->at, (size_t)(s->end - s->at),
                           JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK,
                           &why));
    /* jansson counts lines from the value on: it has seen nothing before it. */
    return err_set_at(e, ERR_PARSE, s->path, json_source_line(s, place_of(s)) + (why.line > 0 ? why.line - 1 : 0),
                      "this is not JSON: %s", why.text[0] != '\0' ? why.text : "NUL byte");
}

/* Skips one value, which the window then holds completely: strings and numbers stay where they are, and are converted
   only if someone asks. A number at the end of the window may go on behind it. */
static enum err_code take_value(struct json_source *s, struct tape_value *out, struct err *e)
{
    size_t end, n;
    bool is_read;
    skip_blanks(s);
    /* Three reasons to read on and parse again from the beginning of the value: it is cut off, it is a word that may
       be cut off (tru), or a number that ends with the window (12|34). A mistake further from the end than the
       longest word is a mistake whatever follows. The window doubles, so parsing again costs a small multiple of one
       pass. */
    do {
        n = (size_t)(s->end - s->at);
        is_read = tape_read(&s->tape, s->at, n, false, &end);
    } while (n - end < LONGEST_WORD && !(is_read && end < n) && fill(s));
    if (!is_read)
        return refuse_value(s, e);
    s->tape.place = place_of(s);
    s->at += end;
    *out = tape_root(&s->tape);
    return ERR_NONE;
}

/* By brackets alone: the entries are parsed once, when they are wanted, and not twice. Brackets within strings do
   not count. Kinds of brackets are not told apart: json_source_next finds "[}" when it parses the entries. */
static enum err_code skip_list(struct json_source *s, struct err *e)
{
    size_t depth = 0;
    bool in_string = false, is_escaped = false;
    do
        for (; s->at < s->end; s->at++) {
            char c = *s->at;
            if (is_escaped)
                is_escaped = false;
            else if (in_string && c == '\\')
                is_escaped = true;
            else if (c == '"')
                in_string = !in_string;
            else if (!in_string && (c == '[' || c == '{'))
                depth++;
            else if (!in_string && (c == ']' || c == '}') && --depth == 0) {
                s->at++;
                return ERR_NONE;
            }
        }
    while (fill(s));
    return refuse(s, "the end of an array", e);
}

/* ---- members ---- */

static bool is_among(const char *key, const char *const *keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

static enum err_code take_member(struct json_source *s, const char *const *list_keys, size_t n_keys, struct err *e)
{
    /* The value is dropped: this pass only finds its place, and that it is valid. */
    struct tape_value value;
    const char *key = text_str(&s->key);
    /* jansson would take the last of two equal keys unless told not to; which one was meant cannot be known. */
    if (json_source_find(s, key) != NULL)
        return err_set_at(e, ERR_PARSE, s->path, json_source_line(s, place_of(s)),
                          "this is not JSON: duplicate object key near '\"%s\"'", key);
    if (!take(s, ':'))
        return refuse(s, "':'", e);
    bool is_list = is_next(s, '[') && is_among(key, list_keys, n_keys);
    MEM_GROW(s->members, s->n_members, s->members_capacity);
    s->members[s->n_members] = (struct json_source_member){mem_strdup(key), place_of(s), is_list};
    name_index_add(s->index, s->members[s->n_members].key, (int)s->n_members);
    s->n_members++;
    return is_list ? skip_list(s, e) : take_value(s, &value, e);
}

static enum err_code take_members(struct json_source *s, const char *const *list_keys, size_t n_keys, struct err *e)
{
    if (take(s, '}'))
        return ERR_NONE;
    do {
        struct tape_value key;
        if (!is_next(s, '"'))
            return refuse(s, "a key in quotes", e);
        enum err_code code = take_value(s, &key, e);
        if (code != ERR_NONE)
            return code;
        tape_string(key, &s->key);
        code = take_member(s, list_keys, n_keys, e);
        if (code != ERR_NONE)
            return code;
    } while (take(s, ','));
    return take(s, '}') ? ERR_NONE : refuse(s, "',' or '}'", e);
}

enum err_code json_source_members(struct json_source *s, const char *const *list_keys, size_t n_keys, struct err *e)
{
    struct tape_value value;
    s->index = name_index_create();
    s->is_object = is_next(s, '{');
    s->root = place_of(s);
    s->at += s->is_object;
    enum err_code code = s->is_object ? take_members(s, list_keys, n_keys, e) : take_value(s, &value, e);
    /* What stands behind the object must be nothing: a file that was joined from two is refused. */
    skip_blanks(s);
    if (code == ERR_NONE && (s->at < s->end || s->read_error != 0))
        code = refuse(s, "the end of the file", e);
    return code;
}

const struct json_source_member *json_source_find(const struct json_source *s, const char *key)
{
    int i = name_index_find(s->index, key);
    return i >= 0 ? &s->members[i] : NULL;
}

/* ---- values and lists ---- */

enum err_code json_source_value(struct json_source *s, const struct json_source_member *member, struct tape_value *out,
                                struct err *e)
{
    *out = (struct tape_value){0};
    if (member == NULL)
        return ERR_NONE;
    go_to(s, member->place);
    return take_value(s, out, e);
}

void json_source_list(struct json_source *s, const struct json_source_member *list)
{
    go_to(s, list->place);
    s->n_read = 0;
}

enum err_code json_source_next(struct json_source *s, struct tape_value *entry, struct err *e)
{
    *entry = (struct tape_value){0};
    /* The list is at its bracket until the first entry has been read. */
    if (s->n_read == 0)
        take(s, '[');
    if (take(s, ']'))
        return ERR_NONE;
    if (s->n_read > 0 && !take(s, ','))
        return refuse(s, "',' or ']'", e);
    enum err_code code = take_value(s, entry, e);
    s->n_read++;
    return code;
}
