/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The main job: both papers' comparisons, recomputed. Its own steps are those a user could take one by one: iasim run,
   iasim report, iasim export, a script of analysis/. The terminal shows one screen; all else is in files. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/demo_page.h"
#include "cli/report_page.h"
#include "codegen/codegen.h"
#include "html/html.h"
#include "report/page.h"
#include "report/progress.h"
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
    {"json", 'j', NULL, "print the whole report as JSON in place of the summary", OPTION_AT(struct options, json)},
    {0},
};

/* ---- what is run ---- */

/* The parts of the demo, in the order in which they run. PROGRAMS is last because a machine without smpicc leaves it
   out. */
enum { MEASURED, FARMS, BOUNDS, GRAPHS, PRICES, PROGRAMS, N_PARTS };

static const struct {
    const char *scenario;
    const char *sets[3]; /* fewer runs than the scenario has: enough to see */
} parts[N_PARTS] = {
    [MEASURED] = {"kreaseck-interference", {NULL}},
    [FARMS] = {"kreaseck-fork", {NULL}},
    [BOUNDS] = {"kreaseck-fork-bound", {NULL}},
    [GRAPHS] = {"sinnen-accuracy", {"instance=1:2"}},
    [PRICES] = {"belief-price", {"scheduler=optimal", "involvement=1", "instance=1:4"}},
    [PROGRAMS] = {"sinnen-codegen",
                  {"generator=layered[tasks=40,width=8,density=0.1,work_flop=1e6],"
                   "fork_join[branches=8,stages=4,work_flop=1e6]"}},
};

struct result {
    char *database, *csv;
    struct scenario scenario;
    struct store *store; /* NULL: not run, because this machine cannot */
};

struct demo {
    const struct options *o;
    struct result parts[N_PARTS];
    struct progress progress;
    uint64_t n_total, n_before; /* runs of all parts; of those that are done */
    double start_s;
    bool has_page, has_pictures;
};

static void demo_clear(struct demo *d)
{
    for (struct result *r = d->parts; r < d->parts + N_PARTS; r++) {
        store_close(r->store, NULL);
        scenario_clear(&r->scenario);
        free(r->database);
        free(r->csv);
    }
}

static enum err_code read_part(struct demo *d, int part, struct err *e)
{
    struct result *r = &d->parts[part];
    struct scenario_options less = {.sets = parts[part].sets};
    char *shipped = mem_format("scenarios/%s/scenario.xml", parts[part].scenario), *path = command_data_path(shipped);
    /* The table's array ends with NULL unless it is full. */
    while (less.n_sets < 3 && less.sets[less.n_sets] != NULL)
        less.n_sets++;
    r->database = mem_format("%s/%s.db", d->o->folder, parts[part].scenario);
    r->csv = mem_format("%s/%s.csv", d->o->folder, parts[part].scenario);
    enum err_code code = scenario_read(path, &less, &r->scenario, e);
    d->n_total += r->scenario.n_points;
    free(path);
    free(shipped);
    return code;
}

static void show_progress(void *self, const struct run_progress *p)
{
    struct demo *d = self;
    progress_show(&d->progress, &(struct progress_counts){.n_total = d->n_total, .n_done = d->n_before + p->n_done});
}

/* The folder is the demo's own: a database that stands there is of an earlier demo, and run_scenario would refuse it. A
   failed point is an error here: a report on the rest would mislead. */
static enum err_code run_part(struct demo *d, int part, struct err *e)
{
    struct result *r = &d->parts[part];
    struct run_options how = {.database = r->database,
                              .pool = {.n_jobs = d->o->n_jobs},
                              .shard = 1,
                              .n_shards = 1,
                              .progress = show_progress,
                              .progress_self = d};
    struct run_progress progress = {0};
    unlink(r->database);
    enum err_code code = run_scenario(&r->scenario, &how, &progress, &r->store, e);
    if (code == ERR_NONE && progress.n_failed > 0)
        code = err_set(e, ERR_INTERNAL, "%llu points of %s failed; `iasim export %s` shows their messages",
                       (unsigned long long)progress.n_failed, parts[part].scenario, r->database);
    d->n_before += progress.n_done;
    return code == ERR_NONE ? store_export(r->database, r->csv, e) : code;
}

/* Only one part needs SMPI's compiler; without it the others run. */
static bool can_run_programs(void)
{
    struct err missing = {0};
    bool can = codegen_check_installed(CODEGEN_SMPI, &missing) == ERR_NONE;
    if (!can)
        fprintf(stderr, "iasim demo: schedules are not run as programs with MPI: %s\n", missing.text);
    return can;
}

static enum err_code run_parts(struct demo *d, struct err *e)
{
    int n = can_run_programs() ? N_PARTS : PROGRAMS;
    enum err_code code = ERR_NONE;
    /* All scenarios are read first, so that the progress knows the number of all runs. */
    for (int i = 0; i < n && code == ERR_NONE; i++)
        code = read_part(d, i, e);
    /* A demo in a log file says every minute that it lives. */
    progress_init(&d->progress, stderr, PROGRESS_LINES);
    for (int i = 0; i < n && code == ERR_NONE; i++)
        code = run_part(d, i, e);
    progress_end(&d->progress);
    return code;
}

/* ---- the report ---- */

/* Farms are compared with their bounds; no other part needs them. */
static enum err_code report_on(const struct demo *d, const char *name, int part, struct document *out, struct err *e)
{
    const struct result *r = &d->parts[part], *bounds = part == FARMS ? &d->parts[BOUNDS] : NULL;
    const struct report *report = NULL;
    const struct claims_inputs in = {.scenario = &r->scenario,
                                     .results = r->store,
                                     .bounds = bounds != NULL ? &bounds->scenario : NULL,
                                     .bound_results = bounds != NULL ? bounds->store : NULL};
    enum err_code code = report_find(name, &r->scenario, &report, e);
    return code == ERR_NONE ? report_tell(report, in, out, e) : code;
}

/* The first table of the scenario; there are no claims about it. Plans here are proved to be shortest under their
   belief. */
static enum err_code report_prices(const struct demo *d, struct document *out, struct err *e)
{
    const struct result *r = &d->parts[PRICES];
    document_paragraphf(
        out,
        "Small graphs on three hosts, each planned by a search that proves its plan to be a shortest one under its "
        "belief. All are carried out where processors are involved in communication, so the plan under "
        "involvement is the best that can be done there: 1.1 is 10 %% longer than that.");
    return summary_add_table(&r->scenario, r->store, 0, out, e);
}

/* One section for each question of the two sources; print_screen takes the source, "[K]", from the title's first
   word. */
static enum err_code tell(const struct demo *d, struct document *out, struct err *e)
{
    document_section(out, "[K] Interference rates: what communication costs a host");
    enum err_code code = report_on(d, "interference", MEASURED, out, e);
    document_section(out, "[K] Task farms: policies that know what it costs");
    if (code == ERR_NONE)
        code = report_on(d, "kreaseck", FARMS, out, e);
    document_section(out, "[S] Task graphs: what plans are worth under three beliefs about communication");
    if (code == ERR_NONE)
        code = report_on(d, "accuracy", GRAPHS, out, e);
    document_section(out, "[S] Task graphs: what a wrong belief costs at least");
    if (code == ERR_NONE)
        code = report_prices(d, out, e);
    if (code == ERR_NONE && d->parts[PROGRAMS].store != NULL) {
        document_section(out, "[S] Task graphs as programs with MPI");
        code = report_on(d, "programs", PROGRAMS, out, e);
    }
    return code;
}

static void introduce(struct document *out)
{
    document_paragraphf(
        out,
        "iasim repeats the comparisons of two sources, [K] and [S], on simulated machines where communication slows "
        "computation down. [K] is Kreaseck, Carter, Casanova, Ferrante and Nandy, Interference-Aware Scheduling; "
        "[S] is chapter 8 of Sinnen, Task Scheduling for Parallel Systems. First come their claims, each with the "
        "figures and the rule that decide whether it holds here; then the tables. A machine that was given the "
        "rates of a paper cannot prove that the paper's machine behaved like this. Only claims that could have come "
        "out otherwise are counted; those that follow from the model, and those that restate inputs, stand apart.");
}

/* ---- one screen ---- */

struct failed {
    struct text *out, words; /* of one section */
    const char *section;
    size_t n_more;
};

static void end_section(struct failed *f)
{
    if (f->n_more > 0)
        text_addf(&f->words, " And %zu more.", f->n_more);
    if (f->words.size > 0)
        page_add_lines(f->out, "  ", text_str(&f->words));
    text_clear(&f->words);
    f->n_more = 0;
}

/* Called for each claim in the order of the report. Collects those of a section that do not hold, as many as a few
   lines have room for, without the place in the source, which report.txt has: "[K] IA:Multi is best everywhere else. ..
   And 3 more." */
static void add_failed(void *self, const char *section, const struct document_claim *c)
{
    enum { MOST_BYTES = 380 };
    struct failed *f = self;
    /* "(Figure 5)." at the end. */
    const char *where = strrchr(c->text, '(');
    size_t n = strlen(c->text);
    if (c->holds)
        return;
    if (f->section != NULL && strcmp(f->section, section) != 0)
        end_section(f);
    f->section = section;
    if (f->words.size == 0)
        text_addf(&f->words, "%.*s", (int)strcspn(section, " "), section);
    if (where != NULL && where > c->text && strcmp(c->text + n - 2, ").") == 0)
        n = (size_t)(where - 1 - c->text);
    else if (n > 0 && c->text[n - 1] == '.')
        n--;
    /* Once one is too long, later ones are only counted, even if they are short: the order stays that of the report. */
    if (f->n_more == 0 && f->words.size + n < MOST_BYTES)
        text_addf(&f->words, " %.*s.", (int)n, c->text);
    else
        f->n_more++;
}

/* One screen for a first look; everything else is in files. */
static void print_screen(const struct demo *d, const struct document *report)
{
    struct text out = {0}, count = {0};
    struct failed failed = {.out = &out};
    document_add_count(report, &count);
    text_addf(&out, "The comparisons of two sources, recomputed: %llu simulated runs in %.0f s.\n",
              (unsigned long long)d->n_before, clock_now_s() - d->start_s);
    document_add_headlines(report, &out);
    text_addf(&count, " These do not hold:");
    page_add_lines(&out, "", text_str(&count));
    document_each_claim(report, add_failed, &failed);
    end_section(&failed);
    if (d->has_page)
        text_addf(&out, "In a browser, with the reasons: %s/report.html\n", d->o->folder);
    text_addf(&out, "As text: %s/report.txt. Beside it: results (*.db, *.csv)%s.\n", d->o->folder,
              d->has_pictures ? ", pictures (*.svg, *.png)" : "");
    fwrite(text_str(&out), 1, out.size, stdout);
    text_clear(&count);
    text_clear(&out);
}

/* ---- files ---- */

static bool draw_figure(const struct demo *d, const char *script_name, const char *csv, const char *bound_csv,
                        const char *name)
{
    char *figure = mem_format("%s/%s", d->o->folder, name);
    const char *const args[] = {csv, "--out", figure, bound_csv != NULL ? "--bound" : NULL, bound_csv, NULL};
    bool is_drawn = command_run_script(script_name, args);
    if (!is_drawn)
        fprintf(stderr, "iasim demo: no figure was drawn; it needs Debian's packages python3 and python3-matplotlib\n");
    free(figure);
    return is_drawn;
}

/* The second is not tried where the first failed: the reason, most likely no matplotlib, would be printed twice. */
static void draw_figures(struct demo *d)
{
    /* Before the scripts print. */
    fflush(stdout);
    d->has_pictures = draw_figure(d, "analysis/policies.py", d->parts[FARMS].csv, d->parts[BOUNDS].csv, "figure5") &&
                      draw_figure(d, "analysis/accuracy.py", d->parts[GRAPHS].csv, NULL, "accuracy");
}

/* Without d3 there is no page, and a message gives the reason; everything else is written. A page of an earlier demo
   would then show other results, so it is removed. */
static enum err_code write_page(struct demo *d, const struct document *report, struct err *e)
{
    struct results_source sources[N_PARTS];
    struct demo_page page = {.report = report, .results = sources};
    for (int i = 0; i < N_PARTS; i++)
        if (d->parts[i].store != NULL)
            sources[page.n_results++] = (struct results_source){d->parts[i].database, &d->parts[i].scenario};
    enum err_code code = ERR_NONE;
    struct err cannot = {0};
    char why[sizeof cannot], *file = mem_format("%s/report.html", d->o->folder);
    d->has_page = html_check(file, &cannot) == ERR_NONE;
    if (d->has_page) {
        code = demo_page_write(&page, file, e);
    } else {
        unlink(file); /* of an earlier demo */
        fprintf(stderr, "iasim demo: no page for browsers was written: %s\n", err_describe(&cannot, why, sizeof why));
    }
    free(file);
    return code;
}

static enum err_code write_text(const struct demo *d, const struct document *report, struct err *e)
{
    struct text text = {0};
    char *file = mem_format("%s/report.txt", d->o->folder);
    document_add_to(report, &text);
    enum err_code code = text_write_file(file, text_str(&text), text.size, e);
    free(file);
    text_clear(&text);
    return code;
}

/* From what is most certain to work to what needs other programs: text, page, pictures, screen. */
static enum err_code publish(struct demo *d, struct err *e)
{
    struct document *report = document_create();
    introduce(report);
    enum err_code code = tell(d, report, e);
    document_tally(report);
    if (code == ERR_NONE)
        code = write_text(d, report, e);
    if (code == ERR_NONE)
        code = write_page(d, report, e);
    if (code == ERR_NONE && !d->o->no_picture)
        draw_figures(d);
    if (code == ERR_NONE && d->o->json)
        command_print_json(document_json(report));
    else if (code == ERR_NONE)
        print_screen(d, report);
    document_free(report);
    return code;
}

static enum err_code run(void *self, struct err *e)
{
    struct options *o = self;
    struct demo d = {.o = o, .start_s = clock_now_s()};
    enum err_code code = mkdir(o->folder, 0777) == 0 || errno == EEXIST
                             ? run_parts(&d, e)
                             : err_set_at(e, ERR_IO, o->folder, 0, "cannot make the folder: %s", strerror(errno));
    if (code == ERR_NONE)
        code = publish(&d, e);
    demo_clear(&d);
    return code;
}

const struct command command_demo = {
    .name = "demo",
    .summary = "recompute both papers' comparisons: figures, claims, a page",
    .size = sizeof(struct options),
    .defaults = &(const struct options){.folder = "iasim-demo"},
    .options = options,
    .about =
        "Recomputes both papers. [K] section 2: the interference rates of Lab0, measured on the simulated machine, "
        "beside Table 2. Section 4: farms of 1000 tasks on the fork of Table 4, 3 send sizes x 6 compute sizes x "
        "the policies, over the root computing alone, beside the steady-state bound. [S] 8.4.3: task graphs scheduled "
        "under three beliefs and carried out in three worlds, in three ways of waiting: how far the plans were "
        "off and what they cost; what a wrong belief costs at least, by proven optima; and a few schedules run as "
        "programs with MPI, if smpicc is installed. It prints what came out, and which claims of the papers do not "
        "hold. The folder has all tables and how each claim was decided (report.txt), the same as a page for browsers "
        "with all results and one run in full (report.html), the results, and pictures.",
    .examples = "# Takes about two minutes.\n"
                "iasim demo --out demo --no-picture\n",
    .run = run,
    .has_progress = true,
};
