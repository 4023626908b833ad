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

/* Plugins are loaded before a command sees its words. */
static void refuse_plugin(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--plugin") == 0 || strncmp(argv[i], "--plugin=", strlen("--plugin=")) == 0) {
            fprintf(stderr, "%s: --plugin comes before the command: iasim --plugin FILE %s ...\n", argv[0],
                    argv[0] + strlen("iasim "));
            exit(err_exit_status(ERR_USAGE));
        }
}

void command_parse(const struct argp *argp, int argc, char **argv, void *input)
{
    argp_err_exit_status = err_exit_status(ERR_USAGE);
    refuse_plugin(argc, argv);
    argp_parse(argp, argc, argv, 0, NULL, input);
}

double command_number(struct argp_state *state, const char *option, const char *arg, double min, double max)
{
    double value = 0;
    if (!text_to_double(arg, &value))
        argp_error(state, "--%s '%s' is not a finite number", option, arg);
    if (value < min || value > max)
        argp_error(state, "--%s %s is out of range: it must be between %g and %g", option, arg, min, max);
    return value;
}

long command_integer(struct argp_state *state, const char *option, const char *arg, long min, long max)
{
    long value = 0;
    if (!text_to_long(arg, &value))
        argp_error(state, "--%s '%s' is not a whole number", option, arg);
    if (value < min || value > max)
        argp_error(state, "--%s %s is out of range: it must be between %ld and %ld", option, arg, min, max);
    return value;
}

void command_require(struct argp_state *state, const char *option, bool given)
{
    if (!given)
        argp_error(state, "option --%s is missing", option);
}

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
