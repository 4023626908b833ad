/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Completion of words in a shell, from the tables of options and what is registered. */
#ifndef IASIM_CLI_COMPLETE_H
#define IASIM_CLI_COMPLETE_H

#include "base/text.h"

/* `words` are those after the program's name, the last one being completed; it may be empty. Adds a line for each word
   that it may become; one that ends in '[', '=' or ',' goes on. A line ":files PATTERN..." stands for file names,
   ":folders" for folders: the shell finds those. */
void complete(struct text *out, const char *const *words, int n);

#endif
