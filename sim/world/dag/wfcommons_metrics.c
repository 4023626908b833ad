/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The metrics of WfFormat 1.6: figures of a workflow that its writer computed from its tasks and files. All are
   optional. Each is compared with what was read, because a difference means that the file was cut or edited, or that we
   read it differently from its writer. The bytes that tasks read and wrote when they ran are not compared: nothing here
   uses them. */
#include "dag/levels.h"
#include "dag/wfcommons.h"

#include <math.h>

/* Sums of many numbers depend on their order in the last digits; counts are exact at this precision. */
#define RELATIVE_ERROR 1e-9

static enum err_code check_metric(const struct wf_reader *r, struct tape_value metrics, const char *key, double found)
{
    struct tape_value v;
    enum err_code code = wf_find_member(r, metrics, "the metrics", NULL, key, TAPE_NUMBER, &v);
    if (code != ERR_NONE || v.tape == NULL)
        return code;
    /* Relative to what was found, so if that is 0, exactly 0 must be stated. */
    double stated = tape_number(v);
    if (fabs(stated - found) <= RELATIVE_ERROR * fabs(found))
        return ERR_NONE;
    return wf_refuse(r, v, "the metrics say %s is %.10g, but the tasks and files of this workflow give %.10g", key,
                     stated, found);
}

/* Each file once, though several tasks may read it: this is a sum over the list of files, not over edges. */
static double file_bytes(struct tape_value specification)
{
    double sum_bytes = 0;
    struct tape_value files = tape_member(specification, "files");
    for (struct tape_value i = tape_first(files); i.tape != NULL; i = tape_next(files, i))
        sum_bytes += tape_number(tape_member(i, "sizeInBytes"));
    return sum_bytes;
}

static enum err_code check_shape(const struct wf_reader *r, struct tape_value specification, struct tape_value metrics)
{
    struct dag_shape shape;
    /* Depth and width need the order. The caller seals again, which does nothing. */
    enum err_code code = dag_seal(r->g, r->e);
    if (code != ERR_NONE)
        return code;
    shape = dag_shape(r->g);
    const struct {
        const char *key;
        double found;
    } facts[] = {{"numberOfTasks", r->g->n_tasks},
                 {"numberOfFiles", (double)tape_length(tape_member(specification, "files"))},
                 {"sumOfFileSizesInBytes", file_bytes(specification)},
                 {"numberOfLevels", shape.depth},
                 {"minimumWidth", shape.least_width},
                 {"maximumWidth", shape.width}};
    for (size_t i = 0; i < sizeof facts / sizeof *facts && code == ERR_NONE; i++)
        code = check_metric(r, metrics, facts[i].key, facts[i].found);
    return code;
}

enum err_code wf_check_metrics(const struct wf_reader *r, struct tape_value workflow)
{
    struct tape_value metrics, specification = tape_member(workflow, "specification");
    enum err_code code = wf_find_member(r, specification, "the specification", NULL, "metrics", TAPE_OBJECT, &metrics);
    if (code == ERR_NONE && metrics.tape != NULL)
        code = check_shape(r, specification, metrics);
    if (code == ERR_NONE)
        code = wf_find_member(r, tape_member(workflow, "execution"), "the execution", NULL, "metrics", TAPE_OBJECT,
                              &metrics);
    if (code == ERR_NONE && metrics.tape != NULL)
        code = check_metric(r, metrics, "sumTaskRuntimesInSeconds", dag_work_flop(r->g) / r->reference_flop_per_s);
    return code;
}
