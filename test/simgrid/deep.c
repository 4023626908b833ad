/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loads deep_body.c, and SimGrid with it, by dlopen with RTLD_DEEPBIND: SimGrid then calls its own functions, whatever
   is preloaded. */
#include <dlfcn.h>
#include <string.h>

int main(int argc, char **argv)
{
    int (*body)(int, char **);
    void *object = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_DEEPBIND) : NULL;
    void *symbol = object ? dlsym(object, "deep_body") : NULL;
    memcpy(&body, &symbol, sizeof body);
    return symbol ? body(argc - 1, argv + 1) : 1;
}
