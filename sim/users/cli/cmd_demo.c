/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The main job: both papers' comparisons, recomputed. Its own steps are those a user could take one by one: iasim run,
   iasim export, a script of analysis/. */
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/demo_page.h"
#include "cli/report_page.h"
#include "codegen/codegen.h"
#include "html/html.h"
#include "report/summary.h"
#include "sweep/sweep_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct options {
    const char *folder;
    int n_jobs;
    bool no_picture, json;
};

static const struct command_option options[] = {
    {"out", 'o', "FOLDER", "where results and pictures go (default iasim-demo)", OPTION_AT(struct options, folder),
     .values = "/"},
    {"jobs", 'J', "N", "processes at a time (default: one for each processor)", OPTION_AT(struct options, n_jobs),
     .min = 1, .max = 1024},
    {"no-picture", 0, NULL, "draw nothing (else python3-matplotlib is needed)", OPTION_AT(struct options, no_picture)},
    {"json", 'j', NULL, "print the report as JSON; everything else goes to stderr", OPTION_AT(struct options, json)},
    {0},
};

static const struct command_line usage = {
    .options = options,
    .about =
        "Recomputes both papers. [K] section 2: the interference rates of Lab0, measured on the simulated machine, "
        "beside Table 2. Section 4: farms of 1000 tasks on the fork of Table 4, 3 send sizes x 6 compute sizes x "
        "the policies, over the root computing alone, beside the steady-state bound. For each of the paper's "
        "claims it says whether the simulation supports it. [S] 8.4.3: task graphs scheduled under three beliefs "
        "and carried out in three worlds, waiting passively and actively: how far the plans were off and what they "
        "cost; what a wrong belief costs at least, by proven optima; and a few schedules run as programs with MPI, if "
        "smpicc is installed. The report ends with the number of claims that hold. Results, the report, the figures "
        "and a page for browsers are left in a folder; the page (report.html) has the report, one run in full and all "
        "results behind the report.",
    .examples = "# Takes about half a minute.\n"
                "iasim demo --out demo --no-picture\n",
};

/* ---- one scenario ---- */

struct result {
    char *database, *csv;
    struct scenario scenario;
    struct store *store;
};

static void result_clear(struct result *r)
{
    store_close(r->store, NULL);
    scenario_clear(&r->scenario);
    free(r->database);
    free(r->csv);
}

/* The folder is the demo's own: a database that stands there is of an earlier demo. `less` may be NULL. */
static enum err_code run_one(const struct options *o, const char *name, const struct scenario_options *less,
                             struct result *r, struct err *e)
{
    char *shipped = mem_format("scenarios/%s/scenario.xml", name);
    char *path = command_data_path(shipped);
    r->database = mem_format("%s/%s.db", o->folder, name);
    r->csv = mem_format("%s/%s.csv", o->folder, name);
    unlink(r->database);
    struct run_options how = {.database = r->database, .pool = {.n_jobs = o->n_jobs}, .shard = 1, .n_shards = 1};
    struct run_progress progress = {0};
    enum err_code code = scenario_read(path, less, &r->scenario, e);
    if (code == ERR_NONE) {
        fprintf(stderr, "iasim demo: %s, %llu points\n", name, (unsigned long long)r->scenario.n_points);
        code = run_scenario(&r->scenario, &how, &progress, &r->store, e);
    }
    if (code == ERR_NONE && progress.n_failed > 0)
        code = err_set(e, ERR_INTERNAL, "%llu points of %s failed; `iasim export %s` shows their messages",
                       (unsigned long long)progress.n_failed, name, r->database);
    if (code == ERR_NONE)
        code = store_export(r->database, r->csv, e);
    free(path);
    free(shipped);
    return code;
}

/* ---- report and picture ---- */

struct results {
    struct result measured, farms, bounds, graphs, prices;
    struct result programs; /* without a store: this machine cannot run them */
    bool has_page;
};

static enum err_code report_on(const char *name, const struct result *r, const struct result *bounds,
                               struct document *d, struct err *e)
{
    const struct report *report = NULL;
    const struct claims_inputs in = {.scenario = &r->scenario,
                                     .results = r->store,
                                     .bounds = bounds != NULL ? &bounds->scenario : NULL,
                                     .bound_results = bounds != NULL ? bounds->store : NULL};
    enum err_code code = report_find(name, &r->scenario, &report, e);
    return code == ERR_NONE ? report_tell(report, in, d, e) : code;
}

/* The first table of the scenario, for plans that are proved to be shortest under their belief. */
static enum err_code report_prices(const struct result *r, struct document *d, struct err *e)
{
    document_paragraphf(
        d, "Small graphs on three hosts, each planned by a search that proves its plan to be a shortest one under its "
           "belief. All are carried out where processors are involved in communication, so the plan under "
           "involvement is the best that can be done there: 1.1 is 10 %% longer than that.");
    return summary_add_table(&r->scenario, r->store, 0, d, e);
}

/* Without d3 there is no page, and a message gives the reason; everything else is written. */
static enum err_code write_page(const struct options *o, struct results *r, const struct document *d, struct err *e)
{
    const struct result *const all[] = {&r->measured, &r->farms, &r->bounds, &r->graphs, &r->prices, &r->programs};
    struct results_source sources[sizeof all / sizeof all[0]];
    struct demo_page page = {.report = d, .results = sources};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i]->store != NULL)
            sources[page.n_results++] = (struct results_source){all[i]->database, &all[i]->scenario};
    enum err_code code = ERR_NONE;
    struct err cannot = {0};
    char why[sizeof cannot];
    char *file = mem_format("%s/report.html", o->folder);
    r->has_page = html_check(file, NULL, 0, &cannot) == ERR_NONE;
    if (r->has_page) {
        code = demo_page_write(&page, file, e);
    } else {
        unlink(file); /* of an earlier demo */
        fprintf(stderr, "iasim demo: no page for browsers was written: %s\n", err_describe(&cannot, why, sizeof why));
    }
    free(file);
    return code;
}

/* The text goes to a file in any case. */
static enum err_code publish(const struct options *o, const struct document *d, struct err *e)
{
    struct text text = {0};
    char *file = mem_format("%s/report.txt", o->folder);
    document_add_to(d, &text);
    if (o->json)
        command_print_json(document_json(d));
    else
        fwrite(text_str(&text), 1, text.size, stdout);
    enum err_code code = text_write_file(file, text_str(&text), text.size, e);
    free(file);
    text_clear(&text);
    return code;
}

static enum err_code report(const struct options *o, struct results *r, struct err *e)
{
    struct document *d = document_create();
    document_section(d, "Section 2: what communication costs");
    enum err_code code = report_on("interference", &r->measured, NULL, d, e);
    document_section(d, "Section 4: scheduling with it in mind");
    if (code == ERR_NONE)
        code = report_on("kreaseck", &r->farms, &r->bounds, d, e);
    document_section(d, "Task graphs: what a plan is worth");
    if (code == ERR_NONE)
        code = report_on("accuracy", &r->graphs, NULL, d, e);
    document_section(d, "Task graphs: what a wrong belief costs");
    if (code == ERR_NONE)
        code = report_prices(&r->prices, d, e);
    if (code == ERR_NONE && r->programs.store != NULL) {
        document_section(d, "Task graphs as programs with MPI");
        code = report_on("programs", &r->programs, NULL, d, e);
    }
    document_section(d, "The claims of both papers, counted");
    document_tally(d);
    if (code == ERR_NONE)
        code = publish(o, d, e);
    if (code == ERR_NONE)
        code = write_page(o, r, d, e);
    document_free(d);
    return code;
}

/* What is said of files: beside the report, unless that is for a program. */
static FILE *talk(const struct options *o)
{
    return o->json ? stderr : stdout;
}

static void draw_figure(const struct options *o, const char *script_name, const char *csv, const char *bound_csv,
                        const char *name)
{
    char *figure = mem_format("%s/%s", o->folder, name);
    const char *const args[] = {csv, "--out", figure, bound_csv != NULL ? "--bound" : NULL, bound_csv, NULL};
    if (command_run_script(script_name, args))
        fprintf(talk(o), "Figure: %s.svg, %s.png\n", figure, figure);
    else
        fprintf(stderr, "iasim demo: no figure was drawn; it needs Debian's packages python3 and python3-matplotlib\n");
    free(figure);
}

static void draw_figures(const struct options *o, const struct results *r)
{
    fprintf(talk(o), "\n");
    fflush(stdout);
    draw_figure(o, "analysis/policies.py", r->farms.csv, r->bounds.csv, "figure5");
    draw_figure(o, "analysis/accuracy.py", r->graphs.csv, NULL, "accuracy");
}

/* The schedules of one graph at each CCR, as programs: those of one platform are enough to see. */
static enum err_code run_programs(const struct options *o, struct result *r, struct err *e)
{
    static const char generator[] = "generator=layered[tasks=40,width=8,density=0.1,work_flop=1e6]";
    struct err missing = {0};
    char *platform = command_data_path("platforms/sinnen-star-full.xml"), *here = mem_format("platform=%s", platform);
    enum err_code code = ERR_NONE;
    if (codegen_check_installed(CODEGEN_SMPI, &missing) == ERR_NONE)
        code = run_one(o, "sinnen-codegen",
                       &(struct scenario_options){.sets = (const char *[]){generator, here}, .n_sets = 2}, r, e);
    else
        fprintf(stderr, "iasim demo: schedules are not run as programs with MPI: %s\n", missing.text);
    free(here);
    free(platform);
    return code;
}

static enum err_code run_demo(const struct options *o, struct results *r, struct err *e)
{
    if (mkdir(o->folder, 0777) != 0 && errno != EEXIST)
        return err_set_at(e, ERR_IO, o->folder, 0, "cannot make the folder: %s", strerror(errno));
    enum err_code code = run_one(o, "kreaseck-interference", NULL, &r->measured, e);
    if (code == ERR_NONE)
        code = run_one(o, "kreaseck-fork", NULL, &r->farms, e);
    if (code == ERR_NONE)
        code = run_one(o, "kreaseck-fork-bound", NULL, &r->bounds, e);
    if (code == ERR_NONE)
        code =
            run_one(o, "sinnen-accuracy",
                    &(struct scenario_options){.sets = (const char *[]){"instance=1:3"}, .n_sets = 1}, &r->graphs, e);
    if (code == ERR_NONE)
        code = run_one(o, "belief-price",
                       &(struct scenario_options){
                           .sets = (const char *[]){"scheduler=optimal", "involvement=1", "instance=1:4"}, .n_sets = 3},
                       &r->prices, e);
    if (code == ERR_NONE)
        code = run_programs(o, &r->programs, e);
    if (code == ERR_NONE)
        code = report(o, r, e);
    fflush(stdout);
    if (code == ERR_NONE && !o->no_picture)
        draw_figures(o, r);
    return code;
}

static enum err_code run(int argc, char **argv, struct err *e)
{
    struct options o = {.folder = "iasim-demo", .n_jobs = pool_default_jobs()};
    struct results r = {0};
    command_parse(&usage, argc, argv, &o);
    enum err_code code = run_demo(&o, &r, e);
    if (code == ERR_NONE)
        fprintf(talk(&o), "Results: %s, %s, %s, %s, %s%s%s; report: %s/report.txt\n", r.measured.csv, r.farms.csv,
                r.bounds.csv, r.graphs.csv, r.prices.csv, r.programs.csv ? ", " : "",
                r.programs.csv ? r.programs.csv : "", o.folder);
    if (code == ERR_NONE && r.has_page)
        fprintf(talk(&o), "All of it in a browser: %s/report.html\n", o.folder);
    result_clear(&r.measured);
    result_clear(&r.farms);
    result_clear(&r.bounds);
    result_clear(&r.graphs);
    result_clear(&r.prices);
    result_clear(&r.programs);
    return code;
}

extern const struct command command_demo;
const struct command command_demo = {
    .name = "demo",
    .summary = "recompute both papers' comparisons: tables, claims, pictures",
    .usage = &usage,
    .run = run,
    .has_progress = true,
};
