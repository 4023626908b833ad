/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writes the files of a program:

       program.h        numbers of tasks and edges, declarations of the tasks' functions
       program.c        the code of each rank, and tables
       tasks.c          functions of tasks by default, which compute for the task's seconds
       NAME.c           functions of the user's own
       ia.h ia.c ...    the runtime
       CMakeLists.txt README.md hostfile */
#include "codegen/codegen.h"
#include "codegen/folder.h"
#include "codegen/identifiers.h"
#include "codegen/program_plan.h"
#include "codegen/runtime_files.h"

#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct writer {
    const struct codegen_options *options;
    const struct schedule *schedule;
    const struct dag *dag;
    struct program_plan plan;
    struct identifiers names;
    struct new_folder folder;
};

/* Nothing to be gained, and in a large program much time of the compiler to be lost: a rank's code is one function of
   as many calls as it has steps. */
#define NO_OPTIMISATION "#if defined __GNUC__ && !defined __clang__\n#pragma GCC optimize(\"O0\")\n#endif\n"

/* ---- program.h and tasks.c ---- */

static void add_enum(struct text *out, const char *prefix, char *const *names, int n)
{
    if (n == 0)
        return;
    text_addf(out, "\nenum {\n");
    for (int i = 0; i < n; i++)
        text_addf(out, "    %s%s,\n", prefix, names[i]);
    text_addf(out, "};\n");
}

static void make_header(const struct writer *w, struct text *out)
{
    text_addf(
        out,
        "/* Written by iasim codegen. Tasks and edges of the graph; files with functions of tasks include this. */\n"
        "#ifndef PROGRAM_H\n#define PROGRAM_H\n\n#include \"ia.h\"\n");
    add_enum(out, "T_", w->names.tasks, w->dag->n_tasks);
    add_enum(out, "E_", w->names.edges, w->dag->n_edges);
    text_addf(out, "\n");
    for (task_id t = 0; t < w->dag->n_tasks; t++)
        text_addf(out, "ia_function task_%s;\n", w->names.tasks[t]);
    text_addf(out, "\n#endif\n");
}

static void make_tasks(const struct writer *w, struct text *out)
{
    text_addf(out,
              "/* Written by iasim codegen. A function of the same name in another file replaces one of these. */\n"
              "#include \"program.h\"\n\n#ifndef NO_DEFAULT_TASKS\n");
    for (task_id t = 0; t < w->dag->n_tasks; t++)
        text_addf(out, "IA_DEFAULT_TASK(task_%s)\n", w->names.tasks[t]);
    text_addf(out, "#endif\n");
}

/* ---- program.c ---- */

/* The steps of a rank as calls, one below the other. Nothing here depends on time. */
static void add_code(const struct writer *w, int rank, struct text *out)
{
    const struct replay_plan *steps = &w->plan.steps;
    text_addf(out, "\nstatic void rank_%d(void)\n{\n", rank);
    for (step_id s = w->plan.first[rank]; s >= 0; s = steps->after[s])
        if (step_kind(steps, s) == STEP_TASK)
            text_addf(out, "    ia_run(T_%s);\n", w->names.tasks[s]);
        else
            text_addf(out, "    %s(E_%s);\n", step_kind(steps, s) == STEP_SEND ? "ia_send" : "ia_receive",
                      w->names.edges[step_edge(steps, s)]);
    text_addf(out, "}\n");
}

/* 17 digits: the program computes with the same doubles as a replay. */
static void add_numbers(struct text *out, const double *values, size_t n)
{
    char number[TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < n; i++)
        text_addf(out, ", %s", text_number(values[i], number));
}

static void add_ranks(const struct writer *w, struct text *out)
{
    text_addf(out, "\nstatic const struct ia_rank_row ranks[] = {\n");
    for (int rank = 0; rank < w->plan.n_ranks; rank++) {
        const struct host *host = &w->plan.steps.machine->hosts[w->plan.hosts[rank]];
        text_addf(out, "    {");
        text_add_c_string(out, host->name);
        add_numbers(out, &host->speed_flop_per_s, 1);
        text_addf(out, ", rank_%d},\n", rank);
    }
    text_addf(out, "};\n");
}

static void add_tasks(const struct writer *w, struct text *out)
{
    text_addf(out, "\n/* function, name, rank, seconds, planned start and finish */\nstatic const struct ia_task_row "
                   "tasks[] = {\n");
    for (task_id t = 0; t < w->dag->n_tasks; t++) {
        const struct planned_task *planned = &w->schedule->tasks[t];
        double seconds = problem_compute_s(&w->schedule->problem, t, planned->host);
        text_addf(out, "    {task_%s, ", w->names.tasks[t]);
        text_add_c_string(out, w->dag->tasks[t].name);
        text_addf(out, ", %d", w->plan.ranks[planned->host]);
        add_numbers(out, (double[]){seconds, planned->span.start_s, planned->span.finish_s}, 3);
        text_addf(out, "},\n");
    }
    text_addf(out, "};\n");
}

static void add_edges(const struct writer *w, struct text *out)
{
    text_addf(
        out,
        "\n/* source, destination, tag (-1: no message), bytes, overhead and involvement of sending, of receiving */\n"
        "static const struct ia_edge_row edges[] = {\n");
    for (edge_id e = 0; e < w->dag->n_edges; e++) {
        const struct edge *edge = &w->dag->edges[e];
        const struct passage *x = &w->plan.steps.passages[e];
        text_addf(out, "    {T_%s, T_%s, %d, %lldLL", w->names.tasks[edge->src], w->names.tasks[edge->dst],
                  w->plan.tags[e], w->plan.bytes[e]);
        add_numbers(out,
                    (double[]){x->overhead_s[DIR_SEND], x->involvement_s[DIR_SEND], x->overhead_s[DIR_RECV],
                               x->involvement_s[DIR_RECV]},
                    4);
        text_addf(out, "},\n");
    }
    text_addf(out,
              "    {0, 0, -1, 0, 0, 0, 0, 0} /* C has no empty tables */\n};\n\nstatic const int messages[] = {\n");
    for (int i = 0; i < w->plan.n_messages; i++)
        text_addf(out, "    E_%s,\n", w->names.edges[w->plan.messages[i]]);
    text_addf(out, "    -1\n};\n");
}

static void add_text_member(struct text *out, const char *key, const char *value)
{
    text_addf(out, "    .%s = ", key);
    text_add_c_string(out, value);
    text_addf(out, ",\n");
}

/* Of the route from rank 0 to rank 1; 0: there is none, or it has no links. */
static double first_bandwidth_bytes_per_s(const struct writer *w)
{
    const struct route_table *routes = w->schedule->problem.routes;
    if (w->plan.n_ranks < 2)
        return 0;
    size_t from = (size_t)w->plan.hosts[0], to = (size_t)w->plan.hosts[1];
    double slowest_bytes_per_s = routes->slowest_bytes_per_s[from * routes->machine->n_hosts + to];
    return isfinite(slowest_bytes_per_s) ? slowest_bytes_per_s : 0;
}

static void make_program(const struct writer *w, struct text *out)
{
    const struct schedule *s = w->schedule;
    char number[TEXT_NUMBER_SIZE];
    text_addf(out, "/* Written by iasim codegen: what each rank does, in the order of the schedule. */\n#include "
                   "\"program.h\"\n\n" NO_OPTIMISATION);
    for (int rank = 0; rank < w->plan.n_ranks; rank++)
        add_code(w, rank, out);
    add_ranks(w, out);
    add_tasks(w, out);
    add_edges(w, out);
    text_addf(out, "\nstatic const struct ia_program program = {\n");
    add_text_member(out, "graph", w->dag->source);
    add_text_member(out, "platform", s->problem.machine->source);
    add_text_member(out, "model", cost_model_text(s->problem.model));
    add_text_member(out, "world", world_text(w->options->world));
    text_addf(out,
              "    .ranks = ranks, .tasks = tasks, .edges = edges, .messages = messages,\n"
              "    .n_ranks = %d, .n_tasks = %d, .n_edges = %d, .n_messages = %d,\n    .is_blocking = %d, "
              ".is_rendezvous = %d, .tasks_sleep = %d,\n    .bandwidth_bytes_per_s = %s, .planned_s = ",
              w->plan.n_ranks, w->dag->n_tasks, w->dag->n_edges, w->plan.n_messages,
              w->options->waiting == REPLAY_ACTIVE, w->options->waiting == REPLAY_RENDEZVOUS, w->options->tasks_sleep,
              text_number(first_bandwidth_bytes_per_s(w), number));
    text_addf(out, "%s};\n\nint main(int argc, char **argv)\n{\n    return ia_main(&program, argc, argv);\n}\n",
              text_number(schedule_length_s(s), number));
}

/* ---- the files around it ---- */

/* Of a user's file, in the folder. Numbered, because two files in different folders may have one name. */
static char *own_name(size_t i)
{
    return mem_format("own_%zu.c", i + 1);
}

static void make_cmake(const struct writer *w, struct text *out)
{
    text_addf(out, "# Written by iasim codegen. With SMPI=ON for SimGrid's SMPI, see README.md.\n"
                   "cmake_minimum_required(VERSION 3.18)\nproject(schedule C)\n"
                   "option(SMPI \"for SimGrid's SMPI\" OFF)\n\nset(sources program.c tasks.c ia.c ia_trace.c)\n");
    for (size_t i = 0; i < w->options->n_task_files; i++) {
        char *name = own_name(i);
        text_addf(out, "list(APPEND sources %s)\n", name);
        free(name);
    }
    if (w->options->has_no_defaults)
        text_addf(out, "add_compile_definitions(NO_DEFAULT_TASKS)\n");
    text_addf(
        out,
        "if(SMPI)\n  add_executable(program ${sources} clock_smpi.c)\nelse()\n  find_package(MPI REQUIRED COMPONENTS "
        "C)\n"
        "  add_executable(program ${sources} clock_mpi.c)\n  target_link_libraries(program MPI::MPI_C m)\nendif()\n");
}

static void make_readme(const struct writer *w, struct text *out)
{
    text_addf(
        out,
        "# A schedule as a program\n\n"
        "`iasim codegen` wrote this program. It carries out a schedule with MPI: %d ranks, one for each host that the\n"
        "schedule uses, in the order of `hostfile`; %d tasks, %d messages. What each rank does is in `program.c`, in "
        "the\n"
        "order of the schedule.\n\n"
        "    cmake -B build && cmake --build build\n"
        "    mpirun -np %d build/program trace.json\n\n"
        "`trace.json` then has the dates of every task and message, in the form of `iasim replay --json`.\n\n"
        "A task computes for as long as the schedule says. For work of your own, write a function with the name that\n"
        "`program.h` gives the task, and add its file to `CMakeLists.txt`. `ia.h` says what it can use. `ia.h`, "
        "`ia.c`,\n"
        "`ia_target.h`, `ia_trace.c`, `clock_mpi.c` and `clock_smpi.c` come with iasim (LGPL-2.1-or-later).\n\n"
        "On SimGrid's SMPI, with Debian's libsimgrid-dev:\n\n"
        "    SMPI_PRETEND_CC=1 cmake -B smpi -DSMPI=ON -DCMAKE_C_COMPILER=smpicc && make -C smpi\n"
        "    smpirun -np %d -hostfile hostfile -platform PLATFORM.xml smpi/program trace.json\n\n"
        "`iasim codegen --run smpi` also sets the options with which SMPI gives the dates of `iasim replay`.\n",
        w->plan.n_ranks, w->dag->n_tasks, w->plan.n_messages, w->plan.n_ranks, w->plan.n_ranks);
}

/* smpirun reads what comes after the last colon of a line as a number of ranks, so a host with a
   colon in its name needs one. */
static void make_hostfile(const struct writer *w, struct text *out)
{
    for (int rank = 0; rank < w->plan.n_ranks; rank++) {
        const char *name = w->plan.steps.machine->hosts[w->plan.hosts[rank]].name;
        text_addf(out, "%s%s\n", name, strchr(name, ':') != NULL ? ":1" : "");
    }
}

/* ---- all ---- */

static enum err_code write_made_files(struct writer *w, struct err *e)
{
    static const struct {
        const char *name;
        void (*make)(const struct writer *w, struct text *out);
    } files[] = {{"program.h", make_header},     {"program.c", make_program}, {"tasks.c", make_tasks},
                 {"CMakeLists.txt", make_cmake}, {"README.md", make_readme},  {"hostfile", make_hostfile}};
    enum err_code code = ERR_NONE;
    for (size_t i = 0; i < sizeof files / sizeof files[0] && code == ERR_NONE; i++) {
        struct text text = {0};
        files[i].make(w, &text);
        code = new_folder_write(&w->folder, files[i].name, text.data, text.size, e);
        text_clear(&text);
    }
    return code;
}

static enum err_code copy_files(struct writer *w, struct err *e)
{
    enum { MAX_BYTES = 1 << 26 };
    enum err_code code = ERR_NONE;
    for (const struct runtime_file *file = runtime_files; file->name != NULL && code == ERR_NONE; file++)
        code = new_folder_write(&w->folder, file->name, file->bytes, file->n_bytes, e);
    for (size_t i = 0; i < w->options->n_task_files && code == ERR_NONE; i++) {
        struct text text = {0};
        char *name = own_name(i);
        code = text_read_file(&text, w->options->task_files[i], MAX_BYTES, e);
        if (code == ERR_NONE)
            code = new_folder_write(&w->folder, name, text.data, text.size, e);
        text_clear(&text);
        free(name);
    }
    return code;
}

enum err_code codegen_write(const struct schedule *s, const struct codegen_options *options, const char *dir,
                            struct err *e)
{
    struct writer w = {.options = options, .schedule = s, .dag = s->problem.dag};
    /* Made even after an error: clearing below then finds something to clear. */
    enum err_code code = program_plan_init(&w.plan, s, options, e);
    identifiers_init(&w.names, w.dag);
    if (code == ERR_NONE)
        code = new_folder_open(dir, &w.folder, e);
    if (code == ERR_NONE) {
        code = write_made_files(&w, e);
        if (code == ERR_NONE)
            code = copy_files(&w, e);
        /* Not kept after an error: the folder then does not appear. */
        enum err_code closed = new_folder_close(&w.folder, code == ERR_NONE, e);
        code = code == ERR_NONE ? closed : code;
    }
    identifiers_clear(&w.names);
    program_plan_clear(&w.plan);
    return code;
}
