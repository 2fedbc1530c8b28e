// Functions whose precision the API leaves to the driver, made exact enough here: sine and cosine of large angles, powers,
// the hyperbolic tangent and the soft plus. Knows nothing of ops.
#ifndef STEELYARD_FUNCTIONS
#define STEELYARD_FUNCTIONS

// tanh without overflow: beyond 10 it is 1 in single precision. Small arguments by the series, which keeps all digits.
float safeTanh(float x) {
    const float a = min(abs(x), 10.0);
    const float square = a * a;
    const float series = a * (1.0 + square * (-1.0 / 3.0 + square * (2.0 / 15.0 + square * (-17.0 / 315.0))));
    const float e = exp(-2.0 * a);
    return sign(x) * (a < 0.15 ? series : (1.0 - e) / (1.0 + e));
}

// 1 / (1 + exp(-x)), without overflow.
float sigmoid(float x) { return 1.0 / (1.0 + exp(min(-x, 80.0))); }

// ln(1 + exp(x)) with all digits for any x: exp never overflows, and ln(1 + e) = 2 artanh(e / (2 + e)) by its series, since
// a logarithm near 1 loses digits.
float softplus(float x) {
    const float e = exp(-abs(x));
    const float s = e / (2.0 + e), z = s * s;
    const float series =
        1.0 + z * (1.0 / 3.0 + z * (0.2 + z * (1.0 / 7.0 + z * (1.0 / 9.0 + z * (1.0 / 11.0 + z * (1.0 / 13.0 + z / 15.0))))));
    return max(x, 0.0) + 2.0 * s * series;
}

// Cosine (x) and sine (y) of an angle of any size: the angle less the nearest multiple of pi / 2, subtracted in three
// parts (Cody and Waite), then the polynomials of Cephes on [-pi / 4, pi / 4].
vec2 cosineSine(float angle) {
    const float turns = roundEven(angle * 0.63661977236758134);
    precise float r = fma(-turns, 1.57073974609375, angle);
    r = fma(-turns, 5.657970905303955e-5, r);
    r = fma(-turns, 9.920936294705029e-10, r);
    const float z = r * r;
    const float s = r + r * z * (-1.6666654611e-1 + z * (8.3321608736e-3 - z * 1.9515295891e-4));
    const float c = 1.0 - 0.5 * z + z * z * (4.166664568298827e-2 + z * (-1.388731625493765e-3 + z * 2.443315711809948e-5));
    const int quadrant = int(turns - 4.0 * floor(turns * 0.25));
    const vec2 even = vec2(c, s), odd = vec2(-s, c);
    const vec2 value = (quadrant & 1) == 0 ? even : odd;
    return quadrant >= 2 ? -value : value;
}

// base^exponent for a positive normal base: the logarithm by the series of artanh, the power of two split into a whole
// and a fraction whose series is short.
float accuratePower(float base, float exponent) {
    const uint bits = floatBitsToUint(base);
    float e = float(int(bits >> 23) - 127);
    float m = uintBitsToFloat((bits & 0x7FFFFFu) | 0x3F800000u);
    if (m > 1.41421356) {
        m *= 0.5;
        e += 1.0;
    }
    const float s = (m - 1.0) / (m + 1.0), z = s * s;
    const float artanh = s * (1.0 + z * (1.0 / 3.0 + z * (0.2 + z * (1.0 / 7.0 + z * (1.0 / 9.0)))));
    const float power = exponent * (e + artanh * 2.8853900817779268);
    const float whole = roundEven(power);
    const float f = (power - whole) * 0.69314718055994531;
    const float series =
        1.0 + f * (1.0 + f * (0.5 + f * (1.0 / 6.0 + f * (1.0 / 24.0 + f * (1.0 / 120.0 + f * (1.0 / 720.0))))));
    return ldexp(series, int(clamp(whole, -126.0, 127.0)));
}

#endif
