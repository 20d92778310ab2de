//===- Oracles.cpp - exact values of the float rows of TileOps.def ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/Oracles.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace ttjit::hw;

namespace {

using Real = long double;

constexpr Real kRootHalf = 0.707106781186547524400844362104849039L;

// The formula of each function, with the parameters `p`.
#define FORMULA(expression)                                                                        \
  [](Real x, [[maybe_unused]] const float *p) -> Real { return expression; }

Real clampTo(Real x, Real low, Real high) { return x < low ? low : x > high ? high : x; }

// relu and its relatives keep NaN.
Real reluOf(Real x) { return std::isnan(x) ? x : x > 0 ? x : 0; }

Real signOf(Real x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

// Below 0: `scale` * expm1(x * inner). Zeros keep their sign.
Real exponentialOf(Real x, Real scale, Real inner) {
  return x > 0 || x == 0 ? x : scale * std::expm1(x * inner);
}

Real softplusOf(Real x, const float *p) {
  Real scaled = x * p[0];
  return scaled > p[2] ? x : std::log1p(std::exp(scaled)) * p[1];
}

const Oracle kOracles[] = {
    {TileOp::Abs, FORMULA(std::fabs(x)), 0},
    {TileOp::Acos, FORMULA(std::acos(x)), 0.501},
    {TileOp::Acosh, FORMULA(std::acosh(x)), 0.501},
    {TileOp::Asin, FORMULA(std::asin(x)), 0.501},
    {TileOp::Asinh, FORMULA(std::asinh(x)), 0.501},
    {TileOp::Atan, FORMULA(std::atan(x)), 0.501},
    {TileOp::Atanh, FORMULA(std::atanh(x)), 0.501},
    {TileOp::Cbrt, FORMULA(std::cbrt(x)), 0.501},
    {TileOp::Ceil, FORMULA(std::ceil(x)), 0},
    {TileOp::Cos, FORMULA(std::cos(x)), 0.501},
    {TileOp::Cosh, FORMULA(std::cosh(x)), 0.501},
    {TileOp::Eqz, FORMULA(x == 0), 0},
    {TileOp::Erf, FORMULA(std::erf(x)), 0.501},
    {TileOp::Erfc, FORMULA(std::erfc(x)), 0.502},
    {TileOp::Exp, FORMULA(std::exp(x)), 0.501},
    {TileOp::ExpApprox, FORMULA(std::exp(x)), 0.501},
    {TileOp::Exp2, FORMULA(std::exp2(x)), 0.501},
    {TileOp::Expm1, FORMULA(std::expm1(x)), 0.508},
    {TileOp::Floor, FORMULA(std::floor(x)), 0},
    {TileOp::Frac, FORMULA(std::isinf(x) ? std::nanl("") : x - std::trunc(x)), 0},
    {TileOp::Gelu, FORMULA(0.5L * x * std::erfc(-x * kRootHalf)), 0.501},
    {TileOp::Gez, FORMULA(x >= 0), 0},
    {TileOp::Gtz, FORMULA(x > 0), 0},
    {TileOp::HardSigmoid, FORMULA(clampTo((x + 3) / 6, 0, 1)), 0.501},
    {TileOp::IsInf, FORMULA(std::isinf(x)), 0},
    {TileOp::IsNan, FORMULA(std::isnan(x)), 0},
    {TileOp::Lez, FORMULA(x <= 0), 0},
    {TileOp::Log, FORMULA(std::log(x)), 0.501},
    {TileOp::Log1p, FORMULA(std::log1p(x)), 0.501},
    {TileOp::Ltz, FORMULA(x < 0), 0},
    {TileOp::Neg, FORMULA(-x), 0},
    {TileOp::Nez, FORMULA(x != 0), 0},
    {TileOp::Recip, FORMULA(1 / x), 0.5},
    {TileOp::Relu, FORMULA(reluOf(x)), 0},
    {TileOp::Rsqrt, FORMULA(1 / std::sqrt(x)), 0.5},
    {TileOp::Sigmoid, FORMULA(1 / (1 + std::exp(-x))), 0.501},
    {TileOp::Sign, FORMULA(signOf(x)), 0},
    {TileOp::SignBit, FORMULA(!std::isnan(x) && std::signbit(x)), 0},
    {TileOp::Silu, FORMULA(x / (1 + std::exp(-x))), 0.501},
    {TileOp::Sin, FORMULA(std::sin(x)), 0.501},
    {TileOp::Sinh, FORMULA(std::sinh(x)), 0.507},
    {TileOp::SoftSign, FORMULA(x / (1 + std::fabs(x))), 0.5},
    {TileOp::Sqrt, FORMULA(std::sqrt(x)), 0.5},
    {TileOp::Square, FORMULA(x * x), 0.5},
    {TileOp::Tan, FORMULA(std::tan(x)), 0.501},
    {TileOp::Tanh, FORMULA(std::tanh(x)), 0.507},
    {TileOp::Trunc, FORMULA(std::trunc(x)), 0},

    {TileOp::AddUnary, FORMULA(x + p[0]), 0.5, {1.25f}},
    {TileOp::SubUnary, FORMULA(x - p[0]), 0.5, {1.25f}},
    {TileOp::MulUnary, FORMULA(x * p[0]), 0.5, {-3.1f}},
    {TileOp::DivUnary, FORMULA(x * p[0]), 0.5, {0.3f}},
    {TileOp::RsubUnary, FORMULA(p[0] - x), 0.5, {1.25f}},
    {TileOp::MaxUnary, FORMULA(x < p[0] ? p[0] : x), 0, {0.5f}},
    {TileOp::MinUnary, FORMULA(x > p[0] ? p[0] : x), 0, {0.5f}},
    {TileOp::EqUnary, FORMULA(x == p[0]), 0, {2.0f}},
    {TileOp::NeUnary, FORMULA(x != p[0]), 0, {2.0f}},
    {TileOp::LtUnary, FORMULA(x < p[0]), 0, {2.0f}},
    {TileOp::LeUnary, FORMULA(x <= p[0]), 0, {2.0f}},
    {TileOp::GtUnary, FORMULA(x > p[0]), 0, {2.0f}},
    {TileOp::GeUnary, FORMULA(x >= p[0]), 0, {2.0f}},
    {TileOp::PowUnary, FORMULA(std::pow(x, static_cast<Real>(p[0]))), 0.52, {2.5f}},
    {TileOp::Celu, FORMULA(exponentialOf(x, p[0], p[1])), 0.508, {2.0f, 0.5f}},
    {TileOp::Clamp, FORMULA(clampTo(x, p[0], p[1])), 0, {-1.0f, 2.0f}},
    {TileOp::Elu, FORMULA(exponentialOf(x, p[0], 1)), 0.508, {1.5f}},
    {TileOp::LeakyRelu, FORMULA(x < 0 ? x * p[0] : x), 0.5, {0.125f}},
    {TileOp::ReluMax, FORMULA(reluOf(x > p[0] ? p[0] : x)), 0, {3.0f}},
    {TileOp::ReluMin, FORMULA(x < p[0] ? p[0] : x), 0, {-0.5f}},
    {TileOp::Selu,
     FORMULA(x > 0 || x == 0 ? p[0] * x : exponentialOf(x, static_cast<Real>(p[0]) * p[1], 1)),
     0.508,
     {1.05f, 1.67f}},
    {TileOp::SoftCap, FORMULA(p[0] * std::tanh(x * p[1])), 0.507, {5.0f, 0.2f}},
    {TileOp::Softplus, FORMULA(softplusOf(x, p)), 0.501, {2.0f, 0.5f, 20.0f}},
    {TileOp::Threshold, FORMULA(x > p[0] ? x : p[1]), 0, {1.0f, 9.0f}},
};

#undef FORMULA
#define FORMULA(expression) [](Real x, Real y) -> Real { return expression; }

bool precedes(Real x, Real y) { return x < y || (x == y && std::signbit(x) && !std::signbit(y)); }
Real greaterOf(Real x, Real y) {
  return std::isnan(x) || std::isnan(y) ? x + y : precedes(x, y) ? y : x;
}
Real smallerOf(Real x, Real y) {
  return std::isnan(x) || std::isnan(y) ? x + y : precedes(x, y) ? x : y;
}

const BinaryOracle kBinaryOracles[] = {
    {TileOp::Add, FORMULA(x + y), 0.5},
    {TileOp::Sub, FORMULA(x - y), 0.5},
    {TileOp::Mul, FORMULA(x * y), 0.5},
    {TileOp::Div, FORMULA(x / y), 0.5},
    {TileOp::Max, FORMULA(greaterOf(x, y)), 0},
    {TileOp::Min, FORMULA(smallerOf(x, y)), 0},
    {TileOp::Pow, FORMULA(std::pow(x, y)), 0.52},
    {TileOp::Atan2, FORMULA(std::atan2(x, y)), 0.501},
    {TileOp::Eq, FORMULA(x == y), 0},
    {TileOp::Ne, FORMULA(x != y), 0},
    {TileOp::Lt, FORMULA(x < y), 0},
    {TileOp::Le, FORMULA(x <= y), 0},
    {TileOp::Gt, FORMULA(x > y), 0},
    {TileOp::Ge, FORMULA(x >= y), 0},
};

#undef FORMULA

// The unit of the last place of numbers around `exact`.
Real ulpOf(Real exact, int digits) {
  int exponent;
  std::frexp(exact, &exponent);
  return std::ldexp(Real(1), std::max(exponent, -125) - digits);
}

} // namespace

std::span<const Oracle> ttjit::hw::oracles() { return kOracles; }

std::span<const BinaryOracle> ttjit::hw::binaryOracles() { return kBinaryOracles; }

bool ttjit::hw::hasOnlyLimit(TileOp op, float x) {
  return std::isinf(x) && (op == TileOp::Gelu || op == TileOp::Silu || op == TileOp::SoftSign);
}

double ttjit::hw::ulpDistance(float got, long double exact, int digits) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  if (std::isnan(got) || std::isnan(exact))
    return std::isnan(got) && std::isnan(exact) ? 0 : kFar;
  if (exact == 0)
    return got == 0 && std::signbit(got) == std::signbit(exact) ? 0 : kFar;
  if (std::signbit(got) != std::signbit(exact))
    return kFar;
  const Real limit = std::ldexp(Real(1), 128);
  Real distance =
      std::fabs(std::min<Real>(std::fabs(got), limit) - std::min(std::fabs(exact), limit));
  if (std::isinf(exact))
    return std::isinf(got) ? 0 : kFar;
  // The oracle is off by some 2^-63 of its value.
  Real ulps = distance / ulpOf(std::min(std::fabs(exact), limit / 2), digits);
  return static_cast<double>(std::max<Real>(0, ulps - 0x1p-36L));
}
