//===- debug.h - DPRINT, ASSERT and zones of the profiler -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// DPRINT prints to the output of the run, each line after its node and thread. Settings such as
// HEX() hold until the end of the statement. A float has the digits that it needs to be read back,
// or those of SETPRECISION or FIXED. An ASSERT that does not hold is a fault at its line.
//===--------------------------------------------------------------------------===//

#pragma once

#include "ttjit/device.h"

namespace ttjit::metalium::print {
struct EndLine {};
struct Width {
  int32_t value;
};
struct Precision {
  int32_t value;
};
struct Base {
  int32_t value;
};
struct Fixed {
  bool value;
};
struct Number {
  hw::PrintKind kind;
  uint64_t bits;
};
struct Slice {
  int32_t cb, tile, reserved;
  hw::TileSlice range;
};

struct Stream {
  int32_t width = 0, precision = -1, base = 10;
  bool fixed = false;

  Stream &put(hw::PrintKind kind, uint64_t bits) {
    check(ttl_hw_dprint_field(thread(), kind, bits, width, precision, base, fixed));
    width = 0;
    return *this;
  }
  Stream &operator<<(const char *text) {
    return put(hw::PrintKind::Text, reinterpret_cast<uintptr_t>(text));
  }
  Stream &operator<<(EndLine) { return *this << "\n"; }
  Stream &operator<<(char c) { return put(hw::PrintKind::Character, static_cast<uint8_t>(c)); }
  Stream &operator<<(bool value) { return put(hw::PrintKind::Unsigned, value); }
  Stream &operator<<(float value) {
    return put(hw::PrintKind::Float, __builtin_bit_cast(uint32_t, value));
  }
  Stream &operator<<(double value) { return *this << static_cast<float>(value); }
  template <typename Integer, typename = decltype(Integer(0) % 2)>
  Stream &operator<<(Integer value) {
    return Integer(-1) < Integer(0)
               ? put(hw::PrintKind::Signed, static_cast<uint64_t>(static_cast<int64_t>(value)))
               : put(hw::PrintKind::Unsigned, static_cast<uint64_t>(value));
  }
  Stream &operator<<(Number number) { return put(number.kind, number.bits); }
  Stream &operator<<(Width setting) {
    width = setting.value;
    return *this;
  }
  Stream &operator<<(Precision setting) {
    precision = setting.value;
    return *this;
  }
  Stream &operator<<(Base setting) {
    base = setting.value;
    return *this;
  }
  Stream &operator<<(Fixed setting) {
    fixed = setting.value;
    return *this;
  }
  Stream &operator<<(const Slice &slice) {
    check(ttl_hw_dprint_slice(thread(), slice.cb, slice.tile, slice.reserved, &slice.range));
    return *this;
  }
};

inline Number floatOf(uint32_t bits) { return {hw::PrintKind::Float, bits}; }

/// The fields of a circular buffer that kernels print. Sizes are in bytes; pointers are addresses
/// in L1.
struct BufferInterface {
  int32_t fifo_size, fifo_page_size, fifo_num_pages;
  uint32_t fifo_rd_ptr, fifo_wr_ptr;
  int32_t fifo_wr_tile_ptr;
};
} // namespace ttjit::metalium::print

inline ttjit::metalium::print::EndLine ENDL() { return {}; }
inline ttjit::metalium::print::Width SETW(int32_t width, bool = true) { return {width}; }
inline ttjit::metalium::print::Precision SETPRECISION(int32_t digits) { return {digits}; }
inline ttjit::metalium::print::Base HEX() { return {16}; }
inline ttjit::metalium::print::Base OCT() { return {8}; }
inline ttjit::metalium::print::Base DEC() { return {10}; }
inline ttjit::metalium::print::Fixed FIXED() { return {true}; }
inline ttjit::metalium::print::Fixed DEFAULTFLOAT() { return {false}; }
inline ttjit::metalium::print::Number F32(float value) {
  return ttjit::metalium::print::floatOf(__builtin_bit_cast(uint32_t, value));
}
inline ttjit::metalium::print::Number BF16(uint16_t bits) {
  return ttjit::metalium::print::floatOf(static_cast<uint32_t>(bits) << 16);
}
inline ttjit::metalium::print::Number U32(uint32_t value) {
  return {ttjit::hw::PrintKind::Unsigned, value};
}

struct SliceRange {
  uint8_t h0, h1, hs, w0, w1, ws;
  constexpr operator ttjit::hw::TileSlice() const { return {h0, h1, hs, w0, w1, ws}; }
  static constexpr SliceRange of(uint8_t end, uint8_t step) { return {0, end, step, 0, end, step}; }
  static constexpr SliceRange hw0_32_16() { return of(32, 16); }
  static constexpr SliceRange hw0_32_8() { return of(32, 8); }
  static constexpr SliceRange hw0_32_4() { return of(32, 4); }
  static constexpr SliceRange h0_w0_32() { return {0, 1, 1, 0, 32, 1}; }
  static constexpr SliceRange h0_32_w0() { return {0, 32, 1, 0, 1, 1}; }
};

enum ttjit_slice_buffer { TSLICE_INPUT_CB, TSLICE_OUTPUT_CB };
enum ttjit_slice_pointer { TSLICE_RD_PTR, TSLICE_WR_PTR };

namespace ttjit::metalium::print {
inline Slice sliceOf(bool packs, uint32_t cb, int32_t tile, const SliceRange &range) {
  return {bufferOf(cb), tile, packs, range};
}
inline Slice sliceOf(bool, uint32_t cb, int32_t tile, const SliceRange &range, ttjit_slice_buffer,
                     ttjit_slice_pointer pointer) {
  return {bufferOf(cb), tile, pointer == TSLICE_WR_PTR, range};
}
} // namespace ttjit::metalium::print

/// The slice that a function can pass to DPRINT, as TSLICE. Each row is printed on its own line.
struct TileSlice : ttjit::metalium::print::Slice {
  TileSlice(uint32_t cb, int32_t tile, const SliceRange &range, bool = false, bool = false)
      : Slice(ttjit::metalium::print::sliceOf(false, cb, tile, range)) {}
  TileSlice(uint32_t cb, int32_t tile, const SliceRange &range, ttjit_slice_buffer buffer,
            ttjit_slice_pointer pointer, bool = false, bool = false)
      : Slice(ttjit::metalium::print::sliceOf(false, cb, tile, range, buffer, pointer)) {}
};

inline ttjit::metalium::print::BufferInterface get_local_cb_interface(uint32_t cb) {
  using namespace ttjit;
  using hw::BufferFact;
  hw::KernelThread *thread = metalium::thread();
  int32_t buffer = metalium::bufferOf(cb);
  auto fact = [&](BufferFact which) { return ttl_hw_cb_fact(thread, buffer, which); };
  return {fact(BufferFact::PageBytes) * fact(BufferFact::NumPages),
          fact(BufferFact::PageBytes),
          fact(BufferFact::NumPages),
          ttl_hw_get_read_ptr(thread, buffer),
          ttl_hw_get_write_ptr(thread, buffer),
          fact(BufferFact::TilesPacked)};
}

// The three processors of a compute kernel are one thread here, so each print appears once.
#define DPRINT ttjit::metalium::print::Stream()
#define DPRINT_ON_PROCESSOR(packs, ...)                                                            \
  do {                                                                                             \
    [[maybe_unused]] constexpr bool ttjit_packs = packs;                                           \
    __VA_ARGS__;                                                                                   \
  } while (false)
#define DPRINT_UNPACK(...) DPRINT_ON_PROCESSOR(false, __VA_ARGS__)
#define DPRINT_MATH(...) DPRINT_ON_PROCESSOR(false, __VA_ARGS__)
#define DPRINT_PACK(...) DPRINT_ON_PROCESSOR(true, __VA_ARGS__)
#define DPRINT_DATA0(...) DPRINT_ON_DATA(0, __VA_ARGS__)
#define DPRINT_DATA1(...) DPRINT_ON_DATA(1, __VA_ARGS__)
#define DPRINT_ON_DATA(noc, ...)                                                                   \
  do {                                                                                             \
    if constexpr (TTJIT_NOC_INDEX != noc) {                                                        \
      __VA_ARGS__;                                                                                 \
    }                                                                                              \
  } while (false)
inline constexpr bool ttjit_packs = false;
#define TSLICE(...) ttjit::metalium::print::sliceOf(ttjit_packs, __VA_ARGS__)

#define ASSERT(condition, ...)                                                                     \
  ttjit::metalium::failIf(!(condition), "ASSERT does not hold: " #condition)
/// The watcher's marks do nothing: the emulated device knows where each thread is.
#define WAYPOINT(...) static_cast<void>(0)
#define PAUSE() static_cast<void>(0)
#define WATCHER_RING_BUFFER_PUSH(...) static_cast<void>(0)
#define DeviceZoneScopedN(name) ttl_hw_signpost(ttjit::metalium::thread(), 0, name)
