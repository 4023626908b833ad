/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is shared by everything that reads or writes text. The C locale is taken for granted: strtod and printf would
   use the decimal comma of other locales, so no program that links this may call setlocale for LC_NUMERIC. */
#include "base/text.h"

#include "base/mem.h"
#include "base/new_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_clear(struct text *t)
{
    free(t->data);
    *t = (struct text){0};
}

static void reserve(struct text *t, size_t extra)
{
    /* One for the NUL, which every buffer ends with, so that its content can be used as a string at any time. */
    size_t need = t->size + extra + 1;
    if (need <= t->capacity)
        return;
    /* Doubled, so that adding byte by byte is linear in all. */
    t->capacity = need > 2 * t->capacity ? need : 2 * t->capacity;
    t->data = mem_resize(t->data, t->capacity, 1);
}

void text_add(struct text *t, const char *bytes, size_t n)
{
    reserve(t, n);
    if (n > 0)
        memcpy(t->data + t->size, bytes, n);
    t->size += n;
    t->data[t->size] = '\0';
}

void text_addf(struct text *t, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    /* Measured first, then written: the arguments can be read only once, hence the copy. */
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n > 0) {
        reserve(t, (size_t)n);
        vsnprintf(t->data + t->size, (size_t)n + 1, format, again);
        t->size += (size_t)n;
    }
    va_end(again);
}

const char *text_str(const struct text *t)
{
    return t->data ? t->data : "";
}

char *text_take(struct text *t)
{
    char *taken = t->data != NULL ? t->data : mem_strdup("");
    *t = (struct text){0};
    return taken;
}

/* Read until the end, not by the size that stat gives: pipes and files of /proc have none. */
enum err_code text_read_file(struct text *t, const char *path, size_t max_bytes, struct err *e)
{
    enum err_code code = ERR_NONE;
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return err_set_at(e, ERR_IO, path, 0, "cannot open: %s", strerror(errno));
    size_t n;
    do {
        reserve(t, 65536);
        n = fread(t->data + t->size, 1, 65536, f);
        t->size += n;
        t->data[t->size] = '\0';
        /* Stops one block after the limit: /dev/zero must not fill the memory. */
    } while (n > 0 && t->size <= max_bytes);
    if (ferror(f))
        code = err_set_at(e, ERR_IO, path, 0, "cannot read: %s", strerror(errno));
    else if (t->size > max_bytes)
        code = err_set_at(e, ERR_INPUT, path, 0, "larger than %zu bytes, the largest size that can be read", max_bytes);
    fclose(f);
    return code;
}

enum err_code text_write_file(const char *path, const char *bytes, size_t n, struct err *e)
{
    struct new_file f;
    enum err_code code = new_file_open(path, &f, e);
    if (code != ERR_NONE)
        return code;
    /* Its failure is noted in the stream; new_file_close reports it. */
    fwrite(bytes, 1, n, f.out);
    return new_file_close(&f, true, e);
}

bool text_to_double(const char *s, double *out)
{
    /* strtod also accepts blanks, hexadecimal, "inf" and "nan", which are not numbers here */
    if (s[strspn(s, "0123456789+-.eE")] != '\0' || s[0] == '\0')
        return false;
    char *end;
    double value = strtod(s, &end);
    /* Too large a number becomes infinite; one that is too small becomes 0, which is harmless. */
    if (end == s || *end != '\0' || !isfinite(value))
        return false;
    *out = value;
    return true;
}

bool text_to_long(const char *s, long *out)
{
    if (s[strspn(s, "0123456789+-")] != '\0' || s[0] == '\0')
        return false;
    char *end;
    /* strtol reports overflow by errno alone, which it does not clear. */
    errno = 0;
    long value = strtol(s, &end, 10);
    if (end == s || *end != '\0' || errno != 0)
        return false;
    *out = value;
    return true;
}

bool text_to_whole(const char *s, long *out)
{
    const double most = 9007199254740992; /* 2^53: every whole number up to here is a double */
    double value;
    if (strpbrk(s, "eE") == NULL)
        return text_to_long(s, out);
    /* Beyond 2^53 several whole numbers are one double, and the result could be a number nobody wrote. */
    if (!text_to_double(s, &value) || value != floor(value) || fabs(value) > most)
        return false;
    *out = (long)value;
    return true;
}

const char *text_number(double value, char out[TEXT_NUMBER_SIZE])
{
    snprintf(out, TEXT_NUMBER_SIZE, "%.17g", value);
    return out;
}

const char *text_number_short(double value, char out[TEXT_NUMBER_SIZE])
{
    /* From 15 on: any decimal number of 15 digits survives a double, so what a person wrote comes back as written. */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, TEXT_NUMBER_SIZE, "%.*g", digits, value == 0 ? 0 : value);
        if (strtod(out, NULL) == value)
            break;
    }
    return out;
}

const char *text_item_end(const char *list)
{
    /* A closing bracket too many makes the depth negative. The caller finds that when it reads the item. */
    int depth = 0;
    for (; *list != '\0' && (*list != ',' || depth > 0); list++)
        depth += (*list == '[') - (*list == ']');
    return list;
}

uint32_t text_character(const char **s)
{
    const unsigned char *c = (const unsigned char *)*s;
    /* A wrong first byte (0x80 to 0xC1, above 0xF4) gets a size here, too; is_good decides below. Least: overlong
       forms. */
    size_t size = c[0] < 0x80 ? 1 : c[0] >= 0xF0 ? 4 : c[0] >= 0xE0 ? 3 : 2;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t code = size == 1 ? c[0] : c[0] & (0x7Fu >> size);
    bool is_good = size == 1 || (c[0] >= 0xC2 && c[0] <= 0xF4);
    for (size_t i = 1; is_good && i < size; i++) {
        is_good = (c[i] & 0xC0) == 0x80; /* the final NUL is not */
        code = code << 6 | (c[i] & 0x3F);
    }
    is_good = is_good && code >= least[size] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    /* One byte after a mistake, so that the next valid character is found again. */
    *s += is_good ? size : 1;
    return is_good ? code : 0xFFFD;
}

int text_choice(const char *choices, const char *word)
{
    size_t n = strlen(word);
    int i = 0;
    /* A word of the list has neither bars nor length 0: "on|off" and "" are none. */
    for (const char *at = choices; n > 0 && at != NULL; i++) {
        size_t length = strcspn(at, "|");
        if (length == n && memcmp(at, word, n) == 0)
            return i;
        at = at[length] == '|' ? at + length + 1 : NULL;
    }
    return -1;
}

void text_add_name(struct text *t, const char *name)
{
    text_addf(t, "%s%s", t->size > 0 ? ", " : "", name);
}

void text_add_names(struct text *t, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        text_add_name(t, names[i]);
}

void text_write_csv_field(FILE *out, const char *field)
{
    if (field[strcspn(field, ",\"\r\n")] == '\0') {
        fputs(field, out);
        return;
    }
    putc('"', out);
    for (; *field != '\0'; field++) {
        if (*field == '"')
            putc('"', out);
        putc(*field, out);
    }
    putc('"', out);
}
