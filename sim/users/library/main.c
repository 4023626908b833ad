/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program as a function: loads plugins, finds the command, runs it, turns its error into one message and an exit
   status. Standard output has results only, so that it can be piped; messages, warnings and progress go to standard
   error.

   The words are taken from the left: --complete or --plugin FILE, then the name of a command, then what command_parse
   reads. argv is changed in place. */
#include "base/mem.h"
#include "base/new_file.h"
#include "base/registry.h"
#include "base/shipped.h"
#include "cli/command.h"
#include "cli/complete.h"
#include "engine/guard.h"
#include "library/iasim.h"
#include "library/python.h"
#include "plugin/load.h"
#include "report/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By hand, unlike the help of commands: argp knows nothing of commands within a program. */
static void print_help(FILE *out)
{
    fputs("Usage: iasim [--plugin FILE]... COMMAND [OPTION...]\n"
          "Simulates scheduling on machines where communication slows computation down.\n\n",
          out);
    for (size_t i = 0; commands[i] != NULL; i++)
        fprintf(out, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n"
          "  --plugin FILE  load schedulers, farm policies, actors, worlds and cost models\n"
          "                 from a shared object, or schedulers from a file in Python,\n"
          "                 of your own; may be given several times.\n"
          "                 A point of a sweep that uses one may take 60 s\n"
          "                 (`iasim run --time-limit`)\n"
          "  --version      print the version\n"
          "\n`iasim COMMAND --help` explains a command, with examples. In a checkout the\n"
          "program is `./iasim`.\n",
          out);
}

struct call {
    const struct command *command;
    int argc;
    char **argv;
};

/* Runs within the guard's child for commands that simulate, so this is where output must be flushed. A result that
   could not be written (a full disk, a closed pipe) is not a success; a command's own error is told first. */
static enum err_code call_command(void *call, struct err *e)
{
    struct call *c = call;
    if (!c->command->has_progress)
        progress_clock_start(c->argv[0]);
    enum err_code code = command_call(c->command, c->argc, c->argv, e);
    progress_clock_stop();
    /* ferror may stand for a write long ago, whose errno is lost: 0 then gives no false reason. */
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == ERR_NONE)
        code = err_set(e, err_of_errno(errno), "standard output could not be written");
    return code;
}

/* A closed standard stream would give its number to the next file opened, which would then get our words. /dev/full in
   place of standard output makes the loss of results an error; messages may be lost. */
static void occupy_standard_streams(void)
{
    static const char *const stand_ins[] = {"/dev/null", "/dev/full", "/dev/null"};
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open(stand_ins[fd], fd == 0 ? O_RDONLY : O_WRONLY);
}

/* The file of the --plugin at argv[*n], and *n becomes what follows; "": the file is missing. NULL: there is no
   --plugin. */
static const char *next_plugin(int argc, char **argv, int *n)
{
    static const char option[] = "--plugin";
    const size_t length = sizeof option - 1;
    if (*n >= argc || strncmp(argv[*n], option, length) != 0)
        return NULL;
    const char *rest = argv[*n] + length;
    /* "--plugins" is another word. */
    if (*rest != '=' && *rest != '\0')
        return NULL;
    bool is_one_word = *rest == '=';
    /* Of "--plugin" as the last word *n ends behind argc, which the caller takes for a missing file. */
    *n += is_one_word ? 1 : 2;
    return is_one_word ? rest + 1 : *n <= argc ? argv[*n - 1] : "";
}

/* Loads what --plugin names and takes it out: argv[1] becomes what follows. The paths stay in argv's strings, which
   live as long as the program, as plugin_load wants. */
static enum err_code take_plugins(int *argc, char **argv, struct err *e)
{
    enum err_code code = ERR_NONE;
    int n = 1; /* words taken, and the program's name */
    for (const char *path; code == ERR_NONE && (path = next_plugin(*argc, argv, &n)) != NULL;) {
        if (n > *argc)
            return err_set(e, ERR_USAGE, "--plugin needs the file of a plugin");
        code = plugin_load(path, e);
    }
    /* The NULL at the end moves along. */
    argv[n - 1] = argv[0];
    *argc -= n - 1;
    memmove(argv, argv + n - 1, ((size_t)*argc + 1) * sizeof *argv);
    return code;
}

/* Looks without loading anything: within Python it is all done again. */
static bool has_python_plugin(int argc, char **argv)
{
    int n = argc > 1 && strcmp(argv[1], "--complete") == 0 ? 2 : 1;
    for (const char *path; (path = next_plugin(argc, argv, &n)) != NULL;)
        if (plugin_is_python(path))
            return true;
    return false;
}

static enum err_code run(int argc, char **argv, struct err *e)
{
    /* Before the name is used in messages. */
    const struct command *command = registry_choose(commands, "command", argv[1], e);
    if (command == NULL)
        return ERR_USAGE;
    /* argp calls the program by argv[0] in its messages and help. */
    char *name = mem_format("iasim %s", command->name);
    argv[1] = name;
    /* `iasim compare --explain` is another command, which may simulate where this one does not. */
    const struct command *instead = command->instead != NULL ? command->instead(argc - 1, argv + 1) : NULL;
    if (instead != NULL)
        command = instead;
    struct call call = {command, argc - 1, argv + 1};
    enum err_code code = command->simulates ? guard_run(call_command, &call, e) : call_command(&call, e);
    free(name);
    return code;
}

/* ERR_NO without a text is an answer that has been printed, such as the violations of `iasim check`. */
static int conclude(const char *command, enum err_code code, struct err *e)
{
    if (code != ERR_NONE && (code != ERR_NO || e->text[0] != '\0')) {
        char line[2048];
        e->code = code;
        fprintf(stderr, "iasim%s%s: %s\n", command[0] ? " " : "", command, err_describe(e, line, sizeof line));
    }
    return err_exit_status(code);
}

/* For shells, which ask while a line is being written: what is wrong with it is not their question, and the status is
   always 0. Plugins are loaded, so that their names complete. */
static int print_completions(int argc, char **argv)
{
    struct err e = {0};
    struct text out = {0};
    if (take_plugins(&argc, argv, &e) == ERR_NONE)
        complete(&out, (const char *const *)argv + 1, argc - 1);
    fputs(text_str(&out), stdout);
    text_clear(&out);
    return 0;
}

int iasim_main(int argc, char **argv)
{
    static char help[] = "--help";
    struct err e = {0};
    occupy_standard_streams();
    /* Within Python this function runs a second time (python.h); argv[0] is then the program's file, while this
       process's own is Python's. */
    if (plugin_reads_python())
        shipped_program_is(argv[0]);
    else if (has_python_plugin(argc, argv))
        return conclude("", python_restart(argc, argv, &e), &e);
    if (argc > 1 && strcmp(argv[1], "--complete") == 0)
        return print_completions(argc - 1, argv + 1);
    enum err_code code = take_plugins(&argc, argv, &e);
    if (code != ERR_NONE)
        return conclude("", code, &e);
    if (argc > 2 && strcmp(argv[1], "help") == 0) { /* `iasim help farm` */
        argv[1] = argv[2];
        argv[2] = help;
    }
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        print_help(argc < 2 ? stderr : stdout);
        /* Without words the help is a usage error: a script that lost its arguments should not succeed. */
        return argc < 2 || fflush(stdout) != 0 ? err_exit_status(ERR_USAGE) : 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("iasim " IASIM_VERSION);
        return 0;
    }
    /* A copy, because `run` replaces argv[1]. */
    char command_name[64];
    snprintf(command_name, sizeof command_name, "%s", argv[1]);
    return conclude(command_name, run(argc, argv, &e), &e);
}
