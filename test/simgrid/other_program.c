/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program that uses other_simgrid.c as any program does its SimGrid. */
#include <stdio.h>

void config_init(int *argc, char **argv) __asm__("_Z14sg_config_initPiPPc");

int main(int argc, char **argv)
{
    puts("begins");
    fflush(stdout);
    config_init(&argc, argv);
    puts("goes on");
    return 0;
}
