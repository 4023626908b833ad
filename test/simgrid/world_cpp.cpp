/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The same program in C++. */
#include "world.c"
