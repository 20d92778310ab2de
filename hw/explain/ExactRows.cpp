//===- ExactRows.cpp - exact values of tile operations ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/explain/ExactRows.h"

#include <array>
#include <cmath>

using namespace ttjit::hw;
using namespace ttjit::hw::explain;

using Real = long double;

namespace {

constexpr Real kRootHalf = 0.707106781186547524400844362104849039L;

Real clampTo(Real x, Real low, Real high) { return x < low ? low : x > high ? high : x; }

// relu and similar functions return NaN for NaN.
Real reluOf(Real x) { return std::isnan(x) ? x : x > 0 ? x : 0; }

Real signOf(Real x) { return x > 0 ? 1 : x < 0 ? -1 : x; }

// Returns `scale` * expm1(x * inner) below 0, and x itself otherwise, also for -0.
Real exponentialOf(Real x, Real scale, Real inner) {
  return x > 0 || x == 0 ? x : scale * std::expm1(x * inner);
}

Real softplusOf(Real x, const float *p) {
  Real scaled = x * p[0];
  return scaled > p[2] ? x : std::log1p(std::exp(scaled)) * p[1];
}

bool precedes(Real x, Real y) { return x < y || (x == y && std::signbit(x) && !std::signbit(y)); }
Real greaterOf(Real x, Real y) {
  return std::isnan(x) || std::isnan(y) ? x + y : precedes(x, y) ? y : x;
}
Real smallerOf(Real x, Real y) {
  return std::isnan(x) || std::isnan(y) ? x + y : precedes(x, y) ? x : y;
}

Real roundedTo(Real x, Real decimals) {
  Real unit = std::pow(Real(10), decimals), scaled = x * unit;
  return std::isfinite(scaled) ? std::nearbyint(scaled) / unit : x;
}

struct ExactRow {
  TileOp op;
  ExactFunction function;
};

// The formula of a row. Its operands are x, y and z, its numbers p.
#define FORMULA(expression)                                                                        \
  [](const Real *operands, [[maybe_unused]] const float *p) -> Real {                              \
    [[maybe_unused]] Real x = operands[0];                                                         \
    return expression;                                                                             \
  }
#define FORMULA2(expression)                                                                       \
  [](const Real *operands, const float *) -> Real {                                                \
    Real x = operands[0], y = operands[1];                                                         \
    return expression;                                                                             \
  }

const ExactRow kRows[] = {
    {TileOp::Abs, FORMULA(std::fabs(x))},
    {TileOp::Acos, FORMULA(std::acos(x))},
    {TileOp::Acosh, FORMULA(std::acosh(x))},
    {TileOp::Asin, FORMULA(std::asin(x))},
    {TileOp::Asinh, FORMULA(std::asinh(x))},
    {TileOp::Atan, FORMULA(std::atan(x))},
    {TileOp::Atanh, FORMULA(std::atanh(x))},
    {TileOp::Cbrt, FORMULA(std::cbrt(x))},
    {TileOp::Ceil, FORMULA(std::ceil(x))},
    {TileOp::Cos, FORMULA(std::cos(x))},
    {TileOp::Cosh, FORMULA(std::cosh(x))},
    {TileOp::Eqz, FORMULA(x == 0)},
    {TileOp::Erf, FORMULA(std::erf(x))},
    {TileOp::Erfc, FORMULA(std::erfc(x))},
    {TileOp::Exp, FORMULA(std::exp(x))},
    {TileOp::ExpApprox, FORMULA(std::exp(x))},
    {TileOp::Exp2, FORMULA(std::exp2(x))},
    {TileOp::Expm1, FORMULA(std::expm1(x))},
    {TileOp::Floor, FORMULA(std::floor(x))},
    {TileOp::Frac, FORMULA(std::isinf(x) ? std::nanl("") : x - std::trunc(x))},
    {TileOp::Gelu, FORMULA(0.5L * x * std::erfc(-x * kRootHalf))},
    {TileOp::Gez, FORMULA(x >= 0)},
    {TileOp::Gtz, FORMULA(x > 0)},
    {TileOp::HardSigmoid, FORMULA(clampTo((x + 3) / 6, 0, 1))},
    {TileOp::IsInf, FORMULA(std::isinf(x))},
    {TileOp::IsNan, FORMULA(std::isnan(x))},
    {TileOp::Lez, FORMULA(x <= 0)},
    {TileOp::Log, FORMULA(std::log(x))},
    {TileOp::Log1p, FORMULA(std::log1p(x))},
    {TileOp::Ltz, FORMULA(x < 0)},
    {TileOp::Neg, FORMULA(-x)},
    {TileOp::Nez, FORMULA(x != 0)},
    {TileOp::Recip, FORMULA(1 / x)},
    {TileOp::Relu, FORMULA(reluOf(x))},
    {TileOp::Rsqrt, FORMULA(1 / std::sqrt(x))},
    {TileOp::Sigmoid, FORMULA(1 / (1 + std::exp(-x)))},
    {TileOp::Sign, FORMULA(signOf(x))},
    {TileOp::SignBit, FORMULA(!std::isnan(x) && std::signbit(x))},
    {TileOp::Silu, FORMULA(x / (1 + std::exp(-x)))},
    {TileOp::Sin, FORMULA(std::sin(x))},
    {TileOp::Sinh, FORMULA(std::sinh(x))},
    {TileOp::SoftSign, FORMULA(x / (1 + std::fabs(x)))},
    {TileOp::Sqrt, FORMULA(std::sqrt(x))},
    {TileOp::Square, FORMULA(x * x)},
    {TileOp::Tan, FORMULA(std::tan(x))},
    {TileOp::Tanh, FORMULA(std::tanh(x))},
    {TileOp::Trunc, FORMULA(std::trunc(x))},
    {TileOp::AddUnary, FORMULA(x + p[0])},
    {TileOp::SubUnary, FORMULA(x - p[0])},
    {TileOp::MulUnary, FORMULA(x * p[0])},
    {TileOp::DivUnary, FORMULA(x * p[0])},
    {TileOp::RsubUnary, FORMULA(p[0] - x)},
    {TileOp::MaxUnary, FORMULA(x < p[0] ? p[0] : x)},
    {TileOp::MinUnary, FORMULA(x > p[0] ? p[0] : x)},
    {TileOp::EqUnary, FORMULA(x == p[0])},
    {TileOp::NeUnary, FORMULA(x != p[0])},
    {TileOp::LtUnary, FORMULA(x < p[0])},
    {TileOp::LeUnary, FORMULA(x <= p[0])},
    {TileOp::GtUnary, FORMULA(x > p[0])},
    {TileOp::GeUnary, FORMULA(x >= p[0])},
    {TileOp::PowUnary, FORMULA(std::pow(x, static_cast<Real>(p[0])))},
    {TileOp::Celu, FORMULA(exponentialOf(x, p[0], p[1]))},
    {TileOp::Clamp, FORMULA(clampTo(x, p[0], p[1]))},
    {TileOp::Elu, FORMULA(exponentialOf(x, p[0], 1))},
    {TileOp::LeakyRelu, FORMULA(x < 0 ? x * p[0] : x)},
    {TileOp::ReluMax, FORMULA(reluOf(x > p[0] ? p[0] : x))},
    {TileOp::ReluMin, FORMULA(x < p[0] ? p[0] : x)},
    {TileOp::Selu,
     FORMULA(x > 0 || x == 0 ? p[0] * x : exponentialOf(x, static_cast<Real>(p[0]) * p[1], 1))},
    {TileOp::SoftCap, FORMULA(p[0] * std::tanh(x * p[1]))},
    {TileOp::Softplus, FORMULA(softplusOf(x, p))},
    {TileOp::Threshold, FORMULA(x > p[0] ? x : p[1])},
    {TileOp::PowInt, FORMULA(std::pow(x, static_cast<Real>(p[0])))},
    {TileOp::Round, FORMULA(roundedTo(x, static_cast<Real>(p[0])))},

    {TileOp::Add, FORMULA2(x + y)},
    {TileOp::Sub, FORMULA2(x - y)},
    {TileOp::Mul, FORMULA2(x * y)},
    {TileOp::Div, FORMULA2(x / y)},
    {TileOp::Max, FORMULA2(greaterOf(x, y))},
    {TileOp::Min, FORMULA2(smallerOf(x, y))},
    {TileOp::Pow, FORMULA2(std::pow(x, y))},
    {TileOp::Atan2, FORMULA2(std::atan2(x, y))},
    {TileOp::Eq, FORMULA2(x == y)},
    {TileOp::Ne, FORMULA2(x != y)},
    {TileOp::Lt, FORMULA2(x < y)},
    {TileOp::Le, FORMULA2(x <= y)},
    {TileOp::Gt, FORMULA2(x > y)},
    {TileOp::Ge, FORMULA2(x >= y)},
    {TileOp::Mask, FORMULA2(y == 1 ? 0 : x)},
    {TileOp::MaskPosinf, FORMULA2(y == 1 ? static_cast<Real>(INFINITY) : x)},
    {TileOp::Where, FORMULA(x != 0 ? operands[1] : operands[2])},
};

#undef FORMULA
#undef FORMULA2

std::array<ExactFunction, kNumTileOps> makeTable() {
  std::array<ExactFunction, kNumTileOps> table{};
  for (const ExactRow &row : kRows)
    table[static_cast<size_t>(row.op)] = row.function;
  return table;
}

} // namespace

ExactFunction explain::exactFunction(TileOp op) {
  static const std::array<ExactFunction, kNumTileOps> table = makeTable();
  return table[static_cast<size_t>(op)];
}
