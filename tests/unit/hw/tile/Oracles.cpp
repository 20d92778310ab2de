//===- Oracles.cpp - bounds of the float rows of TileOps.def ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/Oracles.h"

#include "hw/explain/ExactRows.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace ttjit::hw;

namespace {

using Real = long double;

const Oracle kOracles[] = {
    {TileOp::Abs, 0},
    {TileOp::Acos, 0.501},
    {TileOp::Acosh, 0.501},
    {TileOp::Asin, 0.501},
    {TileOp::Asinh, 0.501},
    {TileOp::Atan, 0.501},
    {TileOp::Atanh, 0.501},
    {TileOp::Cbrt, 0.501},
    {TileOp::Ceil, 0},
    {TileOp::Cos, 0.501},
    {TileOp::Cosh, 0.501},
    {TileOp::Eqz, 0},
    {TileOp::Erf, 0.501},
    {TileOp::Erfc, 0.502},
    {TileOp::Exp, 0.501},
    {TileOp::ExpApprox, 0.501},
    {TileOp::Exp2, 0.501},
    {TileOp::Expm1, 0.508},
    {TileOp::Floor, 0},
    {TileOp::Frac, 0},
    {TileOp::Gelu, 0.501},
    {TileOp::Gez, 0},
    {TileOp::Gtz, 0},
    {TileOp::HardSigmoid, 0.501},
    {TileOp::IsInf, 0},
    {TileOp::IsNan, 0},
    {TileOp::Lez, 0},
    {TileOp::Log, 0.501},
    {TileOp::Log1p, 0.501},
    {TileOp::Ltz, 0},
    {TileOp::Neg, 0},
    {TileOp::Nez, 0},
    {TileOp::Recip, 0.5},
    {TileOp::Relu, 0},
    {TileOp::Rsqrt, 0.5},
    {TileOp::Sigmoid, 0.501},
    {TileOp::Sign, 0},
    {TileOp::SignBit, 0},
    {TileOp::Silu, 0.501},
    {TileOp::Sin, 0.501},
    {TileOp::Sinh, 0.507},
    {TileOp::SoftSign, 0.5},
    {TileOp::Sqrt, 0.5},
    {TileOp::Square, 0.5},
    {TileOp::Tan, 0.501},
    {TileOp::Tanh, 0.507},
    {TileOp::Trunc, 0},
    {TileOp::AddUnary, 0.5, {1.25f}},
    {TileOp::SubUnary, 0.5, {1.25f}},
    {TileOp::MulUnary, 0.5, {-3.1f}},
    {TileOp::DivUnary, 0.5, {0.3f}},
    {TileOp::RsubUnary, 0.5, {1.25f}},
    {TileOp::MaxUnary, 0, {0.5f}},
    {TileOp::MinUnary, 0, {0.5f}},
    {TileOp::EqUnary, 0, {2.0f}},
    {TileOp::NeUnary, 0, {2.0f}},
    {TileOp::LtUnary, 0, {2.0f}},
    {TileOp::LeUnary, 0, {2.0f}},
    {TileOp::GtUnary, 0, {2.0f}},
    {TileOp::GeUnary, 0, {2.0f}},
    {TileOp::PowUnary, 0.52, {2.5f}},
    {TileOp::Celu, 0.508, {2.0f, 0.5f}},
    {TileOp::Clamp, 0, {-1.0f, 2.0f}},
    {TileOp::Elu, 0.508, {1.5f}},
    {TileOp::LeakyRelu, 0.5, {0.125f}},
    {TileOp::ReluMax, 0, {3.0f}},
    {TileOp::ReluMin, 0, {-0.5f}},
    {TileOp::Selu, 0.508, {1.05f, 1.67f}},
    {TileOp::SoftCap, 0.507, {5.0f, 0.2f}},
    {TileOp::Softplus, 0.501, {2.0f, 0.5f, 20.0f}},
    {TileOp::Threshold, 0, {1.0f, 9.0f}},
};

const BinaryOracle kBinaryOracles[] = {
    {TileOp::Add, 0.5}, {TileOp::Sub, 0.5}, {TileOp::Mul, 0.5},  {TileOp::Div, 0.5},
    {TileOp::Max, 0},   {TileOp::Min, 0},   {TileOp::Pow, 0.52}, {TileOp::Atan2, 0.501},
    {TileOp::Eq, 0},    {TileOp::Ne, 0},    {TileOp::Lt, 0},     {TileOp::Le, 0},
    {TileOp::Gt, 0},    {TileOp::Ge, 0},
};

// Returns the unit of the last place of numbers near `exact`.
Real ulpOf(Real exact, int digits) {
  int exponent;
  std::frexp(exact, &exponent);
  return std::ldexp(Real(1), std::max(exponent, -125) - digits);
}

} // namespace

long double Oracle::exact(long double x, const float *numbers) const {
  return explain::exactFunction(op)(&x, numbers);
}

long double BinaryOracle::exact(long double x, long double y) const {
  const long double operands[] = {x, y};
  return explain::exactFunction(op)(operands, nullptr);
}

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
  // The oracle's own value has an error of about 2^-63, which may explain this much.
  Real ulps = distance / ulpOf(std::min(std::fabs(exact), limit / 2), digits);
  return static_cast<double>(std::max<Real>(0, ulps - 0x1p-36L));
}
