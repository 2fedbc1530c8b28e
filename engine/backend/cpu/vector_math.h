// Exponential and hyperbolic tangent on vectors, relative error below 1e-6. Included after a vector header, by the
// translation units of one instruction set each. Source of the exponential's coefficients: Moshier, Cephes library.
#pragma once

#include <type_traits>
#include <utility>

namespace {

struct VectorMath {
    using Floats = Simd::Floats;

    // e^x; arguments beyond the range of float32 are held at its ends (no infinity, no subnormal).
    static Floats exp(Floats x) {
        x = Simd::min(Simd::max(x, Simd::set1(-87.33f)), Simd::set1(88.37f));
        const Floats n = Simd::round(Simd::mul(x, Simd::set1(1.44269504088896341f)));
        Floats r = Simd::fma(n, Simd::set1(-0.693359375f), x); // ln 2 in two parts
        r = Simd::fma(n, Simd::set1(2.12194440e-4f), r);
        Floats p = Simd::set1(1.9875691500e-4f);
        p = Simd::fma(p, r, Simd::set1(1.3981999507e-3f));
        p = Simd::fma(p, r, Simd::set1(8.3334519073e-3f));
        p = Simd::fma(p, r, Simd::set1(4.1665795894e-2f));
        p = Simd::fma(p, r, Simd::set1(1.6666665459e-1f));
        p = Simd::fma(p, r, Simd::set1(5.0000001201e-1f));
        p = Simd::fma(Simd::mul(p, r), r, Simd::add(r, Simd::set1(1.0f)));
        return Simd::mul(p, Simd::powerOf2(n));
    }

    static float exp(float x) {
        float lanes[Simd::kLanes];
        Simd::store(lanes, exp(Simd::set1(x)));
        return lanes[0];
    }

    // 1 - 2 / (e^2x + 1), and a series near zero where that would cancel.
    static Floats tanh(Floats x) {
        const Floats one = Simd::set1(1.0f), two = Simd::set1(2.0f);
        const Floats far = Simd::sub(one, Simd::div(two, Simd::add(exp(Simd::mul(x, two)), one)));
        const Floats square = Simd::mul(x, x);
        Floats series = Simd::set1(-1382.0f / 155925.0f);
        series = Simd::fma(series, square, Simd::set1(62.0f / 2835.0f));
        series = Simd::fma(series, square, Simd::set1(-17.0f / 315.0f));
        series = Simd::fma(series, square, Simd::set1(2.0f / 15.0f));
        series = Simd::fma(series, square, Simd::set1(-1.0f / 3.0f));
        const Floats near = Simd::fma(Simd::mul(series, square), x, x);
        return Simd::selectLess(Simd::abs(x), Simd::set1(0.35f), near, far);
    }
};

template <int... Is, class Each>
[[gnu::always_inline]] inline void unrolledOver(std::integer_sequence<int, Is...>, Each& each) {
    (each(std::integral_constant<int, Is>{}), ...);
}

// Calls each(i) for i = 0 .. N - 1 as compile-time numbers, so that arrays indexed by i live in registers.
template <int N, class Each>
[[gnu::always_inline]] inline void unrolled(Each&& each) {
    unrolledOver(std::make_integer_sequence<int, N>{}, each);
}

} // namespace
