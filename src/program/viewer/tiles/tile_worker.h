/* tile_worker.h - a thread that makes one batch after another while frames are drawn. It does not access tiles. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_TILE_WORKER_H
#define TERRANE_PROGRAM_VIEWER_TILES_TILE_WORKER_H

#include <pthread.h>
#include <stdbool.h>

#include "program/core/result.h"

typedef enum worker_state { WORKER_IDLE, WORKER_BUSY, WORKER_DONE, WORKER_STOP } worker_state;

/** All functions must be called by one thread; only `work` runs on the worker's thread. */
typedef struct tile_worker {
    ter_status (*work)(void *user); /* makes the batch */
    void *user;
    int (*is_interrupted)(void);

    bool has_thread;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    worker_state state;
    result result;            /* result of the last batch */
    double worked_s, ended_s; /* duration and end of the last batch */
    bool gives_way;           /* the thread lowers its priority */
} tile_worker;

/** Start the thread. Errors RESULT_FAILED */
result tile_worker_start(tile_worker *worker, ter_status (*work)(void *user), void *user, int (*is_interrupted)(void));

/** Wait for the batch and end the thread, if there is one. */
void tile_worker_stop(tile_worker *worker);

/** Lower the priority of the thread permanently, from its next batch on. */
void tile_worker_give_way(tile_worker *worker);

/** Begin a batch. The worker must be idle. */
void tile_worker_begin(tile_worker *worker);

/** Wait until no batch is being made. */
void tile_worker_wait(tile_worker *worker);

/** Whether a batch is being made. */
bool tile_worker_is_busy(tile_worker *worker);

/** Get the result of a finished batch; the worker becomes idle. Returns false if no batch is finished. */
bool tile_worker_collect(tile_worker *worker, result *res);

#endif
