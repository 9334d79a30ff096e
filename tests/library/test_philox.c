/* test_philox.c - Philox4x32-10 gives the known answers of Random123's kat_vectors, and the random field has the right
 * layout. */
#include "backend_under_test.h"
#include "library/world/world.h"

/** Philox with the key (k0, k1), which is set by the seed of a world. */
static ter_words philox(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, uint32_t k0, uint32_t k1)
{
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    params.seed = k0 | (uint64_t)k1 << 32;
    ter_world *world = world_of(&params);
    const ter_words words = ter_philox(world->field.round_key, c0, c1, c2, c3);
    ter_world_destroy(world);
    return words;
}

static void check_words(ter_words words, uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3)
{
    assert_int_equal(words.w[0], w0);
    assert_int_equal(words.w[1], w1);
    assert_int_equal(words.w[2], w2);
    assert_int_equal(words.w[3], w3);
}

static void test_known_answers(void **state)
{
    (void)state;
    check_words(philox(0, 0, 0, 0, 0, 0), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
    check_words(philox(~0u, ~0u, ~0u, ~0u, ~0u, ~0u), 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd);
    check_words(philox(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0), 0xd16cfe09, 0x94fdcceb,
                0x5001e420, 0x24126ea1);
}

static void test_field_layout(void **state)
{
    (void)state;
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    params.seed = UINT64_C(0x123456789abcdef0);
    ter_world *world = world_of(&params);
    const int64_t i = -5, j = (INT64_C(1) << 40) + 6; /* coordinates of blocks are taken modulo 2^48 */
    const ter_words expected = philox(0xfffffffe, 0xffff, 1, (1u << 6) | 7u << 16, 0x9abcdef0, 0x12345678);
    const ter_words block = ter_random_block(&world->field, 7, i >> 2, j >> 2);
    check_words(block, expected.w[0], expected.w[1], expected.w[2], expected.w[3]);
    assert_true(ter_random(&world->field, 7, i, j) == (float)((int)(block.w[2] >> 24) - 128));
    ter_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_answers), cmocka_unit_test(test_field_layout)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
