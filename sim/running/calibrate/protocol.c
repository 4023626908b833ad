/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One table (PROTOCOL_LIST) says which fields a line has; reading and writing walk over it, so they cannot disagree.
   What is read comes from the network before anybody has shown a token: nothing is allocated, no length is believed,
   and a line is either exactly what protocol_format could have written or refused. */
#include "calibrate/protocol.h"

#include "base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Begins the first line of a connection. It tells a stranger (a browser, a port scanner) from another version of
   iasim. */
static const char magic[] = "iasim-calibrate";
/* Far above any rate or time; keeps sums of such numbers finite. */
static const double max_number = 1e18;

static const struct {
    const char *word, *fields;
} forms[] = {
#define X(kind, word, fields, meaning) {word, fields},
    PROTOCOL_LIST(X)
#undef X
};

const char *protocol_word(enum message_kind kind) /* NULL: HELLO_OTHER, which is never written */
{
    return forms[kind].word;
}

static bool is_hello(enum message_kind kind)
{
    return kind == MESSAGE_HELLO_CONTROL || kind == MESSAGE_HELLO_DATA;
}

/* A terminal must not get control characters from strangers. */
const char *protocol_printable(const char *bytes, size_t n, char out[PROTOCOL_NAME + 1])
{
    n = n < PROTOCOL_NAME ? n : PROTOCOL_NAME;
    for (size_t i = 0; i < n; i++)
        out[i] = bytes[i] >= ' ' && bytes[i] <= '~' ? bytes[i] : '?';
    out[n] = '\0';
    return out;
}

/* Digits are always allowed. By ranges rather than isalpha: that depends on the locale. */
static bool consists_of(const char *field, const char *others, bool (*is_letter)(char))
{
    for (; *field != '\0'; field++)
        if (!(*field >= '0' && *field <= '9') && !is_letter(*field) && strchr(others, *field) == NULL)
            return false;
    return true;
}

static bool is_hexadecimal(char c)
{
    return c >= 'a' && c <= 'f';
}

static bool is_latin(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* One way to write a number: no sign, no leading zeros, and few enough digits for 64 bits (19 nines are below 2^64). */
static bool read_count(const char *field, uint64_t *out)
{
    int end = 0;
    return strlen(field) <= 19 && isdigit((unsigned char)field[0]) && (field[0] != '0' || field[1] == '\0') &&
           sscanf(field, "%" SCNu64 "%n", out, &end) == 1 && field[end] == '\0';
}

/* text_to_double refuses inf and nan, which a sum would spread. */
static bool read_number(const char *field, double *out)
{
    return text_to_double(field, out) && *out >= 0 && *out <= max_number;
}

bool protocol_is_token(const char *text)
{
    return strlen(text) == PROTOCOL_TOKEN && consists_of(text, "", is_hexadecimal);
}

bool protocol_is_name(const char *text)
{
    size_t n = strlen(text);
    return n > 0 && n <= PROTOCOL_NAME && consists_of(text, "._-", is_latin);
}

static bool read_field(char type, const char *field, size_t *n_numbers, struct message *out)
{
    size_t n = strlen(field);
    switch (type) {
    case 't':
        /* Too long: nothing is copied, and the length below refuses it. */
        memcpy(out->token, field, n < sizeof out->token ? n : 0);
        return protocol_is_token(field);
    case 'w':
        memcpy(out->name, field, n < sizeof out->name ? n : 0);
        return protocol_is_name(field);
    case 'v':
        return read_count(field, &out->count);
    default:
        return read_number(field, &out->numbers[(*n_numbers)++]);
    }
}

/* Takes the next field off `rest`, which is NULL after the last; NULL: there is none. */
static char *next_field(char **rest)
{
    char *field = *rest, *blank = field != NULL ? strchr(field, ' ') : NULL;
    if (blank != NULL)
        *blank++ = '\0';
    *rest = blank;
    return field;
}

/* Exactly as many fields as types: one too few ends in NULL, one too many leaves a rest. */
static bool read_fields(const char *types, char *rest, struct message *out)
{
    size_t n_numbers = 0;
    for (; *types != '\0'; types++) {
        const char *field = next_field(&rest);
        if (field == NULL || !read_field(*types, field, &n_numbers, out))
            return false;
    }
    return rest == NULL;
}

/* A hello of another version is understood as far as its version: the rest may be anything. Its sender can then
   be told why it is refused. */
static bool parse(char *rest, struct message *out)
{
    const char *word = next_field(&rest);
    bool hello = word != NULL && strcmp(word, magic) == 0;
    if (hello) {
        const char *version = next_field(&rest);
        if (version == NULL || !read_count(version, &out->count))
            return false;
        if (out->count != PROTOCOL_VERSION) {
            out->kind = MESSAGE_HELLO_OTHER;
            return true;
        }
        out->count = 0; /* kinds without a count have 0 */
        word = next_field(&rest);
    }
    /* A word counts only where it belongs: "control" after the hello's magic, "ping" without it. */
    for (enum message_kind kind = 0; kind < N_MESSAGE_KINDS && word != NULL; kind++)
        if (forms[kind].word != NULL && strcmp(word, forms[kind].word) == 0 && is_hello(kind) == hello) {
            out->kind = kind;
            return read_fields(forms[kind].fields, rest, out);
        }
    return false;
}

/* The line is a stranger's: of any bytes, also zeros, of any length. It is copied to be cut into fields. */
enum err_code protocol_parse(const char *line, size_t n, struct message *out, struct err *e)
{
    char copy[PROTOCOL_LINE + 1], shown[PROTOCOL_NAME + 1];
    *out = (struct message){0};
    bool is_text = n <= PROTOCOL_LINE && memchr(line, '\0', n) == NULL;
    memcpy(copy, line, is_text ? n : 0);
    copy[is_text ? n : 0] = '\0';
    if (is_text && parse(copy, out))
        return ERR_NONE;
    return err_set(e, ERR_INPUT, "not a line of iasim's calibration: '%s'", protocol_printable(line, n, shown));
}

/* The size is enough for the longest message with valid fields: no length is checked here. */
size_t protocol_format(const struct message *m, char out[PROTOCOL_LINE + 2])
{
    size_t n_numbers = 0, n = 0, size = PROTOCOL_LINE + 2;
    if (is_hello(m->kind))
        n = (size_t)snprintf(out, size, "%s %d ", magic, PROTOCOL_VERSION);
    n += (size_t)snprintf(out + n, size - n, "%s", forms[m->kind].word);
    for (const char *types = forms[m->kind].fields; *types != '\0'; types++) {
        char number[TEXT_NUMBER_SIZE];
        if (*types == 'v')
            n += (size_t)snprintf(out + n, size - n, " %" PRIu64, m->count);
        else
            n += (size_t)snprintf(out + n, size - n, " %s",
                                  *types == 't'   ? m->token
                                  : *types == 'w' ? m->name
                                                  : text_number(m->numbers[n_numbers++], number));
    }
    out[n++] = '\n';
    out[n] = '\0';
    return n;
}
