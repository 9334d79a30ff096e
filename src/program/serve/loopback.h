/* loopback.h - sockets of the loopback address: the one that listens, and those of readers. loopback_posix.c implements
 * these functions for POSIX systems, and loopback_windows.c for Windows. */
#ifndef TERRANE_PROGRAM_SERVE_LOOPBACK_H
#define TERRANE_PROGRAM_SERVE_LOOPBACK_H

#include <stdbool.h>
#include <stdint.h>

typedef intptr_t loopback_socket;

enum { LOOPBACK_WHY = 128 };

/** Open a socket that listens on a port of 127.0.0.1. *port: 0 stands for any free port; becomes the port. Returns
 * false if that fails; `why` becomes the reason. */
bool loopback_listen(int *port, loopback_socket *out, char why[LOOPBACK_WHY]);

void loopback_close(loopback_socket listener);

/** Whether a reader has closed the connection. The socket must not block. -1: there is no reader, who never goes. */
bool loopback_has_gone(loopback_socket reader);

#endif
