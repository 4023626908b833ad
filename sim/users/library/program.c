/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program has no code of its own: a test or another program that links libiasim can run it in the same way. */
#include "library/iasim.h"

int main(int argc, char **argv)
{
    return iasim_main(argc, argv);
}
