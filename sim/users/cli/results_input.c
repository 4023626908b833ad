/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Opens results to be read. Either the user names the scenario and its database is found (or named), or a database is
   given alone and its scenario is read again, from the command that the database recorded. */
#include "cli/results_input.h"

#include "base/mem.h"
#include "cli/command.h"
#include "scenario/rerun.h"
#include "store/survey.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum err_code results_input_open(struct results_input *in, const char *scenario, const struct words *sets,
                                 const char *database, struct err *e)
{
    *in = (struct results_input){0};
    enum err_code code = command_read_scenario(scenario, sets, &in->scenario, e);
    if (code != ERR_NONE)
        return code;
    in->database = database != NULL ? mem_strdup(database) : mem_format("%s.db", in->scenario.name);
    if (access(in->database, R_OK) != 0)
        /* Before SQLite, whose message would not say how results are made. */
        return err_set_at(e, ERR_IO, in->database, 0, "there are no results; `iasim run %s` makes them", scenario);
    return store_open_read(in->database, &in->scenario, &in->store, e);
}

/* May fail without harm, so its error goes to in->why: the scenario may have changed or moved since, or its plugin may
   not be loaded. */
static enum err_code open_scenario(struct results_input *in, const char *command, struct err *e)
{
    struct rerun_line line;
    enum err_code code = ERR_NONE;
    if (!rerun_read(command != NULL ? command : "", &line))
        code = err_set_at(e, ERR_INPUT, in->database, 0, "does not say which command made it");
    else
        code = command_read_scenario(line.scenario, &(struct words){(const char **)line.sets, line.n_sets},
                                     &in->scenario, e);
    /* Refuses a database whose points are not those of the scenario as it is. */
    if (code == ERR_NONE)
        code = store_open_read(in->database, &in->scenario, &in->store, e);
    rerun_line_clear(&line);
    return code;
}

enum err_code results_input_open_alone(struct results_input *in, const char *database, struct err *e)
{
    struct survey survey;
    *in = (struct results_input){.database = mem_strdup(database)};
    enum err_code code = survey_database(database, &survey, e);
    /* Nothing is repaired here: a report only reads. */
    if (code == ERR_NONE && survey.is_torn)
        code = err_set_at(e, ERR_IO, database, 0,
                          "a run was killed while it wrote; `iasim run` with --resume repairs the database");
    else if (code == ERR_NONE && survey.scenario == NULL)
        code = err_set_at(e, ERR_INPUT, database, 0, "holds no results yet");
    if (code == ERR_NONE)
        open_scenario(in, survey.command, &in->why);
    survey_clear(&survey);
    return code;
}

void results_input_close(struct results_input *in)
{
    store_close(in->store, NULL);
    scenario_clear(&in->scenario);
    free(in->database);
}
