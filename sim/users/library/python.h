/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Plugins in Python: the program runs itself within Python, where the package iasim (analysis/iasim) loads libiasim,
   reads such plugins and calls iasim_main again with the same words. Nothing is compiled, and what is isolated for
   plugins in C is isolated the same way. */
#ifndef IASIM_LIBRARY_PYTHON_H
#define IASIM_LIBRARY_PYTHON_H

#include "base/err.h"

/* Returns only if that is impossible. Errors: ERR_IO: there is no Python 3, or the package is missing. */
enum err_code python_restart(int argc, char **argv, struct err *e);

#endif
