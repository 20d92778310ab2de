//===- MemoryFunctions.cpp - loads and stores for emitted files ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/EmittedFunctions.h"

using namespace ttjit;
using namespace ttjit::tometalium;

static constexpr EmittedFunction kMemoryFunctions[] = {
    {"load_l1_word", "inline int32_t load_l1_word(uint32_t address) {\n"
                     "  return *reinterpret_cast<volatile tt_l1_ptr uint32_t *>(address);\n"
                     "}\n"},
    {"ttl_l1_word", "inline volatile tt_l1_ptr uint32_t *ttl_l1_word(uint32_t address) {\n"
                    "  return reinterpret_cast<volatile tt_l1_ptr uint32_t *>(address);\n"
                    "}\n"},
    {"ttl_load_bf16",
     "inline float ttl_load_bf16(uint32_t address) {\n"
     "  uint32_t bits = *reinterpret_cast<volatile tt_l1_ptr uint16_t *>(address);\n"
     "  return __builtin_bit_cast(float, bits << 16);\n"
     "}\n"},
    {"ttl_load_f32", "inline float ttl_load_f32(uint32_t address) {\n"
                     "  return *reinterpret_cast<volatile tt_l1_ptr float *>(address);\n"
                     "}\n"},
    {"ttl_load_i32", "inline int32_t ttl_load_i32(uint32_t address) {\n"
                     "  return *reinterpret_cast<volatile tt_l1_ptr int32_t *>(address);\n"
                     "}\n"},
    {"ttl_load_u16", "inline int32_t ttl_load_u16(uint32_t address) {\n"
                     "  return *reinterpret_cast<volatile tt_l1_ptr uint16_t *>(address);\n"
                     "}\n"},
    {"ttl_load_u8", "inline int32_t ttl_load_u8(uint32_t address) {\n"
                    "  return *reinterpret_cast<volatile tt_l1_ptr uint8_t *>(address);\n"
                    "}\n"},
    {"ttl_store_bf16",
     "// Rounds to the nearest, ties to even.\n"
     "inline void ttl_store_bf16(uint32_t address, float value) {\n"
     "  uint32_t bits = __builtin_bit_cast(uint32_t, value);\n"
     "  bits = value != value ? 0x7fc0 : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;\n"
     "  *reinterpret_cast<volatile tt_l1_ptr uint16_t *>(address) = bits;\n"
     "}\n"},
    {"ttl_store_i32", "inline void ttl_store_i32(uint32_t address, int32_t value) {\n"
                      "  *reinterpret_cast<volatile tt_l1_ptr int32_t *>(address) = value;\n"
                      "}\n"},
    {"ttl_store_f32",
     "// Every NaN is stored with the same bits.\n"
     "inline void ttl_store_f32(uint32_t address, float value) {\n"
     "  uint32_t bits = value != value ? 0x7fc00000 : __builtin_bit_cast(uint32_t, value);\n"
     "  *reinterpret_cast<volatile tt_l1_ptr uint32_t *>(address) = bits;\n"
     "}\n"},
};

llvm::ArrayRef<EmittedFunction> tometalium::memoryFunctions() { return kMemoryFunctions; }
