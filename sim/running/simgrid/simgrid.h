/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Communication that slows computation down, under any program that uses SimGrid. C and C++:

       cc mine.c $(pkg-config --cflags --libs iasim-simgrid simgrid) -o mine

   `iasim exec -- PROGRAM` does the same for a program that is left as it is. */
#ifndef IASIM_SIMGRID_H
#define IASIM_SIMGRID_H

#ifdef __cplusplus
extern "C" {
#endif

/* Has this process simulate the world of that name: "interference" (hosts compute more slowly while they send and
   receive, by the properties ir_send and ir_recv of the platform's hosts) or "none" (as without iasim). To be called
   before the platform is loaded. Under `iasim exec` the world that was given there wins.

   Returns 0, or 2 after a message on stderr: the world is unknown, or does not change the speed of hosts; another
   one was asked for before; the platform is already loaded; the program has not loaded SimGrid, or a version other
   than the one for which iasim was built.

   What turns out later ends the process with status 2 and one message: a property of the platform that cannot be
   right, or something of SimGrid that this world does not know, once it meets a host with a rate above 0 (host model
   ptask_L07, network models Constant and ns-3, cpu/optim TI, transfers over WiFi, data streamed between the disks of
   two hosts, live migration of virtual machines). */
__attribute__((visibility("default"))) int iasim_world(const char *world);

#ifdef __cplusplus
}
#endif
#endif
