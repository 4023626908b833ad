/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Slurm's commands as functions. Their output formats for scripts (--parsable, --format) are meant to be read by
   programs, and iasim need not be built with a library of Slurm's. */
#include "batch/slurm.h"

#include "base/mem.h"
#include "base/shipped.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- running a program of Slurm --- */

struct answer {
    struct text out, talk;
};

static void answer_clear(struct answer *a)
{
    text_clear(&a->out);
    text_clear(&a->talk);
}

static void read_all(int fd, struct text *out)
{
    char bytes[4096];
    ssize_t n;
    /* From the beginning: the program has moved the offset that both share. */
    lseek(fd, 0, SEEK_SET);
    while ((n = read(fd, bytes, sizeof bytes)) > 0)
        text_add(out, bytes, (size_t)n);
}

/* A user may have filters for their own lists; iasim needs the whole queue. */
static void forget_filters(void)
{
    static const char *const names[] = {"SQUEUE_ACCOUNT", "SQUEUE_LICENSES", "SQUEUE_NAMES", "SQUEUE_PARTITION",
                                        "SQUEUE_QOS",     "SQUEUE_STATES",   "SQUEUE_USERS"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
}

static void become(const char *const *words, int out, int talk)
{
    forget_filters();
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(talk, STDERR_FILENO);
    execvp(words[0], (char *const *)words);
    /* As the shell does: 127 for a program that is not there. */
    _exit(errno == ENOENT ? 127 : 126);
}

/* The output on one line, for a message. */
static const char *one_line(struct text *said)
{
    char *text = said->data;
    if (text == NULL)
        return "no output";
    /* Control characters become blanks, so the message is one line. */
    for (char *at = text; *at != '\0'; at++)
        if (*at > 0 && *at < ' ')
            *at = ' ';
    while (said->size > 0 && text[said->size - 1] == ' ')
        text[--said->size] = '\0';
    return said->size > 0 ? text : "no output";
}

static enum err_code judge(const char *program, int status, struct answer *a, struct err *e)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return ERR_NONE;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return err_set(e, ERR_IO, "the program '%s' is not installed", program);
    return err_set(e, ERR_IO, "%s failed: %.800s", program, one_line(&a->talk));
}

/* Its output goes to files in memory: with pipes, the program could block until we read. */
static enum err_code ask(const char *const *words, struct answer *a, struct err *e)
{
    int status = 0, out = memfd_create("out", MFD_CLOEXEC), talk = memfd_create("talk", MFD_CLOEXEC);
    *a = (struct answer){0};
    /* What is in our buffers must not be written twice, by the child as well. */
    fflush(NULL);
    pid_t child = out >= 0 && talk >= 0 ? fork() : -1;
    if (child == 0)
        become(words, out, talk);
    enum err_code code = ERR_NONE;
    if (child < 0)
        code = err_set(e, ERR_IO, "%s cannot be started: %s", words[0], strerror(errno));
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child > 0) {
        read_all(out, &a->out);
        read_all(talk, &a->talk);
        code = judge(words[0], status, a, e);
    }
    if (out >= 0)
        close(out);
    if (talk >= 0)
        close(talk);
    return code;
}

/* --- requests --- */

bool slurm_is_here(void)
{
    return program_is_installed("sbatch");
}

enum err_code slurm_submit(const char *const *options, const char *script, long *job, struct err *e)
{
    struct answer a;
    size_t n = 0;
    while (options[n] != NULL)
        n++;
    /* The program's name, --parsable, the script and the NULL. */
    const char **words = mem_zalloc(n + 4, sizeof *words);
    words[0] = "sbatch";
    words[1] = "--parsable"; /* it prints "123" or "123;cluster" */
    memcpy(words + 2, options, n * sizeof *words);
    words[n + 2] = script;
    enum err_code code = ask(words, &a, e);
    *job = code == ERR_NONE ? strtol(text_str(&a.out), NULL, 10) : 0;
    if (code == ERR_NONE && *job <= 0)
        code = err_set(e, ERR_IO, "sbatch did not print the number of a job: '%.200s'", one_line(&a.out));
    if (code == ERR_NONE && a.talk.size > 0)
        fprintf(stderr, "%s", text_str(&a.talk)); /* remarks of the site are for the user */
    answer_clear(&a);
    free(words);
    return code;
}

enum err_code slurm_max_index(long *out, struct err *e)
{
    static const char *const words[] = {"scontrol", "show", "config", NULL};
    struct answer a;
    *out = 0;
    enum err_code code = ask(words, &a, e);
    /* A cluster without this line in its configuration has no known limit. */
    const char *found = strstr(text_str(&a.out), "MaxArraySize");
    /* The limit is one more than the largest index. */
    if (code == ERR_NONE && found != NULL && (found = strchr(found, '=')) != NULL)
        *out = strtol(found + 1, NULL, 10) - 1;
    answer_clear(&a);
    return code;
}

/* Slurm has some twenty states. Those in which a task does not run yet are waiting; COMPLETING tasks have ended but
   their processes may still exist; all others are running. */
static enum slurm_state state_of(const char *name)
{
    if (strcmp(name, "COMPLETING") == 0)
        return SLURM_ENDING;
    return strcmp(name, "PENDING") == 0 || strncmp(name, "REQUEUE", 7) == 0 || strcmp(name, "SPECIAL_EXIT") == 0
               ? SLURM_WAITING
               : SLURM_RUNNING;
}

/* "12|3|RUNNING": job, index, state; "12|N/A|PENDING" without an index. */
static bool parse_task(char *line, struct slurm_task *t)
{
    char *job = strsep(&line, "|"), *index = line != NULL ? strsep(&line, "|") : NULL;
    if (line == NULL || !text_to_long(job, &t->job))
        return false;
    if (!text_to_long(index, &t->index))
        t->index = -1;
    t->state = state_of(line);
    return true;
}

enum err_code slurm_queue(struct slurm_task **tasks, size_t *n, struct err *e)
{
    char *user = mem_format("--user=%ld", (long)geteuid());
    /* By the user's number. --array: one line for each task, also for those that wait. */
    const char *const words[] = {"squeue", user, "--noheader", "--array", "--format=%F|%K|%T", NULL};
    struct answer a;
    size_t capacity = 0;
    *tasks = NULL;
    *n = 0;
    enum err_code code = ask(words, &a, e);
    char *rest = a.out.data, *line;
    while (code == ERR_NONE && (line = strsep(&rest, "\n")) != NULL) {
        MEM_GROW(*tasks, *n, capacity);
        /* A line that is not of this form (a remark of the site) is passed over. */
        *n += parse_task(line, &(*tasks)[*n]);
    }
    answer_clear(&a);
    free(user);
    return code;
}

enum err_code slurm_cancel(long job, struct err *e)
{
    char number[32];
    const char *const words[] = {"scancel", number, NULL};
    struct answer a;
    snprintf(number, sizeof number, "%ld", job);
    enum err_code code = ask(words, &a, e);
    answer_clear(&a);
    return code;
}
