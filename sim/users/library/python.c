/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Restarts this process as Python, for --plugin FILE.py. Python loads this libiasim, reads the plugin and calls
   iasim_main with the same words (python.h). exec, not fork: signals, standard streams and the exit status stay those
   of one process. */
#include "library/python.h"

#include "base/interpreter.h"
#include "base/mem.h"
#include "base/shipped.h"
#include "library/iasim.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char SCRIPT[] = "analysis/iasim/_run.py";

/* The file of libiasim, which has this code: Python must load this very file, not another iasim that is installed.
   Fresh; NULL: unknown. */
static char *library_file(void)
{
    static const char here;
    Dl_info object;
    return dladdr(&here, &object) != 0 && object.dli_fname != NULL ? realpath(object.dli_fname, NULL) : NULL;
}

/* The same input must give the same bytes: strings have the same hash in every process. Numerical libraries must not
   start threads, because the processes of a sweep are forked. */
static void set_environment(void)
{
    setenv("PYTHONHASHSEED", "0", 1);
    setenv("PYTHONCOERCECLOCALE", "0", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
}

/* Loading libiasim shows whether it fits: another Python may bring an older C++ library. SimGrid reads its
   configuration when it is loaded and needs the C locale for it (analysis/iasim/_plugin.py). */
static char *choose_interpreter(const char *library)
{
    return interpreter_that_runs("import cffi, locale, sys\n"
                                 "locale.setlocale(locale.LC_ALL, 'C')\n"
                                 "cffi.FFI().dlopen(sys.argv[1])",
                                 library);
}

/* `begin` is how Python is called, followed by the words of the user without the program's name. Returns only when
   execv has failed. argv[0] is a whole path: without one Python takes the packages of whichever python3 comes first in
   PATH. */
static enum err_code restart_within(const char *python, const char *const *begin, size_t n_begin, int argc, char **argv,
                                    struct err *e)
{
    const char **words = mem_zalloc((size_t)argc + n_begin, sizeof *words);
    memcpy(words, begin, n_begin * sizeof *begin);
    memcpy(words + n_begin, argv + 1, (size_t)argc * sizeof *argv); /* with the NULL */
    set_environment();
    execv(python, (char *const *)words);
    int reason = errno;
    free(words);
    return err_set(e, ERR_IO,
                   "plugins in Python need Python: %s cannot be run: %s; on Debian: apt install python3-cffi", python,
                   strerror(reason));
}

enum err_code python_restart(int argc, char **argv, struct err *e)
{
    char *script = shipped_path(SCRIPT), *library = library_file(), *program = shipped_program(), *python = NULL;
    enum err_code code;
    if (script == NULL || library == NULL || program == NULL) {
        code =
            err_set(e, ERR_IO, "plugins in Python need the file %s, which comes with iasim and was not found", SCRIPT);
    } else {
        python = choose_interpreter(library);
        /* -B: no __pycache__ beside plugins, whose folder may not be writable. -X utf8: the same text whatever the
           locale. */
        const char *const begin[] = {python, "-B", "-X", "utf8", script, library, program};
        code = restart_within(python, begin, sizeof begin / sizeof begin[0], argc, argv, e);
    }
    free(script);
    free(library);
    free(program);
    free(python);
    return code;
}
