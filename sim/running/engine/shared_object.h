/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The shared objects of iasim that link SimGrid. SimGrid takes longer to load than most commands take to run, so
   these are opened only when they are needed.

       lib/libiasim.so        installed: they are private, in a folder beside
       lib/iasim/libiasim-bridge.so

   They are looked for beside the object that this code is in, wherever that has been moved to; a program may also link
   them itself, as our tests do. */
#ifndef IASIM_ENGINE_SHARED_OBJECT_H
#define IASIM_ENGINE_SHARED_OBJECT_H

#include "base/err.h"

/* The address of `symbol`, which the shared object in the file `name` exports; opens it if necessary. Errors:
   ERR_INTERNAL: it is missing or cannot be loaded (the message calls it `what`). The result is NULL then. */
void *object_symbol(const char *name, const char *symbol, const char *what, struct err *e);

#endif
