/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What all commands share: how one is called, and the services that several of them need (files that come with iasim,
   scenarios, scripts, progress). The words are parsed by options.c; the program's own options, plugins and exit status
   are those of library/main.c.

   A command's options live in one struct whose layout only the command knows. Here it is a block of c->size bytes, read
   and written by the offsets of the option table (options.h). */
#include "cli/command.h"

#include "base/interpreter.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/shipped.h"
#include "base/text.h"
#include "cli/input_file.h"
#include "cli/outputs.h"
#include "cli/run_options.h"
#include "cli/schedule_inputs.h"
#include "cli/shipped_list.h"
#include "engine/engine.h"
#include "plugin/load.h"
#include "report/progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* commands.def is the only list: help, completion, `iasim list` and the manual page follow its order. */
const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.def"
#undef COMMAND
    NULL,
};

/* A schedule names the platform and the graph that it was planned for, so the user need not repeat them: the parameters
   that were not given become those. All arguments (options without a name) of such a command are schedules, at most
   MOST_SCHEDULES; an optional one that is missing is NULL. */
static enum err_code take_planned(const struct command_option *options, char *into, struct err *e)
{
    const char *schedules[MOST_SCHEDULES], *path;
    int n = 0;
    for (const struct command_option *x = options; x->help != NULL; x++)
        /* Every argument of such a command has the type OPTION_TEXT, so its field is a const char *. */
        if (x->name == NULL && (path = *(const char **)(into + x->at)) != NULL)
            schedules[n++] = path;
    /* A command with a kind of run begins its options with a struct run_given (command.h). */
    return schedule_inputs_set(((struct run_given *)(void *)into)->params, schedules, n, e);
}

enum err_code command_call(const struct command *c, int argc, char **argv, struct err *e)
{
    const struct command_option *options = run_options_of(c);
    char *into = mem_zalloc(1, c->size);
    if (c->defaults != NULL)
        memcpy(into, c->defaults, c->size);
    if (c->kind != NULL)
        run_given_init((struct run_given *)(void *)into, c->kind);
    /* `before` may take words out that command_parse does not know, and says how many are left. */
    command_parse(c, c->before != NULL ? c->before(argc, argv, into) : argc, argv, into);
    /* What schedules name are inputs as well, so it is found before outputs_check compares outputs with all inputs: an
       --out that is the graph behind a schedule is refused. Both come before `run`, which may work for hours. */
    enum err_code code = c->planned != NULL ? take_planned(options, into, e) : ERR_NONE;
    if (code == ERR_NONE)
        code = outputs_check(options, into, e);
    if (code == ERR_NONE)
        code = c->run(into, e);
    /* Texts among the options are borrowed from argv or kept by input_file; only lists of several words were
       allocated. */
    for (const struct command_option *x = options; x->help != NULL; x++)
        if (x->type == OPTION_WORDS)
            free(((struct words *)(void *)(into + x->at))->list);
    if (c->kind != NULL)
        run_given_clear((struct run_given *)(void *)into);
    free(into);
    return code;
}

void command_write_json(json_t *root, FILE *out)
{
    json_dumpf(root, out, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    putc('\n', out);
    json_decref(root);
}

void command_print_json(json_t *root)
{
    command_write_json(root, stdout);
}

char *command_data_path(const char *path)
{
    /* A file here wins over one of the same name that comes with iasim. An absolute path means that file and no
       other. */
    char *shipped = access(path, R_OK) == 0 || path[0] == '/' ? NULL : shipped_path(path);
    return shipped != NULL ? shipped : mem_strdup(path);
}

/* A Python without matplotlib still runs the script (interpreter_that_runs falls back to /usr/bin/python3): the script
   itself then says what is missing. */
bool command_run_script(const char *script, const char *const *args)
{
    size_t n = 0;
    while (args[n] != NULL)
        n++;
    /* The interpreter, the script, the arguments, and the NULL that ends them for execv. */
    const char **words = mem_zalloc(n + 3, sizeof *words);
    char *path = command_data_path(script);
    char *python = interpreter_that_runs("import matplotlib", NULL);
    words[0] = python;
    words[1] = path;
    memcpy(words + 2, args, n * sizeof *args);
    pid_t child = fork();
    if (child == 0) {
        /* Without flushing or exit handlers: this child has copies of the parent's unwritten output. */
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
    /* What exists here is meant as it stands; else "smoke" may be the name of a folder of scenarios/ in the data
       folder. */
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
        /* A database or a platform in place of a scenario is refused by name, before an XML reader stumbles over it. */
        return input_file_check("scenarios/", *path, e);
    struct text known = {0};
    shipped_list_add_names("scenarios", &known);
    err_set(e, ERR_IO, "'%s' is neither a file or folder here nor a scenario that comes with iasim%s", given,
            hint_among(given, text_str(&known), "scenarios").text);
    text_clear(&known);
    return ERR_IO;
}

enum err_code command_read_scenario(const char *given, const struct words *sets, struct scenario *out, struct err *e)
{
    const struct scenario_options reading = {.sets = sets != NULL ? sets->list : NULL,
                                             .n_sets = sets != NULL ? sets->n : 0};
    char *path = NULL;
    enum err_code code = command_scenario_path(given, &path, e);
    if (code == ERR_NONE)
        code = scenario_read(path, &reading, out, e);
    free(path);
    return code;
}

struct rerun_words command_rerun_words(const char *scenario, const struct words *sets)
{
    return (struct rerun_words){plugin_paths(), (size_t)plugin_count(), scenario, sets->list, sets->n};
}

/* A simulation says how many of its activities are done; the bar wants the counts of a sweep, which may also fail. */
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
    /* Static, because the engine calls back until the simulation ends, after this function has returned. A process
       simulates once, so one is enough. */
    static struct progress bar;
    progress_clock_stop(); /* it has shown how long reading takes */
    progress_init(&bar, stderr, PROGRESS_AUTO);
    bar.delay_s = 1;
    engine_set_progress(engine, (struct engine_progress){&bar, show_progress, end_progress});
}
