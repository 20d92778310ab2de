//===- UnitApi.cpp - inits of the units, and checks of operations -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/ExternApi.h"
#include "hw/device/Worker.h"
#include "hw/facts/ReduceKind.h"
#include "hw/facts/Words.h"

#include <fmt/format.h>

#include <cstring>

using namespace ttjit::hw;

namespace {

// The names of an operation's functions in a kernel. `uninit` is null if it needs no uninit.
struct UnitOpNames {
  const char *call, *init, *uninit;
};

constexpr UnitOpNames kNames[] = {
    {"nothing", "no init", nullptr},
    {"copy_tile", "copy_tile_init", nullptr},
    {"add_tiles", "add_tiles_init", nullptr},
    {"sub_tiles", "sub_tiles_init", nullptr},
    {"mul_tiles", "mul_tiles_init", nullptr},
    {"matmul_tiles", "mm_init_short", nullptr},
    {"reduce_tile", "reduce_init", "reduce_uninit"},
    {"unary_bcast", "unary_bcast_init", "unary_bcast_uninit"},
    {"transpose_wh_tile", "transpose_wh_init_short", nullptr},
    {"tilize_block", "tilize_init", "tilize_uninit"},
    {"fast_tilize_block", "fast_tilize_init", "fast_tilize_uninit"},
    {"untilize_block", "untilize_init", "untilize_uninit"},
    {"pack_untilize_block", "pack_untilize_init", "pack_untilize_uninit"},
    {"transpose_wh_dest", "transpose_wh_dest_init_short", nullptr},
};

constexpr const char *kFormatNames[kNumUnitFormats] = {"SrcA", "SrcB", "the packer"};
constexpr const char *kReconfigs[kNumUnitFormats] = {
    "reconfig_data_format_srca", "reconfig_data_format_srcb", "pack_reconfig_data_format"};

UnitOp opOf(uint32_t program) { return static_cast<UnitOp>(program & 0xff); }
const UnitOpNames &namesOf(uint32_t program) { return kNames[program & 0xff]; }

bool usesMatrixEngine(UnitOp op) {
  return op == UnitOp::Add || op == UnitOp::Sub || op == UnitOp::Mul || op == UnitOp::Matmul ||
         op == UnitOp::Reduce;
}

constexpr const char *kRepeated[] = {"COL", "ROW", "SCALAR"};

// Returns text such as " with BroadcastType::ROW", for add_tiles, sub_tiles and mul_tiles.
std::string binaryVariant(int32_t variant) {
  if (variant == static_cast<int32_t>(BinaryVariant::ReuseDst))
    return " with a tile of DST";
  return variant ? fmt::format(" with BroadcastType::{}", kRepeated[variant - 1]) : "";
}

// Returns text such as " of blocks with ct_dim 4, rt_dim 2, kt_dim 1"; empty for tiles.
std::string blockVariant(uint32_t variant) {
  if (!variant)
    return "";
  return fmt::format(" of blocks with ct_dim {}, rt_dim {}, kt_dim {}", (variant & 0xff) + 1,
                     (variant >> 8 & 0xff) + 1, (variant >> 16) + 1);
}

// Returns text such as "<PoolType::MAX, ReduceDim::REDUCE_ROW>"; empty if there is no variant.
std::string variantOf(uint32_t program) {
  auto variant = static_cast<int32_t>(program >> 8);
  switch (opOf(program)) {
  case UnitOp::Add:
  case UnitOp::Sub:
  case UnitOp::Mul:
    return binaryVariant(variant);
  case UnitOp::Broadcast:
    return fmt::format("<BroadcastType::{}>", kRepeated[variant]);
  case UnitOp::Reduce: {
    static constexpr const char *dims[] = {"ROW", "COL", "SCALAR"};
    ReduceKind kind = ReduceKind::of(variant);
    return fmt::format("<PoolType::{}, ReduceDim::REDUCE_{}>",
                       kind.pool == Pool::Max ? "MAX" : "SUM", dims[static_cast<int>(kind.dims)]);
  }
  case UnitOp::Matmul:
    return blockVariant(program >> 8);
  case UnitOp::Tilize:
  case UnitOp::FastTilize:
  case UnitOp::PackUntilize:
    return " of " + plural(variant, "tile");
  case UnitOp::TransposeDst:
    return variant ? "<true>" : "";
  default:
    return {};
  }
}

std::string callOf(uint32_t program) { return namesOf(program).call + variantOf(program); }

// A call of a function of the compute API. `program` is that of the operation that it is about.
struct UnitCall {
  ThreadContext &thread;
  Machine &machine;
  UnitState &units;
  const char *function;
  uint32_t program;

  UnitCall(KernelThread *t, const char *function, uint32_t program = unitProgram(UnitOp::None))
      : thread(contextOf(t)), machine(*thread.machine), units(thread.units), function(function),
        program(program) {}

  template <typename T> void set(UnitState::Setting<T> &setting, T value) const {
    setting = {value, thread.loc};
  }
  // Returns null if there is no such buffer. `cb` may have the bit kUnpackedToDst.
  const BufferConfig *find(int32_t cb) const;
  UnitDataFormat formatOf(int32_t cb, const BufferConfig &config) const;
  void setFormat(UnitFormat unit, int32_t cb) const;
  void setProgram() const;

  Status fail(const std::string &mistake, const char *note = nullptr, uint32_t loc = 0) const;
  Status checkStarted() const;
  Status checkProgram() const;
  Status checkSource(int32_t cb) const;
  Status checkFormat(UnitFormat unit, int32_t cb) const;
};

const BufferConfig *UnitCall::find(int32_t cb) const {
  return machine.index.bufferConfig(static_cast<uint32_t>(cb < 0 ? cb : cb & ~kUnpackedToDst));
}

UnitDataFormat UnitCall::formatOf(int32_t cb, const BufferConfig &config) const {
  return {config.format, config.format == DataFormat::Float32 && (cb & kUnpackedToDst) != 0};
}

void UnitCall::setFormat(UnitFormat unit, int32_t cb) const {
  if (const BufferConfig *config = find(cb))
    set<std::optional<UnitDataFormat>>(units.formats[static_cast<size_t>(unit)],
                                       formatOf(cb, *config));
}

void UnitCall::setProgram() const {
  set(units.program, program);
  if (namesOf(program).uninit)
    set(units.due, program);
}

Status UnitCall::fail(const std::string &mistake, const char *note, uint32_t loc) const {
  RETURN_UNLESS_OK(thread.worker->enter(thread));
  std::vector<FaultNote> notes;
  if (note && loc)
    notes.push_back({note, machine.index.location(loc)});
  return machine.faults.report(&thread, FaultKind::Protocol,
                               fmt::format("{}{}: {}", function, variantOf(program), mistake),
                               std::move(notes));
}

Status UnitCall::checkStarted() const {
  if (units.start.value)
    return Status::Ok;
  return fail("nothing has configured the hardware; begin the kernel with "
              "compute_kernel_hw_startup, or with the full init of its first operation");
}

Status UnitCall::checkProgram() const {
  if (uint32_t due = units.due.value; due && opOf(due) != opOf(program))
    return fail(fmt::format("the units are still set up for {}; call {} before", callOf(due),
                            namesOf(due).uninit),
                "the init of that operation is here", units.due.loc);
  if (units.program.value == program)
    return Status::Ok;
  bool isNone = opOf(units.program.value) == UnitOp::None;
  return fail(fmt::format("the units are set up for {}; call {}{} before",
                          isNone ? "no operation" : callOf(units.program.value),
                          namesOf(program).init, variantOf(program)),
              isNone ? "the last start-up or uninit is here" : "the last init is here",
              units.program.loc);
}

// Fails if the buffer is unpacked to DST only: the matrix engine reads SrcA and SrcB.
Status UnitCall::checkSource(int32_t cb) const {
  const BufferConfig *config = find(cb);
  if (!config || !formatOf(cb, *config).isUnpackedToDst)
    return Status::Ok;
  return fail(fmt::format("'{}' has UnpackToDestFp32, so its tiles do not reach the matrix engine; "
                          "read them through a second buffer index without this mode",
                          config->name));
}

std::string describe(UnitDataFormat format, bool showsPlace) {
  const char *place = format.isUnpackedToDst ? " unpacked to DST" : " unpacked to SrcA as TF32";
  return std::string(formatName(format.format)) + (showsPlace ? place : "");
}

// Ignores a buffer that does not exist: the operation itself reports it.
Status UnitCall::checkFormat(UnitFormat unit, int32_t cb) const {
  const BufferConfig *config = find(cb);
  auto number = static_cast<size_t>(unit);
  const auto &setting = units.formats[number];
  if (!config || !setting.value || *setting.value == formatOf(cb, *config))
    return Status::Ok;
  bool differInPlace = setting.value->format == config->format;
  return fail(fmt::format("'{}' has the format {}, but {} is configured for {}; call {} with a "
                          "buffer of this format before the init",
                          config->name, describe(formatOf(cb, *config), differInPlace),
                          kFormatNames[number], describe(*setting.value, differInPlace),
                          kReconfigs[number]),
              "the last configuration is here", setting.loc);
}

} // namespace

Status ttl_hw_units_start(KernelThread *t, const char *name, int32_t a, int32_t b, int32_t out) {
  UnitCall call(t, name);
  // A C++ function that a kernel of the language calls may configure the hardware again.
  if (const auto &start = call.units.start; start.value && !isInExternalCall(t))
    return call.fail(fmt::format("{} has configured the hardware already, and the units may be "
                                 "running; call it once, and the init of an operation here",
                                 start.value),
                     "the hardware was configured here", start.loc);
  call.set(call.units.start, name);
  call.setFormat(UnitFormat::SrcA, a);
  call.setFormat(UnitFormat::SrcB, b);
  call.setFormat(UnitFormat::Packer, out);
  call.setProgram();
  return Status::Ok;
}

Status ttl_hw_units_restart(KernelThread *t, const char *name, int32_t a, int32_t out) {
  bool resetsHalf = t->math && t->numSections > 1; // whether DST has halves and one is reset
  for (uint32_t i = 0; resetsHalf && i < t->dstCapacity; ++i)
    if (t->mathWritten[i])
      return UnitCall(t, name).fail(fmt::format("it resets the DST section, in which register {} "
                                                "was written; call it before tile_regs_acquire, "
                                                "or ask for dst_full_sync_en",
                                                i));
  contextOf(t).units.start = {};
  return ttl_hw_units_start(t, name, a, a, out);
}

void ttl_hw_units_format(KernelThread *t, uint8_t unit, int32_t cb) {
  UnitCall(t, nullptr).setFormat(static_cast<UnitFormat>(unit), cb);
}

Status ttl_hw_units_init(KernelThread *t, uint32_t program) {
  UnitCall call(t, namesOf(program).init, program);
  RETURN_UNLESS_OK(call.checkStarted());
  call.setProgram();
  return Status::Ok;
}

Status ttl_hw_units_init_math(KernelThread *t, uint32_t program) {
  UnitCall call(t, "binary_tiles_init<false>", program);
  RETURN_UNLESS_OK(call.checkStarted());
  uint32_t before = call.units.program.value;
  UnitOp op = opOf(before);
  bool readsBoth = op == UnitOp::Add || op == UnitOp::Sub || op == UnitOp::Mul;
  if (!readsBoth || before != unitProgram(op))
    return call.fail(fmt::format("the unpackers are set up for {}, and it leaves them so; call "
                                 "binary_tiles_init<true> here",
                                 op == UnitOp::None ? "no operation" : callOf(before)),
                     "the last init is here", call.units.program.loc);
  call.setProgram();
  return Status::Ok;
}

void ttl_hw_units_uninit(KernelThread *t, uint32_t op) {
  UnitCall call(t, namesOf(op).uninit);
  if (opOf(call.units.due.value) == opOf(op))
    call.units.due = {};
  if (opOf(call.units.program.value) == opOf(op))
    call.setProgram();
}

Status ttl_hw_units_use(KernelThread *t, uint32_t program, int32_t a, int32_t b) {
  UnitCall call(t, namesOf(program).call, program);
  RETURN_UNLESS_OK(call.checkStarted());
  RETURN_UNLESS_OK(call.checkProgram());
  if (usesMatrixEngine(opOf(program))) {
    RETURN_UNLESS_OK(call.checkSource(a));
    RETURN_UNLESS_OK(call.checkSource(b));
  }
  RETURN_UNLESS_OK(call.checkFormat(UnitFormat::SrcA, a));
  return b < 0 ? Status::Ok : call.checkFormat(UnitFormat::SrcB, b);
}

Status ttl_hw_units_pack(KernelThread *t, const char *name, int32_t cb) {
  UnitCall call(t, name);
  RETURN_UNLESS_OK(call.checkStarted());
  if (call.units.isWholeSection && !t->pack) { // after acquire_dst, the first pack_tile commits
    RETURN_UNLESS_OK(ttl_hw_tile_regs_commit(t));
    RETURN_UNLESS_OK(ttl_hw_tile_regs_wait(t));
  }
  return call.checkFormat(UnitFormat::Packer, cb);
}

void ttl_hw_sfpu_init(KernelThread *t, const char *init) {
  UnitCall call(t, init);
  call.set(call.units.sfpuInit, init);
}

Status ttl_hw_sfpu_use(KernelThread *t, const char *name, const char *init) {
  UnitCall call(t, name);
  call.units.sfpuCall = name;
  const auto &last = call.units.sfpuInit;
  if (!last.value)
    return call.fail(fmt::format("call {} before", init));
  if (last.value == init || !std::strcmp(last.value, init))
    return Status::Ok;
  return call.fail(fmt::format("the vector unit is set up by {}; call {} before", last.value, init),
                   "the last init of the vector unit is here", last.loc);
}
