/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* "ADDRESS:PORT", where an address is a name, an IPv4 address or an IPv6 address in brackets; and TCP connections
   there. All waiting ends at a date of base/clock.h. Descriptors are not inherited by other programs. */
#ifndef IASIM_CALIBRATE_ADDRESS_H
#define IASIM_CALIBRATE_ADDRESS_H

#include "base/err.h"

struct address {
    char host[256], port[16];
};

/* Errors: ERR_USAGE: no address (there is no default), an IPv6 address without brackets, not a port from `min_port`
   to 65535. */
enum err_code address_parse(const char *text, int min_port, struct address *out, struct err *e);

/* Listens on the first address of the name that can be had; `out` is then the address itself and the port, which the
   system chooses if 0 was given. Errors: ERR_IO: unknown name, not an address of this machine, port in use, no right to
   it. */
enum err_code address_listen(const struct address *a, int *fd, struct address *out, struct err *e);

/* Tries the addresses of the name one after the other. Errors: ERR_IO: unknown name, refused, no answer. */
enum err_code address_connect(const struct address *a, double until_s, int *fd, struct err *e);

enum { ADDRESS_TEXT = 280 };
const char *address_text(const struct address *a, char out[ADDRESS_TEXT]); /* as it is given; returns `out` */

#endif
