/* tile_queue.h - threads that make the tiles which requests wait for, in the order of the requests. While many requests
 * wait, a thread makes several tiles of heights at once. The queue is bounded. A tile whose reader has gone is not
 * made; tiles that are being made are cancelled when all their readers have gone. */
#ifndef TERRANE_PROGRAM_SERVE_TILE_QUEUE_H
#define TERRANE_PROGRAM_SERVE_TILE_QUEUE_H

#include <stdatomic.h>

#include "program/serve/loopback.h"
#include "program/serve/web_tile.h"

enum { WEB_THREADS_MAX = 64 };

/** A tile that a request waits for. The owner sets tile, socket and user. */
typedef struct tile_job {
    web_tile tile;
    loopback_socket socket; /* of the reader: when it is closed, the tile is not needed any more; -1: always needed */
    void *user;
    void *bytes; /* of the finished tile; the owner frees them with free() */
    size_t size;
    result result;            /* RESULT_INTERRUPTED: the reader has gone, or the queue is being closed */
    atomic_bool is_cancelled; /* this member and the next one belong to the queue */
    struct tile_job *next;
} tile_job;

typedef struct tile_jobs tile_jobs;

/** What a queue is made from. */
typedef struct tile_jobs_setup {
    web_land land;
    ter_generator_options options; /* of generators; is_cancelled is called in addition to the queue's own reasons */
    int n_threads;                 /* 1 to WEB_THREADS_MAX; each has a generator */
    int most;                      /* tiles that wait; further ones are refused */
    void (*done)(tile_job *job);   /* called by a thread of the queue for each job that was added */
} tile_jobs_setup;

/** Create the queue and start its threads. Errors RESULT_FAILED no memory, no thread; those of generators */
result tile_jobs_create(const tile_jobs_setup *setup, tile_jobs **out);

/** Add a job, which must stay valid until `done` was called for it. Returns false if the queue is full or closed. */
bool tile_jobs_add(tile_jobs *jobs, tile_job *job);

/** Cancel all jobs, and refuse further ones. When the function returns, `done` was called for all jobs. */
void tile_jobs_close(tile_jobs *jobs);

void tile_jobs_destroy(tile_jobs *jobs);

#endif
