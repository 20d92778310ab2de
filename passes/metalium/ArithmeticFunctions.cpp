//===- ArithmeticFunctions.cpp - functions of numbers for emitted files -------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/EmittedFunctions.h"

using namespace ttjit;
using namespace ttjit::tometalium;

static constexpr EmittedFunction kArithmeticFunctions[] = {
    {"ttl_abs", "inline int32_t ttl_abs(int32_t a) { return a < 0 ? -a : a; }\n"},
    {"ttl_bits", "// The compute API takes a number as its bits.\n"
                 "inline uint32_t ttl_bits(float x) { return __builtin_bit_cast(uint32_t, x); }\n"},
    {"ttl_ceildiv", "inline int32_t ttl_ceildiv(int32_t a, int32_t b) {\n"
                    "  return a / b + (a % b != 0 && (a < 0) == (b < 0) ? 1 : 0);\n"
                    "}\n"},
    {"ttl_float",
     "// The number that has these bits.\n"
     "inline float ttl_float(int32_t bits) { return __builtin_bit_cast(float, bits); }\n"},
    {"ttl_floordiv", "// Python's a // b: rounds towards minus infinity.\n"
                     "inline int32_t ttl_floordiv(int32_t a, int32_t b) {\n"
                     "  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);\n"
                     "}\n"},
    {"ttl_fmod",
     "// The exact remainder, with the sign of a. Each step subtracts b * 2**n, which is exact.\n"
     "inline float ttl_fmod(float a, float b) {\n"
     "  float rest = a < 0 ? -a : a;\n"
     "  float size = b < 0 ? -b : b;\n"
     "  if (!(rest - rest == 0) || !(size > 0)) {\n"
     "    return (rest - rest) / size; // NaN\n"
     "  }\n"
     "  while (rest >= size) {\n"
     "    float part = size;\n"
     "    while (part + part <= rest) {\n"
     "      part += part;\n"
     "    }\n"
     "    rest -= part;\n"
     "  }\n"
     "  return a < 0 ? -rest : rest;\n"
     "}\n"},
    {"ttl_max", "inline int32_t ttl_max(int32_t a, int32_t b) { return a < b ? b : a; }\n"},
    {"ttl_min", "inline int32_t ttl_min(int32_t a, int32_t b) { return b < a ? b : a; }\n"},
    {"ttl_mod", "// Python's a % b: has the sign of b.\n"
                "inline int32_t ttl_mod(int32_t a, int32_t b) {\n"
                "  int32_t rest = a % b;\n"
                "  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;\n"
                "}\n"},
    {"ttl_narrow",
     "// The language has integers of 32 bits. The sign stays, and so does whether it is 0.\n"
     "inline int32_t ttl_narrow(int64_t value) {\n"
     "  const int64_t limit = 2147483647;\n"
     "  return static_cast<int32_t>(value > limit ? limit : value < -limit ? -limit "
     ": value);\n"
     "}\n"},
    {"ttl_pow", "// Python's a ** b for b >= 0.\n"
                "inline int32_t ttl_pow(int32_t a, int32_t b) {\n"
                "  int32_t result = 1;\n"
                "  for (; b > 0; --b) {\n"
                "    result *= a;\n"
                "  }\n"
                "  return result;\n"
                "}\n"},
};

llvm::ArrayRef<EmittedFunction> tometalium::arithmeticFunctions() { return kArithmeticFunctions; }
