//===- DeviceRules.cpp - formulas for functions of the vector engine ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Results of these rows on the card follow a short rule: comparisons, selections, exact operations,
// and sums and products, which are those of IEEE with flushed denormals. Each row is compared with
// its rule for all bf16 values of the first operand.
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/tile/DeviceRules.h"

#include "tests/unit/hw/tile/TileTesting.h"

#include "hw/facts/Numerics.h"
#include "hw/facts/TileOps.h"

#include <cmath>
#include <fmt/format.h>

using namespace ttjit::hw;

namespace {

struct Inputs {
  uint32_t x, y, z; // the operands, or an operand and the numbers of the row
  bool isWormhole, dst32;

  float a() const { return std::bit_cast<float>(x); }
  float b() const { return std::bit_cast<float>(y); }
  float c() const { return std::bit_cast<float>(z); }
};

// What is compared. Bits: all inputs, exactly. Numbers: no NaN; both zeros are equal. Near: finite
// numbers, with the exact value.
enum class Compared : uint8_t { Bits, Numbers, Near };

struct RuleRow {
  TileOp op;
  Compared compared;
  uint32_t (*rule)(const Inputs &);
};

constexpr uint32_t kInf = 0x7f800000, kSign = 0x80000000;

uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }
uint32_t magnitude(uint32_t x) { return x & 0x7fffffff; }
bool isNaN(uint32_t x) { return magnitude(x) > kInf; }
bool isDenormal(uint32_t x) { return (x & kInf) == 0 && magnitude(x) != 0; }
uint32_t truth(bool value) { return value ? bits(1) : 0; }

// Returns the place of x in the order -NaN, -infinity, ..., -0, +0, ..., NaN.
int64_t place(uint32_t x) { return x & kSign ? -1 - int64_t{magnitude(x)} : int64_t{x}; }

// Returns the result; for a 16-bit DST it is rounded to nearest even.
uint32_t even(const Inputs &in, float value) {
  uint32_t x = isDenormal(bits(value)) ? 0 : bits(value);
  return in.dst32 ? x : (x + 0x7fff + (x >> 16 & 1)) & 0xffff0000;
}

// Whether x and y can be equal: the card subtracts them. A NaN is not 0; Wormhole's keeps a sign.
bool isComparable(const Inputs &in) {
  return !isNaN(in.x) && !(magnitude(in.x) == kInf && magnitude(in.y) == kInf);
}

constexpr float kSeluScale = 1.05f, kSeluAlpha = 1.67f;

const RuleRow kRules[] = {
    {TileOp::Abs, Compared::Bits,
     [](const Inputs &in) { return in.x > (kSign | kInf) ? in.x : magnitude(in.x); }},
    {TileOp::Neg, Compared::Bits, [](const Inputs &in) { return in.x ^ kSign; }},
    {TileOp::Sign, Compared::Bits,
     [](const Inputs &in) { return in.x & kSign ? bits(-1) : truth(in.x != 0); }},
    {TileOp::SignBit, Compared::Bits, [](const Inputs &in) { return truth(in.x & kSign); }},
    {TileOp::IsInf, Compared::Bits, [](const Inputs &in) { return truth(std::isinf(in.a())); }},
    {TileOp::IsNan, Compared::Bits, [](const Inputs &in) { return truth(isNaN(in.x)); }},
    {TileOp::Eqz, Compared::Bits, [](const Inputs &in) { return truth(magnitude(in.x) == 0); }},
    {TileOp::Nez, Compared::Bits, [](const Inputs &in) { return truth(magnitude(in.x) != 0); }},
    {TileOp::Ltz, Compared::Bits, [](const Inputs &in) { return truth(in.a() < 0); }},
    {TileOp::Gtz, Compared::Bits, [](const Inputs &in) { return truth(in.a() > 0); }},
    {TileOp::Lez, Compared::Numbers, [](const Inputs &in) { return truth(in.a() <= 0); }},
    {TileOp::Gez, Compared::Bits, [](const Inputs &in) { return truth(in.a() >= 0); }},
    {TileOp::Relu, Compared::Numbers, [](const Inputs &in) { return in.a() > 0 ? in.x : 0; }},
    {TileOp::ReluMin, Compared::Numbers,
     [](const Inputs &in) { return bits(std::fmax(in.a(), in.b())); }},
    {TileOp::ReluMax, Compared::Numbers,
     [](const Inputs &in) { return bits(std::fmax(std::fmin(in.a(), in.b()), 0.0f)); }},
    {TileOp::LeakyRelu, Compared::Numbers,
     [](const Inputs &in) { return in.x & kSign ? bits(in.a() * in.b()) : in.x; }},
    {TileOp::Threshold, Compared::Numbers,
     [](const Inputs &in) { return in.a() > in.b() ? in.x : in.z; }},
    {TileOp::Clamp, Compared::Bits,
     [](const Inputs &in) {
       uint32_t low = place(in.x) < place(in.y) ? in.y : in.x;
       return place(low) > place(in.z) ? in.z : low;
     }},
    {TileOp::Max, Compared::Bits,
     [](const Inputs &in) { return place(in.x) > place(in.y) ? in.x : in.y; }},
    {TileOp::Min, Compared::Bits,
     [](const Inputs &in) { return place(in.x) > place(in.y) ? in.y : in.x; }},
    {TileOp::MaxUnary, Compared::Bits,
     [](const Inputs &in) { return place(in.x) > place(in.y) ? in.x : in.y; }},
    {TileOp::MinUnary, Compared::Bits,
     [](const Inputs &in) { return place(in.x) > place(in.y) ? in.y : in.x; }},
    {TileOp::Eq, Compared::Numbers, [](const Inputs &in) { return truth(in.a() == in.b()); }},
    {TileOp::Ne, Compared::Numbers, [](const Inputs &in) { return truth(in.a() != in.b()); }},
    {TileOp::Lt, Compared::Numbers, [](const Inputs &in) { return truth(in.a() < in.b()); }},
    {TileOp::Le, Compared::Numbers, [](const Inputs &in) { return truth(in.a() <= in.b()); }},
    {TileOp::Gt, Compared::Numbers, [](const Inputs &in) { return truth(in.a() > in.b()); }},
    {TileOp::Ge, Compared::Numbers, [](const Inputs &in) { return truth(in.a() >= in.b()); }},
    {TileOp::EqUnary, Compared::Numbers,
     [](const Inputs &in) { return truth(isComparable(in) && in.a() == in.b()); }},
    {TileOp::NeUnary, Compared::Numbers,
     [](const Inputs &in) { return truth(!isComparable(in) || in.a() != in.b()); }},
    {TileOp::LtUnary, Compared::Numbers, [](const Inputs &in) { return truth(in.a() < in.b()); }},
    {TileOp::LeUnary, Compared::Numbers, [](const Inputs &in) { return truth(in.a() <= in.b()); }},
    {TileOp::GtUnary, Compared::Numbers, [](const Inputs &in) { return truth(in.a() > in.b()); }},
    {TileOp::GeUnary, Compared::Numbers, [](const Inputs &in) { return truth(in.a() >= in.b()); }},
    {TileOp::Where, Compared::Bits, [](const Inputs &in) { return in.x ? in.y : in.z; }},
    {TileOp::Floor, Compared::Numbers, [](const Inputs &in) { return bits(std::floor(in.a())); }},
    {TileOp::Ceil, Compared::Numbers, [](const Inputs &in) { return bits(std::ceil(in.a())); }},
    {TileOp::Trunc, Compared::Bits,
     [](const Inputs &in) { return isNaN(in.x) ? in.x : bits(std::trunc(in.a())); }},
    {TileOp::Frac, Compared::Numbers,
     [](const Inputs &in) { return bits(in.a() - std::trunc(in.a())); }},
    {TileOp::Square, Compared::Numbers, [](const Inputs &in) { return bits(in.a() * in.a()); }},
    {TileOp::Add, Compared::Numbers, [](const Inputs &in) { return bits(in.a() + in.b()); }},
    {TileOp::Sub, Compared::Numbers, [](const Inputs &in) { return bits(in.a() - in.b()); }},
    {TileOp::Mul, Compared::Numbers,
     [](const Inputs &in) {
       bool hasZero = !in.dst32 && (in.x == 0 || in.y == 0);
       return hasZero ? 0 : even(in, in.a() * in.b());
     }},
    {TileOp::AddUnary, Compared::Numbers, [](const Inputs &in) { return bits(in.a() + in.b()); }},
    {TileOp::SubUnary, Compared::Numbers, [](const Inputs &in) { return bits(in.a() - in.b()); }},
    {TileOp::MulUnary, Compared::Numbers, [](const Inputs &in) { return bits(in.a() * in.b()); }},
    {TileOp::DivUnary, Compared::Numbers, [](const Inputs &in) { return bits(in.a() * in.b()); }},
    {TileOp::RsubUnary, Compared::Numbers,
     [](const Inputs &in) { return even(in, in.b() - in.a()); }},
    {TileOp::Mask, Compared::Bits, [](const Inputs &in) { return in.b() == 1 ? 0 : in.x; }},
    {TileOp::MaskPosinf, Compared::Bits,
     [](const Inputs &in) { return in.b() == 1 ? kInf : in.x; }},
    {TileOp::ToFloat16, Compared::Bits, [](const Inputs &in) { return in.x; }},
    {TileOp::ToBFloat16, Compared::Bits, [](const Inputs &in) { return in.x; }},
    {TileOp::FloatToInt32, Compared::Numbers,
     [](const Inputs &in) {
       bool fits = std::fabs(in.a()) < 0x1p31f;
       return fits ? static_cast<uint32_t>(static_cast<int32_t>(in.a())) : kSign;
     }},
    {TileOp::FloatToUInt32, Compared::Numbers,
     [](const Inputs &in) {
       if (in.x & kSign)
         return 0u;
       return in.a() < 0x1p32f ? static_cast<uint32_t>(in.a()) : ~0u;
     }},
    {TileOp::HardSigmoid, Compared::Near,
     [](const Inputs &in) {
       return bits(static_cast<float>(std::fmin(std::fmax(in.a() / 6.0 + 0.5, 0.0), 1.0)));
     }},
    {TileOp::SoftSign, Compared::Near,
     [](const Inputs &in) { return bits(static_cast<float>(in.a() / (1.0 + std::fabs(in.a())))); }},
    {TileOp::Celu, Compared::Near,
     [](const Inputs &in) {
       double alpha = in.b(), x = in.a();
       return bits(static_cast<float>(x >= 0 ? x : alpha * std::expm1(x / alpha)));
     }},
    {TileOp::Selu, Compared::Near,
     [](const Inputs &in) {
       double x = in.a();
       return bits(static_cast<float>(in.b() * (x >= 0 ? x : in.c() * std::expm1(x))));
     }},
};

uint32_t word(int64_t x) { return static_cast<uint32_t>(x); }

// Returns the quotient of a division by zero. It depends on the magnitude of the dividend; for a
// negative dividend, rounding down gives one less.
int64_t quotientByZero(int64_t a, bool isWormhole, bool isFloor) {
  int64_t magnitude = std::abs(a);
  int64_t quotient = !isWormhole || magnitude > 2 ? 65536 : magnitude == 0 ? 1 : 63488;
  if (a == INT32_MIN)
    quotient = isWormhole ? 0 : -65535; // the magnitude wraps
  return a < 0 ? -quotient - isFloor : quotient;
}

// Returns a / b, rounded towards zero or down. If a is the smallest int32 and the magnitude of b is
// from `least` to 2^30, the card computes -1 or 1.
int64_t quotientOf(const Inputs &in, bool isFloor, int64_t least) {
  int64_t a = static_cast<int32_t>(in.x), b = static_cast<int32_t>(in.y);
  if (b == 0)
    return quotientByZero(a, in.isWormhole, isFloor);
  if (a == INT32_MIN && std::abs(b) >= least && std::abs(b) <= 1 << 30)
    return b > 0 ? -1 - isFloor : 1;
  bool isBelow = a % b != 0 && (a < 0) != (b < 0);
  return a / b - (isFloor && isBelow);
}

int64_t quotientOf(const Inputs &in, bool isFloor) {
  return quotientOf(in, isFloor, in.isWormhole ? 1 << 21 : 1 << 22);
}

// Returns a - floor(a / b) * b. On Wormhole, this estimates 1 / b in one step less than a quotient.
int64_t remainderOf(const Inputs &in) {
  int64_t a = static_cast<int32_t>(in.x), b = static_cast<int32_t>(in.y);
  return b == 0 ? a : a - quotientOf(in, true, in.isWormhole ? 2097127 : 1 << 22) * b;
}

// The rows on integers, which take pairs of integers or make a float from an integer.
const RuleRow kIntegerRules[] = {
    {TileOp::AddInt, Compared::Bits, [](const Inputs &in) { return in.x + in.y; }},
    {TileOp::SubInt, Compared::Bits, [](const Inputs &in) { return in.x - in.y; }},
    {TileOp::MulInt, Compared::Bits, [](const Inputs &in) { return in.x * in.y; }},
    {TileOp::MaxInt32, Compared::Bits,
     [](const Inputs &in) { return int32_t(in.x) > int32_t(in.y) ? in.x : in.y; }},
    {TileOp::MinInt32, Compared::Bits,
     [](const Inputs &in) { return int32_t(in.x) > int32_t(in.y) ? in.y : in.x; }},
    {TileOp::MaxUInt32, Compared::Bits, [](const Inputs &in) { return in.x > in.y ? in.x : in.y; }},
    {TileOp::MinUInt32, Compared::Bits, [](const Inputs &in) { return in.x > in.y ? in.y : in.x; }},
    {TileOp::LtInt32, Compared::Bits,
     [](const Inputs &in) { return uint32_t{int32_t(in.x) < int32_t(in.y)}; }},
    {TileOp::LeInt32, Compared::Bits,
     [](const Inputs &in) { return uint32_t{int32_t(in.x) <= int32_t(in.y)}; }},
    {TileOp::LtUInt32, Compared::Bits, [](const Inputs &in) { return uint32_t{in.x < in.y}; }},
    {TileOp::LeUInt32, Compared::Bits, [](const Inputs &in) { return uint32_t{in.x <= in.y}; }},
    {TileOp::EqInt, Compared::Bits, [](const Inputs &in) { return uint32_t{in.x == in.y}; }},
    {TileOp::NeInt, Compared::Bits, [](const Inputs &in) { return uint32_t{in.x != in.y}; }},
    {TileOp::ToUInt16, Compared::Bits, [](const Inputs &in) { return in.x % 0x10000; }},
    {TileOp::ToUInt8, Compared::Bits, [](const Inputs &in) { return in.x % 0x100; }},
    {TileOp::DivUInt32, Compared::Bits, [](const Inputs &in) { return in.y ? in.x / in.y : ~0u; }},
    {TileOp::ModUInt32, Compared::Bits, [](const Inputs &in) { return in.y ? in.x % in.y : in.x; }},
    {TileOp::DivInt32, Compared::Bits,
     [](const Inputs &in) { return word(quotientOf(in, false)); }},
    {TileOp::FloorDivInt32, Compared::Bits,
     [](const Inputs &in) { return word(quotientOf(in, true)); }},
    {TileOp::ModInt32, Compared::Bits, [](const Inputs &in) { return word(remainderOf(in)); }},
    {TileOp::WhereInt, Compared::Bits, [](const Inputs &in) { return in.x ? in.y : in.z; }},
    {TileOp::Int32ToFloat, Compared::Bits,
     [](const Inputs &in) { return bits(static_cast<float>(static_cast<int32_t>(in.x))); }},
    {TileOp::UInt32ToFloat, Compared::Near,
     [](const Inputs &in) { return bits(static_cast<float>(in.x)); }},
};

// The ends of the ranges of integers of 8, 16 and 32 bits, such as the smallest int32.
constexpr uint32_t kBorders[] = {0,         1,           127,     128,     255,       256,
                                 32767,     65535,       65536,   1 << 24, INT32_MAX, kSign,
                                 kSign + 1, ~0u - 65535, ~0u - 1, ~0u};

constexpr float kSecond[] = {1.0f, -1.0f, 0.5f,   3.0f,     -0.75f,
                             0.0f, 1e-3f, 100.0f, 0x1p100f, 0x1p-100f};

//===--------------------------------------------------------------------------===//
// Comparing
//===--------------------------------------------------------------------------===//

void apply(const TileKernels &kernels, TileOp op, Tile &x, const Tile &y, const Tile &z) {
  const float numbers[] = {y[0], z[0], 0};
  switch (factsOf(op).kind) {
  case TileOpKind::Unary:
    return kernels.unary(op, x.data());
  case TileOpKind::UnaryParam:
    return kernels.unaryParam(op, x.data(), numbers);
  case TileOpKind::Ternary:
    return kernels.ternary(op, x.data(), y.data(), z.data(), x.data());
  default:
    return kernels.binary(op, x.data(), y.data(), x.data());
  }
}

uint32_t storedForm(TileOp op, uint32_t x, bool dst32) {
  if (movesIntegers(op) && op != TileOp::ToBFloat16 && op != TileOp::Int32ToFloat &&
      op != TileOp::UInt32ToFloat)
    return x;
  x = isDenormal(x) ? x & kSign : x;
  return dst32 ? x : x & 0xffff0000;
}

bool isNear(uint32_t found, uint32_t exact, bool dst32) {
  float a = std::bit_cast<float>(found), b = std::bit_cast<float>(exact);
  float tolerance = dst32 ? 0x1p-14f : 0x1p-6f;
  return found == exact || std::fabs(a - b) <= tolerance * (std::fabs(b) + 0x1p-8f);
}

bool agrees(const RuleRow &row, const Inputs &in, uint32_t found) {
  if (row.compared == Compared::Near && !(std::fabs(in.a()) < 0x1p126f)) // here 1 / x underflows
    return true;
  if (row.compared == Compared::Numbers && (isNaN(in.x) || isDenormal(in.x)))
    return true;
  if (isDenormal(in.x) && row.op != TileOp::Where && !usesIntegers(row.op))
    return true;
  uint32_t expected = row.rule(in);
  if (row.compared == Compared::Near)
    return isNear(found, expected, in.dst32);
  if (row.compared == Compared::Numbers && isNaN(expected)) // or infinity, in 16 bits
    return isNaN(found) || (!in.dst32 && magnitude(found) == kInf);
  bool subtractsZeros = factsOf(row.op).kind == TileOpKind::UnaryParam && in.x == kSign && !in.y;
  if (subtractsZeros && !in.isWormhole) // on Blackhole, -0 - +0 is -0, which counts as negative
    return true;
  expected = storedForm(row.op, expected, in.dst32);
  bool areZeros = row.compared == Compared::Numbers && magnitude(found | expected) == 0;
  return found == expected || areZeros;
}

// Compares the results of a row for a tile of 1024 first operands.
std::string failureOn(const RuleRow &row, const NumericConfig &config, Tile x, float second,
                      float third) {
  Tile y = makeTile([&] { return second; }), z = makeTile([&] { return third; }), inputs = x;
  apply(tileKernels(config), row.op, x, y, z);
  for (int i = 0; i < kTileElements; ++i) {
    Inputs in{bits(inputs[i]), bits(second), bits(third), config.isWormhole, config.dst32};
    if (uint32_t found = bits(x[i]); !agrees(row, in, found))
      return fmt::format("{:08X} for {:08X}, {:08X}, {:08X}: expected {:08X}", found, in.x, in.y,
                         in.z, row.rule(in));
  }
  return "";
}

std::string failureOf(const RuleRow &row, const NumericConfig &config) {
  for (float second : kSecond)
    for (uint32_t begin = 0; begin < 0x10000; begin += kTileElements) {
      Tile x;
      for (uint32_t i = 0; i < kTileElements; ++i)
        x[i] = std::bit_cast<float>((begin + i) << 16);
      bool isSelu = row.op == TileOp::Selu;
      float number = isSelu ? kSeluScale : row.op == TileOp::Celu ? 1.0f : second;
      float third = isSelu ? kSeluAlpha : row.op == TileOp::Celu ? 1.0f : 2.0f;
      if (std::string failure = failureOn(row, config, x, number, third); !failure.empty())
        return failure;
    }
  return "";
}

std::string integerFailureOf(const RuleRow &row, const NumericConfig &config) {
  Random random(3);
  constexpr int numBorders = std::size(kBorders);
  for (int count = 0; count < 64 + numBorders; ++count) {
    auto anyInt = [&] {
      return std::bit_cast<float>(static_cast<uint32_t>(random.next()) >> random.below(32));
    };
    Tile x = makeTile(anyInt);
    for (int i = 0; i < numBorders; ++i)
      x[5 + i] = std::bit_cast<float>(kBorders[i]);
    float second = count % 16 ? anyInt() : 0, third = anyInt();
    if (count % 2)
      second = std::bit_cast<float>(0 - bits(second));
    if (count >= 64)
      second = std::bit_cast<float>(kBorders[count - 64]);
    if (std::string failure = failureOn(row, config, x, second, third); !failure.empty())
      return failure;
  }
  return "";
}

// Computes x^5 by squaring; each product is flushed and rounded.
std::string powerFailure(const NumericConfig &config) {
  Tile x;
  for (int i = 0; i < kTileElements; ++i)
    x[i] = std::bit_cast<float>(static_cast<uint32_t>(0x3f00 + i) << 16);
  Tile inputs = x;
  tileKernels(config).unaryInt(TileOp::PowInt, x.data(), 5);
  for (int i = 0; i < kTileElements; ++i) {
    float a = inputs[i], b = a * a, expected = a * (b * b);
    if (std::isfinite(expected) &&
        bits(x[i]) != (bits(expected) & (config.dst32 ? ~0u : 0xffff0000)))
      return fmt::format("{} for {}", x[i], a);
  }
  return "";
}

// Rounds to one decimal by products with 10 and 0.1, each of which is rounded.
std::string roundingFailure(const NumericConfig &config) {
  Random random(9);
  Tile x = makeTile([&] { return random.unit() * 100; }), inputs = x;
  tileKernels(config).unaryInt(TileOp::Round, x.data(), 1);
  for (int i = 0; i < kTileElements; ++i) {
    float expected = std::nearbyint(inputs[i] * 10.0f) * 0.1f;
    bool areZeros = expected == 0 && x[i] == 0;
    if (!areZeros && bits(x[i]) != (bits(expected) & (config.dst32 ? ~0u : 0xffff0000)))
      return fmt::format("{} for {}", x[i], inputs[i]);
  }
  return "";
}

} // namespace

void ttjit::hw::addRuleChecks(std::vector<DeviceCheck> &checks) {
  for (const RuleRow &row : kRules)
    checks.push_back({row.op, Evidence::Rule,
                      [&row](const NumericConfig &config) { return failureOf(row, config); }});
  for (const RuleRow &row : kIntegerRules)
    checks.push_back({row.op, Evidence::Rule, [&row](const NumericConfig &config) {
                        return config.dst32 ? integerFailureOf(row, config) : "";
                      }});
  checks.push_back({TileOp::PowInt, Evidence::Rule, powerFailure});
  checks.push_back({TileOp::Round, Evidence::Rule, roundingFailure});
}
