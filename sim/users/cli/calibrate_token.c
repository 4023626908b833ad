/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/calibrate_token.h"

#include "base/mem.h"
#include "base/text.h"
#include "calibrate/listener.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum err_code check_token(const char *token, const char *where, struct err *e)
{
    if (listener_is_token(token))
        return ERR_NONE;
    return err_set(e, ERR_USAGE, "%s is not a token: expected %d hexadecimal digits, as a listener prints them", where,
                   (int)PROTOCOL_TOKEN);
}

static enum err_code read_token(const char *path, char out[PROTOCOL_TOKEN + 1], struct err *e)
{
    enum { MOST_BYTES = 1000 };
    struct text t = {0};
    enum err_code code = text_read_file(&t, path, MOST_BYTES, e);
    if (code == ERR_NONE) {
        char *where = mem_format("the content of %s", path);
        const char *begin = text_str(&t) + strspn(text_str(&t), " \t\r\n");
        size_t n = strcspn(begin, " \t\r\n");
        bool is_alone = begin[n + strspn(begin + n, " \t\r\n")] == '\0';
        snprintf(out, PROTOCOL_TOKEN + 1, "%.*s", is_alone && n == PROTOCOL_TOKEN ? (int)n : 0, begin);
        code = check_token(out, where, e);
        free(where);
    }
    text_clear(&t);
    return code;
}

enum err_code calibrate_find_token(const char *option, const char *file, char out[PROTOCOL_TOKEN + 1], struct err *e)
{
    const char *variable = getenv("IASIM_TOKEN"), *given = option != NULL ? option : variable;
    out[0] = '\0';
    if (option != NULL && file != NULL)
        return err_set(e, ERR_USAGE, "--token and --token-file exclude each other");
    if (file != NULL)
        return read_token(file, out, e);
    if (given == NULL)
        return ERR_NONE;
    enum err_code code = check_token(given, option != NULL ? "--token" : "IASIM_TOKEN", e);
    if (code == ERR_NONE)
        snprintf(out, PROTOCOL_TOKEN + 1, "%s", given);
    return code;
}
