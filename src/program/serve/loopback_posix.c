/* loopback_posix.c - implements loopback.h by the sockets of POSIX. */
#include "program/serve/loopback.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool loopback_listen(int *port, loopback_socket *out, char why[LOOPBACK_WHY])
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    socklen_t size = sizeof place;
    const int yes = 1;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener >= 0) { /* macOS has no SOCK_CLOEXEC and no SOCK_NONBLOCK */
        fcntl(listener, F_SETFD, FD_CLOEXEC);
        fcntl(listener, F_SETFL, O_NONBLOCK);
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    }
    if (listener >= 0 && bind(listener, (const struct sockaddr *)&place, size) == 0 &&
        listen(listener, SOMAXCONN) == 0 && getsockname(listener, (struct sockaddr *)&place, &size) == 0) {
        *port = ntohs(place.sin_port);
        *out = listener;
        return true;
    }
    snprintf(why, LOOPBACK_WHY, "%s", strerror(errno));
    if (listener >= 0)
        close(listener);
    return false;
}

void loopback_close(loopback_socket listener)
{
    close((int)listener);
}

bool loopback_has_gone(loopback_socket reader)
{
    char byte;
    if (reader < 0)
        return false;
    const ssize_t n = recv((int)reader, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return n == 0 || (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}
