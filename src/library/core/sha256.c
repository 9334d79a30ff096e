/* sha256.c - SHA-256 over bytes in pieces of any size. */
#include "library/core/sha256.h"

#include <string.h>

static const uint32_t ROUND[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turned(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void add_block(uint32_t state[8], const unsigned char *p)
{
    uint32_t w[64], s[8];
    for (int n = 0; n < 16; n++)
        w[n] = (uint32_t)p[4 * n] << 24 | (uint32_t)p[4 * n + 1] << 16 | (uint32_t)p[4 * n + 2] << 8 | p[4 * n + 3];
    for (int n = 16; n < 64; n++) {
        const uint32_t a = w[n - 15], b = w[n - 2];
        w[n] =
            w[n - 16] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) + w[n - 7] + (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
    memcpy(s, state, sizeof s);
    for (int n = 0; n < 64; n++) {
        const uint32_t one = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                             ((s[4] & s[5]) ^ (~s[4] & s[6])) + ROUND[n] + w[n];
        const uint32_t two =
            (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof s[0]);
        s[4] += one;
        s[0] = one + two;
    }
    for (int n = 0; n < 8; n++)
        state[n] += s[n];
}

void ter_sha256_begin(ter_sha256 *hash)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(hash->state, start, sizeof start);
    hash->count = 0;
}

void ter_sha256_add(ter_sha256 *hash, const void *bytes, size_t count)
{
    const unsigned char *from = bytes;
    while (count > 0) {
        const size_t used = hash->count % 64, room = 64 - used, n = count < room ? count : room;
        memcpy(hash->block + used, from, n);
        hash->count += n;
        from += n;
        count -= n;
        if (used + n == 64)
            add_block(hash->state, hash->block);
    }
}

void ter_sha256_end(ter_sha256 *hash, unsigned char *digest)
{
    static const unsigned char fill[64] = {0x80};
    const uint64_t bits = 8 * hash->count;
    unsigned char length[8];
    for (int n = 0; n < 8; n++)
        length[n] = (unsigned char)(bits >> (56 - 8 * n));
    ter_sha256_add(hash, fill, 1 + (119 - hash->count % 64) % 64);
    ter_sha256_add(hash, length, sizeof length);
    for (int n = 0; n < TER_SHA256_BYTES; n++)
        digest[n] = (unsigned char)(hash->state[n / 4] >> (24 - 8 * (n % 4)));
}

void ter_sha256_text(const unsigned char *digest, char *text)
{
    static const char digits[] = "0123456789abcdef";
    for (int n = 0; n < TER_SHA256_BYTES; n++) {
        text[2 * n] = digits[digest[n] >> 4];
        text[2 * n + 1] = digits[digest[n] & 15];
    }
    text[2 * TER_SHA256_BYTES] = 0;
}
