/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/command.h"

#include "base/mem.h"
#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.def"
#undef COMMAND

const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.def"
#undef COMMAND
    NULL,
};

void command_print_json(json_t *root)
{
    json_dumpf(root, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    putchar('\n');
    json_decref(root);
}

/* Where the running program is installed: "/usr/local" for /usr/local/bin/iasim. */
static bool find_prefix(char out[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", out, PATH_MAX - 1);
    if (n <= 0)
        return false;
    out[n] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(out, '/');
        if (slash == NULL)
            return false;
        *slash = '\0';
    }
    return true;
}

char *command_data_path(const char *path)
{
    if (access(path, R_OK) == 0 || path[0] == '/')
        return mem_strdup(path);
    char prefix[PATH_MAX];
    const char *folder = getenv("IASIM_DATA");
    char *candidate = NULL;
    if (folder != NULL)
        candidate = mem_format("%s/%s", folder, path);
    else if (find_prefix(prefix))
        candidate = mem_format("%s/share/iasim/%s", prefix, path);
    if (candidate != NULL && access(candidate, R_OK) == 0)
        return candidate;
    free(candidate);
    return mem_strdup(path);
}

const char *command_input(const char *path)
{
    static struct input {
        char *path;
        struct input *next;
    } * inputs;
    struct input *input = mem_alloc(sizeof *input);
    *input = (struct input){command_data_path(path), inputs};
    inputs = input;
    return input->path;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

enum err_code command_scenario_path(const char *given, char **path, struct err *e)
{
    char *place = mem_strdup(given);
    if (access(place, F_OK) != 0) {
        char *shipped = mem_format("scenarios/%s", given);
        free(place);
        place = command_data_path(shipped);
        free(shipped);
    }
    bool exists = access(place, F_OK) == 0;
    *path = exists && is_folder(place) ? mem_format("%s/scenario.xml", place) : mem_strdup(place);
    free(place);
    return exists ? ERR_NONE
                  : err_set(e, ERR_IO, "'%s' is no file or folder here, and no scenario that comes with iasim", given);
}
