//===- Helpers.cpp - functions for emitted files --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/Helpers.h"

using namespace ttjit;
using namespace ttjit::emit;

namespace {
struct NamedText {
  llvm::StringLiteral name, text;
};
} // namespace

static constexpr NamedText kHelpers[] = {
    {"load_l1_word", "inline int32_t load_l1_word(uint32_t address) {\n"
                     "  return *reinterpret_cast<volatile tt_l1_ptr uint32_t *>(address);\n"
                     "}\n"},
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
    {"ttl_max", "inline int32_t ttl_max(int32_t a, int32_t b) { return a < b ? b : a; }\n"},
    {"ttl_min", "inline int32_t ttl_min(int32_t a, int32_t b) { return b < a ? b : a; }\n"},
    {"ttl_mod", "// Python's a % b: has the sign of b.\n"
                "inline int32_t ttl_mod(int32_t a, int32_t b) {\n"
                "  int32_t rest = a % b;\n"
                "  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;\n"
                "}\n"},
    {"ttl_multicast_addr",
     "// NOC_1 goes the other way: its rectangles begin at the far corner.\n"
     "inline uint64_t ttl_multicast_addr(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1,\n"
     "                                   uint32_t address) {\n"
     "  return noc_index == 0 ? get_noc_multicast_addr(x0, y0, x1, y1, address)\n"
     "                        : get_noc_multicast_addr(x1, y1, x0, y0, address);\n"
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
    {"ttl_store_bf16",
     "// Rounds to the nearest, ties to even.\n"
     "inline void ttl_store_bf16(uint32_t address, float value) {\n"
     "  uint32_t bits = __builtin_bit_cast(uint32_t, value);\n"
     "  bits = value != value ? 0x7fc0 : (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;\n"
     "  *reinterpret_cast<volatile tt_l1_ptr uint16_t *>(address) = bits;\n"
     "}\n"},
    {"ttl_store_f32", "inline void ttl_store_f32(uint32_t address, float value) {\n"
                      "  *reinterpret_cast<volatile tt_l1_ptr float *>(address) = value;\n"
                      "}\n"},
    {"ttl_virtual_x", "// NoC coordinate of a column of the compute grid.\n"
                      "inline uint32_t ttl_virtual_x(uint32_t column) {\n"
                      "  return worker_logical_col_to_virtual_col[column];\n"
                      "}\n"},
    {"ttl_virtual_y", "// NoC coordinate of a row of the compute grid.\n"
                      "inline uint32_t ttl_virtual_y(uint32_t row) {\n"
                      "  return worker_logical_row_to_virtual_row[row];\n"
                      "}\n"},
    {"ttl_wait_any",
     "// Waits until one of several words is at least its value; returns the place of the first\n"
     "// such word from `start` on. Each pair of `words` is an address and a value; a value of -1\n"
     "// means that the word is not awaited.\n"
     "template <typename... Words>\n"
     "inline int32_t ttl_wait_any(int32_t start, Words... words) {\n"
     "  constexpr int32_t count = sizeof...(words) / 2;\n"
     "  const uint32_t pairs[] = {static_cast<uint32_t>(words)...};\n"
     "  const int32_t first = (start % count + count) % count;\n"
     "  while (true) {\n"
     "    invalidate_l1_cache();\n"
     "    for (int32_t i = 0; i < count; ++i) {\n"
     "      const int32_t place = (first + i) % count;\n"
     "      const uint32_t value = pairs[2 * place + 1];\n"
     "      auto *word = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(pairs[2 * place]);\n"
     "      if (value != 0xffffffff && *word >= value) {\n"
     "        return place;\n"
     "      }\n"
     "    }\n"
     "  }\n"
     "}\n"},
    {"ttl_reset_buffers",
     R"cpp(// The processors of a core meet: each counts its meetings in a word of its own and waits until the
// others have counted this one. `processors` has a bit for each that runs a kernel: NCRISC, BRISC,
// UNPACK, PACK.
inline void ttl_meet(volatile tt_l1_ptr uint32_t *words, uint32_t self, uint32_t processors) {
  const uint32_t meeting = words[self] + 1;
  words[self] = meeting;
  (void)words[self]; // the load waits for the store
  for (uint32_t other = 0; other < 4; ++other) {
    while (processors >> other & 1) {
      asm volatile("fence" ::: "memory"); // caches of the processors are not coherent
      if (static_cast<int32_t>(words[other] - meeting) >= 0) {
        break;
      }
    }
  }
}

// Empties the circular buffers of two masks, of ids 0 to 31 and 32 to 63, after the processors have
// finished what they do to them. Their first pages are the next ones then. The words are `offset`
// bytes from the start of circular buffer `words_cb`.
inline void ttl_reset_buffers(uint32_t words_cb, uint32_t offset, uint32_t processors,
                              uint32_t low, uint32_t high) {
#if defined(COMPILE_FOR_NCRISC)
  constexpr uint32_t self = 0;
  noc_async_full_barrier();
#elif defined(COMPILE_FOR_BRISC)
  constexpr uint32_t self = 1;
  noc_async_full_barrier();
#elif defined(UCK_CHLKC_UNPACK) || defined(TRISC_UNPACK)
  using namespace ckernel;
  constexpr uint32_t self = 2;
  TTI_STALLWAIT(p_stall::STALL_TDMA, p_stall::UNPACK);
  tensix_sync();
#elif defined(UCK_CHLKC_PACK) || defined(TRISC_PACK)
  using namespace ckernel;
  constexpr uint32_t self = 3;
  TTI_STALLWAIT(p_stall::STALL_TDMA, p_stall::PACK);
  tensix_sync();
#endif
#if !defined(UCK_CHLKC_MATH) && !defined(TRISC_MATH) // MATH has no pointers of buffers
  const auto &holder = get_local_cb_interface(words_cb);
  const uint32_t start = (holder.fifo_limit - holder.fifo_size) << cb_addr_shift;
  auto *words = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(start + offset);
  ttl_meet(words, self, processors);
  for (uint32_t id = 0; id < 64; ++id) {
    if (((id < 32 ? low >> id : high >> (id - 32)) & 1) == 0) {
      continue;
    }
    auto &cb = get_local_cb_interface(id);
    cb.fifo_rd_ptr = cb.fifo_wr_ptr = cb.fifo_limit - cb.fifo_size;
    cb.tiles_acked_received_init = 0;
    if (self == 3) {
      cb.fifo_wr_tile_ptr = 0;
    }
    if ((processors & ((1u << self) - 1)) == 0) { // the first processor: all share the counters
      *get_cb_tiles_received_ptr(id) = 0;
      *get_cb_tiles_acked_ptr(id) = 0;
    }
  }
  ttl_meet(words, self, processors);
#endif
}
)cpp"},
    {"ttl_row_addr",
     "// Byte `offset` of a row that is one page.\n"
     "template <typename Accessor>\n"
     "inline uint64_t ttl_row_addr(const Accessor &accessor, int32_t row, int32_t offset) {\n"
     "  return accessor.get_noc_addr(row, offset);\n"
     "}\n"},
    {"ttl_read_pages",
     "// Pages page, page + step, ...: at once where they follow each other in memory.\n"
     "template <typename Accessor>\n"
     "inline void ttl_read_pages(int32_t page, const Accessor &accessor, uint32_t l1_addr,\n"
     "                           int32_t count, int32_t step, uint32_t page_size) {\n"
     "  const uint64_t first = accessor.get_noc_addr(page);\n"
     "  const uint64_t last = accessor.get_noc_addr(page + (count - 1) * step);\n"
     "  if (last == first + (count - 1) * page_size) {\n"
     "    noc_async_read(first, l1_addr, count * page_size);\n"
     "    return;\n"
     "  }\n"
     "  for (int32_t i = 0; i < count; ++i) {\n"
     "    noc_async_read_page(page + i * step, accessor, l1_addr + i * page_size);\n"
     "  }\n"
     "}\n"},
    {"ttl_write_pages",
     "// Pages page, page + step, ...: at once where they follow each other in memory.\n"
     "template <typename Accessor>\n"
     "inline void ttl_write_pages(int32_t page, const Accessor &accessor, uint32_t l1_addr,\n"
     "                           int32_t count, int32_t step, uint32_t page_size) {\n"
     "  const uint64_t first = accessor.get_noc_addr(page);\n"
     "  const uint64_t last = accessor.get_noc_addr(page + (count - 1) * step);\n"
     "  if (last == first + (count - 1) * page_size) {\n"
     "    noc_async_write(l1_addr, first, count * page_size);\n"
     "    return;\n"
     "  }\n"
     "  for (int32_t i = 0; i < count; ++i) {\n"
     "    noc_async_write_page(page + i * step, accessor, l1_addr + i * page_size);\n"
     "  }\n"
     "}\n"},
};

llvm::StringRef emit::helperFunction(llvm::StringRef callee) {
  for (const NamedText &helper : kHelpers)
    if (callee == helper.name)
      return helper.text;
  return {};
}

std::string emit::helperText(llvm::StringRef callee, const MetaliumVersion &version) {
  std::string text = helperFunction(callee).str();
  if (!version.isOld())
    return text;
  for (llvm::StringRef direction : {"read", "write"}) {
    std::string mid = ("noc_async_" + direction + "_page").str();
    if (size_t at = text.find(mid); at != std::string::npos)
      text.replace(at, mid.size(), ("noc_async_" + direction + "_tile").str());
  }
  return text;
}
