/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Code that is not ours: what plugins register. Where it comes from; and, while a function of it is called, a crash or a
   call of exit() says which function it was, so that whoever watches the process can tell the user. */
#ifndef IASIM_BASE_FOREIGN_H
#define IASIM_BASE_FOREIGN_H

struct origin {
    const char *path;   /* of the plugin, as given */
    const char *digest; /* of its bytes, in hexadecimal */
};

/* Around a call of `function` of `owner` ("plan", "scheduler mine"). If the process crashes or exits between the two, the
   line "in plugin PATH: FUNCTION of OWNER" goes to its standard error first. Calls do not nest. `from` NULL: it is ours,
   nothing is done. */
void foreign_enter(const struct origin *from, const char *function, const char *owner);
void foreign_leave(void);

/* Around what runs while a plugin is loaded: a crash or exit ends the program with `status`, and says the same. */
void foreign_enter_loading(const char *path, int status);

/* How the line begins, for those who look for it. */
#define FOREIGN_MARK "in plugin "

#endif
