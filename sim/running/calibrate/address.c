/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names are looked up once, and their addresses tried in the resolver's order. Sockets do not block, and programs that
   are started do not inherit them. There is no default address: listening on all interfaces must be asked for. */
#include "calibrate/address.h"

#include "base/text.h"
#include "calibrate/channel.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

const char *address_text(const struct address *a, char out[ADDRESS_TEXT])
{
    bool is_ipv6 = strchr(a->host, ':') != NULL; /* only IPv6 addresses have colons */
    snprintf(out, ADDRESS_TEXT, is_ipv6 ? "[%s]:%s" : "%s:%s", a->host, a->port);
    return out;
}

/* The colon before the port is the last one, unless the address is in brackets. */
static enum err_code split(const char *text, const char **host, size_t *n, const char **port, struct err *e)
{
    const char *colon = strrchr(text, ':'), *end = strchr(text, ']');
    if (text[0] == '[' && end != NULL) {
        *host = text + 1;
        *n = (size_t)(end - *host);
        colon = end[1] == ':' ? end + 1 : NULL;
    } else {
        *host = text;
        *n = colon != NULL ? (size_t)(colon - text) : strlen(text);
        if (colon != NULL && memchr(text, ':', *n) != NULL)
            return err_set(e, ERR_USAGE, "'%.200s' has several colons; write an IPv6 address in brackets: [::1]:7000",
                           text);
    }
    if (colon == NULL)
        return err_set(e, ERR_USAGE, "'%.200s' has no port; expected ADDRESS:PORT, like 192.168.1.5:7000", text);
    *port = colon + 1;
    return ERR_NONE;
}

enum err_code address_parse(const char *text, int min_port, struct address *out, struct err *e)
{
    const char *host, *port = "";
    size_t n;
    long number;
    *out = (struct address){0};
    enum err_code code = split(text, &host, &n, &port, e);
    if (code != ERR_NONE)
        return code;
    if (n == 0)
        return err_set(e, ERR_USAGE, "'%.200s' has no address before the port; there is no default", text);
    if (n >= sizeof out->host)
        return err_set(e, ERR_USAGE, "the address is too long: %zu bytes", n);
    /* Digits only: text_to_long would take a sign and blanks. */
    if (strspn(port, "0123456789") != strlen(port) || !text_to_long(port, &number) || number < min_port ||
        number > 65535)
        return err_set(e, ERR_USAGE, "'%.200s': the port must be a number from %d to 65535", text, min_port);
    memcpy(out->host, host, n);
    snprintf(out->port, sizeof out->port, "%d", (int)number);
    return ERR_NONE;
}

static enum err_code look_up(const struct address *a, struct addrinfo **list, struct err *e)
{
    char text[ADDRESS_TEXT];
    const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    int status = getaddrinfo(a->host, a->port, &wanted, list);
    if (status == 0)
        return ERR_NONE;
    return err_set(e, ERR_IO, "%s: unknown address: %s", address_text(a, text),
                   status == EAI_SYSTEM ? strerror(errno) : gai_strerror(status));
}

static int open_socket(const struct addrinfo *x)
{
    return socket(x->ai_family, x->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, x->ai_protocol);
}

static bool listens(int fd, const struct addrinfo *x)
{
    const int on = 1;
    /* A listener that is started again at once must not wait for old connections of the port to time out. */
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    /* An IPv6 address means IPv6: "[::]" would else take IPv4 callers as well. */
    if (x->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    return bind(fd, x->ai_addr, x->ai_addrlen) == 0 && listen(fd, 16) == 0;
}

/* What was asked for may be a name, and the port 0: the user has to tell the other side what it is. */
static void set_own_address(int fd, struct address *out)
{
    struct sockaddr_storage own;
    socklen_t size = sizeof own;
    *out = (struct address){0};
    if (getsockname(fd, (struct sockaddr *)&own, &size) == 0)
        getnameinfo((struct sockaddr *)&own, size, out->host, sizeof out->host, out->port, sizeof out->port,
                    NI_NUMERICHOST | NI_NUMERICSERV);
}

enum err_code address_listen(const struct address *a, int *fd, struct address *out, struct err *e)
{
    char text[ADDRESS_TEXT];
    struct addrinfo *list;
    enum err_code code = look_up(a, &list, e);
    if (code != ERR_NONE)
        return code;
    int reason = 0; /* of the last address that was tried */
    *fd = -1;
    for (const struct addrinfo *x = list; x != NULL && *fd < 0; x = x->ai_next) {
        *fd = open_socket(x);
        if (*fd < 0 || listens(*fd, x))
            continue;
        reason = errno;
        close(*fd);
        *fd = -1;
    }
    freeaddrinfo(list);
    if (*fd < 0)
        return err_set(e, ERR_IO, "%s: cannot listen there: %s", address_text(a, text), strerror(reason));
    set_own_address(*fd, out);
    return ERR_NONE;
}

/* 0, or the errno. */
static int connect_by(int fd, const struct addrinfo *x, double until_s)
{
    if (connect(fd, x->ai_addr, x->ai_addrlen) == 0)
        return 0;
    if (errno != EINPROGRESS)
        return errno;
    /* Writable means decided, either way: SO_ERROR tells which. */
    if (!channel_wait(fd, POLLOUT, until_s))
        return ETIMEDOUT;
    int reason = 0;
    socklen_t size = sizeof reason;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &reason, &size) == 0 ? reason : errno;
}

enum err_code address_connect(const struct address *a, double until_s, int *fd, struct err *e)
{
    char text[ADDRESS_TEXT];
    struct addrinfo *list;
    enum err_code code = look_up(a, &list, e);
    if (code != ERR_NONE)
        return code;
    int reason = ETIMEDOUT;
    *fd = -1;
    /* One date for all addresses together: a name with a dead address and a good one may need most of it. */
    for (const struct addrinfo *x = list; x != NULL && *fd < 0; x = x->ai_next) {
        *fd = open_socket(x);
        reason = *fd >= 0 ? connect_by(*fd, x, until_s) : errno;
        if (*fd < 0 || reason == 0)
            continue;
        close(*fd);
        *fd = -1;
    }
    freeaddrinfo(list);
    if (*fd < 0)
        return err_set(e, ERR_IO, "%s: cannot connect: %s", address_text(a, text), strerror(reason));
    return ERR_NONE;
}
