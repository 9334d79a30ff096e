/* loopback_windows.c - implements loopback.h by the sockets of Windows. */
#include <winsock2.h>

#include <ws2tcpip.h>

#include <stdio.h>

#include "program/serve/loopback.h"

/** Say why a call has failed, as other systems do. */
static void describe(int error, char why[LOOPBACK_WHY])
{
    const char *text = error == WSAEADDRINUSE ? "Address already in use"
                       : error == WSAEACCES   ? "Permission denied"
                                              : "";
    if (*text)
        snprintf(why, LOOPBACK_WHY, "%s", text);
    else
        snprintf(why, LOOPBACK_WHY, "error %d of Windows", error);
}

/** Windows lets two processes listen on a port, and gives the connections to one of them, unless the first one
 * excludes others. */
static bool listen_alone(SOCKET listener, struct sockaddr_in *place)
{
    const BOOL yes = TRUE;
    u_long no_wait = 1;
    int size = sizeof *place;
    return listener != INVALID_SOCKET &&
           setsockopt(listener, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, (const char *)&yes, sizeof yes) == 0 &&
           ioctlsocket(listener, FIONBIO, &no_wait) == 0 && bind(listener, (struct sockaddr *)place, size) == 0 &&
           listen(listener, SOMAXCONN) == 0 && getsockname(listener, (struct sockaddr *)place, &size) == 0;
}

bool loopback_listen(int *port, loopback_socket *out, char why[LOOPBACK_WHY])
{
    WSADATA facts;
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((u_short)*port)};
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int error = WSAStartup(MAKEWORD(2, 2), &facts);
    if (error != 0) {
        describe(error, why);
        return false;
    }
    const SOCKET listener = WSASocketW(AF_INET, SOCK_STREAM, 0, NULL, 0, WSA_FLAG_NO_HANDLE_INHERIT);
    if (listen_alone(listener, &place)) {
        *port = ntohs(place.sin_port);
        *out = (loopback_socket)listener;
        return true;
    }
    describe(WSAGetLastError(), why);
    if (listener != INVALID_SOCKET)
        closesocket(listener);
    WSACleanup();
    return false;
}

void loopback_close(loopback_socket listener)
{
    closesocket((SOCKET)listener);
    WSACleanup();
}

bool loopback_has_gone(loopback_socket reader)
{
    char byte;
    if (reader < 0)
        return false;
    const int n = recv((SOCKET)reader, &byte, 1, MSG_PEEK);
    return n == 0 || (n < 0 && WSAGetLastError() != WSAEWOULDBLOCK);
}
