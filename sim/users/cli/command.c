/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli/command.h"

#include "base/interpreter.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/shipped.h"
#include "base/text.h"
#include "cli/input_file.h"
#include "cli/shipped_list.h"
#include "engine/engine.h"
#include "report/progress.h"
#include "report/progress_clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

char *command_data_path(const char *path)
{
    char *shipped = access(path, R_OK) == 0 || path[0] == '/' ? NULL : shipped_path(path);
    return shipped != NULL ? shipped : mem_strdup(path);
}

bool command_run_script(const char *script, const char *const *args)
{
    size_t n = 0;
    while (args[n] != NULL)
        n++;
    const char **words = mem_zalloc(n + 3, sizeof *words);
    char *path = command_data_path(script);
    char *python = interpreter_that_runs("import matplotlib", NULL);
    words[0] = python;
    words[1] = path;
    memcpy(words + 2, args, n * sizeof *args);
    pid_t child = fork();
    if (child == 0) {
        execv(python, (char *const *)words);
        _exit(127);
    }
    int status = 1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    free(words);
    free(path);
    free(python);
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
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
    if (exists)
        return input_file_check("scenarios/", *path, e);
    struct text known = {0};
    shipped_list_add_names("scenarios", &known);
    err_set(e, ERR_IO, "'%s' is neither a file or folder here nor a scenario that comes with iasim (%s)%s", given,
            text_str(&known), hint_among(given, text_str(&known), "scenarios").text);
    text_clear(&known);
    return ERR_IO;
}

static void show_progress(void *self, uint64_t n_done, uint64_t n_total)
{
    progress_show(self, &(struct progress_counts){.n_total = n_total, .n_done = n_done});
}

static void end_progress(void *self)
{
    progress_end(self);
}

void command_show_progress(struct engine *engine)
{
    static struct progress bar;
    progress_clock_stop(); /* it has shown how long reading takes */
    progress_init(&bar, stderr, PROGRESS_AUTO);
    bar.delay_s = 1;
    engine_set_progress(engine, (struct engine_progress){&bar, show_progress, end_progress});
}
