//===- DeviceInlines.cpp - functions that JIT modules inline ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Clang compiles this file to bitcode at build time. The JIT links the functions that a
// module calls into the module. hw defines what they do; this file only defines the
// names:
//
//   ttl_inline_<x>  replaces ttl_hw_<x> of hw/abi/KernelApi.h: the linker uses it
//                   wherever a module calls ttl_hw_<x>. A call without an inline form
//                   needs no line here.
//   ttl_jit_<x>     helpers that passes/llvm calls by name
//   ttl_lane_<x>    computes one element of a tile; passes/llvm calls it in loops
//
// The file is compiled once for each DeviceLevel. Levels differ in TTJIT_TILE_HAS_FMA. The JIT
// sets features of the target later, so no code here may depend on them.
//===--------------------------------------------------------------------------===//

#include "hw/abi/CheckedInt.h"
#include "hw/abi/CompilerInt.h"
#include "hw/abi/Inline.h"
#include "hw/abi/InlineTiles.h"
#include "hw/abi/TileCalls.h"
#include "hw/tile/FormatLoops.h"
#include "hw/tile/HostNumerics.h"
#include "hw/tile/TileLoops.h"
#include "hw/tile/TileReduce.h"

using namespace ttjit::hw;

#define INLINE_ALWAYS extern "C" [[gnu::always_inline]]
#define INLINE_NEVER extern "C" [[gnu::noinline]]

//===--------------------------------------------------------------------------===//
// Leaving a thread
//===--------------------------------------------------------------------------===//

// Passes call it after every device call: leaves the thread unless the status is Ok.
INLINE_ALWAYS void ttl_jit_check(KernelThread *t, int32_t status) {
  if (__builtin_expect(status != static_cast<int32_t>(Status::Ok), 0))
    ttl_hw_abandon(t);
}

static void check(KernelThread *t, Status status) {
  ttl_jit_check(t, static_cast<int32_t>(status));
}

// Reports a fault of the program and leaves the thread. It is not inlined, so that callers
// contain only one call.
[[gnu::noinline, gnu::cold]] static void leaveWith(KernelThread *t, int32_t fault,
                                                   const char *message) {
  ttl_hw_program_fault(t, fault, message);
  ttl_hw_abandon(t);
}

//===--------------------------------------------------------------------------===//
// Positions and steps
//===--------------------------------------------------------------------------===//

INLINE_ALWAYS void ttl_jit_at(KernelThread *t, uint32_t loc) { t->loc = loc; }

// Ends a loop's iteration. Stores the loop's position only if it calls the slow path.
INLINE_ALWAYS void ttl_jit_step(KernelThread *t, uint32_t loc) {
  if (__builtin_expect(t->stepsLeft <= 0, 0))
    t->loc = loc;
  check(t, fast::step(t));
}

//===--------------------------------------------------------------------------===//
// The user's integers (hw/abi/CheckedInt.h)
//===--------------------------------------------------------------------------===//

static int32_t valueOf(KernelThread *t, CheckedInt result) {
  if (__builtin_expect(!result.ok(), 0))
    leaveWith(t, result.fault, nullptr);
  return result.value;
}

#define BINARY(name, function)                                                                     \
  extern "C" int32_t ttl_jit_int_##name(KernelThread *t, int32_t a, int32_t b) {                   \
    return valueOf(t, function(a, b));                                                             \
  }
#define UNARY(name, function)                                                                      \
  extern "C" int32_t ttl_jit_int_##name(KernelThread *t, int32_t a) {                              \
    return valueOf(t, function(a));                                                                \
  }
BINARY(add, checkedAdd)
BINARY(sub, checkedSub)
BINARY(mul, checkedMul)
BINARY(floordiv, checkedFloorDiv)
BINARY(mod, checkedMod)
BINARY(pow, checkedPow)
UNARY(neg, checkedNeg)
UNARY(abs, checkedAbs)

//===--------------------------------------------------------------------------===//
// The compiler's integers (hw/abi/CompilerInt.h), for operations that LLVM leaves undefined
//===--------------------------------------------------------------------------===//

template <typename T> static T divideU(T a, T b) { return a / b; }
template <typename T> static T remainderU(T a, T b) { return a % b; }

// Defines a division that stores its source position only when it faults.
#define DIVISION(name, T, function)                                                                \
  INLINE_ALWAYS T ttl_jit_##name(KernelThread *t, T a, T b, uint32_t loc) {                        \
    if (__builtin_expect(b == 0, 0)) {                                                             \
      t->loc = loc;                                                                                \
      leaveWith(t, static_cast<int32_t>(ProgramFault::DivisionByZero), nullptr);                   \
    }                                                                                              \
    return function<T>(a, b);                                                                      \
  }
#define DIVISIONS(name, function)                                                                  \
  DIVISION(name##_i32, uint32_t, function) DIVISION(name##_i64, uint64_t, function)
DIVISIONS(divsi, wrappingDivS)
DIVISIONS(remsi, wrappingRemS)
DIVISIONS(divui, divideU)
DIVISIONS(remui, remainderU)

INLINE_ALWAYS int32_t ttl_jit_fptosi(KernelThread *, float value) { return saturateToInt(value); }

//===--------------------------------------------------------------------------===//
// Assertions, bounds
//===--------------------------------------------------------------------------===//

extern "C" void ttl_jit_assert(KernelThread *t, int32_t holds, const char *text, const char *kinds,
                               const uint32_t *numbers) {
  if (__builtin_expect(!holds, 0))
    check(t, ttl_hw_text_fault(t, text, kinds, numbers));
}

INLINE_ALWAYS float ttl_jit_load_element(KernelThread *t, uint32_t address, int32_t format) {
  float value = 0;
  check(t, ttl_hw_load_element(t, address, format, &value));
  return value;
}

extern "C" void ttl_jit_check_index(KernelThread *t, int64_t index, int64_t size, int64_t bound,
                                    int32_t dim, const char *object) {
  fast::countCall(t);
  if (__builtin_expect(index < 0 || size > bound || index > bound - size, 0))
    check(t, ttl_hw_check_index(t, index, size, bound, dim, object));
}

//===--------------------------------------------------------------------------===//
// Arguments, buffers, accessors
//===--------------------------------------------------------------------------===//

INLINE_ALWAYS uint32_t ttl_inline_get_common_arg_val(KernelThread *t, int32_t index) {
  return fast::getCommonArgVal(t, index);
}
INLINE_ALWAYS int32_t ttl_inline_my_logical_x(KernelThread *t) { return t->x; }
INLINE_ALWAYS int32_t ttl_inline_my_logical_y(KernelThread *t) { return t->y; }

extern "C" Status ttl_inline_cb_reserve_back(KernelThread *t, int32_t cb, int32_t pages) {
  return fast::cbReserveBack(t, cb, pages);
}
extern "C" Status ttl_inline_cb_push_back(KernelThread *t, int32_t cb, int32_t pages) {
  return fast::cbPushBack(t, cb, pages);
}
extern "C" Status ttl_inline_cb_wait_front(KernelThread *t, int32_t cb, int32_t pages) {
  return fast::cbWaitFront(t, cb, pages);
}
extern "C" Status ttl_inline_cb_pop_front(KernelThread *t, int32_t cb, int32_t pages) {
  return fast::cbPopFront(t, cb, pages);
}
extern "C" uint32_t ttl_inline_get_write_ptr(KernelThread *t, int32_t cb) {
  return fast::getWritePtr(t, cb);
}
extern "C" uint32_t ttl_inline_get_read_ptr(KernelThread *t, int32_t cb) {
  return fast::getReadPtr(t, cb);
}

// Calls ttl_hw_tensor_accessor and returns the accessor; leaves the thread on a fault.
extern "C" const TensorAccess *ttl_jit_tensor_accessor(KernelThread *t, uint32_t base,
                                                       int32_t pageBytes, int32_t inL1) {
  const TensorAccess *access = nullptr;
  check(t, ttl_hw_tensor_accessor(t, base, pageBytes, inL1, &access));
  return access;
}

//===--------------------------------------------------------------------------===//
// DST sections
//===--------------------------------------------------------------------------===//

extern "C" Status ttl_inline_tile_regs_acquire(KernelThread *t) { return fast::tileRegsAcquire(t); }
extern "C" Status ttl_inline_tile_regs_commit(KernelThread *t) { return fast::tileRegsCommit(t); }
extern "C" Status ttl_inline_tile_regs_wait(KernelThread *t) { return fast::tileRegsWait(t); }
extern "C" Status ttl_inline_tile_regs_release(KernelThread *t) { return fast::tileRegsRelease(t); }

//===--------------------------------------------------------------------------===//
// Tiles: a module has one function for each, compiled and vectorised for the host
//===--------------------------------------------------------------------------===//

namespace {

// The numeric policy of the loops that are compiled here.
using Numerics = loops::HostNumerics;

template <typename Format> [[gnu::noinline]] void unpackStored(const uint8_t *slot, float *dst) {
  loops::unpack<Numerics, Format>(slot, dst);
}
template <typename Format> [[gnu::noinline]] void packStored(const float *dst, uint8_t *slot) {
  loops::pack<Numerics, Format>(dst, slot);
}

// The `Tiles` parameter of hw/abi/TileCalls.h. It uses loops compiled here, or else
// the thread's table of kernels. `expected` is constant at every call of a module, so only
// the loops of formats that the program uses are compiled.
struct CompiledTiles {
  KernelThread *t;
  DataFormat expected = DataFormat::Invalid;

  fast::TableTiles table() const { return {*t->tiles}; }

  template <typename Visit> bool compiled(DataFormat format, Visit visit) const {
    return __builtin_expect(format == expected && fast::usesHostNumerics(t), 1) &&
           loops::TileFormats::visit(expected, visit);
  }
  void unpack(DataFormat format, const uint8_t *slot, float *dst) const {
    if (!compiled(format, [&]<typename Format>(Format) { unpackStored<Format>(slot, dst); }))
      table().unpack(format, slot, dst);
  }
  void pack(DataFormat format, const float *dst, uint8_t *slot) const {
    if (!compiled(format, [&]<typename Format>(Format) { packStored<Format>(dst, slot); }))
      table().pack(format, dst, slot);
  }
  void packAccumulate(DataFormat format, const float *dst, uint8_t *slot) const {
    table().packAccumulate(format, dst, slot);
  }
  const float *operand(DataFormat format, const uint8_t *slot, float *scratch) const {
    return table().operand(format, slot, scratch);
  }
  void reduce(Pool pool, TileDims dims, DataFormat format, const uint8_t *tile,
              DataFormat scalingFormat, const uint8_t *scaling, float *acc, bool accIsFresh) const {
    table().reduce(pool, dims, format, tile, scalingFormat, scaling, acc, accIsFresh);
  }
  void broadcast(TileDims dims, DataFormat format, const uint8_t *tile, float *out) const {
    alignas(64) float scratch[kTileElements];
    const float *values = operand(format, tile, scratch);
    if (dims == TileDims::Row)
      loops::broadcast<TileDims::Row>(values, out);
    else if (dims == TileDims::Col)
      loops::broadcast<TileDims::Col>(values, out);
    else
      loops::broadcast<TileDims::Scalar>(values, out);
  }
  void transpose(DataFormat format, const uint8_t *tile, float *out) const {
    table().transpose(format, tile, out);
  }
  void copy(const float *from, float *to) const { loops::copy(from, to); }
  void fill(float *dst, float value) const {
    fast::usesHostNumerics(t) ? loops::fill<Numerics>(dst, value) : table().fill(dst, value);
  }
};

} // namespace

// Copies and packs convert formats: they also take the format in the buffer's type as an
// argument.
INLINE_NEVER Status ttl_jit_copy_tile(KernelThread *t, int32_t cb, int32_t index, int32_t dst,
                                      int32_t format) {
  return fast::copyTile(t, cb, index, dst, CompiledTiles{t, static_cast<DataFormat>(format)});
}
INLINE_NEVER Status ttl_jit_pack_tile(KernelThread *t, int32_t dst, int32_t cb, int32_t index,
                                      int32_t format) {
  return fast::packTile(t, dst, cb, index, CompiledTiles{t, static_cast<DataFormat>(format)});
}
INLINE_NEVER Status ttl_inline_copy_dest_values(KernelThread *t, int32_t to, int32_t from) {
  return fast::copyDestValues(t, to, from, CompiledTiles{t});
}
INLINE_NEVER Status ttl_inline_fill_tile(KernelThread *t, int32_t dst, float value) {
  return fast::fillTile(t, dst, value, CompiledTiles{t});
}

INLINE_NEVER Status ttl_inline_unary_bcast(KernelThread *t, int32_t cb, int32_t index, int32_t dst,
                                           int32_t dims) {
  if (__builtin_expect(!fast::usesHostNumerics(t), 0))
    return ttl_hw_unary_bcast(t, cb, index, dst, dims);
  return fast::unaryBcast(t, cb, index, dst, dims, CompiledTiles{t});
}

// Functions for the tile operations of hw/facts/TileOps.def: ttl_jit_tile_<name>. Loops here are in
// host numerics; in device numerics, the thread's table of kernels computes instead.
#define UNLESS_HOST(function, Id, ...)                                                             \
  if (__builtin_expect(!fast::usesHostNumerics(t), 0))                                             \
    return function(t, static_cast<int32_t>(TileOp::Id), __VA_ARGS__);
#define TILE_UNARY(Id, name, call, init, header)                                                   \
  INLINE_NEVER Status ttl_jit_tile_##name(KernelThread *t, int32_t dst) {                          \
    UNLESS_HOST(ttl_hw_sfpu_unary, Id, dst)                                                        \
    return fast::computeUnary(t, dst, loops::unary<Numerics, lane::name>);                         \
  }
#define TILE_FLOATS_1 float p0
#define TILE_FLOATS_2 float p0, float p1
#define TILE_FLOATS_3 float p0, float p1, float p2
#define TILE_NUMBERS_1 p0
#define TILE_NUMBERS_2 p0, p1
#define TILE_NUMBERS_3 p0, p1, p2
#define TILE_PADDED_1 p0, 0, 0
#define TILE_PADDED_2 p0, p1, 0
#define TILE_PADDED_3 p0, p1, p2
#define TILE_UNARY_PARAM(Id, name, call, init, header, params)                                     \
  INLINE_NEVER Status ttl_jit_tile_##name(KernelThread *t, int32_t dst, TILE_FLOATS_##params) {    \
    UNLESS_HOST(ttl_hw_sfpu_unary_param, Id, dst, TILE_PADDED_##params)                            \
    return fast::computeUnary(t, dst, [&](float *data) {                                           \
      loops::unaryWith<Numerics, lane::name>(data, TILE_NUMBERS_##params);                         \
    });                                                                                            \
  }
#define TILE_UNARY_INT(Id, name, call, init, header)                                               \
  INLINE_NEVER Status ttl_jit_tile_##name(KernelThread *t, int32_t dst, int32_t number) {          \
    UNLESS_HOST(ttl_hw_sfpu_unary_int, Id, dst, number)                                            \
    return fast::computeUnary(                                                                     \
        t, dst, [&](float *data) { loops::unaryWith<Numerics, lane::name>(data, number); });       \
  }
#define TILE_TERNARY(Id, name, call, init, header)                                                 \
  INLINE_NEVER Status ttl_jit_tile_##name(KernelThread *t, int32_t dst0, int32_t dst1,             \
                                          int32_t dst2, int32_t odst) {                            \
    UNLESS_HOST(ttl_hw_sfpu_ternary, Id, dst0, dst1, dst2, odst)                                   \
    return fast::computeTernary(t, dst0, dst1, dst2, odst, loops::ternary<Numerics, lane::name>);  \
  }
#define TILE_MASK(Id, name, call, init, header)                                                    \
  INLINE_NEVER Status ttl_jit_tile_##name(KernelThread *t, int32_t dst, int32_t dstMask) {         \
    UNLESS_HOST(ttl_hw_sfpu_mask, Id, dst, dstMask)                                                \
    return fast::computeMask(t, dst, dstMask, loops::binary<Numerics, lane::name>);                \
  }
#define TILE_BINARY(Id, name, call, init, header)                                                  \
  INLINE_NEVER Status ttl_jit_tile_##name(KernelThread *t, int32_t dst0, int32_t dst1,             \
                                          int32_t odst) {                                          \
    UNLESS_HOST(ttl_hw_sfpu_binary, Id, dst0, dst1, odst)                                          \
    return fast::computeBinary(t, dst0, dst1, odst, loops::binary<Numerics, lane::name>);          \
  }
#include "hw/facts/TileOps.def"

//===--------------------------------------------------------------------------===//
// DST sections as loops (passes/llvm/FuseSections.cpp)
//===--------------------------------------------------------------------------===//

// One element of a stored tile: ttl_lane_load_<format> as copy_tile unpacks it,
// ttl_lane_operand_<format> as the matrix engine reads it, ttl_lane_store_<format> as
// pack_tile rounds it. <format> is the number of the DataFormat.
#define STORED_ELEMENT(number, Format)                                                             \
  static_assert(static_cast<int>(loops::Format::kFormat) == number);                               \
  INLINE_ALWAYS float ttl_lane_load_##number(const void *datum) {                                  \
    return loops::Format::loadElement<Numerics>(datum, 0);                                         \
  }                                                                                                \
  INLINE_ALWAYS float ttl_lane_operand_##number(const void *datum) {                               \
    return loops::Format::loadElement<Numerics::Operands>(datum, 0);                               \
  }                                                                                                \
  INLINE_ALWAYS void ttl_lane_store_##number(void *datum, float value) {                           \
    loops::Format::storeElement<Numerics>(datum, 0, value);                                        \
  }
STORED_ELEMENT(0, StoredFloat32)
STORED_ELEMENT(1, StoredFloat16)
STORED_ELEMENT(5, StoredFloat16b)
STORED_ELEMENT(8, StoredInt32)
STORED_ELEMENT(9, StoredUInt16)
STORED_ELEMENT(24, StoredUInt32)
STORED_ELEMENT(30, StoredUInt8)

// Index of the element that a broadcast puts into column `column` of row `row` of face `face`. In a
// loop over rows or columns, LLVM moves all but one addition out of it.
INLINE_ALWAYS int64_t ttl_lane_broadcast_index(int64_t face, int64_t row, int64_t column,
                                               int32_t dims) {
  int firstRow = static_cast<int>(face / 2 * kFaceDim), columnFace = static_cast<int>(face % 2);
  if (dims == static_cast<int32_t>(TileDims::Row))
    return loops::broadcastIndex<TileDims::Row>(firstRow, columnFace) + row * kFaceDim;
  if (dims == static_cast<int32_t>(TileDims::Col))
    return loops::broadcastIndex<TileDims::Col>(firstRow, columnFace) + column;
  return loops::broadcastIndex<TileDims::Scalar>(firstRow, columnFace);
}

INLINE_ALWAYS float ttl_lane_fill(float value) { return Numerics::dstValue(value); }
INLINE_ALWAYS float ttl_lane_multiply_add(float a, float b, float acc) {
  return Numerics::multiplyAdd(a, b, acc);
}

// Computes one element of a tile operation of hw/facts/TileOps.def: ttl_lane_<name>.
#define TILE_UNARY(Id, name, call, init, header)                                                   \
  INLINE_ALWAYS float ttl_lane_##name(float a) { return Numerics::apply<lane::name>(a); }
#define TILE_UNARY_PARAM(Id, name, call, init, header, params)                                     \
  INLINE_ALWAYS float ttl_lane_##name(float a, TILE_FLOATS_##params) {                             \
    return Numerics::apply<lane::name>(a, TILE_NUMBERS_##params);                                  \
  }
#define TILE_UNARY_INT(Id, name, call, init, header)                                               \
  INLINE_ALWAYS float ttl_lane_##name(float a, int32_t number) {                                   \
    return Numerics::apply<lane::name>(a, number);                                                 \
  }
#define TILE_BINARY(Id, name, call, init, header)                                                  \
  INLINE_ALWAYS float ttl_lane_##name(float a, float b) {                                          \
    return Numerics::apply<lane::name>(a, b);                                                      \
  }
#define TILE_MASK TILE_BINARY
#define TILE_TERNARY(Id, name, call, init, header)                                                 \
  INLINE_ALWAYS float ttl_lane_##name(float a, float b, float c) {                                 \
    return Numerics::apply<lane::name>(a, b, c);                                                   \
  }
#include "hw/facts/TileOps.def"

//===--------------------------------------------------------------------------===//
// Test faults
//===--------------------------------------------------------------------------===//

INLINE_NEVER void ttl_jit_fault_segv(KernelThread *) { *static_cast<volatile int *>(nullptr) = 0; }

INLINE_NEVER void ttl_jit_fault_fpe(KernelThread *) {
#if defined(__x86_64__)
  volatile int seven = 7, zero = 0;
  seven = seven / zero;
#else
  __builtin_trap(); // for targets on which division by zero raises no signal
#endif
}

INLINE_NEVER int ttl_jit_fault_stack_overflow(KernelThread *t) {
  volatile char frame[4096];
  frame[0] = 1;
  return ttl_jit_fault_stack_overflow(t) + frame[0];
}
