//===- IntegerReductions.cpp - reductions of integer tiles --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// 1. The rule of reduce_tile emits a call of kReduceMarker, which is no function: it says what to
//    do with one tile.
// 2. expandIntegerReductions takes the calls of a DST section that have one register, which are one
//    reduction. The first tile is copied to the register, each other one to a scratch register and
//    combined with it. If a loop has the calls, the register is filled before the loop, instead.
// 3. Behind the last call, or the loop, sfpu_reduce reduces the register. A mask of integers, 1 in
//    the elements of the result and 0 elsewhere, is made in the scratch register: cumsum_tile of
//    ones numbers the rows of a tile.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/IntegerReductions.h"

#include "passes/metalium/EmitRules.h"
#include "passes/metalium/InlineExpressions.h"
#include "passes/metalium/IntegerWriter.h"
#include "passes/metalium/ScratchRegisters.h"
#include "passes/metalium/ThreadConverter.h"
#include "passes/ttkernel/ComputeNeeds.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

static constexpr StringLiteral kReduceMarker = "ttl_reduce_integers";

//===--------------------------------------------------------------------------===//
// The operand of ones
//===--------------------------------------------------------------------------===//

// Returns whether the number of the buffer's last fill before `pack`, in its block, is 1.
static bool packsOnes(Operation *pack) {
  for (Operation *op = pack->getPrevNode(); op; op = op->getPrevNode())
    if (auto fill = ttkernel::asCall<ttkernel::FillTileOp>(op)) {
      FloatAttr number;
      return fill.getInteger() && matchPattern(fill.getValue(), m_Constant(&number)) &&
             number.getValue().bitcastToAPInt() == 1;
    } else if (ttkernel::isCall<ttkernel::TileRegsAcquireOp>(op)) {
      return false;
    }
  return false;
}

static bool isSameBuffer(Value a, Value b) {
  auto left = ttkernel::definingCall<ttkernel::GetCompileTimeArgValOp>(a);
  auto right = ttkernel::definingCall<ttkernel::GetCompileTimeArgValOp>(b);
  return a == b || (left && right && left.getIndex() == right.getIndex());
}

// Returns whether the thread fills the buffer with ones and writes nothing else to it.
static bool holdsOnes(Value buffer, Operation *user) {
  bool isFilled = false;
  auto result = user->getParentOfType<func::FuncOp>().walk([&](Operation *op) {
    Value target = packTarget(op);
    if (!target || !isSameBuffer(target, buffer))
      return WalkResult::advance();
    isFilled = packsOnes(op);
    return isFilled ? WalkResult::advance() : WalkResult::interrupt();
  });
  return isFilled && !result.wasInterrupted();
}

//===--------------------------------------------------------------------------===//
// Rules
//===--------------------------------------------------------------------------===//

static LogicalResult checkReduction(Operation *op, ThreadConverter &converter) {
  if (failed(checkIntegerThread(op, converter)))
    return failure();
  if (converter.version.isOld())
    return op->emitError("a reduction of integer blocks needs sfpu_reduce, which tt-metal's older "
                         "releases do not have; use --metalium=mid or --metalium=new");
  return success();
}

// Emits the init of a reduction of integers as one of copies: tiles come to DST one by one.
std::optional<LogicalResult>
tometalium::emitIntegerReduction(ttkernel::CallOf<ttkernel::ReduceInitOp> op,
                                 ThreadConverter &converter) {
  if (!integerTypeOf(op.getIn()))
    return std::nullopt;
  converter.call(op, "copy_tile_init", converter.lookup(op.getIn()), Type(), "");
  return checkReduction(op, converter);
}

// Returns whether the last init before `uninit` in the text is one of a reduction of integers.
bool tometalium::endsIntegerReduction(Operation *uninit) {
  Operation *last = nullptr;
  uninit->getParentOfType<func::FuncOp>().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (ttkernel::isCall<ttkernel::ReduceInitOp>(op))
      last = op;
    return op == uninit ? WalkResult::interrupt() : WalkResult::advance();
  });
  return last && integerTypeOf(last->getOperand(0));
}

// Returns whether a loop has the call and functions of the vector unit. The emitted fill and
// reduction around the loop use that unit, too, and its setup in the loop must not go beyond the
// loop.
static bool sharesLoop(Operation *op, Operation *section) {
  Operation *place = placeInSection(op, section);
  auto result = place->walk([](Operation *inner) {
    std::optional<SetupNeed> need = setupNeedOf(inner);
    return need && need->part == SFPU ? WalkResult::interrupt() : WalkResult::advance();
  });
  return place != op && result.wasInterrupted();
}

static LogicalResult checkPlace(ttkernel::CallOf<ttkernel::ReduceTileOp> op) {
  if (isWrittenBefore(op))
    return op.emitError("a reduction of integer blocks into a register that has a value runs on "
                        "the host only: add the value to the result");
  if (!matchPattern(op.getDst(), m_Constant()))
    return op.emitError("a reduction of integer blocks whose DST register is known at run time "
                        "runs on the host only");
  if (!holdsOnes(op.getScaling(), op))
    return op.emitError("a reduction of integer blocks with a scaler runs on the host only: "
                        "multiply the result by it");
  if (Operation *section = sectionOf(op); section && sharesLoop(op, section))
    return op.emitError("a reduction of integer blocks in a loop with functions of the vector unit "
                        "runs on the host only: give it a loop of its own");
  return success();
}

std::optional<LogicalResult>
tometalium::emitIntegerReduction(ttkernel::CallOf<ttkernel::ReduceTileOp> op,
                                 ThreadConverter &converter) {
  std::optional<ttcore::DataType> type = integerTypeOf(op.getIn());
  if (!type)
    return std::nullopt;
  if (failed(checkReduction(op, converter)) || failed(checkPlace(op)))
    return failure();
  FailureOr<SmallVector<Value, 2>> scratch = scratchRegisters(op, converter);
  if (failed(scratch))
    return failure();
  OpBuilder &builder = converter.builder;
  SmallVector<Value> operands{converter.lookup(op.getIn()), converter.lookup(op.getIndex()),
                              converter.lookup(op.getDst())};
  operands.append(scratch->begin(), scratch->end());
  converter.call(op, kReduceMarker, operands, Type(), "",
                 {builder.getI32IntegerAttr(static_cast<int32_t>(*type)),
                  builder.getBoolAttr(op.getReduceType() == ttkernel::ReduceType::Sum),
                  builder.getI32IntegerAttr(static_cast<int32_t>(op.getReduceDim()))});
  return success();
}

//===--------------------------------------------------------------------------===//
// Expansion
//===--------------------------------------------------------------------------===//

namespace {

// The operands and template arguments of a call of kReduceMarker.
struct Reduction {
  explicit Reduction(emitc::CallOpaqueOp call)
      : buffer(call.getOperand(0)), tile(call.getOperand(1)), dst(*numberOf(call.getOperand(2))),
        scratch(*numberOf(call.getOperand(3))) {
    ArrayAttr facts = call.getTemplateArgsAttr();
    type = static_cast<ttcore::DataType>(cast<IntegerAttr>(facts[0]).getInt());
    isSum = cast<BoolAttr>(facts[1]).getValue();
    dim = static_cast<ttkernel::ReduceDim>(cast<IntegerAttr>(facts[2]).getInt());
  }

  bool isUnsigned() const { return type == ttcore::DataType::UInt32; }

  Value buffer, tile;
  int64_t dst, scratch;
  ttcore::DataType type;
  bool isSum;
  ttkernel::ReduceDim dim;
};

// Emits the calls for one reduction.
class ReductionWriter : IntegerWriter {
public:
  ReductionWriter(emitc::CallOpaqueOp call, Operation *before)
      : IntegerWriter(before, call.getLoc()), reduction(call), dst(number(reduction.dst)),
        scratch(number(reduction.scratch)) {}

  // Fills the register with zeros, or for a signed maximum with the smallest number.
  void fill() {
    bool isSmallest = !reduction.isSum && !reduction.isUnsigned();
    call("fill_tile_init", {});
    call("fill_tile_int", {dst, isSmallest ? word(0x80000000) : number(0)}, "Int32");
  }
  // Copies the tile into the register.
  void replace() { copyTo(dst); }
  // Combines the register, element by element, with the tile.
  void combine();
  void finish();

private:
  void copyTo(Value reg) {
    unpack("copy_tile", reduction.buffer, reduction.tile, reg, reduction.type);
  }
  void reduce(StringRef dim);
  // Flips the sign bit with a second register: bitwise_xor_tile with a constant is wrong on
  // Wormhole.
  void flipSign() {
    call("fill_tile_init", {});
    call("fill_tile_int", {scratch, word(0x80000000)}, "Int32");
    call("binary_bitwise_tile_init", {});
    call("bitwise_xor_binary_tile", {dst, scratch, dst});
  }
  void clearRest();

  Reduction reduction;
  Value dst, scratch;
};

} // namespace

void ReductionWriter::combine() {
  copyTo(scratch);
  StringRef callee = reduction.isSum          ? "add_int_tile"
                     : reduction.isUnsigned() ? "binary_max_uint32_tile"
                                              : "binary_max_int32_tile";
  initAndCall(callee, {dst, scratch, dst}, reduction.isSum ? StringRef("Int32") : StringRef());
}

// Reduces the register. Maxima are of signed numbers, so the sign bit of unsigned ones is flipped.
void ReductionWriter::finish() {
  bool flips = !reduction.isSum && reduction.isUnsigned();
  if (flips)
    flipSign();
  if (reduction.dim != ttkernel::ReduceDim::Row)
    reduce("COL");
  if (reduction.dim != ttkernel::ReduceDim::Col)
    reduce("ROW");
  if (flips)
    flipSign();
  clearRest();
}

void ReductionWriter::reduce(StringRef dim) {
  SmallVector<Attribute> arguments{opaque(reduction.isSum ? "PoolType::SUM" : "PoolType::MAX"),
                                   opaque("DataFormat::Int32")};
  call("sfpu_reduce_init", {}, arguments);
  arguments.push_back(opaque("ReduceDim::REDUCE_" + dim));
  call("sfpu_reduce", dst, arguments);
}

// Clears the rest of the tile. A transpose needs the matrix engine, set up for copies around
// it.
void ReductionWriter::clearRest() {
  fillMask(scratch, word(llvm::bit_cast<uint32_t>(1.0f)));
  typecast(scratch, "Float32", "Int32");
  if (reduction.dim != ttkernel::ReduceDim::Row)
    multiply(dst, scratch, dst);
  if (reduction.dim == ttkernel::ReduceDim::Col)
    return;
  Attribute is32Bit = builder.getBoolAttr(true);
  call("transpose_wh_dest_init_short", {}, is32Bit);
  call("transpose_wh_dest", scratch, is32Bit);
  call("copy_tile_init", reduction.buffer);
  multiply(dst, scratch, dst);
}

static void expand(ArrayRef<emitc::CallOpaqueOp> calls, Operation *section) {
  Operation *first = placeInSection(calls.front(), section);
  Operation *last = placeInSection(calls.back(), section);
  bool isInLoop = llvm::any_of(
      calls, [&](emitc::CallOpaqueOp call) { return placeInSection(call, section) != call; });
  if (isInLoop)
    ReductionWriter(calls.front(), first).fill();
  for (emitc::CallOpaqueOp call : calls) {
    bool replaces = !isInLoop && call == calls.front();
    ReductionWriter writer(call, call);
    replaces ? writer.replace() : writer.combine();
  }
  ReductionWriter(calls.back(), last->getNextNode()).finish();
}

void tometalium::expandIntegerReductions(emitc::FuncOp function) {
  llvm::MapVector<std::pair<Operation *, int64_t>, SmallVector<emitc::CallOpaqueOp>> reductions;
  function.walk([&](emitc::CallOpaqueOp call) {
    if (call.getCallee() == kReduceMarker)
      reductions[{sectionOfCall(call), *numberOf(call.getOperand(2))}].push_back(call);
  });
  for (auto &[key, calls] : reductions)
    expand(calls, key.first);
  for (auto &[key, calls] : reductions)
    for (emitc::CallOpaqueOp call : calls)
      call.erase();
}
