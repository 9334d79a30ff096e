/* server.h - answers requests over HTTP on the loopback address, by libmicrohttpd. */
#ifndef TERRANE_PROGRAM_SERVE_SERVER_H
#define TERRANE_PROGRAM_SERVE_SERVER_H

#include "program/serve/tile_queue.h"

enum { SERVER_CONNECTIONS = 1000, SERVER_WAITING = 512, SERVER_SLOW_S = 15 };

/** What a server needs. All pointers must be valid as long as the server. */
typedef struct server_setup {
    web_land land;
    ter_generator_options options; /* of generators */
    int n_threads;                 /* that make tiles */
    int port;                      /* 0: any free one */
    const char *world;             /* options that choose the world, for the page */
} server_setup;

typedef struct server server;

/** Start to answer requests, on threads of the server.
 *
 *  port    becomes the port
 *  Errors  RESULT_FAILED the port is in use, or there is no memory; those of generators
 */
result server_start(const server_setup *setup, server **out, int *port);

/** Stop answering. Waiting requests are cancelled. NULL is allowed. */
void server_stop(server *server);

#endif
