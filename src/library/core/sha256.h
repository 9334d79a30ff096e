/* sha256.h - the hash SHA-256. Source: FIPS 180-4, Secure Hash Standard. */
#ifndef TERRANE_CORE_SHA256_H
#define TERRANE_CORE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { TER_SHA256_BYTES = 32, TER_SHA256_TEXT = 2 * TER_SHA256_BYTES + 1 };

typedef struct ter_sha256 {
    uint32_t state[8];
    unsigned char block[64];
    uint64_t count; /* bytes so far */
} ter_sha256;

void ter_sha256_begin(ter_sha256 *hash);

void ter_sha256_add(ter_sha256 *hash, const void *bytes, size_t count);

/** Finish a hash. digest: receives TER_SHA256_BYTES bytes */
void ter_sha256_end(ter_sha256 *hash, unsigned char *digest);

/** Write a digest as hexadecimal digits and a 0. text: TER_SHA256_TEXT bytes */
void ter_sha256_text(const unsigned char *digest, char *text);

#endif
