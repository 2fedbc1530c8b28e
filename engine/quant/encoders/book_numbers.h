// Numbers of a book of sixteen values (kernels/quant/codebook.h) as the searches want them: the nearest one, and its code.
#pragma once

#include "engine/quant/encoders/scale_search.h"

#include "kernels/quant/codebook.h"

namespace {

// The book of IQ4_NL and IQ4_XS: its values rise with their code.
struct NonlinearNumbers {
    using Book = steelyard::kernels::NonlinearBook;

    static Floats nearest(Floats scaled) {
        Floats number = Simd::set1(Book::values[0]);
        for (int code = 1; code < 16; ++code)
            number = Simd::add(number, above(code, scaled, static_cast<float>(Book::values[code] - Book::values[code - 1])));
        return number;
    }
    static Floats codeOf(Floats scaled) {
        Floats sum = Simd::zero();
        for (int code = 1; code < 16; ++code) sum = Simd::add(sum, above(code, scaled, 1.0f));
        return sum;
    }
    template <class Each>
    static void tries(Each&& each) {
        for (int step = -3; step <= 3; ++step) {
            const float stretch = 1.0f + 0.06f * static_cast<float>(step);
            each(Book::values[0] * stretch);
            each(Book::values[15] * stretch);
        }
    }

private:
    // `step` for values nearer to this code's number than to the one before.
    static Floats above(int code, Floats scaled, float step) {
        const float middle = 0.5f * static_cast<float>(Book::values[code] + Book::values[code - 1]);
        return Simd::selectLess(Simd::set1(middle), scaled, Simd::set1(step), Simd::zero());
    }
};

// The book of MXFP4 and NVFP4: eight magnitudes, then the same below zero.
struct Float4Numbers {
    using Book = steelyard::kernels::Float4Book;

    static Floats nearest(Floats scaled) {
        const Floats size = Simd::abs(scaled);
        Floats number = Simd::zero();
        for (int code = 1; code < 8; ++code)
            number = Simd::add(number, above(code, size, static_cast<float>(Book::values[code] - Book::values[code - 1])));
        return Simd::selectLess(scaled, Simd::zero(), Simd::sub(Simd::zero(), number), number);
    }
    static Floats codeOf(Floats scaled) {
        const Floats size = Simd::abs(scaled);
        Floats code = Simd::selectLess(scaled, Simd::zero(), Simd::set1(8.0f), Simd::zero());
        for (int magnitude = 1; magnitude < 8; ++magnitude) code = Simd::add(code, above(magnitude, size, 1.0f));
        return code;
    }

private:
    static Floats above(int code, Floats size, float step) {
        const float middle = 0.5f * static_cast<float>(Book::values[code] + Book::values[code - 1]);
        return Simd::selectLess(Simd::set1(middle), size, Simd::set1(step), Simd::zero());
    }
};

} // namespace
