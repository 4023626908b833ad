/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "library/python.h"

#include "base/mem.h"
#include "base/shipped.h"
#include "library/iasim.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char SCRIPT[] = "analysis/iasim/_run.py";

/* The file of libiasim, which has this code. */
static char *library_file(void)
{
    static const char here;
    Dl_info object;
    return dladdr(&here, &object) != 0 && object.dli_fname != NULL ? realpath(object.dli_fname, NULL) : NULL;
}

/* The same input must give the same bytes: strings have the same hash in every process. Numerical libraries must not start
   threads, because the processes of a sweep are forked. */
static void set_environment(void)
{
    setenv("PYTHONHASHSEED", "0", 1);
    setenv("PYTHONCOERCECLOCALE", "0", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

enum err_code python_restart(int argc, char **argv, struct err *e)
{
    char *script = shipped_path(SCRIPT), *library = library_file(), *program = shipped_program();
    if (script == NULL || library == NULL || program == NULL) {
        free(script);
        free(library);
        free(program);
        return err_set(e, ERR_IO, "plugins in Python need the file %s, which comes with iasim and was not found",
                       SCRIPT);
    }
    char *begin[] = {"python3", "-B", "-X", "utf8", script, library, program};
    enum { N_BEGIN = sizeof begin / sizeof begin[0] };
    char **words = mem_zalloc((size_t)argc + N_BEGIN, sizeof *words);
    memcpy(words, begin, sizeof begin);
    memcpy(words + N_BEGIN, argv + 1, (size_t)argc * sizeof *argv); /* with the NULL */
    set_environment();
    execv("/usr/bin/python3", words); /* Debian's, which has its packages */
    execvp("python3", words);
    return err_set(e, ERR_IO, "plugins in Python need the program python3; on Debian: apt install python3-cffi");
}
