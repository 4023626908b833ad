/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program of somebody else: C11 and C++17, nothing but the installed headers. Uses every function of the face; prints
   what face.sh compares with the program's own answers, and each claim that does not hold. */
#include <iasim/iasim.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int n_faults;

#define CLAIM(condition)                                                                                               \
    ((condition) ? (void)0 : (void)(n_faults++, fprintf(stderr, "face.c:%d: %s: %s\n", __LINE__, #condition, e.text)))

static struct iasim_platform *platform;
static struct iasim_graph *graph;

static bool says(const struct err *e, const char *words)
{
    return strstr(e->text, words) != NULL;
}

static void load(const char *graph_path)
{
    struct err e;
    char line[2048];
    CLAIM(iasim_platform_load("none.xml", &platform, &e) == ERR_IO && platform == NULL);
    CLAIM(iasim_platform_load("broken.xml", &platform, &e) == ERR_PARSE && platform == NULL && e.line > 0);
    CLAIM(strncmp(err_describe(&e, line, sizeof line), "broken.xml:", 11) == 0);
    CLAIM(iasim_platform_load("platforms/star-8.xml", &platform, &e) == ERR_NONE && e.text[0] == '\0');
    struct iasim_platform *second = NULL;
    CLAIM(iasim_platform_load("platforms/star-8.xml", &second, &e) == ERR_INPUT && second == NULL);
    CLAIM(says(&e, "can load only one"));
    CLAIM(iasim_graph_load("none.dot", &graph, NULL) == ERR_IO && graph == NULL);
    CLAIM(iasim_graph_load(graph_path, &graph, &e) == ERR_NONE);
}

static void count(void *self, int line, const char *condition, const char *text)
{
    *(int *)self += line > 0 && condition[0] != '\0' && text[0] != '\0';
}

static double check_replay(const struct iasim_schedule *s)
{
    static struct iasim_task ran[1000], planned;
    struct err e;
    double fluid_s = 0, again_s = 0, latest_s = 0, exclusive_s = 0;
    CLAIM(iasim_replay(s, "no_such", IASIM_FLUID, &fluid_s, NULL, &e) == ERR_INPUT && says(&e, "interference"));
    CLAIM(iasim_replay(s, "interference", IASIM_FLUID, &fluid_s, ran, &e) == ERR_NONE && e.text[0] == '\0');
    CLAIM(iasim_replay(s, "interference", IASIM_FLUID, &again_s, NULL, NULL) == ERR_NONE && again_s == fluid_s);
    CLAIM(iasim_replay(s, "interference", IASIM_EXCLUSIVE, &exclusive_s, NULL, &e) == ERR_NONE && exclusive_s > 0);
    struct iasim_replay_how how;
    double noisy_s;
    memset(&how, 0, sizeof how);
    how.world = "interference";
    CLAIM(iasim_replay_with(s, &how, &again_s, NULL, &e) == ERR_NONE && again_s == fluid_s);
    how.waiting = IASIM_ACTIVE;
    CLAIM(iasim_replay_with(s, &how, &again_s, NULL, &e) == ERR_NONE && again_s > 0 && again_s != fluid_s);
    how.waiting = IASIM_RENDEZVOUS;
    how.progress = IASIM_POLLS;
    CLAIM(iasim_replay_with(s, &how, &again_s, NULL, &e) == ERR_NONE && again_s > 0);
    how.progress = IASIM_HARDWARE;
    CLAIM(iasim_replay_with(s, &how, &noisy_s, NULL, &e) == ERR_NONE && noisy_s > 0 && noisy_s <= again_s);
    how.eager_bytes = -1;
    CLAIM(iasim_replay_with(s, &how, &noisy_s, NULL, &e) == ERR_INPUT && says(&e, "parameter eager is -1"));
    how.waiting = IASIM_PASSIVE;
    how.noise = "work=0.5,size=1";
    how.seed = 7;
    CLAIM(iasim_replay_with(s, &how, &noisy_s, NULL, &e) == ERR_NONE && noisy_s > 0 && noisy_s != fluid_s);
    CLAIM(iasim_replay_with(s, &how, &again_s, NULL, &e) == ERR_NONE && again_s == noisy_s);
    how.seed = 8;
    CLAIM(iasim_replay_with(s, &how, &again_s, NULL, &e) == ERR_NONE && again_s != noisy_s);
    how.noise = "work";
    CLAIM(iasim_replay_with(s, &how, &again_s, NULL, &e) == ERR_INPUT && says(&e, "noise 'work'"));
    for (size_t i = 0; iasim_schedule_task(s, i, &planned); i++) {
        CLAIM(strcmp(ran[i].name, planned.name) == 0 && strcmp(ran[i].host, planned.host) == 0);
        CLAIM(ran[i].start_s <= ran[i].finish_s);
        latest_s = fmax(latest_s, ran[i].finish_s);
    }
    CLAIM(latest_s == fluid_s);
    return fluid_s;
}

/* Without overheads and latency-free data it is the world that decides; here only the numbers of the program matter. */
static void plan(void)
{
    struct err e;
    struct iasim_schedule *made = NULL, *read = NULL;
    struct iasim_task task;
    double latest_s = 0;
    size_t n = 0;
    int n_violations = 0;
    CLAIM(iasim_plan(platform, graph, "no_such", "list", &made, &e) == ERR_INPUT && says(&e, "contention"));
    CLAIM(iasim_plan(platform, graph, "contention", "lst", &made, &e) == ERR_INPUT && says(&e, "did you mean 'list'?"));
    CLAIM(iasim_plan(platform, graph, "contention", "list[technik=end]", &made, &e) == ERR_INPUT && made == NULL);
    CLAIM(iasim_plan(platform, graph, "involvement", "list", &made, &e) == ERR_NONE && e.text[0] != '\0');
    iasim_schedule_free(made);
    CLAIM(iasim_plan(platform, graph, "contention", "list[technique=insertion]", &made, &e) == ERR_NONE);
    for (; iasim_schedule_task(made, n, &task); n++)
        latest_s = fmax(latest_s, task.finish_s);
    CLAIM(n == 20 && latest_s == iasim_schedule_length_s(made));
    CLAIM(iasim_schedule_write(made, "no/such/folder.json", &e) == ERR_IO);
    CLAIM(iasim_schedule_write(made, "face.json", &e) == ERR_NONE);
    CLAIM(iasim_check("face.json", platform, graph, count, &n_violations, &e) == ERR_NONE && n_violations == 0);
    CLAIM(iasim_check("invalid.json", platform, graph, count, &n_violations, &e) == ERR_NO && n_violations > 0);
    CLAIM(iasim_check("invalid.json", platform, graph, NULL, NULL, NULL) == ERR_NO);
    CLAIM(iasim_check("broken.xml", platform, graph, NULL, NULL, &e) == ERR_PARSE);
    CLAIM(iasim_schedule_read("broken.xml", platform, graph, &read, &e) == ERR_PARSE && read == NULL);
    CLAIM(iasim_schedule_read("face.json", platform, graph, &read, &e) == ERR_NONE);
    CLAIM(iasim_schedule_length_s(read) == iasim_schedule_length_s(made));
    double made_s = check_replay(made), read_s = check_replay(read);
    CLAIM(made_s == read_s);
    printf("length_s %.17g\nmakespan_s %.17g\n", iasim_schedule_length_s(made), made_s);
    iasim_schedule_free(made);
    iasim_schedule_free(read);
}

/* The same table as text gives the same plan. */
static void plan_with_text_of_costs(const char *graph_path, double want_s)
{
    struct err e;
    static char text[1 << 16];
    struct iasim_graph *other = NULL;
    struct iasim_schedule *made = NULL;
    FILE *f = fopen("costs.csv", "rb");
    text[f != NULL ? fread(text, 1, sizeof text - 1, f) : 0] = '\0';
    CLAIM(f != NULL && fclose(f) == 0);
    CLAIM(iasim_graph_load(graph_path, &other, &e) == ERR_NONE);
    CLAIM(iasim_costs_parse(other, platform, text, &e) == ERR_NONE);
    CLAIM(iasim_plan(platform, other, "contention", "heft", &made, &e) == ERR_NONE);
    CLAIM(iasim_schedule_length_s(made) == want_s);
    iasim_schedule_free(made);
    iasim_graph_free(other);
}

/* Unrelated hosts. The graph is read again: the other one keeps its times. */
static void plan_with_costs(const char *graph_path)
{
    struct err e;
    struct iasim_graph *other = NULL;
    struct iasim_schedule *made = NULL, *read = NULL;
    struct iasim_task task;
    double makespan_s = 0;
    CLAIM(iasim_graph_load(graph_path, &other, &e) == ERR_NONE);
    CLAIM(iasim_costs_load(other, platform, "none.csv", &e) == ERR_IO && strcmp(e.source, "none.csv") == 0);
    CLAIM(iasim_costs_load(other, platform, "broken.xml", &e) == ERR_PARSE || e.line > 0);
    CLAIM(iasim_costs_parse(other, platform, "task,no_such\n", &e) == ERR_INPUT && e.line == 1 && says(&e, "no_such"));
    CLAIM(iasim_costs_load(other, platform, "costs.csv", &e) == ERR_NONE && e.text[0] == '\0');
    CLAIM(iasim_costs_load(other, platform, "costs.csv", &e) == ERR_INPUT && says(&e, "already"));
    CLAIM(iasim_costs_parse(other, platform, "", &e) == ERR_INPUT && says(&e, "costs.csv"));
    CLAIM(iasim_plan(platform, other, "contention", "heft", &made, &e) == ERR_NONE);
    for (size_t i = 0; iasim_schedule_task(made, i, &task); i++)
        CLAIM(fabs(task.finish_s - task.start_s - (double)(i % 5 + 1)) < 1e-9 && strcmp(task.host, "leaf2") != 0);
    CLAIM(iasim_schedule_write(made, "unrelated.json", &e) == ERR_NONE);
    CLAIM(iasim_check("unrelated.json", platform, other, NULL, NULL, &e) == ERR_NONE);
    CLAIM(iasim_check("unrelated.json", platform, graph, NULL, NULL, &e) == ERR_NO);
    CLAIM(iasim_schedule_read("unrelated.json", platform, other, &read, &e) == ERR_NONE);
    CLAIM(iasim_replay(read, "none", IASIM_EXCLUSIVE, &makespan_s, NULL, &e) == ERR_NONE);
    CLAIM(fabs(makespan_s - iasim_schedule_length_s(made)) < 1e-9 * makespan_s);
    printf("unrelated_s %.17g\n", iasim_schedule_length_s(made));
    plan_with_text_of_costs(graph_path, iasim_schedule_length_s(made));
    iasim_schedule_free(made);
    iasim_schedule_free(read);
    iasim_graph_free(other);
}

static void farm(void)
{
    struct err e;
    struct iasim_farm_result r, again;
    double bound_tasks_per_s = 0, single_tasks_per_s = 0;
    struct iasim_farm f;
    memset(&f, 0, sizeof f);
    f.deployment = "deployments/star-8.xml";
    f.policy = "ia_mlti";
    f.n_tasks = 200;
    f.task_bytes = 2e6;
    f.task_flop = 50;
    CLAIM(iasim_farm_run(platform, &f, &r, &e) == ERR_INPUT && says(&e, "ia_multi"));
    f.policy = "ia_multi";
    CLAIM(iasim_farm_run(platform, &f, &r, &e) == ERR_NONE);
    CLAIM(iasim_farm_run(platform, &f, &again, NULL) == ERR_NONE && memcmp(&r, &again, sizeof r) == 0);
    f.noise = "size=0.5";
    CLAIM(iasim_farm_run(platform, &f, &again, &e) == ERR_NONE && again.makespan_s != r.makespan_s);
    f.noise = "size.nobody=0.5";
    CLAIM(iasim_farm_run(platform, &f, &again, &e) == ERR_INPUT && says(&e, "nobody"));
    f.noise = NULL;
    CLAIM(iasim_farm_bound(platform, &f, IASIM_MULTI_PORT, "simplex", &bound_tasks_per_s, &e) == ERR_INPUT &&
          says(&e, "greedy"));
    CLAIM(iasim_farm_bound(platform, &f, IASIM_MULTI_PORT, "physical", &bound_tasks_per_s, &e) == ERR_NONE);
    CLAIM(iasim_farm_bound(platform, &f, IASIM_SINGLE_PORT, "physical", &single_tasks_per_s, &e) == ERR_NONE);
    CLAIM(single_tasks_per_s <= bound_tasks_per_s * (1 + 1e-9));
    CLAIM(r.throughput_tasks_per_s <= bound_tasks_per_s * (1 + 1e-9));
    CLAIM(fabs(r.throughput_tasks_per_s * r.makespan_s - 200) < 1e-6);
    CLAIM(0 <= r.startup_end_s && r.startup_end_s <= r.makespan_s && r.wind_down_start_s <= r.makespan_s);
    printf("farm_makespan_s %.17g\nfarm_steady_tasks_per_s %.17g\nbound_tasks_per_s %.17g\n", r.makespan_s,
           r.steady_tasks_per_s, bound_tasks_per_s);
    f.deployment = "none.xml";
    CLAIM(iasim_farm_run(platform, &f, &r, &e) == ERR_IO);
}

static bool is_listed(const char *kind, const char *name)
{
    struct iasim_listed x;
    for (size_t i = 0; iasim_list(kind, i, &x); i++)
        if (strcmp(x.name, name) == 0)
            return x.summary[0] != '\0';
    return false;
}

static void lists(void)
{
    struct err e;
    struct iasim_listed x;
    e.text[0] = '\0';
    CLAIM(is_listed("schedulers", "list") && is_listed("policies", "bwc") && is_listed("models:world", "interference"));
    CLAIM(is_listed("models:cost", "involvement") && !is_listed("models:cost", "interference"));
    CLAIM(!iasim_list("no_such", 0, &x));
    printf("version iasim %s\n", iasim_version());
}

static void plugin(const char *path)
{
    struct err e;
    struct iasim_schedule *made = NULL;
    CLAIM(iasim_plan(platform, graph, "contention", "mine", &made, &e) == ERR_INPUT);
    CLAIM(iasim_plugin_load("broken.xml", &e) == ERR_INPUT);
    CLAIM(iasim_plugin_load(path, &e) == ERR_NONE && is_listed("schedulers", "mine"));
    CLAIM(iasim_plan(platform, graph, "contention", "mine", &made, &e) == ERR_NONE);
    CLAIM(made == NULL || iasim_schedule_write(made, "plugin.json", &e) == ERR_NONE);
    iasim_schedule_free(made);
}

/* SimGrid calls abort on this platform: that is an error here, and the process lives on to load another one. */
static void survive(const char *platform_path)
{
    struct err e;
    CLAIM(iasim_platform_load(platform_path, &platform, &e) == ERR_INTERNAL && platform == NULL);
    CLAIM(says(&e, "Vivaldi") && strcmp(e.source, platform_path) == 0);
    CLAIM(iasim_platform_load("platforms/star-8.xml", &platform, &e) == ERR_NONE);
    iasim_platform_free(platform);
}

int main(int argc, char **argv)
{
    if (argc == 1) { /* the program, as a function */
        char name[] = "iasim", option[] = "--version", *words[] = {name, option, NULL};
        return iasim_main(2, words);
    }
    if (argc == 4) {
        survive(argv[2]);
        return n_faults > 0;
    }
    setlocale(LC_ALL, "");
    const char *point = localeconv()->decimal_point;
    char before = point[0];
    load(argv[1]);
    plan();
    plan_with_costs(argv[1]);
    farm();
    lists();
    plugin(argv[2]);
    struct err e;
    e.text[0] = '\0';
    CLAIM(localeconv()->decimal_point[0] == before);
    iasim_graph_free(graph);
    iasim_graph_free(NULL);
    iasim_platform_free(platform);
    iasim_platform_free(NULL);
    iasim_schedule_free(NULL);
    fprintf(stderr, "decimal point %c, %d faults\n", before, n_faults);
    return n_faults > 0;
}
