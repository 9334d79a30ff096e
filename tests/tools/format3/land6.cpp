// Prototype of land for a world format 3, made from the independent implementation of format 2. Clarity before speed; RULE.md says what changed.
//   g++ -O2 -std=c++17 -ffp-contract=off -o land3 land3.cpp
// Every number in PF(..) can be set by an environment variable F3_NAME. Nearly format 2 comes back with the values in RULE.md.
// Layer `areas` (lod 0; x, z, cols, rows in cells of the network) prints how well drained areas are kept.
//   land3 seed levels land relief uplift hills plateau ice dryness sea lod x z cols rows layer > out.r32
// layer: height water flow shore relief plain plateau ice dryness, or several with commas (written one after the other).
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

typedef int64_t I;
typedef float F;

// ---------------------------------------------------------------- parameters
static uint64_t seed;
static F p_land, p_relief, p_uplift, p_hills, p_plateau, p_ice, p_dryness, p_sea;
static int lod;

static F PF(const char* n, double d) { std::string e = std::string("F3_") + n; const char* v = getenv(e.c_str()); return (F)(v ? atof(v) : d); }
static const int GL = (int)PF("GL", 5), BS = (int)PF("BS", 0), OCT = (int)PF("OCT", 2), WIN = (int)PF("WIN", 6);
static const F DENS = PF("DENS", 0.7), DENSA = PF("DENSA", 0), E1 = PF("E1", 2), E2 = PF("E2", 2.8), FAR_ = PF("FAR", 260), FARD = PF("FARD", 600), RC = PF("RC", 0.36), RCH = PF("RCH", 0.7),
  V0 = PF("V0", 1), V1 = PF("V1", -0.3), VB = PF("VB", 8), RS = PF("RS", 0.2), VS = PF("VS", 0.003), A0 = PF("A0", 0.7), A1 = PF("A1", 1), A2 = PF("A2", 4), GR = PF("GR", 0.1), GV = PF("GV", 0.9),
  DK = PF("DK", 0), D16 = PF("D16", 0), D8 = PF("D8", 0.02), D4 = PF("D4", 0.04), D2 = PF("D2", 0.085), D1 = PF("D1", 0.07), NS = PF("NS", 2), NA = NS*NS, LS = PF("LS", 1.6), CAPS = PF("CAPS", 2), C16 = PF("C16", 0), C8 = PF("C8", 0), C4 = PF("C4", 0), C2_ = PF("C2", 0), C1_ = PF("C1", 0), R16 = PF("R16", 0.08), R8 = PF("R8", 0.12), R4 = PF("R4", 0.14), R2 = PF("R2", 0), R1_ = PF("R1", 0), RW = PF("RW", 0), RING = PF("RING", 80), BMAX = PF("BMAX", 150), CEN = PF("CEN", 0.6), RF = PF("RF", 0.5), CALM = PF("CALM", 0.3), AREA = PF("AREA", 1), DC = PF("DC", 0), ANI = PF("ANI", 0), DB = PF("DB", 0.02), DSK = PF("DSK", 0), DR = PF("DR", 0), EV = PF("EV", 0.92), MEA = PF("MEA", 2.2);
// ---------------------------------------------------------------- conventions
static const int DX[9] = {1, 1, 0, -1, -1, -1, 0, 1, 0}, DY[9] = {0, 1, 1, 1, 0, -1, -1, -1, 0};
static int direction(I dx, I dy) { for (int d = 0; d < 8; d++) if (DX[d] == dx && DY[d] == dy) return d; return 8; }
static inline F mn(F a, F b) { return a < b ? a : b; }
static inline F mx(F a, F b) { return a > b ? a : b; }
static inline F clamp(F x, F l, F h) { return x < l ? l : x > h ? h : x; }
static inline F s3(F t) { t = clamp(t, 0, 1); return t*t*(3 - 2*t); }
static inline F len(F x, F y) { return sqrtf(x*x + y*y); }
static inline F four(F a, F b, F c, F d) { return fmaf(b + c, 0.5625f, (a + d)*-0.0625f); }
static inline bool is_lake(F w) { return w > -1e8f; }
static const F NOLAKE = -1e9f;
static inline F pow2(int e) { return ldexpf(1, e); }

struct CS { F c, s; };
static CS turn(F t) {
    F x = t - rintf(t), y = x*x;
    F c = fmaf(y, -21.15810679f, 58.84788533f), s = fmaf(y, -12.30830135f, 41.23207355f);
    c = fmaf(y, c, -85.28515889f); s = fmaf(y, s, -76.58719386f);
    c = fmaf(y, c, 64.93001235f);  s = fmaf(y, s, 81.59702927f);
    c = fmaf(y, c, -19.73903216f); s = fmaf(y, s, -41.34146438f);
    return {fmaf(y, c, 0.99999966f), x*fmaf(y, s, 6.28318349f)};
}

// a point (i, j) from values p(u, v) of twice the spacing
template<class G> static F halving(I i, I j, G p) {
    I u = i >> 1, v = j >> 1;
    auto q = [&](I row) { return four(p(u - 1, row), p(u, row), p(u + 1, row), p(u + 2, row)); };
    if (!(i & 1) && !(j & 1)) return p(u, v);
    if (!(j & 1)) return q(v);
    if (!(i & 1)) return four(p(u, v - 1), p(u, v), p(u, v + 1), p(u, v + 2));
    return four(q(v - 1), q(v), q(v + 1), q(v + 2));
}
static F bilinear(F a, F b, F nw, F ne, F sw, F se) {
    F north = fmaf(a, ne - nw, nw), south = fmaf(a, se - sw, sw);
    return fmaf(b, south - north, north);
}

// memo of a function of two integers, in blocks of 8 x 8; references stay valid
template<class T> struct Memo {
    struct Block { uint64_t have = 0; T v[64]; };
    struct Hash { size_t operator()(const std::pair<I, I>& k) const { return (size_t)(((uint64_t)k.first*0x9E3779B97F4A7C15u) ^ (((uint64_t)k.second + 0x1234567)*0xC2B2AE3D27D4EB4Fu) >> 7); } };
    std::unordered_map<std::pair<I, I>, std::unique_ptr<Block>, Hash> map;
    Block* last = nullptr; I lx = 0, ly = 0;
    template<class G> const T& get(I x, I y, G compute) {
        I bx = x >> 3, by = y >> 3;
        if (!last || bx != lx || by != ly) {
            auto& p = map[{bx, by}];
            if (!p) p.reset(new Block);
            last = p.get(); lx = bx; ly = by;
        }
        Block* b = last;
        int k = (int)((y & 7)*8 + (x & 7));
        if (!(b->have >> k & 1)) { T t = compute(); b->v[k] = t; b->have |= (uint64_t)1 << k; }
        return b->v[k];
    }
};

// ---------------------------------------------------------------- random words
struct Words {
    uint32_t w[4];
    F frac(int n) const { return (F)((w[n >> 1] >> (n & 1)*16) & 0xffff)*(1.0f/65536); }
    F sym(int n) const { return 2*frac(n) - 1; }
};
static Words words(uint32_t tag, I i, I j) {
    uint32_t c0 = (uint32_t)i, c1 = (uint32_t)(i >> 32) & 0xffff, c2 = (uint32_t)j, c3 = ((uint32_t)(j >> 32) & 0xffff) | tag << 16;
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int r = 0; r < 10; r++) {
        uint64_t a = (uint64_t)0xD2511F53u*c0, b = (uint64_t)0xCD9E8D57u*c2;
        uint32_t n0 = (uint32_t)(b >> 32) ^ c1 ^ k0, n1 = (uint32_t)b, n2 = (uint32_t)(a >> 32) ^ c3 ^ k1, n3 = (uint32_t)a;
        c0 = n0; c1 = n1; c2 = n2; c3 = n3; k0 += 0x9E3779B9u; k1 += 0xBB67AE85u;
    }
    return {{c0, c1, c2, c3}};
}
static int byte_of(uint32_t tag, I i, I j) { return words(tag, i >> 2, j >> 2).w[j & 3] >> (i & 3)*8 & 255; }

// ---------------------------------------------------------------- splines
static Memo<Words> knot_words[64];                     // by tag - 288
static const Words& spline_words(int tag, I i, I j) { return knot_words[tag - 288].get(i, j, [&] { return words((uint32_t)tag, i, j); }); }

static void spline(I X, I Y, int h, int tag, int count, F* out) {
    I i = X >> h, j = Y >> h, rest = ((I)1 << h) - 1;
    auto weights = [&](F a, F* w) {
        F t = 1 - a;
        w[0] = t*t*t*(1.0f/6); w[1] = fmaf(a*a, fmaf(a, 0.5f, -1), 2.0f/3); w[2] = fmaf(t*t, fmaf(t, 0.5f, -1), 2.0f/3); w[3] = a*a*a*(1.0f/6);
    };
    F wa[4], wb[4];
    weights((F)(X & rest)*pow2(-h), wa); weights((F)(Y & rest)*pow2(-h), wb);
    for (int f = 0; f < count; f++) out[f] = 0;
    for (int n = 0; n < 4; n++) {
        F row[4] = {0, 0, 0, 0};
        for (int k = 0; k < 4; k++) {
            const Words& w = spline_words(tag, i - 1 + k, j - 1 + n);
            for (int f = 0; f < count; f++) row[f] = fmaf(wa[k], w.sym(f), row[f]);
        }
        for (int f = 0; f < count; f++) out[f] = fmaf(wb[n], row[f], out[f]);
    }
}

// ---------------------------------------------------------------- warp, place
struct V2 { F x, y; };
struct V4 { F x, y, u, v; };
static const int WO=(int)PF("WO",11); static const F WA=PF("WA",0.10), U0=PF("U0",0.5), U1=PF("U1",0.42), U2=PF("U2",0.42), U3=PF("U3",0.42);
static Memo<V4> warps[32];
static V4 warp(int k, I i, I j) {                      // at point (i, j) of spacing 2^k
    return warps[k].get(i, j, [&]() -> V4 {
        if (k < 5) { V4 r; r.x = halving(i, j, [&](I u, I v) { return warp(k + 1, u, v).x; }); r.y = halving(i, j, [&](I u, I v) { return warp(k + 1, u, v).y; });
            r.u = halving(i, j, [&](I u, I v) { return warp(k + 1, u, v).u; }); r.v = halving(i, j, [&](I u, I v) { return warp(k + 1, u, v).v; }); return r; }
        F sx = 0, sy = 0, su = U0, sv = 0;
        for (int m = 0; m < WO; m++) {
            F v[4]; spline(i << k, j << k, 17 - m, 288 + m, 4, v);
            F g = (m < 5 ? 0.3f : m < 9 ? 0.14f : WA)*(F)(131072 >> m);
            sx = fmaf(g, v[0], sx); sy = fmaf(g, v[1], sy);
            if (m >= 8) { su = fmaf(m == 8 ? U1 : m == 9 ? U2 : U3, v[2], su); sv += v[3]; }
        }
        return {sx, sy, su, sv};
    });
}
struct Place { I X, Y; };
static Place place_of(I x, I y, V4 w) { return {(59*x - 25*y)*4/(I)NS + (I)rintf(w.x*(256/NS)), (25*x + 59*y)*4/(I)NS + (I)rintf(w.y*(256/NS))}; }

// ---------------------------------------------------------------- provinces
enum { RELIEF, CAP, ROUND, TOP, ABOVE, ICE, FLOOR, FLAT, SLOPE, ALPINE, DRYNESS, HEIGHT, NPROV };
struct Prov { F v[NPROV]; };

static F hillslope(F M, F cap, F round, int n) {
    static const F law[9] = {0.00340064f, 0.00634575f, 0.0118415f, 0.0220970f, 0.0412346f, 0.0769464f, 0.143587f, 0.267943f, 0.5f};
    F L = (F)(65536 >> n), s = law[n]*M*LS, s2 = s*s, c2 = cap*cap;
    return s*cap/sqrtf(sqrtf(s2*s2 + c2*c2))*L/(L + 0.35f*round);
}
static Prov province(I X, I Y, int octaves) {
    static const F w_land[8] = {1, 0.62f, 0.3844f, 0.238328f, 0.14776336f, 0, 0, 0}, w_belt[8] = {0.5f, 1, 0.45f, 0.2f, 0.08f, 0, 0, 0},
        w_plate[8] = {0, 1, 0.7f, 0.35f, 0.15f, 0.08f, 0, 0}, w_hills[8] = {0, 1, 0.8f, 0.5f, 0.3f, 0.15f, 0, 0}, w_local[8] = {0, 0, 0, 0, 0, 0.8f, 0.6f, 0.5f};
    F land = 0, belt = 0, plate = 0, hills = 0, local = 1, gate = 0, rock = 0;
    for (int m = 0; m < octaves; m++) {
        F s[4]; spline(X, Y, (NS > 1 ? 26 : 27) - m, 304 + m, 4, s);
        land = fmaf(w_land[m], s[0], land); belt = fmaf(w_belt[m], s[1], belt); plate = fmaf(w_plate[m], s[2], plate);
        hills = fmaf(w_hills[m], s[3], hills); local = fmaf(w_local[m], s[0], local);
        if (m >= 5) rock = fmaf(m == 5 ? 1.0f : m == 6 ? 1.2f : 0.5f, s[1], rock);   // strength of the rock, 4 to 16 km
        if (m == 0) gate = s[3];
        if (m == 1) gate = fmaf(0.5f, s[2], gate);
    }
    F width = 0.22f*(1 + 0.9f*p_uplift);
    F across = mx(0, 1 - fabsf(belt)/width);
    F BELT = across*across*(3 - 2*across)*s3((gate + 0.5f*p_uplift + 0.12f)*(1/0.22f));
    F HILL = s3((hills + 0.7f*p_hills + 0.2f)*(1/0.6f));
    F p = plate + 0.6f*p_plateau;
    F PLAT = s3((p - 0.24f)*6.25f)*(1 - BELT);
    F PLAIN = (1 - BELT)*(1 - PLAT);
    F DRY = s3((plate - 0.35f*gate + p_dryness + 0.45f)*(1/1.1f));
    F z = 1500*(land + 0.5f*p_land) + 60;
    F shelf = 260*(1 - BELT);
    if (shelf > 1) z = z*fabsf(z)/(fabsf(z) + shelf);
    F shore = s3((z + 250)*(1/230.0f));
    F M = (0.035f + 0.75f*HILL*HILL)*(1 - BELT) + 3.2f*BELT;
    if (M < 1.9f) M = M + PLAT*(1.9f - M);
    F bad = DRY*mx(p_dryness, 0)*HILL;
    F hard = clamp(1 + 0.6f*rock, 0.3f, 2);
    Prov r;
    r.v[RELIEF] = hard*M*mx(local, 0.35f)*(0.06f + 0.94f*shore)*p_relief;
    r.v[CAP] = hard*(CAPS*(0.36f + 0.08f*HILL - 0.05f*BELT)*(1 - PLAT) + CAPS*0.8f*PLAT);
    r.v[ROUND] = 12 + 28*PLAT + (388*(1 - HILL) + 90*HILL)*PLAIN*(1 - 0.8f*bad);
    r.v[TOP] = mx(z, 0) + 420 + 250*p;
    r.v[ABOVE] = 1 - 0.93f*PLAT;
    r.v[ICE] = clamp(BELT*(1 - PLAT)*(1 + p_ice) + mx(p_ice, 0)*HILL*PLAIN, 0, 1);
    r.v[FLOOR] = ((0.010f - 0.002f*HILL + 0.006f*mx(p_ice, 0)*r.v[ICE])*(1 - PLAT) + 0.0022f*PLAT)*(1.4f*mx(1 + 1.5f*(1 - hard), 0.2f));
    r.v[FLAT] = (1 - HILL)*PLAIN;
    r.v[SLOPE] = hillslope(r.v[RELIEF], r.v[CAP], r.v[ROUND], 8);
    r.v[ALPINE] = mx(BELT + PLAT*(1 - BELT), bad);
    r.v[DRYNESS] = DRY;
    r.v[HEIGHT] = z + 350*BELT + 220*PLAT*shore;
    return r;
}
static Memo<Prov> knots;
static const Prov& knot(I i, I j) { return knots.get(i, j, [&] { return province(i << 19, j << 19, 8); }); }
static Prov between_knots(I X, I Y) {
    I i = X >> 19, j = Y >> 19;
    F a = (F)(X & 524287)*pow2(-19), b = (F)(Y & 524287)*pow2(-19);
    const Prov &nw = knot(i, j), &ne = knot(i + 1, j), &sw = knot(i, j + 1), &se = knot(i + 1, j + 1);
    Prov r;
    for (int f = 0; f < HEIGHT; f++) r.v[f] = bilinear(a, b, nw.v[f], ne.v[f], sw.v[f], se.v[f]);
    r.v[HEIGHT] = NAN;
    return r;
}

// ---------------------------------------------------------------- network
enum { FREE, OLD, EXIT, ENTRY, CORNER };
struct Node { F x, y, z, A, B, W; int to, kind; F G = 0; };   // G: ground of its own and of the free nodes that drain to it

static F default_place(F f) { return 0.08f + (1 - 2*0.08f)*f; }
static F round16(F x) { return rintf(x*65536)*(1.0f/65536); }
static I node_place(I c, F x, int n) { return (c << (24 - n)) + (I)floorf(x*pow2(24 - n)); }
static Prov prov_at(int n, I cx, I cy, F x, F y) {
    I X = node_place(cx, x, n), Y = node_place(cy, y, n);
    return n < 5 ? province(X, Y, n + 5 < 8 ? n + 5 : 8) : between_knots(X, Y);
}

// level 0
struct Base0 { F x, y, z, floor; };
static Memo<Base0> bases0;
static const Base0& base0(I cx, I cy) {
    return bases0.get(cx, cy, [&]() -> Base0 {
        Words w = words(256, cx, cy);
        F x = round16(default_place(w.frac(0))), y = round16(default_place(w.frac(1)));
        Prov v = prov_at(0, cx, cy, x, y);
        return {x, y, v.v[HEIGHT]*(1 + 0.3f*w.sym(2)) + 25*w.sym(3), v.v[FLOOR]};
    });
}
static Memo<int> tos0;
static int to0(I cx, I cy) {
    return tos0.get(cx, cy, [&] {
        F low = base0(cx, cy).z; int to = 8;
        for (int d = 0; d < 8; d++) { F z = base0(cx + DX[d], cy + DY[d]).z; if (z < low) { low = z; to = d; } }
        return to;
    });
}
static F lake0(I cx, I cy) {                            // W before the rounds
    F z = base0(cx, cy).z;
    if (to0(cx, cy) != 8 || !(z > 0)) return NOLAKE;
    F low = 1e30f;
    for (I j = -2; j <= 2; j++) for (I i = -2; i <= 2; i++) {
        if (!i && !j) continue;
        int t = to0(cx + i, cy + j);
        if (t != 8 && i + DX[t] == 0 && j + DY[t] == 0) continue;
        low = mn(low, base0(cx + i, cy + j).z);
    }
    return z + mn(60, 0.4f*(low - z));
}
static Memo<F> areas0[17];
static F area0(int round, I cx, I cy) {
    if (!round) return 65536;
    return areas0[round].get(cx, cy, [&] {
        F sum = 65536;
        for (int d = 0; d < 8; d++) {
            I ox = cx + DX[d], oy = cy + DY[d]; int t = to0(ox, oy);
            if (t != 8 && ox + DX[t] == cx && oy + DY[t] == cy) sum += area0(round - 1, ox, oy);
        }
        return sum;
    });
}
static F water0(int round, I cx, I cy) {
    if (!round) return lake0(cx, cy);
    int t = to0(cx, cy);
    if (t == 8) return lake0(cx, cy);
    return water0(round - 1, cx + DX[t], cy + DY[t]);
}
static Node make0(I cx, I cy) {
    const Base0& b = base0(cx, cy);
    Node n; n.x = b.x; n.y = b.y; n.z = b.z; n.to = to0(cx, cy); n.kind = OLD;
    n.A = mn(area0(16, cx, cy), 1e30f);
    n.B = b.floor*(256*sqrtf(n.A)); n.G = 65536;
    n.W = water0(16, cx, cy);
    return n;
}

static const Node& node(int n, I cx, I cy);

// the edge that leaves coarse cell (cx, cy) towards level n
struct Edge { bool ok; int dx, dy, ex, ey, nx, ny, ownx, owny; F px, py, qx, qy; Words w; };
static Memo<Edge> edges[9];
static const Edge& edge(int n, I cx, I cy) {
    return edges[n].get(cx, cy, [&] {
        Edge e; const Node& P = node(n - 1, cx, cy);
        e.ownx = P.x >= 0.5f; e.owny = P.y >= 0.5f;
        e.ok = P.to != 8;
        if (!e.ok) return e;
        int dx = e.dx = DX[P.to], dy = e.dy = DY[P.to];
        const Node& Q = node(n - 1, cx + dx, cy + dy);
        F px = e.px = 2*P.x, py = e.py = 2*P.y, qx = e.qx = (F)(2*dx) + 2*Q.x, qy = e.qy = (F)(2*dy) + 2*Q.y;
        e.w = words((uint32_t)(272 + n), cx, cy);
        e.ex = dx > 0; e.ey = dy > 0; e.nx = 2*dx + (dx < 0); e.ny = 2*dy + (dy < 0);
        if (!dy) { F side = dx > 0 ? 2 : 0, c = py + (side - px)/(qx - px)*(qy - py) + 0.5f*e.w.sym(0); e.ey = e.ny = c > 1; }
        if (!dx) { F side = dy > 0 ? 2 : 0, c = px + (side - py)/(qy - py)*(qx - px) + 0.5f*e.w.sym(0); e.ex = e.nx = c > 1; }
        return e;
    });
}
static V2 edge_place(int n, I cx, I cy, const Edge& e, int a, int b, F low, F high, F pull) {
    F fa = (F)a, fb = (F)b, vx = e.qx - e.px, vy = e.qy - e.py;
    F t = clamp(((fa + 0.5f - e.px)*vx + (fb + 0.5f - e.py)*vy)/(vx*vx + vy*vy), low, high);
    F ax = clamp(e.px + t*vx, fa + 0.08f, fa + 1 - 0.08f), ay = clamp(e.py + t*vy, fb + 0.08f, fb + 1 - 0.08f);
    Words w = words((uint32_t)(256 + n), 2*cx + a, 2*cy + b);
    return {ax + pull*(fa + default_place(w.frac(0)) - ax), ay + pull*(fb + default_place(w.frac(1)) - ay)};
}
static F edge_share(const Edge& e, V2 p) { F d1 = len(p.x - e.px, p.y - e.py), d2 = len(p.x - e.qx, p.y - e.qy); return d1/(d1 + d2); }
static F edge_floor(int n, const Edge& e, const Node& P, const Node& Q, V2 p) {
    F L = (F)(65536 >> n), d1 = len(p.x - e.px, p.y - e.py), d2 = len(p.x - e.qx, p.y - e.qy);
    return mx(P.B - d1*L, Q.B - d2*L);
}
static F edge_fall(int n, const Edge& e, const Node& P, const Node& Q, F s) {
    F L = (F)(65536 >> n), f = P.z - Q.z, k = 0.3f*(1 - 1.15f*clamp(2*f/(len(e.qx - e.px, e.qy - e.py)*L), 0, 1));
    return P.z - f*s*(1 + k*(1 - s));
}
// what else belongs to an edge: pull, depth of its lake, place of its exit, E
struct Edge2 { F pull, depth, E; V2 exit; bool own; };
static Memo<Edge2> edges2[9];

static F lake_depth(int n, I cx, I cy, const Edge& e) {
    if (n < 4 || n > 7) return 0;
    const Node P = node(n - 1, cx, cy); I qcx = cx + e.dx, qcy = cy + e.dy;
    const Node Q = node(n - 1, qcx, qcy);
    if (is_lake(P.W) || is_lake(Q.W) || !(Q.z > 1) || Q.to == 8 || !(P.z - Q.z > 4)) return 0;
    if (e.ex == e.ownx && e.ey == e.owny) return 0;
    const Edge& f = edge(n, qcx, qcy);
    int ex = e.nx - 2*e.dx, ey = e.ny - 2*e.dy;         // the entry child seen from Q's cell
    if (ex == f.ownx && ey == f.owny) return 0;
    if (ex == f.ex && ey == f.ey) return 0;
    I rx = qcx + DX[Q.to], ry = qcy + DY[Q.to];
    if (llabs(rx - cx) <= 1 && llabs(ry - cy) <= 1) return 0;
    for (I j = -1; j <= 1; j++) for (I i = -1; i <= 1; i++) {
        I x = cx + i, y = cy + j;
        if (!(x == qcx && y == qcy) && !(node(n - 1, x, y).z >= Q.z + 4)) return 0;
        x = qcx + i; y = qcy + j;
        if (!(x == qcx && y == qcy) && !(x == rx && y == ry) && !(node(n - 1, x, y).z >= Q.z + 4)) return 0;
        if ((i || j) && !(x == cx && y == cy)) {
            const Node& o = node(n - 1, x, y);
            if (o.to != 8 && x + DX[o.to] == qcx && y + DY[o.to] == qcy && (o.A >= P.A || o.A > 3052)) return 0;
        }
    }
    F ice = prov_at(n - 1, qcx, qcy, Q.x, Q.y).v[ICE];
    if (!(e.w.frac(1) < 0.9f*(ice + 0.1f*(1 - ice)))) return 0;
    F L = (F)(65536 >> n);
    return mn(0.03f*L, 0.35f*(P.z - Q.z) + 3);
}
static const Edge2& edge2(int n, I cx, I cy) {
    return edges2[n].get(cx, cy, [&] {
        Edge2 r; const Edge& e = edge(n, cx, cy);
        const Node &P = node(n - 1, cx, cy), &Q = node(n - 1, cx + e.dx, cy + e.dy);
        r.pull = n > 3 ? 0.45f : 0.315f;
        if (n == 6 || n == 7) r.pull = r.pull + 0.35f*between_knots(node_place(cx, P.x, n - 1), node_place(cy, P.y, n - 1)).v[FLAT];
        r.depth = lake_depth(n, cx, cy, e);
        r.own = e.ex == e.ownx && e.ey == e.owny;
        r.exit = {0, 0};
        if (r.own) { r.E = P.z; return r; }
        r.exit = edge_place(n, cx, cy, e, e.ex, e.ey, 0.15f, 0.6f, r.pull);
        r.E = r.depth > 0 ? Q.z - r.depth : edge_fall(n, e, P, Q, edge_share(e, r.exit));
        return r;
    });
}

static const int ROWS_X[8] = {-1, 0, 1, -1, 1, -1, 0, 1}, ROWS_Y[8] = {-1, -1, -1, 0, 0, 1, 1, 1};
static bool third(int n, I cx, I cy, int& mxx, int& myy);
static bool free3(int n, I x, I y) {                    // is a child free after step 3
    I cx = x >> 1, cy = y >> 1; int a = (int)(x & 1), b = (int)(y & 1); const Edge& e = edge(n, cx, cy);
    if (a == e.ownx && b == e.owny) return false;
    if (e.ok && a == e.ex && b == e.ey) return false;
    for (int d = 0; d < 8; d++) {
        I ox = cx + ROWS_X[d], oy = cy + ROWS_Y[d]; const Node& P = node(n - 1, ox, oy);
        if (P.to == 8 || ox + DX[P.to] != cx || oy + DY[P.to] != cy) continue;
        const Edge& f = edge(n, ox, oy);
        if (f.nx - 2*f.dx == a && f.ny - 2*f.dy == b) return false;
    }
    return true;
}
// step 3: the four children of coarse cell (cx, cy)
struct Cell3 { Node c[4]; };
static Memo<Cell3> cells3[9];
static const Cell3& cell3(int n, I cx, I cy) {
    return cells3[n].get(cx, cy, [&] {
        Cell3 r; F L = (F)(65536 >> n);
        const Node Q = node(n - 1, cx, cy); const Edge& e = edge(n, cx, cy);
        for (int k = 0; k < 4; k++) {
            Words w = words((uint32_t)(256 + n), 2*cx + (k & 1), 2*cy + (k >> 1));
            r.c[k] = {round16(default_place(w.frac(0))), round16(default_place(w.frac(1))), 0, 0, 0, NOLAKE, 8, FREE};
        }
        int own = e.owny*2 + e.ownx, ex = -1;           // ex: the exit child, if it is not the own one
        Node& o = r.c[own];
        o = Q; o.kind = OLD; o.x = 2*Q.x - (F)e.ownx; o.y = 2*Q.y - (F)e.owny;
        F depth = 0;
        if (e.ok) {
            const Edge2& e2 = edge2(n, cx, cy); depth = e2.depth;
            if (e2.own) o.to = direction(e.nx - e.ex, e.ny - e.ey);
            else {
                o.to = direction(e.ex - e.ownx, e.ey - e.owny);
                ex = e.ey*2 + e.ex; Node& x = r.c[ex]; const Node& out = node(n - 1, cx + e.dx, cy + e.dy);
                x.kind = EXIT; x.x = round16(e2.exit.x - (F)e.ex); x.y = round16(e2.exit.y - (F)e.ey);
                x.z = e2.E; x.A = Q.A; x.W = depth > 0 ? out.z : mx(Q.W, out.W);
                x.B = edge_floor(n, e, Q, out, e2.exit);
                x.to = direction(e.nx - e.ex, e.ny - e.ey);
            }
        }
        struct In { const Node* P; int child; } in[8]; int count = 0;
        F greatest[4] = {-1, -1, -1, -1};
        for (int d = 0; d < 8; d++) {
            I ox = cx + ROWS_X[d], oy = cy + ROWS_Y[d];
            const Node& P = node(n - 1, ox, oy);
            if (P.to == 8 || ox + DX[P.to] != cx || oy + DY[P.to] != cy) continue;
            const Edge& f = edge(n, ox, oy); const Edge2& f2 = edge2(n, ox, oy);
            int child = (f.ny - 2*f.dy)*2 + (f.nx - 2*f.dx);
            in[count++] = {&P, child};
            Node& c = r.c[child];
            if (c.kind == EXIT) { if ((is_lake(P.W) || f2.depth > 0) && !is_lake(Q.W)) c.z = mx(c.z, Q.z); }
            else if (c.kind == FREE || c.kind == ENTRY) {
                V2 p = edge_place(n, ox, oy, f, f.nx, f.ny, 0.4f, 0.85f, f2.pull);
                F h = edge_fall(n, f, P, Q, edge_share(f, p));
                if (h >= f2.E && P.z > Q.z) h = 0.5f*(f2.E + Q.z);
                if (f2.depth > 0) h = Q.z - f2.depth;
                if (c.kind == FREE) { c.kind = ENTRY; c.z = 1e30f; c.A = 0; c.B = 0; c.W = NOLAKE; c.to = 8; }
                if (P.A > greatest[child]) { greatest[child] = P.A; c.x = round16(p.x - (F)f.nx); c.y = round16(p.y - (F)f.ny); }
                c.z = mn(c.z, h);
                c.W = mx(c.W, f2.depth > 0 ? Q.z : mx(P.W, Q.W));
                c.B = mx(c.B, edge_floor(n, f, P, Q, p));
            }
        }
        auto distance = [&](int a, int b) {
            return len((F)((a & 1) - (b & 1)) + (r.c[a].x - r.c[b].x), (F)((a >> 1) - (b >> 1)) + (r.c[a].y - r.c[b].y));
        };
        for (int k = 0; k < count; k++) {
            int a = in[k].child; Node& c = r.c[a];
            if (c.kind != ENTRY) continue;
            c.to = direction((own & 1) - (a & 1), (own >> 1) - (a >> 1));
            if (ex >= 0 && !is_lake(c.W) && depth == 0 && r.c[ex].z < c.z && abs((ex & 1) - (a & 1)) + abs((ex >> 1) - (a >> 1)) == 1
                && distance(a, ex) < distance(a, own)) {
                c.to = direction((ex & 1) - (a & 1), (ex >> 1) - (a >> 1));
            }
        }
        {                                               // areas: what comes in, and the cell's own ground in equal shares
            F come = 0, direct[4] = {0, 0, 0, 0}; int shares = 0;
            for (int k = 0; k < count; k++) { come = come + in[k].P->A; direct[in[k].child] = direct[in[k].child] + in[k].P->A; }
            for (int k = 0; k < 4; k++) shares += r.c[k].kind != FREE;
            F a = mx(Q.A - come, 0), s = floorf(a/(F)shares), into_old = 0, into_exit = 0; int last = ex >= 0 ? ex : own;
            for (int k = 0; k < 4; k++) {
                Node& c = r.c[k]; c.G = 0; if (c.kind == FREE) continue;
                c.G = k == last ? a - s*(F)(shares - 1) : s; if (c.kind != ENTRY) continue;
                c.A = direct[k] + c.G;
                if (ex >= 0 && c.to == direction((ex & 1) - (k & 1), (ex >> 1) - (k >> 1))) into_exit = into_exit + c.A; else into_old = into_old + c.A;
            }
            r.c[own].A = (direct[own] + into_old) + r.c[own].G;
            if (ex >= 0) r.c[ex].A = ((direct[ex] + r.c[own].A) + into_exit) + r.c[ex].G;
        }
        for (int k = 0; k < 4; k++) {
            Node& c = r.c[k];
            if (c.kind == EXIT || c.kind == ENTRY) c.B = mx(c.B, prov_at(n, 2*cx + (k & 1), 2*cy + (k >> 1), c.x, c.y).v[FLOOR]*(256*sqrtf(c.A)));
        }
        return r;
    });
}
static const Node& node3(int n, I x, I y) { return cell3(n, x >> 1, y >> 1).c[(y & 1)*2 + (x & 1)]; }

// step 4: the third cell of the diagonal edge that leaves coarse cell (cx, cy)
static bool third(int n, I cx, I cy, int& mxx, int& myy) {
    const Edge& e = edge(n, cx, cy);
    if (!e.ok || !e.dx || !e.dy) return false;
    F vx = e.dx > 0 ? 2 : 0, vy = e.dy > 0 ? 2 : 0;
    F off = (e.py + (vx - e.px)/(e.qx - e.px)*(e.qy - e.py) - vy) + 0.5f*e.w.sym(2);
    if (!(fabsf(off) >= 0.15f)) return false;
    if ((off > 0) == (e.dy > 0)) { mxx = e.ex; myy = e.ny; } else { mxx = e.nx; myy = e.ey; }
    return true;
}
static Memo<Node> nodes4[9];
static const Node& node4(int n, I x, I y) {
    return nodes4[n].get(x, y, [&] {
        Node r = node3(n, x, y); I cx = x >> 1, cy = y >> 1; int a = (int)(x & 1), b = (int)(y & 1), mxx, myy;
        if (r.kind == FREE) {
            int sx = a ? 1 : -1, sy = b ? 1 : -1;
            for (int k = 0; k < 2; k++) {
                I px = k ? cx : cx + sx, py = k ? cy + sy : cy;               // P's cell; the other one is Q's
                const Edge& e = edge(n, px, py);
                if (!e.ok || e.dx != (k ? sx : -sx) || e.dy != (k ? -sy : sy)) continue;
                if (!third(n, px, py, mxx, myy) || 2*px + mxx != x || 2*py + myy != y) continue;
                const Node &ex = node3(n, 2*px + e.ex, 2*py + e.ey), &en = node3(n, 2*px + e.nx, 2*py + e.ny);
                V2 p = edge_place(n, px, py, e, mxx, myy, 0.3f, 0.7f, n > 3 ? 0.45f : 0.315f);
                r.kind = CORNER; r.x = round16(p.x - (F)mxx); r.y = round16(p.y - (F)myy);
                r.z = 0.5f*(ex.z + en.z); r.A = ex.A; r.G = floorf(0.5f*ex.G); r.W = mx(ex.W, en.W);
                r.B = mx(0.5f*(ex.B + en.B), prov_at(n, x, y, r.x, r.y).v[FLOOR]*(256*sqrtf(r.A)));
                r.to = direction(e.nx - mxx, e.ny - myy);
                break;
            }
        } else if (r.kind == EXIT || r.kind == OLD) {
            const Edge& e = edge(n, cx, cy);
            if (e.ok && e.ex == a && e.ey == b && third(n, cx, cy, mxx, myy) && node3(n, 2*cx + mxx, 2*cy + myy).kind == FREE) {
                r.to = direction(mxx - a, myy - b); F half = floorf(0.5f*r.G); r.G = r.G - half; r.A = r.A - half; }
        }
        return r;
    });
}

// step 5
static F profile(F d, F B) { F t = d - B; return 0.5f*(t + sqrtf(t*t + 0.15f*B*B)) - 0.0361903f*B; }
static F rise(const Prov& v, F z, F u) { F r = mn(mx(v.v[TOP] - z, 0), u); return r + v.v[ABOVE]*(u - r); }
static Memo<Node> nodes5[9], nodes6[9];
static const Node& node5(int n, I x, I y) {
    return nodes5[n].get(x, y, [&] {
        if (n == 0) return make0(x, y);
        Node r = node4(n, x, y);
        if (r.kind != FREE) return r;
        F L = (F)(65536 >> n);
        Prov v = prov_at(n, x, y, r.x, r.y); Words w = words((uint32_t)(256 + n), x, y);
        F S = hillslope(v.v[RELIEF]*(1 + 0.4f*w.sym(2)), v.v[CAP]*(0.94f + 0.12f*w.frac(3)), v.v[ROUND], n);
        auto side = [&](F z, F d, F B) { return z + rise(v, z, S*(profile(d, B) + 0.02f*d)); };
        F sum = 0, weighted = 0, least = 1e30f, low = 1e30f, B = v.v[FLOOR]*L; int D = 8;
        for (int d = 0; d < 8; d++) {
            int dx = DX[d], dy = DY[d];
            const Node& c = node4(n, x + dx, y + dy);
            if (c.kind == FREE) continue;
            if (dx && dy) {
                const Node& h = node4(n, x + dx, y); const Node& k = node4(n, x, y + dy);
                if (h.kind != FREE && h.to == direction(-dx, dy)) continue;
                if (k.kind != FREE && k.to == direction(dx, -dy)) continue;
            }
            F ax = (F)dx + (c.x - r.x), ay = (F)dy + (c.y - r.y), to_node = len(ax, ay)*L, a = side(c.z, to_node, c.B);
            F wt = 1/(to_node*to_node + 0.01f*L*L); sum = sum + wt; weighted = weighted + wt*c.z;
            if (a < least) { least = a; D = d; }
            B = mx(B, c.B - to_node);
            F zs = c.z, bs = c.B;
            if (c.to != 8) {
                const Node& o = node4(n, x + dx + DX[c.to], y + dy + DY[c.to]);
                F vx = (F)DX[c.to] + (o.x - c.x), vy = (F)DY[c.to] + (o.y - c.y);
                F t = clamp(-(ax*vx + ay*vy)/(vx*vx + vy*vy), 0, 1);
                ax = ax + t*vx; ay = ay + t*vy; zs = c.z + t*(o.z - c.z); bs = c.B + t*(o.B - c.B);
            }
            F dd = len(ax, ay)*L;
            low = mn(low, mn(a, side(zs, dd, bs))); B = mx(B, bs - dd);
        }
        const Node& c = node4(n, x + DX[D], y + DY[D]);
        F even = low + EV*(weighted/sum - low);
        r.to = D; r.z = mx(mx(low, even), c.z + 0.03f*S*L*v.v[ABOVE]); r.W = c.W; r.A = L*L; r.B = B;
        return r;
    });
}

static const Node& node(int n, I x, I y) {              // free nodes share the ground of the channel that they drain to
    if (!AREA || n == 0) return node5(n, x, y);
    return nodes6[n].get(x, y, [&] {
        Node r = node5(n, x, y); if (r.kind != FREE) return r;
        I cx = x + DX[r.to], cy = y + DY[r.to]; int f = 1;
        for (int d = 0; d < 8; d++) { const Node& o = node5(n, cx + DX[d], cy + DY[d]); if (o.kind == FREE && o.to == ((d + 4) & 7)) f++; }
        r.A = node5(n, cx, cy).G/(F)f; if (n < 8) r.A = floorf(r.A); return r;
    });
}
// ---------------------------------------------------------------- channels and pieces
static Memo<int> skips;
static bool skipped(I x, I y) {                         // free nodes that make no valley of their own
    if (DENS >= 1) return false;
    return skips.get(x, y, [&]() -> int { const Node& n = node(8, x, y); if (n.kind != FREE) return 0;
        return words(264, x, y).frac(4) >= DENS; }) != 0;
}
static bool drains_to(I ox, I oy, I x, I y) { if (skipped(ox, oy)) return false; int t = node(8, ox, oy).to; return t != 8 && ox + DX[t] == x && oy + DY[t] == y; }
static Memo<int> inflows;
static int inflow(I x, I y) {                           // direction of the main inflow, or 8
    return inflows.get(x, y, [&] {
        int best = 8; F A = -1;
        for (int d = 0; d < 8; d++) if (drains_to(x + DX[d], y + DY[d], x, y)) { F a = node(8, x + DX[d], y + DY[d]).A; if (a > A) { A = a; best = d; } }
        return best;
    });
}
static Memo<V2> smooths[5];
static V2 smooth(int round, I x, I y) {
    return smooths[round].get(x, y, [&]() -> V2 {
        const Node& n = node(8, x, y);
        if (!round) return {n.x*256, n.y*256};
        V2 p = smooth(round - 1, x, y); int in = inflow(x, y), out = n.to;
        if (in == 8 || out == 8) return p;
        V2 i = smooth(round - 1, x + DX[in], y + DY[in]), o = smooth(round - 1, x + DX[out], y + DY[out]);
        F share = 0.5f*mn(1, 0.3f + n.B*(1/256.0f));
        F mx_ = 0.5f*((i.x + 256*(F)DX[in]) + (o.x + 256*(F)DX[out])), my_ = 0.5f*((i.y + 256*(F)DY[in]) + (o.y + 256*(F)DY[out]));
        F x0 = n.x*256, y0 = n.y*256;
        return {clamp(p.x + share*(mx_ - p.x), x0 - 0.35f*256, x0 + 0.35f*256), clamp(p.y + share*(my_ - p.y), y0 - 0.35f*256, y0 + 0.35f*256)};
    });
}
static F vside(F d, F b) { F far = mx(d - FAR_, 0); return profile(d, b + VB)*fmaf(V1, mn(d*(1/256.0f), 1), V0) + 0.02f*d + far*far*(1/FARD); }
static F rw(F A) { return mn(0.64f*sqrtf(A), 160); }      // A in cells of level 8
static F depth(F w) { return w/(6 + 0.12f*w)*s3((w - 0.4f)*(1/1.6f)); }

struct Chan { F S, I_, b, raise, m, broad; bool sill; };
static Memo<Chan> chans;
static F wander(const Node& n) { static const F MEB=PF("MEB",8); return MEA*mn(0.6f*mn(n.B, BMAX) + MEB, 64)*s3(n.A*0.5f - 1); }
static const Chan& chan(I x, I y) {
    return chans.get(x, y, [&] {
        Chan r; const Node& n = node(8, x, y); V2 p = smooth(4, x, y);
        r.S = prov_at(8, x, y, n.x, n.y).v[SLOPE]*(1 + 0.15f*words(287, x, y).sym(2));
        r.b = mn(n.B, BMAX)*(0.4f + 0.6f*words(287, x, y).frac(0));
        r.I_ = 0; r.sill = false; F room = 1e30f, level = 1e30f;
        for (int j = -2; j <= 2; j++) for (int i = -2; i <= 2; i++) {
            if (skipped(x + i, y + j)) continue; const Node& o = node(8, x + i, y + j); V2 q = smooth(4, x + i, y + j);
            F dist = mx(len(q.x - p.x + (F)(256*i), q.y - p.y + (F)(256*j)), 64), up = o.z - n.z;
            if (up > 0) r.S = mx(r.S, mn(1.05f*up/vside(dist, r.b), 0.7f*CAPS));
            if (is_lake(n.W) && o.W != n.W && o.z < n.W + 4) r.S = mx(r.S, mn((n.W + 2 - n.z)/vside(0.45f*dist, r.b), 1.5f*CAPS));
            if ((i || j) && abs(i) <= 1 && abs(j) <= 1 && drains_to(x + i, y + j, x, y)) {
                r.I_ = mx(r.I_, up/dist);
                if (is_lake(o.W) && !is_lake(n.W)) r.sill = true;
                if (o.z > o.W) room = mn(room, up); else level = mn(level, o.W);
            }
        }
        r.raise = r.sill ? mx(mn(mn(level - n.z, 0) + 0.35f*depth(rw(n.A)), room), 0) : 0;
        r.m = wander(n); r.broad = 0.75f + 0.6f*words(287, x, y).frac(1);
        for (int d = 0; d < 8; d++) r.m = mx(r.m, wander(node(8, x + DX[d], y + DY[d])));
        return r;
    });
}

struct Point { F f[7]; };                               // x y z S b m
enum { PX, PY, PZ, PS, PB, PM, PW };
struct Piece { F x, y, z, S, b, vx, vy, dz, dS, db, inv, before, after, A, dA, W, w, dw, fall, dfall; };
struct Pieces { Piece p[3]; };
static Memo<Pieces> all_pieces;

static F sides(I cx, I cy, F px, F py) {                // least side of the others at a point of P's cell
    F least = 1e30f;
    for (int j = -2; j <= 2; j++) for (int i = -2; i <= 2; i++) {
        if (!i && !j) continue; if (skipped(cx + i, cy + j)) continue;
        I ox = cx + i, oy = cy + j; const Node& o = node(8, ox, oy); const Chan& oc = chan(ox, oy);
        int t_ = o.to; const Node& e = node(8, ox + DX[t_], oy + DY[t_]); const Chan& ec = chan(ox + DX[t_], oy + DY[t_]);
        V2 op = smooth(4, ox, oy), ep = smooth(4, ox + DX[t_], oy + DY[t_]);
        // all seen from the cell of o
        F x = px - (F)(256*i), y = py - (F)(256*j), vx = ep.x + (F)(256*DX[t_]) - op.x, vy = ep.y + (F)(256*DY[t_]) - op.y;
        F q = vx*vx + vy*vy, along = q != 0 ? ((x - op.x)*vx + (y - op.y)*vy)/q : 0;
        F t = clamp(along, 0, 1), b = oc.b + t*(ec.b - oc.b), fall = mx(o.z - e.z, 0);
        F past = along < 0 ? -along*(1.3f*mx(fall, oc.I_*sqrtf(q))) : (along - t)*(0.5f*fall);
        F side = mx(o.z + t*(e.z - o.z) + oc.S*vside(len(x - op.x - t*vx, y - op.y - t*vy), b) + past, o.W);
        least = mn(least, side);
    }
    return least;
}
static const Pieces& pieces(I cx, I cy) {
    return all_pieces.get(cx, cy, [&] {
        const Node& P = node(8, cx, cy); I qx = DX[P.to], qy = DY[P.to];
        const Node& Q = node(8, cx + qx, cy + qy); I rx = qx + DX[Q.to], ry = qy + DY[Q.to];
        const Node& R = node(8, cx + rx, cy + ry);
        auto point = [&](I i, I j) {
            const Node& n = node(8, cx + i, cy + j); const Chan& c = chan(cx + i, cy + j); V2 s = smooth(4, cx + i, cy + j);
            return Point{{s.x + (F)(256*i), s.y + (F)(256*j), n.z + c.raise, c.S, c.b, c.m, c.broad}};
        };
        Point p = point(0, 0), q = point(qx, qy), r = point(rx, ry);
        const Chan &pc = chan(cx, cy), &qc = chan(cx + qx, cy + qy);
        if (qc.sill) { if (P.z <= P.W) q.f[PZ] = Q.z; r.f[PZ] = q.f[PZ]; }
        if (Q.to != 8 && Q.z <= Q.W) r.f[PZ] = R.z;
        bool has_inflow = inflow(cx, cy) != 8;
        Point g[4];
        for (int k = 0; k < 7; k++) {
            F a = p.f[k], b = q.f[k], c = r.f[k];
            g[0].f[k] = has_inflow ? a + 0.3f*(b - a) : a;
            g[1].f[k] = b + 0.3f*(a - b);
            g[3].f[k] = b + 0.3f*(c - b);
            g[2].f[k] = 0.25f*(g[1].f[k] + g[3].f[k]) + 0.5f*b;
        }
        if (pc.sill) g[0].f[PZ] = p.f[PZ];
        if (P.A > 15 && P.W <= P.z && P.to != 8)
            for (int k = 1; k <= 2; k++)
                g[k].f[PZ] = mn(mx(mn(g[k].f[PZ], sides(cx, cy, g[k].f[PX], g[k].f[PY])), g[3].f[PZ]), g[k - 1].f[PZ]);
        for (int k = 0; k < 4; k++) {
            F x = g[k].f[PX], y = g[k].f[PY], m = g[k].f[PM];
            if (m > 0) {
                I X = 65536*cx + (I)(x*256), Y = 65536*cy + (I)(y*256); F sx = 0, sy = 0;
                for (int t = 0; t < 3; t++) { F v[2]; spline(X, Y, (NS > 1 ? 17 : 18) - t, 300 + t, 2, v); sx = sx + v[0]; sy = sy + v[1]; }
                x = x + clamp(m*sx, -64, 64); y = y + clamp(m*sy, -64, 64);
            }
            g[k].f[PX] = rintf(x*256)*(1/256.0f); g[k].f[PY] = rintf(y*256)*(1/256.0f);
        }
        Pieces out; static const F s[4] = {0, 0.4f, 0.7f, 1};
        int main = inflow(cx + qx, cy + qy);            // of Q's inflows the main one grows to its area
        F A = has_inflow ? P.A : mn(P.A, 1), most = P.to != 8 && main != 8 && DX[main] == -qx && DY[main] == -qy ? Q.A : P.A, up = pc.I_, cut = mx(0.35f*depth(rw(most)) - (8 - 9.5f*s3(most*0.5f - 1)), 0);
        for (int k = 0; k < 3; k++) {
            Piece& o = out.p[k]; const F *a = g[k].f, *b = g[k + 1].f;
            o.x = a[PX]; o.y = a[PY]; o.z = a[PZ]; o.S = a[PS]; o.b = a[PB];
            o.vx = b[PX] - a[PX]; o.vy = b[PY] - a[PY]; o.dz = b[PZ] - a[PZ]; o.dS = b[PS] - a[PS]; o.db = b[PB] - a[PB];
            F q2 = o.vx*o.vx + o.vy*o.vy; o.inv = q2 > 0 ? 1/q2 : 0;
            F steep = q2 > 0 ? mx(-o.dz/sqrtf(q2), 0) : 0;
            o.before = 1.3f*mx(steep, up)*sqrtf(q2); up = mx(steep, 0.7f*up);
            o.after = 0.5f*steep*sqrtf(q2);
            o.A = A + s[k]*(most - A); o.dA = (s[k + 1] - s[k])*(most - A);
            o.w = rw(o.A)*a[PW]; o.dw = rw(o.A + o.dA)*b[PW] - o.w; o.fall = 0.35f*depth(rw(o.A)); o.dfall = 0.35f*depth(rw(o.A + o.dA)) - o.fall;
            o.W = mx(P.W, Q.W);
            if (b[PZ] - cut < R.W) o.W = mx(o.W, R.W);
        }
        return out;
    });
}

// ---------------------------------------------------------------- ground
struct Ground { F calm, height, lake, above, strength, alpine, reach, raise, fade, distance, area; };
static int glod;                                        // the ground's points are 2^glod m apart
static Memo<Ground> grounds;
static V2 from_piece(Place pl, I cx, I cy, const Piece& p) {
    I X = 65536*cx + (I)(p.x*256), Y = 65536*cy + (I)(p.y*256);
    return {(F)(pl.X - X)*(1/256.0f), (F)(pl.Y - Y)*(1/256.0f)};
}
static const Ground& ground(I i, I j) {                 // point (i, j) of spacing 2^glod
    return grounds.get(i, j, [&] {
        Place pl = place_of(i << glod, j << glod, warp(glod, i, j));
        Prov v = between_knots(pl.X, pl.Y); I cx = pl.X >> 16, cy = pl.Y >> 16;
        struct Hit { F h, ring, pz, pS, q, reach, W, a; };
        std::vector<Hit> hits;
        const F end = E2*E2*256*256, c1 = 1/(256.0f*256.0f), c2 = E1*E1, c3 = 1/(E2*E2 - E1*E1);
        for (I b = -WIN; b <= WIN; b++) for (I a = -WIN; a <= WIN; a++) { if (skipped(cx + a, cy + b)) continue; for (int k = 0; k < 3; k++) {
            const Piece& p = pieces(cx + a, cy + b).p[k];
            V2 r = from_piece(pl, cx + a, cy + b, p);
            F along = (r.x*p.vx + r.y*p.vy)*p.inv, t = mn(mx(along, 0), 1), ax = fmaf(-t, p.vx, r.x), ay = fmaf(-t, p.vy, r.y), q = fmaf(ax, ax, ay*ay);
            if (q >= end) continue;
            F past = along < 0 ? -along*p.before : (along - t)*p.after;
            Hit h; h.pz = fmaf(t, p.dz, p.z); h.pS = fmaf(t, p.dS, p.S); F fl = fmaf(t, p.db, p.b);
            auto height = [&](F d, F q_) {
                F u = h.pS*vside(d, fl), far = mx(0, q_*c1 - c2)*c3;
                return h.pz + rise(v, h.pz, u) + past + 8*256*far*far;
            };
            h.h = height(sqrtf(q), q); F d = mx(sqrtf(q) - RING, 0); h.ring = height(d, d*d);
            h.q = q; h.reach = mn(RC*256*h.pS, RCH*(h.h - h.pz)); h.W = p.W; h.a = fmaf(t, p.dA, p.A);
            hits.push_back(h);
        } }
        if (hits.empty()) { fprintf(stderr, "no piece near a point\n"); exit(3); }
        const Hit* f = &hits[0];
        for (const Hit& h : hits) if (h.h < f->h) f = &h;
        F low = f->h, cz = f->pz, reach0 = f->reach, drained = f->a > 15 && !is_lake(f->W) ? cz : 1e30f;
        F wide = 1e30f, high = 1e30f;                   // of all sides: continuous where another becomes the lowest
        for (const Hit& h : hits) { wide = mn(wide, fmaf(2, h.h, h.reach)); high = mn(high, fmaf(12, h.h, h.h - h.pz)); }
        reach0 = wide - 2*low; high = high - 12*low;
        F sum = 0, raised = 0, lake = NOLAKE, inside = NOLAKE, dam = NOLAKE;
        for (const Hit& h : hits) {
            F over = h.h - low;
            F r = mn(reach0, h.reach);
            if (over < r) { F k = 1 - over/r; k = k*k; sum = sum + k; raised = raised + k*over; }
            if (is_lake(h.W)) {
                F beyond = mn(h.ring, h.h - RING*h.pS) - h.W - 1;
                if (beyond < 0) lake = mx(lake, h.W);
                if (h.h < h.W && h.W <= drained) inside = mx(inside, h.W);
                else if (beyond < 15) dam = mx(dam, mn(h.W, h.W - 2*beyond));
            }
        }
        Ground g; F crest = sum > 0 ? low + raised/sum : low;
        g.height = dam > inside ? mx(crest, dam) : crest; g.lake = lake;
        F PLAT = (1 - v.v[ABOVE])*(1/0.93f), slope = v.v[SLOPE]/NS;
        g.above = mn(high + (g.height - low), g.height - lake);
        g.strength = mn(1.6f*slope, 1.2f)*(1 - PLAT*s3((g.height - v.v[TOP] + 40)*(1/80.0f)))
            *(0.1f + 0.9f*s3((g.height - p_sea + 30)*(1/60.0f)))*s3(slope*(1/0.06f));
        g.alpine = v.v[ALPINE];
        g.reach = 1/(2*(1 + 1.5f*v.v[ICE])*mx(g.strength, 0.01f));
        g.raise = 0.75f*(1 - 0.8f*PLAT);
        g.fade = clamp(2*g.above/(0.8f*mx(slope, 0.005f)*256*NS) - 1, -0.1f, 1);
        { F uu = mx(g.above, 0)/(0.8f*mx(slope, 0.005f)*256*NS); g.calm = CALM >= 1 ? 1 : CALM + (1 - CALM)*s3(uu*(1/0.15f)); }
        g.distance = NS*sqrtf(f->q); g.area = f->a*262144;
        return g;
    });
}
// corners and between of a point (i, j) of spacing 2^k <= 2^glod
struct Corners { F a, b; I u, v; };
static Corners corners(int k, int big, I i, I j) {
    if (big < k) return {0, 0, i << (k - big), j << (k - big)};
    int n = big - k; I r = ((I)1 << n) - 1;
    return {(F)(i & r)*pow2(-n), (F)(j & r)*pow2(-n), i >> n, j >> n};
}
template<class G> static F between_of(const Corners& c, G p) {
    I e = c.a > 0, s = c.b > 0;
    return bilinear(c.a, c.b, p(c.u, c.v), p(c.u + e, c.v), p(c.u, c.v + s), p(c.u + e, c.v + s));
}
template<class G> static F least_of(const Corners& c, G p) {
    I e = c.a > 0, s = c.b > 0;
    return mn(mn(p(c.u, c.v), p(c.u + e, c.v)), mn(p(c.u, c.v + s), p(c.u + e, c.v + s)));
}
template<class G> static F greatest_of(const Corners& c, G p) {
    I e = c.a > 0, s = c.b > 0;
    return mx(mx(p(c.u, c.v), p(c.u + e, c.v)), mx(p(c.u, c.v + s), p(c.u + e, c.v + s)));
}

static const F RM = PF("RM", 6), R0_ = PF("R0", 0.3), NEG = PF("NEG", 0.5);
static Memo<F> rhos[32];
static F rough(int k, I i, I j) {                       // patches of rough and of smooth ground: at points of 32 m or more, between them linear
    return rhos[k].get(i, j, [&]() -> F {
        if (k < 5) { Corners c = corners(k, 5, i, j); return between_of(c, [](I u, I v) { return rough(5, u, v); }); }
        F u = clamp(warp(k, i, j).u, 0, 1), u2 = u*u; return fmaf(RM, u2*u2, R0_)*ground(i << (k - 5), j << (k - 5)).calm;
    });
}
static F byte_at(int k, I i, I j) { return (F)byte_of((uint32_t)(320 + k), i, j); }
// random values drawn out down the slope: of nine bytes on a line through the point
static F rill(int k, I i, I j, F gx, F gy) {
    F inv = 1/(mx(fabsf(gx), fabsf(gy)) + 1e-12f), ex = gx*inv, ey = gy*inv, sum = 0;
    for (int t = -4; t <= 4; t++) sum += byte_at(k, i + (I)rintf(ex*(F)t), j + (I)rintf(ey*(F)t));
    F q = (sum - 1147.5f)*(1/382.5f); return q - NEG*(q*q - 1/3.0f);
}
// displacement of a new point of 2^k m from the heights of the coarser points around
static F displaced(int k, I i, I j, F h00, F h10, F h01, F h11, F rho) {
    F D = k == 3 ? D8 : k == 2 ? D4 : k == 1 ? D2 : k == 0 ? D1 : 0, R = k == 4 ? R16 : k == 3 ? R8 : k == 2 ? R4 : 0;
    F gx = 0.5f*((h10 + h11) - (h00 + h01)), gy = 0.5f*((h01 + h11) - (h00 + h10)), g = (len(gx, gy) + DB*(F)(2 << k))*(k < 2 ? mx(rho, RF) : rho);
    if ((i & 1) && (j & 1)) D = D*CEN;
    F r = (byte_at(k, i, j) - 127.5f)*(D*(1/127.5f)); if (k >= 2) r = fmaf(R, rill(k, i, j, gx, gy), r);
    return g*r;
}
// ---------------------------------------------------------------- gullies
static F gheight(int k, I i, I j);
static const int CLOG[3] = {7, 5, 4}, SLOG[3] = {5, 4, 3};
static const F WAVES[3] = {0.5f, 0.35355339f, 0.5f}, AMP[3] = {20.66f, 12.3f, 1.386f}, SOFT[3] = {0.9f, 0.5f, 0.2f};
static int slog(int o) { return SLOG[o] > lod ? SLOG[o] : lod; }
static bool made(int o) { return o < OCT && lod < CLOG[o] + 1; }
struct State { F whole, kept, fade; };
static const State& state(int o, I i, I j);

struct Kernel { F kx, ky, mask, c, s; };
static Memo<Kernel> kernels[3][4];
static const Kernel& kernel(int o, int round, I cx, I cy) {
    return kernels[o][round].get(cx, cy, [&] {
        Kernel r;
        if (!round) {
            int n = byte_of((uint32_t)(316 + o), cx, cy), up = CLOG[o] - glod; F h[4], st[4], c = pow2(CLOG[o]);
            for (int k = 0; k < 4; k++) {
                I x = cx + (k & 1), y = cy + (k >> 1);
                F whole = 0; if (o) { int w = CLOG[o] - slog(o - 1); whole = state(o - 1, x << w, y << w).whole; }
                if (up < 0) { fprintf(stderr, "corner between ground points\n"); exit(3); h[k] = gheight(CLOG[o], x, y) + whole; st[k] = between_of(corners(CLOG[o], glod, x, y), [](I u, I v) { return ground(u, v).strength; }); }
                else { const Ground& g = ground(x << up, y << up); h[k] = (o ? gheight(CLOG[o], x, y) : g.height) + whole; st[k] = g.strength; }
            }
            F R = 0.25f*((st[0] + st[1]) + (st[2] + st[3]));
            F gx = ((h[1] + h[3]) - (h[0] + h[2]))*(0.5f/c), gy = ((h[2] + h[3]) - (h[0] + h[1]))*(0.5f/c), g = sqrtf(gx*gx + gy*gy) + 1e-12f;
            F turns = (1 + 0.35f*((F)(n >> 4) - 7.5f)*(1/7.5f))*WAVES[o]/g;
            r.kx = -gy*turns; r.ky = gx*turns;
            CS t = turn((F)(n & 15)*(1/16.0f)); r.c = t.c; r.s = t.s;
            static const F AV=PF("AV",0.8); r.mask = s3((g/(0.62f*mx(R, 1e-6f)) - 0.05f)*(1/0.45f))*(1 + AV*((F)((n*7 >> 2) & 15)*(1/7.5f) - 1));
            return r;
        }
        r = kernel(o, round - 1, cx, cy);
        F inv = 1/mx(r.kx*r.kx + r.ky*r.ky, 1e-12f), C = 0.1f*r.c, D = 0.1f*r.s;
        for (int k = 0; k < 8; k++) {
            int dx = ROWS_X[k], dy = ROWS_Y[k]; const Kernel& b = kernel(o, round - 1, cx + dx, cy + dy);
            F w = mx(0, (r.kx*b.kx + r.ky*b.ky)*inv)*(!dx || !dy ? 0.4966f : 0.2466f);
            CS t = turn(-0.5f*((r.kx + b.kx)*(F)dx + (r.ky + b.ky)*(F)dy)); F lc = w*t.c, ls = w*t.s;
            C = fmaf(lc, b.c, fmaf(-ls, b.s, C)); D = fmaf(ls, b.c, fmaf(lc, b.s, D));
        }
        F scale = 1/(sqrtf(C*C + D*D) + 1e-9f);
        r.c = C*scale; r.s = D*scale;
        return r;
    });
}
// V of octave o at (x, y) metres; f goes in and comes out
static F gully(int o, I x, I y, F alpine, F strength, F& f) {
    I c = (I)1 << CLOG[o], ux = (x - c/2) >> CLOG[o], uy = (y - c/2) >> CLOG[o];
    F in_x = (F)(x - c/2 - ux*c)/(F)c, in_y = (F)(y - c/2 - uy*c)/(F)c;
    F C = 0, D = 0, mask = 0, sum = 0;
    for (int k = 0; k < 4; k++) {
        int ox = k & 1, oy = k >> 1; const Kernel& b = kernel(o, 3, ux + ox, uy + oy);
        F tx = in_x - (F)ox, ty = in_y - (F)oy, e = mx(0, 1 - (tx*tx + ty*ty)*(1/1.2f)), w = e*e*e; CS t = turn(b.kx*tx + b.ky*ty);
        C = C + w*(t.c*b.c - t.s*b.s); D = D + w*(t.s*b.c + t.c*b.s); mask = mask + w*b.mask; sum = sum + w;
    }
    F inv = 1/sum; C = C*inv; D = D*inv;
    F m = sqrtf(C*C + D*D) + 1e-6f, k = C/m;
    static const F R0 = sqrtf(RS), R1 = 2/(sqrtf(1 + RS) - R0), W0 = sqrtf(VS), W1 = 2/(sqrtf(1 + VS) - W0);
    F ridge = 1 - (sqrtf((1 - k)*0.5f + RS) - R0)*R1;
    F valley = (sqrtf((1 + k)*0.5f + VS) - W0)*W1 - 1;
    F g = k + (alpine*0.85f + 0.1f)*(ridge - k) + GV*(valley - k); g = (g + 1)*s3(m*2) - 1;
    F share = mask*inv*mn(1, 3*(1 - f*f)); share = mx(0.04f, share + (1 - share)*s3((f + 0.2f)*(1/0.6f)));
    f = f + (g - f)*share;
    F rho = o ? rough(0, x, y) : 1; return rho*(o == 0 ? A0 : o == 1 ? A1 : A2)*AMP[o]*(SOFT[o] + (1 - SOFT[o])*alpine)*strength*f;
}
static State before(int o, I i, I j) {                  // state at octave o's points before it
    if (!o) { int up = slog(0) - glod; return {0, 0, ground(i << up, j << up).fade}; }
    if (slog(o) == slog(o - 1)) return state(o - 1, i, j);
    return {halving(i, j, [&](I u, I v) { return state(o - 1, u, v).whole; }), halving(i, j, [&](I u, I v) { return state(o - 1, u, v).kept; }),
            halving(i, j, [&](I u, I v) { return state(o - 1, u, v).fade; })};
}
static Memo<F> seens[3][16];
static F seen(int o, int k, I i, I j) {                 // at spacing 2^k
    return seens[o][k].get(i, j, [&]() -> F {
        if (k < CLOG[o] + 1) return halving(i, j, [&](I u, I v) { return seen(o, k + 1, u, v); });
        int up = k - glod; const Ground& g = ground(i << up, j << up);
        F f = g.fade; if (o) { int w = k - slog(o - 1); f = state(o - 1, i << w, j << w).fade; }
        return gully(o, i << k, j << k, g.alpine, g.strength, f);
    });
}
static Memo<State> states[3];
static const State& state(int o, I i, I j) {            // after octave o, at its points
    return states[o].get(i, j, [&] {
        State s = before(o, i, j); int k = slog(o); F above, strength, alpine, reach, raise;
        if (k < glod) {
            Corners c = corners(k, glod, i, j);
            above = between_of(c, [](I u, I v) { return ground(u, v).above; }); strength = between_of(c, [](I u, I v) { return ground(u, v).strength; });
            alpine = between_of(c, [](I u, I v) { return ground(u, v).alpine; }); reach = between_of(c, [](I u, I v) { return ground(u, v).reach; });
            raise = between_of(c, [](I u, I v) { return ground(u, v).raise; });
        } else {
            const Ground& g = ground(i << (k - glod), j << (k - glod));
            above = g.above; strength = g.strength; alpine = g.alpine; reach = g.reach; raise = g.raise;
        }
        F f = s.fade, V = gully(o, i << k, j << k, alpine, strength, f);
        F change = V - seen(o, k, i, j);
        F share = s3((above + s.kept)*reach*(1/AMP[o]));
        F kept = s.kept + change*share*(change < 0 ? 0.9f : raise);
        if (k == 4 && ((i & 1) || (j & 1))) { I u = i >> 1, v = j >> 1; kept = kept + displaced(4, i, j, gheight(5, u, v), gheight(5, u + 1, v), gheight(5, u, v + 1), gheight(5, u + 1, v + 1), rough(5, u, v)); }
        return State{s.whole + V, kept, f};
    });
}

// ---------------------------------------------------------------- heights
static Memo<F> gheights[32];
static F gheight(int k, I i, I j) {                     // ground's height between its points
    return gheights[k].get(i, j, [&]() -> F {
        if (BS) {              // uniform cubic B-spline over the points of 2^GL m
            Corners c = corners(k, GL, i, j); F wa[4], wb[4];
            auto W = [](F a, F* w) { F t = 1 - a; w[0] = t*t*t*(1.0f/6); w[1] = fmaf(a*a, fmaf(a, 0.5f, -1), 2.0f/3); w[2] = fmaf(t*t, fmaf(t, 0.5f, -1), 2.0f/3); w[3] = a*a*a*(1.0f/6); };
            W(c.a, wa); W(c.b, wb); F s = 0;
            for (int n = 0; n < (wb[3] != 0 ? 4 : 3); n++) { F row = 0; for (int m = 0; m < (wa[3] != 0 ? 4 : 3); m++) row = fmaf(wa[m], ground(c.u - 1 + m, c.v - 1 + n).height, row); s = fmaf(wb[n], row, s); }
            return s;
        }
        if (k > glod) return ground(i << (k - glod), j << (k - glod)).height;
        if (k == glod) return ground(i, j).height;
        return halving(i, j, [&](I u, I v) { return gheight(k + 1, u, v); });
    });
}
static Memo<F> kepts[3][32];
static F kept_at(int o, int k, I i, I j) {              // kept at points of 2^k m, by halving below the octave's own
    if (k >= slog(o)) return state(o, i, j).kept;
    return kepts[o][k].get(i, j, [&] { return halving(i, j, [&](I u, I v) { return kept_at(o, k + 1, u, v); }); });
}
static Memo<F> heights[32];
static F height(int k, I i, I j) {                      // at spacing 2^k
    return heights[k].get(i, j, [&]() -> F {
        int base = lod > 4 ? lod : 4;
        if (k < base) {
            F m = halving(i, j, [&](I u, I v) { return height(k + 1, u, v); });
            if (!(i & 1) && !(j & 1)) return m;
            I u = i >> 1, v = j >> 1; auto H = [&](I p, I q) { return height(k + 1, p, q); };
            F a = H(u, v), b = H(u + 1, v), e = H(u, v + 1), f = H(u + 1, v + 1), d = displaced(k, i, j, a, b, e, f, rough(k + 1, u, v));
            F lake = least_of(corners(k + 1, glod, u, v), [](I u, I v) { return ground(u, v).lake; });
            return is_lake(lake) ? mx(m + d*s3((m - lake)*(1/8.0f)), mn(mn(a, b), mn(e, f))) : m + d;
        }
        Corners c = corners(k, glod, i, j);
        F lake = least_of(c, [](I u, I v) { return ground(u, v).lake; });
        F h = gheight(k, i, j);
        if (is_lake(lake)) h = mx(h, least_of(c, [](I u, I v) { return ground(u, v).height; }));
        F kept = 0;
        for (int o = 2; o >= 0; o--) if (made(o)) { kept = kept_at(o, k, i, j); break; }
        return is_lake(lake) ? h + kept*s3((h - lake)*(1/8.0f)) : h + kept;
    });
}

// ---------------------------------------------------------------- water and layers
static F beach(F a) { F d = a - p_sea; return d*(0.75f*d*d/(d*d + 36) + 0.25f) + p_sea; }
static void sample(I i, I j, F* out) {
    Corners c = corners(lod, glod, i, j);
    F lake = least_of(c, [](I u, I v) { return ground(u, v).lake; });
    const int wl = lod > 3 ? lod : 3; Corners c8 = corners(lod, wl, i, j); V4 wp = {between_of(c8, [&](I u, I v) { return warp(wl, u, v).x; }), between_of(c8, [&](I u, I v) { return warp(wl, u, v).y; }), 0, 0};
    Place pl = place_of(i << lod, j << lod, wp);
    Prov v = between_knots(pl.X, pl.Y); I cx = pl.X >> 16, cy = pl.Y >> 16;
    F bank = -1e9f, best = 1e30f, rz = 0, rW = NOLAKE, rq = 0, rA = 0, rwidth = 0, rfall = 0, rreach = 0; bool rwet = false;
    for (I b = -3; b <= 3; b++) for (I a = -3; a <= 3; a++) {
        if (skipped(cx + a, cy + b)) continue;
        for (int k = 0; k < 3; k++) {
            const Piece& p = pieces(cx + a, cy + b).p[k];
            if (!(p.A + p.dA > 2)) continue;
            V2 r = from_piece(pl, cx + a, cy + b, p);
            F along = (r.x*p.vx + r.y*p.vy)*p.inv, t = mn(mx(along, 0), 1), ax = fmaf(-t, p.vx, r.x), ay = fmaf(-t, p.vy, r.y), q = fmaf(ax, ax, ay*ay);
            F w = fmaf(t, p.dw, p.w), key = 2*sqrtf(q) - w, reach = mn(12 + 6*w, 36);
            if (key >= reach) continue;
            F A = fmaf(t, p.dA, p.A), sunk = s3(A*0.5f - 1), drop = 8 - 9.5f*sunk, wide = reach*(1/3.0f); bool is_wet = A >= 4; F fall = fmaf(t, p.dfall, p.fall);
            F back = mx(along, 0) - 5*sqrtf(p.inv), low = 1 - mn(mx(key, 0)/wide, 1);
            if (A >= 1.8f*2) bank = mx(bank, mx(fmaf(back, p.dz, p.z) + drop - fall*low, p.W) - 0.4f*mx(key - wide, 0));
            if (key < best) { best = key; rz = mx(fmaf(t, p.dz, p.z) + drop, p.W); rW = p.W; rq = 4*q; rA = A*262144; rwidth = w; rfall = fall; rreach = reach; rwet = is_wet; }
        }
    }
    F above = between_of(c, [](I u, I v) { return ground(u, v).height; }) + 2;
    rz = mx(mn(rz, above), rW); bank = mn(bank, mx(above, rz) + 8);
    F h = height(lod, i, j);
    F level = h < lake ? lake : -1e9f; bool in_lake = h < lake, near = best < rreach, rim = false;
    F k = mx(best, 0), side = mx(fmaf(k, fmaf(k, 0.03f, 0.2f + 0.5f/(1 + rwidth)), rz), lake);
    if (near) {                                         // rounded where the side meets the land
        F e = 3*mn(k*(1/6.0f), 1)*mn((rreach - best)*4/rreach, 1), t = e > 0 ? mx(1 - fabsf(h - side)/e, 0) : 0;
        h = mn(h, side) - 0.25f*e*t*t;
    }
    if (best < 0) {
        F bed = rz - depth(rwidth)*(1 - rq/(rwidth*rwidth)); h = mn(h, bed);
        if (rwet) level = mx(level, in_lake ? rW : mx(rz - rfall, rW));
        rim = !in_lake && bed >= level;
    }
    if (near && (h >= level - 0.01f || rim)) h = mx(h, mx(bank, lake));
    h = beach(h); if (is_lake(level)) level = beach(level); if (h < p_sea) level = mx(level, p_sea);
    out[0] = h; out[1] = level > h ? level : NAN;
    out[2] = best < 0 ? rA : between_of(c, [](I u, I v) { return ground(u, v).area; });
    out[3] = best < 0 ? sqrtf(rq) : between_of(c, [](I u, I v) { return ground(u, v).distance; });
    out[4] = v.v[RELIEF]; out[5] = v.v[FLAT]; out[6] = (1 - v.v[ABOVE])*(1/0.93f); out[7] = v.v[ICE]; out[8] = v.v[DRYNESS];
}

int main(int argc, char** argv) {
    if (argc != 17) { fprintf(stderr, "land3 seed levels land relief uplift hills plateau ice dryness sea lod x z cols rows layer[,layer..]\n"); return 2; }
    seed = strtoull(argv[1], 0, 0);
    F* ps[8] = {&p_land, &p_relief, &p_uplift, &p_hills, &p_plateau, &p_ice, &p_dryness, &p_sea};
    for (int k = 0; k < 8; k++) *ps[k] = (F)strtod(argv[3 + k], 0);
    lod = atoi(argv[11]); glod = GL;
    I x = strtoll(argv[12], 0, 0) >> lod, y = strtoll(argv[13], 0, 0) >> lod, cols = atoll(argv[14]), rows = atoll(argv[15]);
    static const char* names[9] = {"height", "water", "flow", "shore", "relief", "plain", "plateau", "ice", "dryness"};
    if (!strcmp(argv[16], "paths")) {
        long h[64] = {0};
        for (I j = 0; j < rows; j++) for (I i = 0; i < cols; i++) { I cx = x + i, cy = y + j; int n = 0; for (; n < 63; n++) { int t = to0(cx, cy); if (t == 8) break; cx += DX[t]; cy += DY[t]; } h[n]++; }
        for (int k = 0; k < 64; k++) if (h[k]) printf("%d:%ld ", k, h[k]); printf("\n"); return 0;
    }
    if (!strcmp(argv[16], "areas")) {                   // test: x, z, cols, rows in cells of level 8
        long n = 0, less = 0, more = 0, src = 0, stub = 0, twin = 0; double worst = 1, mean = 0;
        for (I j = 0; j < rows; j++) for (I i = 0; i < cols; i++) {
            I cx = x + i, cy = y + j; const Node& q = node(8, cx, cy); double up = 0; int ins = 0; F great = 0;
            for (int d = 0; d < 8; d++) { const Node& o = node(8, cx + DX[d], cy + DY[d]); if (o.to == ((d + 4) & 7)) { up += o.A; ins++; great = mx(great, o.A); } }
            if (q.kind == FREE || q.A*NA > 8589934592.0*2) continue;
            n++; mean += (q.A - up)/65536;
            if (!ins) { src++; if (q.A*NA > 4e6f) stub++; continue; }
            if (q.A < up*(1 - 1e-4)) { less++; if (q.A/up < worst) worst = q.A/up; }
            if (q.A > up + 16*65536) more++;
            if (q.A*NA > 4e6f && great*NA < 1e6f) twin++;
        }
        printf("channels %ld  sources %ld  A<sum up %ld (worst %.3f)  A>sum up+16 cells %ld  rivers from a source %ld  rivers where only brooks meet %ld  own ground mean %.2f cells\n", n, src, less, worst, more, stub, twin, mean/n);
        return 0;
    }
    std::vector<F> v((size_t)(cols*rows*9));
    for (I j = 0; j < rows; j++) for (I i = 0; i < cols; i++) sample(x + i, y + j, &v[(size_t)((j*cols + i)*9)]);
    std::string list = argv[16];
    for (size_t at = 0; at <= list.size();) {
        size_t end = list.find(',', at); if (end == std::string::npos) end = list.size();
        std::string name = list.substr(at, end - at); int l = -1;
        for (int k = 0; k < 9; k++) if (name == names[k]) l = k;
        if (l < 0) { fprintf(stderr, "no layer %s\n", name.c_str()); return 2; }
        for (I k = 0; k < cols*rows; k++) fwrite(&v[(size_t)(k*9 + l)], 4, 1, stdout);
        at = end + 1;
    }
    return 0;
}
