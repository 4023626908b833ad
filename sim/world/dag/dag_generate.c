/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From "name[parameter=value,...]" to a sealed graph. The table of generators is made from generators.def, so that a
   new generator needs one line there. */
#include "dag/dag_generate.h"

#include "base/mem.h"
#include "base/registry.h"

#include <stdio.h>
#include <stdlib.h>

#define DAG_GENERATOR(name) extern const struct dag_generator dag_generator_##name;
#include "dag/generators/generators.def"
#undef DAG_GENERATOR

const struct dag_generator *const dag_generators[] = {
#define DAG_GENERATOR(name) &dag_generator_##name,
#include "dag/generators/generators.def"
#undef DAG_GENERATOR
    NULL,
};

/* A stream number of its own, so that platforms and scenarios drawn with the same seed are independent of graphs. */
static const uint64_t stream_of_graphs = 0x6772617068; /* "graph" */

/* On success the caller frees *params. */
static enum err_code choose(const char *text, const struct dag_generator **generator, struct param_set **params,
                            struct err *e)
{
    struct spec spec;
    enum err_code code = spec_parse(&spec, text, e);
    *params = NULL;
    if (code != ERR_NONE)
        return code;
    *generator = registry_choose(dag_generators, "generator", spec.name, e);
    if (*generator != NULL) {
        char owner[128];
        snprintf(owner, sizeof owner, "generator %s", (*generator)->name);
        *params = param_set_create((*generator)->params);
        code = param_set_spec(*params, owner, &spec, e);
        /* Parameters that are valid one by one may not fit together (width above the number of tasks). Checked here
           so that a wrong scenario is refused before its sweep begins. */
        if (code == ERR_NONE && (*generator)->check != NULL)
            code = (*generator)->check(*params, e);
    } else {
        code = ERR_INPUT;
    }
    spec_clear(&spec);
    if (code != ERR_NONE)
        param_set_free(*params);
    return code;
}

enum err_code dag_generate(const char *spec, unsigned long long seed, struct dag *out, struct err *e)
{
    const struct dag_generator *generator;
    struct param_set *params;
    struct random_stream random;
    enum err_code code = choose(spec, &generator, &params, e);
    if (code != ERR_NONE)
        return code;
    /* The spec as written and the seed: with them anyone can make the graph again. */
    char *source = mem_format("%s seed %llu", spec, seed);
    random_init(&random, seed, stream_of_graphs);
    dag_init(out, source);
    code = generator->generate(params, &random, out, e);
    if (code == ERR_NONE)
        code = dag_seal(out, e);
    if (code != ERR_NONE)
        dag_clear(out);
    free(source);
    param_set_free(params);
    return code;
}

enum err_code dag_generate_check(const char *spec, struct err *e)
{
    const struct dag_generator *generator;
    struct param_set *params;
    enum err_code code = choose(spec, &generator, &params, e);
    if (code == ERR_NONE)
        param_set_free(params);
    return code;
}
