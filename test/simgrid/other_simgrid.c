/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A library called libsimgrid of a version that iasim was not built for, as far as iasim looks at it. */
void sg_version_get(int *major, int *minor, int *patch);
void other_config_init(int *argc, char **argv) __asm__("_Z14sg_config_initPiPPc");

void sg_version_get(int *major, int *minor, int *patch)
{
    *major = 9;
    *minor = 8;
    *patch = 7;
}

void other_config_init(int *argc, char **argv)
{
    (void)argc;
    (void)argv;
}
