// philox.glsl - Philox4x32-10: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011.
uvec4 philox(uvec4 counter, uvec2 key)
{
    for (int n = 0; n < 10; n++) {
        uint high_a, low_a, high_b, low_b;
        umulExtended(0xD2511F53u, counter.x, high_a, low_a);
        umulExtended(0xCD9E8D57u, counter.z, high_b, low_b);
        counter = uvec4(high_b ^ counter.y ^ key.x, low_b, high_a ^ counter.w ^ key.y, low_a);
        key += uvec2(0x9E3779B9u, 0xBB67AE85u);
    }
    return counter;
}

vec4 units(uvec4 random)
{
    return vec4(random >> 8u) / 16777216.0;
}
