/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Compiles a program, runs it, and reads its trace. Three foreign programs take part (a compiler, a launcher, the
   program), each of which may fail in its own words. So their output is kept in files, and the line that says why is
   looked for: a user who sees "failed with status 1" would have to begin there. */
#include "codegen/codegen.h"
#include "codegen/process.h"

#include "base/foreign.h"
#include "base/json_source.h"
#include "base/mem.h"
#include "base/shipped.h"
#include "base/text.h"
#include "machine/platform_xml.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct run {
    const struct schedule *schedule;
    const char *dir;
    const struct codegen_run_options *options;
    struct text log; /* what the last program printed */
};

struct words { /* a command line; each word is fresh */
    char **list;
    size_t n, capacity;
};

/* ---- command lines ---- */

static void add_word(struct words *w, char *word)
{
    MEM_GROW(w->list, w->n, w->capacity);
    w->list[w->n++] = word;
}

static void add_words(struct words *w, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        add_word(w, mem_strdup(list[i]));
}

static void words_clear(struct words *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->list[i]);
    free(w->list);
    *w = (struct words){0};
}

/* ---- what a program prints ---- */

/* A log that cannot be read is an empty one: the reason is then missing, not the message. */
static void read_log(struct run *r, const char *name)
{
    enum { MAX_BYTES = 1 << 26 };
    char *path = mem_format("%s/%s", r->dir, name);
    text_clear(&r->log);
    text_read_file(&r->log, path, MAX_BYTES, NULL);
    free(path);
}

static const char *line_start(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

static bool is_ruled(const char *line)
{
    return strncmp(line, "-----", 5) == 0;
}

/* The last line. mpirun puts its messages between two ruled lines: then the first line between the first two. */
static const char *find_last(const char *text, const char *end)
{
    while (end > text && end[-1] == '\n')
        end--;
    const char *last = line_start(text, end), *line = text;
    if (!is_ruled(last))
        return last;
    while (!is_ruled(line))
        line += strcspn(line, "\n") + 1;
    return line < last ? line + strcspn(line, "\n") + 1 : line;
}

/* The line that says why: the first with one of the marks, else the last one. */
static void find_reason(const struct run *r, char *out, size_t size)
{
    /* In this order: a compiler's error, a linker's, then what simulations and runtimes say. */
    static const char *const marks[] = {"error:",   "undefined reference", "Deadlock", "rank ",
                                        "CRITICAL", "this program needs"};
    const char *text = text_str(&r->log), *found = NULL;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0] && found == NULL; i++)
        found = strstr(text, marks[i]);
    found = found != NULL ? line_start(text, found) : find_last(text, text + r->log.size);
    size_t n = strcspn(found, "\n");
    snprintf(out, size, "%.*s", (int)(n < size ? n : size - 1), found);
}

static enum err_code explain(struct run *r, const char *log, const char *what, struct err *e)
{
    char reason[600];
    find_reason(r, reason, sizeof reason);
    const char *colon = reason[0] != '\0' ? ": " : "";
    if (r->options->is_folder_temporary)
        return err_set(e, ERR_INPUT, "%s%s%s", what, colon, reason);
    return err_set(e, ERR_INPUT, "%s%s%s; the full output is in %s/%s", what, colon, reason, r->dir, log);
}

/* Runs a command line in the folder. Errors: also when it does not end well. */
static enum err_code run_words(struct run *r, struct words *words, const char *log, const char *doing, struct err *e)
{
    struct process_end end;
    char what[200];
    /* NULL ends the list for execvp; it is no word of the command. */
    add_word(words, NULL);
    enum err_code code = process_run((const char *const *)words->list, r->dir, log, r->options->deadline_s, &end, e);
    if (code != ERR_NONE)
        return code;
    read_log(r, log);
    if (end.was_late)
        snprintf(what, sizeof what, "%s was stopped after the --deadline of %g s", doing, r->options->deadline_s);
    else if (WIFSIGNALED(end.status))
        snprintf(what, sizeof what, "%s was killed by signal %d (%s)%s", doing, WTERMSIG(end.status),
                 strsignal(WTERMSIG(end.status)),
                 /* The kernel ends processes by SIGKILL when memory runs out, and they leave no message. */
                 WTERMSIG(end.status) == SIGKILL ? ", perhaps for lack of memory" : "");
    else if (WEXITSTATUS(end.status) != 0)
        snprintf(what, sizeof what, "%s failed with status %d", doing, WEXITSTATUS(end.status));
    else
        return ERR_NONE;
    return explain(r, log, what, e);
}

/* Looked for before anything is compiled, as "command not found" in a log would not name the package. */
enum err_code codegen_check_installed(enum codegen_target target, struct err *e)
{
    static const struct {
        const char *program, *package;
    } needed[][3] = {
        [CODEGEN_SMPI] = {{"smpicc", "libsimgrid-dev"}, {"smpirun", "libsimgrid-dev"}, {"cc", "gcc"}},
        [CODEGEN_MPI] = {{"mpicc", "libopenmpi-dev"}, {"mpirun", "openmpi-bin"}, {"cc", "gcc"}},
    };
    for (size_t i = 0; i < sizeof needed[target] / sizeof needed[target][0]; i++)
        if (!program_is_installed(needed[target][i].program))
            return err_set(e, ERR_IO, "the program '%s' is not installed; on Debian it is in the package %s",
                           needed[target][i].program, needed[target][i].package);
    return ERR_NONE;
}

/* ---- compiling ---- */

/* With has_no_defaults the linker misses the function of a task that has none. NULL: it misses nothing of that kind.
   Only the first one is named; the log has all. */
static const char *find_missing_function(const struct run *r)
{
    static const char mark[] = "undefined reference to `";
    const char *found = strstr(text_str(&r->log), mark);
    found = found != NULL ? found + strlen(mark) : NULL;
    return found != NULL && strncmp(found, "task_", 5) == 0 ? found : NULL;
}

/* A function that is called task_.. and is no task's was meant to be one: without this check a misspelt name would be
   compiled, never called, and the default would run in its place. */
static enum err_code check_functions(struct run *r, struct err *e)
{
    static const char mark[] = "no previous prototype for 'task_";
    const char *found = strstr(text_str(&r->log), mark);
    if (found == NULL)
        return ERR_NONE;
    const char *name = strchr(found, '\'') + 1, *line = line_start(text_str(&r->log), found);
    return err_set(e, ERR_INPUT, "%.*s: no task has the function '%.*s'; program.h declares the functions of all tasks",
                   (int)strcspn(line, ": "), line, (int)strcspn(name, "'"), name);
}

static enum err_code compile(struct run *r, struct err *e)
{
    /* Of the two clocks one is compiled: they define the same functions. */
    bool is_smpi = r->options->target == CODEGEN_SMPI;
    const char *compiler = is_smpi ? "smpicc" : "mpicc";
    const char *const fixed[] = {compiler,
                                 "-O2",
                                 "-Wmissing-prototypes",
                                 "-o",
                                 "program",
                                 "program.c",
                                 "tasks.c",
                                 "ia.c",
                                 "ia_trace.c",
                                 is_smpi ? "clock_smpi.c" : "clock_mpi.c"};
    struct words words = {0};
    add_words(&words, fixed, sizeof fixed / sizeof fixed[0]);
    for (size_t i = 0; i < r->options->n_task_files; i++)
        add_word(&words, mem_format("own_%zu.c", i + 1));
    if (r->options->has_no_defaults)
        add_word(&words, mem_strdup("-DNO_DEFAULT_TASKS"));
    add_word(&words, mem_strdup("-lm"));
    struct err why = {0};
    const char *missing;
    /* Into `why`, because a better message may take its place. */
    enum err_code code = run_words(r, &words, "compile.log", "compiling the program", &why);
    if (code == ERR_NONE)
        code = check_functions(r, e);
    else if ((missing = find_missing_function(r)) != NULL)
        err_set(e, code, "the function '%.*s' is missing: with no defaults each task needs one in your files",
                (int)strcspn(missing, "'"), missing);
    else if (e != NULL)
        *e = why;
    words_clear(&words);
    return code;
}

/* ---- SMPI ---- */

/* The network model that SimGrid takes for the platform; smpirun would set one of its own. */
static enum err_code find_network_model(const char *platform, char **out, struct err *e)
{
    struct platform_xml *xml;
    enum err_code code = platform_xml_read(platform, &xml, e);
    if (code != ERR_NONE)
        return code;
    const char *model = platform_xml_config(xml, "network/model");
    /* LV08 is SimGrid's own default. */
    *out = mem_strdup(model != NULL ? model : "LV08");
    platform_xml_free(xml);
    return ERR_NONE;
}

/* All ranks of a simulated program are threads of one process, so their messages share its memory. Without this
   estimate a large graph would end the machine by swapping, long after the program has begun. */

struct change {
    double date_s, bytes;
};

/* At one date, what comes is counted before what goes: the estimate is of the most that is needed. */
static int compare_changes(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    if (x->date_s != y->date_s)
        return x->date_s < y->date_s ? -1 : 1;
    return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

/* The most bytes of messages that are there at one time, by the dates of a replay: data are there from their send until
   the task that they are for has ended. */
static double bytes_of_messages(const struct schedule *s, const struct replay_result *replayed)
{
    const struct dag *g = s->problem.dag;
    struct change *changes = mem_alloc((2 * (size_t)g->n_edges + 1) * sizeof *changes);
    size_t n = 0;
    double now_bytes = 0, most_bytes = 0;
    for (edge_id e = 0; e < g->n_edges; e++)
        if (s->edges[e].is_remote) {
            /* from the buffer that the sender fills to the end of the task that reads it */
            double bytes = g->edges[e].size_bytes;
            changes[n++] = (struct change){replayed->edges[e].send.start_s, bytes};
            changes[n++] = (struct change){replayed->tasks[g->edges[e].dst].finish_s, -bytes};
        }
    qsort(changes, n, sizeof *changes, compare_changes);
    for (size_t i = 0; i < n; i++) {
        now_bytes += changes[i].bytes;
        most_bytes = fmax(most_bytes, now_bytes);
    }
    free(changes);
    return most_bytes;
}

/* What the system says that programs can still have; INFINITY: it does not say. */
static double available_bytes(void)
{
    /* what the kernel believes can be had without swapping; other systems are not asked: INFINITY refuses nothing */
    FILE *in = fopen("/proc/meminfo", "re");
    char line[256];
    double kilobytes = INFINITY;
    while (in != NULL && isinf(kilobytes) && fgets(line, sizeof line, in) != NULL)
        if (sscanf(line, "MemAvailable: %lf kB", &kilobytes) != 1)
            kilobytes = INFINITY;
    if (in != NULL)
        fclose(in);
    return 1024 * kilobytes;
}

static enum err_code check_memory(const struct run *r, struct err *e)
{
    double free_bytes = available_bytes(), bytes = 0;
    if (r->options->replayed != NULL)
        bytes = bytes_of_messages(r->schedule, r->options->replayed);
    if (bytes <= free_bytes)
        return ERR_NONE;
    return err_set(e, ERR_INPUT,
                   "the simulated program needs memory for %.3g bytes of messages at a time, but only %.3g are "
                   "available; scale the graph's work and edges down",
                   bytes, free_bytes);
}

/* iasim exec --world=.. --: worlds that slow hosts down work under any SimGrid program (sim/running/simgrid). */
static void add_exec(struct words *words, const struct world_model *world)
{
    if (world == NULL || world->speed_factor_ratio == NULL)
        return;
    add_word(words, shipped_program());
    if (world->from != NULL) {
        add_word(words, mem_strdup("--plugin"));
        /* NULL would end the words; a file that is gone is missed by the program that they call. */
        char *path = realpath(world->from->path, NULL);
        add_word(words, path != NULL ? path : mem_strdup(world->from->path));
    }
    add_word(words, mem_strdup("exec"));
    add_word(words, mem_format("--world=%s", world_text(world)));
    add_word(words, mem_strdup("--"));
}

/* SMPI sends what is shorter than a threshold whether or not there is a receive, and counts without its envelope. */
static void add_thresholds(struct words *words, const struct codegen_run_options *options)
{
    enum { ENVELOPE_BYTES = 16 };
    /* "shorter than", hence one more; without the envelope, hence 16 less. */
    double bytes = fmin(fmax(0, options->eager_bytes - ENVELOPE_BYTES + 1), INT_MAX);
    if (options->waiting != REPLAY_RENDEZVOUS)
        return;
    add_word(words, mem_format("--cfg=smpi/async-small-thresh:%d", (int)bytes));
    add_word(words, mem_format("--cfg=smpi/send-is-detached-thresh:%d", (int)bytes));
}

static enum err_code simulate(struct run *r, size_t n_ranks, struct err *e)
{
    /* Lazy loses dates when there is latency; no call of MPI takes time by itself; dates are not rounded. */
    static const char *const fixed[] = {
        "--cfg=network/optim:Full",           "--cfg=surf/precision:1e-12", "--cfg=smpi/wtime:0", "--cfg=smpi/test:0",
        "--cfg=smpi/simulate-computation:no", "--log=root.thres:critical",  "./program",          "trace.json"};
    struct words words = {0};
    /* The program runs in its own folder, so paths must not be relative to this one. */
    char *model = NULL, *platform = realpath(r->schedule->problem.machine->source, NULL);
    enum err_code code =
        find_network_model(platform != NULL ? platform : r->schedule->problem.machine->source, &model, e);
    if (code == ERR_NONE) {
        add_exec(&words, r->options->world);
        add_words(&words, (const char *const[]){"smpirun", "-hostfile", "hostfile", "-platform", platform, "-np"}, 6);
        add_word(&words, mem_format("%zu", n_ranks));
        add_word(&words, mem_format("--cfg=network/model:%s", model));
        add_thresholds(&words, r->options);
        add_words(&words, fixed, sizeof fixed / sizeof fixed[0]);
        code = run_words(r, &words, "run.log", "the program", e);
    }
    words_clear(&words);
    free(model);
    free(platform);
    return code;
}

/* ---- MPI ---- */

/* Open MPI refuses to run as root, and more ranks than cores, unless it is asked to: by its variables, which other
   implementations ignore. The user's own values stay. */
static void allow_any_number_of_ranks(size_t n_ranks)
{
    static const char *const values[][2] = {
        {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
        {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
        {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
        {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"},
    };
    /* 0: what the user has set stays. */
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        setenv(values[i][0], values[i][1], 0);
    if ((double)n_ranks > (double)sysconf(_SC_NPROCESSORS_ONLN))
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0); /* ranks that wait in MPI let others onto their core */
}

enum err_code codegen_check_mca(const char *mca, struct err *e)
{
    for (const char *at = mca; *at != '\0'; at += strcspn(at, ";"), at += *at == ';') {
        size_t n = strcspn(at, ";"), name = strcspn(at, "=;");
        if (name == 0 || name == n)
            return err_set(e, ERR_INPUT, "MCA parameters are NAME=VALUE;NAME=VALUE..; found '%.*s'", (int)n, at);
    }
    return ERR_NONE;
}

static void add_mca(struct words *words, const char *mca)
{
    for (const char *at = mca; *at != '\0'; at += strcspn(at, ";"), at += *at == ';') {
        int n = (int)strcspn(at, ";"), name = (int)strcspn(at, "=");
        add_word(words, mem_strdup("--mca"));
        add_word(words, mem_format("%.*s", name, at));
        add_word(words, mem_format("%.*s", n - name - 1, at + name + 1));
    }
}

static enum err_code run_really(struct run *r, size_t n_ranks, struct err *e)
{
    char number[TEXT_NUMBER_SIZE];
    struct words words = {0};
    allow_any_number_of_ranks(n_ranks);
    add_words(&words, (const char *const[]){"mpirun", "-np"}, 2);
    add_word(&words, mem_format("%zu", n_ranks));
    if (r->options->hostfile != NULL) {
        char *real = realpath(r->options->hostfile, NULL);
        add_word(&words, mem_strdup("--hostfile"));
        add_word(&words, real != NULL ? real : mem_strdup(r->options->hostfile));
    }
    if (r->options->mca != NULL)
        add_mca(&words, r->options->mca);
    double scale = r->options->seconds_per_s;
    add_words(&words,
              (const char *const[]){"./program", "trace.json", scale > 0 ? text_number(scale, number) : "match"}, 3);
    enum err_code code = run_words(r, &words, "run.log", "the program", e);
    words_clear(&words);
    return code;
}

/* ---- the trace: of our own runtime, but from a file in the user's folder ---- */

static enum err_code read_number(struct json_source *source, const char *key, double *out, struct err *e)
{
    struct tape_value value;
    enum err_code code = json_source_value(source, json_source_find(source, key), &value, e);
    *out = code == ERR_NONE ? tape_number(value) : NAN;
    return code;
}

/* The tasks of the trace are those of the graph, in its order. */
static enum err_code read_tasks(struct json_source *source, struct codegen_result *out, struct err *e)
{
    struct tape_value task;
    enum err_code code;
    size_t n = 0;
    json_source_list(source, json_source_find(source, "tasks"));
    while ((code = json_source_next(source, &task, e)) == ERR_NONE && task.tape != NULL && n < out->n_tasks)
        out->tasks[n++] =
            (struct span){tape_number(tape_member(task, "start_s")), tape_number(tape_member(task, "finish_s"))};
    /* Fewer tasks than the graph has: dates would be 0. */
    if (code == ERR_NONE && n < out->n_tasks)
        code = err_set_at(e, ERR_INTERNAL, source->path, 0, "the trace has %zu of %zu tasks", n, out->n_tasks);
    return code;
}

static enum err_code read_trace(struct run *r, const char *path, struct codegen_result *out, struct err *e)
{
    enum { MAX_BYTES = 1 << 30 };
    static const char *const lists[] = {"tasks", "edges", "hosts"};
    struct json_source source;
    enum err_code code;
    /* A program that ended without a word (exit in a function of a task) has left no trace. */
    if (access(path, R_OK) != 0)
        return explain(r, "run.log", "the program ended before all tasks had run", e);
    if ((code = json_source_open(&source, path, MAX_BYTES, e)) != ERR_NONE)
        return code;
    code = json_source_members(&source, lists, 3, e);
    if (code == ERR_NONE)
        code = read_number(&source, "makespan_s", &out->makespan_s, e);
    if (code == ERR_NONE)
        code = read_number(&source, "bytes_checked", &out->bytes_checked, e);
    if (code == ERR_NONE && json_source_find(&source, "seconds_per_s") != NULL)
        code = read_number(&source, "seconds_per_s", &out->seconds_per_s, e);
    if (code == ERR_NONE && json_source_find(&source, "tasks") != NULL)
        code = read_tasks(&source, out, e);
    json_source_clear(&source);
    return code;
}

/* ---- all ---- */

size_t codegen_n_ranks(const struct schedule *s)
{
    size_t n_hosts = s->problem.machine->n_hosts, n = 0;
    bool *is_used = mem_zalloc(n_hosts + 1, sizeof *is_used);
    for (task_id t = 0; t < s->problem.dag->n_tasks; t++)
        is_used[s->tasks[t].host] = true;
    for (size_t h = 0; h < n_hosts; h++)
        n += is_used[h];
    free(is_used);
    return n;
}

enum err_code codegen_run(const struct schedule *s, const char *dir, const struct codegen_run_options *options,
                          struct codegen_result *out, struct err *e)
{
    struct run r = {.schedule = s, .dir = dir, .options = options};
    char *trace = mem_format("%s/trace.json", dir);
    *out = (struct codegen_result){
        .n_tasks = (size_t)s->problem.dag->n_tasks, .n_ranks = codegen_n_ranks(s), .seconds_per_s = 1};
    out->tasks = mem_zalloc(out->n_tasks + 1, sizeof *out->tasks);
    /* A trace of an earlier run must not be taken for this one's. */
    unlink(trace);
    enum err_code code = codegen_check_installed(options->target, e);
    if (code == ERR_NONE && options->target == CODEGEN_SMPI)
        code = check_memory(&r, e);
    if (code == ERR_NONE && !options->is_compiled)
        code = compile(&r, e);
    if (code == ERR_NONE)
        code = options->target == CODEGEN_SMPI ? simulate(&r, out->n_ranks, e) : run_really(&r, out->n_ranks, e);
    if (code == ERR_NONE)
        code = read_trace(&r, trace, out, e);
    if (code != ERR_NONE)
        codegen_result_clear(out);
    text_clear(&r.log);
    free(trace);
    return code;
}

void codegen_result_clear(struct codegen_result *r)
{
    free(r->tasks);
    *r = (struct codegen_result){0};
}
