/* server.c - the answers to requests. A request for a tile sleeps until a thread of the queue has made the tile, and is
 * answered then; all other requests are answered at once. */
#include "program/serve/server.h"

#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/serve/packed_text.h"
#include "program/serve/tile_cache.h"
#include "program/serve/web_address.h"
#include "program/serve/web_page.h"

enum { FILES_MAX = 8, ADDRESS_TEXT = 96, ETAG_TEXT = 24, CONNECTION_BYTES = 16384 };

struct server {
    server_setup setup;
    struct MHD_Daemon *daemon;
    tile_jobs *jobs;
    tile_cache *cache;
    packed_text files[FILES_MAX]; /* of web_file_at, packed */
};

/** A request while it is answered. */
typedef struct request {
    server *server;
    struct MHD_Connection *connection;
    tile_job job;
    bool is_waiting; /* for the job */
    bool is_refused; /* the queue was full */
} request;

/* ---- answers ---- */

/** Headers of an answer. NULL: none */
typedef struct headers {
    const char *type, *etag, *encoding, *allow, *retry;
} headers;

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
    if (value)
        MHD_add_response_header(response, name, value);
}

/** Queue an answer. `bytes` are copied, or with MHD_RESPMEM_MUST_FREE freed. */
static enum MHD_Result answer(struct MHD_Connection *to, unsigned status, const void *bytes, size_t size,
                              enum MHD_ResponseMemoryMode memory, const headers *h)
{
    struct MHD_Response *response = MHD_create_response_from_buffer(size, (void *)bytes, memory);
    if (!response && memory == MHD_RESPMEM_MUST_FREE)
        free((void *)bytes);
    if (!response)
        return MHD_NO;
    add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, h->type);
    add_header(response, MHD_HTTP_HEADER_ETAG, h->etag);
    add_header(response, MHD_HTTP_HEADER_CONTENT_ENCODING, h->encoding);
    add_header(response, MHD_HTTP_HEADER_ALLOW, h->allow);
    add_header(response, MHD_HTTP_HEADER_RETRY_AFTER, h->retry);
    add_header(response, MHD_HTTP_HEADER_ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    add_header(response, "X-Content-Type-Options", "nosniff");
    add_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, h->etag ? "no-cache" : NULL);
    const enum MHD_Result queued = MHD_queue_response(to, status, response);
    MHD_destroy_response(response);
    return queued;
}

static enum MHD_Result answer_text(struct MHD_Connection *to, unsigned status, const char *sentence)
{
    const headers h = {.type = "text/plain; charset=utf-8",
                       .allow = status == MHD_HTTP_METHOD_NOT_ALLOWED ? "GET, HEAD" : NULL,
                       .retry = status == MHD_HTTP_SERVICE_UNAVAILABLE ? "1" : NULL};
    return answer(to, status, sentence, strlen(sentence), MHD_RESPMEM_MUST_COPY, &h);
}

/** Whether a header of the request contains a word. */
static bool header_has(struct MHD_Connection *from, const char *name, const char *word)
{
    const char *value = MHD_lookup_connection_value(from, MHD_HEADER_KIND, name);
    return value && strstr(value, word);
}

static enum MHD_Result answer_not_modified(struct MHD_Connection *to, const char *etag)
{
    const headers h = {.etag = etag};
    return answer(to, MHD_HTTP_NOT_MODIFIED, "", 0, MHD_RESPMEM_PERSISTENT, &h);
}

/* ---- ETags ---- */

static const char *etag_of(const server *s, const char *address, char etag[ETAG_TEXT])
{
    snprintf(etag, ETAG_TEXT, "\"%016llx\"", (unsigned long long)web_checksum(s->setup.land.identity, address));
    return etag;
}

static bool is_known(struct MHD_Connection *from, const char *etag)
{
    return header_has(from, MHD_HTTP_HEADER_IF_NONE_MATCH, etag);
}

/* ---- tiles ---- */

static enum MHD_Result answer_tile(struct MHD_Connection *to, const server *s, const web_tile *tile, void *bytes,
                                   size_t size)
{
    char address[ADDRESS_TEXT], etag[ETAG_TEXT];
    snprintf(address, sizeof address, "/%s/%d/%lld/%lld.png", web_kind_names[tile->kind], tile->zoom,
             (long long)tile->x, (long long)tile->y);
    const headers h = {.type = "image/png", .etag = etag_of(s, address, etag)};
    return answer(to, MHD_HTTP_OK, bytes, size, MHD_RESPMEM_MUST_FREE, &h);
}

/** Called by a thread of the queue. */
static void wake(tile_job *job)
{
    request *r = job->user;
    if (job->bytes)
        tile_cache_keep(r->server->cache, &job->tile, job->bytes, job->size);
    MHD_resume_connection(r->connection);
}

/** Let the request sleep until its tile is made. */
static enum MHD_Result wait_for_tile(request *r, const web_tile *tile)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    r->job = (tile_job){.tile = *tile, .socket = info ? (loopback_socket)info->connect_fd : -1, .user = r};
    r->is_waiting = true;
    MHD_suspend_connection(r->connection);
    if (!tile_jobs_add(r->server->jobs, &r->job)) {
        r->is_refused = true;
        MHD_resume_connection(r->connection);
    }
    return MHD_YES;
}

/** Answer a request that has waited. */
static enum MHD_Result answer_waited(request *r)
{
    r->is_waiting = false;
    void *bytes = r->job.bytes;
    r->job.bytes = NULL;
    if (bytes)
        return answer_tile(r->connection, r->server, &r->job.tile, bytes, r->job.size);
    if (r->is_refused)
        return answer_text(r->connection, MHD_HTTP_SERVICE_UNAVAILABLE, "too many tiles are waiting, try again\n");
    if (r->job.result.kind == RESULT_INTERRUPTED)
        return answer_text(r->connection, MHD_HTTP_SERVICE_UNAVAILABLE, "the tile was cancelled\n");
    return answer_text(r->connection, MHD_HTTP_INTERNAL_SERVER_ERROR, r->job.result.text);
}

static enum MHD_Result request_tile(request *r, const char *address)
{
    web_tile tile = {.kind = WEB_MAP};
    char why[256], etag[ETAG_TEXT];
    size_t size = 0;
    const web_answer found = web_address_read(address, &r->server->setup.land, &tile, why);
    if (found != WEB_OK)
        return answer_text(r->connection, found, why);
    if (is_known(r->connection, etag_of(r->server, address, etag)))
        return answer_not_modified(r->connection, etag);
    void *bytes = tile_cache_find(r->server->cache, &tile, &size);
    return bytes ? answer_tile(r->connection, r->server, &tile, bytes, size) : wait_for_tile(r, &tile);
}

/* ---- other addresses ---- */

/** Answer with a text, packed if the reader allows it and the text becomes shorter. */
static enum MHD_Result answer_packed(struct MHD_Connection *to, const packed_text *text, const char *type,
                                     const char *etag)
{
    headers h = {.type = type, .etag = etag};
    const bool is_packed = text->packed && header_has(to, MHD_HTTP_HEADER_ACCEPT_ENCODING, "gzip");
    h.encoding = is_packed ? "gzip" : NULL;
    if (is_known(to, etag))
        return answer_not_modified(to, etag);
    return answer(to, MHD_HTTP_OK, is_packed ? text->packed : text->bytes, is_packed ? text->packed_size : text->size,
                  MHD_RESPMEM_MUST_COPY, &h);
}

/** Beginning of the addresses of tiles, with the host name that the client used. */
static void base_of(struct MHD_Connection *from, char base[160])
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]";
    const char *host = MHD_lookup_connection_value(from, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);
    const bool is_plain = host && *host && strlen(host) < 128 && strspn(host, allowed) == strlen(host);
    snprintf(base, 160, "http://%s/", is_plain ? host : "127.0.0.1");
}

static enum MHD_Result request_tilejson(request *r, web_kind kind)
{
    char text[WEB_TEXT], base[160], etag[ETAG_TEXT];
    const server_setup *s = &r->server->setup;
    const web_zooms zooms = {web_zoom_min(s->land.world), WEB_ZOOM_MAX};
    base_of(r->connection, base);
    web_tilejson(&s->land, kind, zooms, base, s->world, text);
    packed_text packed = packed_text_of(text, strlen(text));
    const enum MHD_Result res =
        answer_packed(r->connection, &packed, "application/json", etag_of(r->server, text, etag));
    packed_text_free(&packed);
    return res;
}

/** The kind that the address of a TileJSON means; WEB_KINDS: the address is another one. */
static web_kind kind_of_tilejson(const char *address)
{
    char name[ADDRESS_TEXT];
    if (strcmp(address, "/tiles.json") == 0)
        return WEB_TERRAIN_RGB;
    if (strcmp(address, "/tilejson") == 0)
        return WEB_MAP;
    for (int n = 0; n < WEB_KINDS; n++) {
        snprintf(name, sizeof name, "/%s.json", web_kind_names[n]);
        if (strcmp(address, name) == 0)
            return (web_kind)n;
    }
    return WEB_KINDS;
}

static enum MHD_Result request_other(request *r, const char *address)
{
    web_file file;
    char etag[ETAG_TEXT];
    const char *name = strcmp(address, "/") == 0 ? "index.html" : address + (*address == '/');
    const web_kind kind = kind_of_tilejson(address);
    if (kind != WEB_KINDS && web_land_has(&r->server->setup.land, kind))
        return request_tilejson(r, kind);
    for (int n = 0; n < FILES_MAX && web_file_at(n, &file); n++)
        if (strcmp(name, file.name) == 0)
            return answer_packed(r->connection, &r->server->files[n], file.type, etag_of(r->server, name, etag));
    return request_tile(r, address);
}

/* ---- libmicrohttpd ---- */

static request *begin_request(server *s, struct MHD_Connection *connection)
{
    request *r = calloc(1, sizeof *r);
    if (r)
        *r = (request){.server = s, .connection = connection};
    return r;
}

static enum MHD_Result on_request(void *user, struct MHD_Connection *connection, const char *address,
                                  const char *method, const char *version, const char *upload, size_t *upload_size,
                                  void **state)
{
    request *r = *state;
    (void)version, (void)upload, (void)upload_size;
    if (r && r->is_waiting)
        return answer_waited(r);
    if (!r && !(r = *state = begin_request(user, connection)))
        return MHD_NO;
    if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0)
        return answer_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "expected GET or HEAD\n");
    return request_other(r, address);
}

static void on_completed(void *user, struct MHD_Connection *connection, void **state,
                         enum MHD_RequestTerminationCode why)
{
    request *r = *state;
    (void)user, (void)connection, (void)why;
    if (r)
        free(r->job.bytes);
    free(r);
    *state = NULL;
}

/* ---- begin and end ---- */

static result busy(int port, const char *why)
{
    return result_of(RESULT_FAILED,
                     "cannot listen on port %d of 127.0.0.1: %s; --port N takes another one, --port 0 any free one",
                     port, why);
}

static result start_daemon(server *s, int *port)
{
    loopback_socket listener;
    char why[LOOPBACK_WHY];
    *port = s->setup.port;
    if (!loopback_listen(port, &listener, why))
        return busy(*port, why);
    /* poll and not epoll: with epoll, libmicrohttpd 0.9.75 does not see the end of some connections that their readers
     * have closed, and keeps them until they time out */
    s->daemon = MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0, NULL, NULL, on_request, s,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listener, MHD_OPTION_CONNECTION_LIMIT, (unsigned)SERVER_CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SERVER_SLOW_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)CONNECTION_BYTES, MHD_OPTION_NOTIFY_COMPLETED, on_completed, NULL, MHD_OPTION_END);
    if (s->daemon)
        return result_done();
    loopback_close(listener);
    return busy(*port, "libmicrohttpd does not start");
}

static void pack_files(server *s)
{
    web_file file;
    for (int n = 0; n < FILES_MAX && web_file_at(n, &file); n++)
        s->files[n] = packed_text_of(file.bytes, file.size);
}

result server_start(const server_setup *setup, server **out, int *port)
{
    server *s = calloc(1, sizeof *s);
    *out = s;
    if (s)
        s->cache = tile_cache_create();
    if (!s || !s->cache)
        return result_of(RESULT_FAILED, "no memory for the server");
    s->setup = *setup;
    pack_files(s);
    const tile_jobs_setup jobs = {.land = setup->land,
                                  .options = setup->options,
                                  .n_threads = setup->n_threads,
                                  .most = SERVER_WAITING,
                                  .done = wake};
    const result res = tile_jobs_create(&jobs, &s->jobs);
    return res.kind == RESULT_DONE ? start_daemon(s, port) : res;
}

void server_stop(server *s)
{
    if (!s)
        return;
    /* no further connections */
    const MHD_socket listener = s->daemon ? MHD_quiesce_daemon(s->daemon) : MHD_INVALID_SOCKET;
    if (s->jobs)
        tile_jobs_close(s->jobs); /* wakes all requests, as MHD_stop_daemon demands */
    if (s->daemon)
        MHD_stop_daemon(s->daemon);
    if (listener != MHD_INVALID_SOCKET)
        loopback_close((loopback_socket)listener);
    tile_jobs_destroy(s->jobs);
    tile_cache_destroy(s->cache);
    for (int n = 0; n < FILES_MAX; n++)
        packed_text_free(&s->files[n]);
    free(s);
}
