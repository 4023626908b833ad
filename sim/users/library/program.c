/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "library/iasim.h"

int main(int argc, char **argv)
{
    return iasim_main(argc, argv);
}
