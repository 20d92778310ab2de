//===- UnpackModes.cpp - which buffers are unpacked to DST --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/UnpackModes.h"

#include "passes/metalium/Names.h"
#include "passes/metalium/ScratchRegisters.h"

#include "ir/TTKernel/DeviceCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

//===--------------------------------------------------------------------------===//
// The choice
//===--------------------------------------------------------------------------===//

namespace {
// The ids of the float32 buffers that a compute thread reads, by the unpacker's target.
struct Reads {
  std::set<int> toDest, toSources;
};
} // namespace

static void addRead(std::set<int> &ids, Value buffer, const DeviceProgram &program) {
  auto argument = ttkernel::definingCall<ttkernel::GetCompileTimeArgValOp>(buffer);
  if (!argument)
    return;
  int id = static_cast<int>(argument.getIndex());
  const DeviceBuffer *found = program.findBuffer(id);
  if (found && found->format == hw::DataFormat::Float32)
    ids.insert(id);
}

static Reads findReads(func::FuncOp function, const DeviceProgram &program) {
  Reads reads;
  using namespace ttkernel;
  function.walk([&](Operation *op) {
    if (isCall<CopyTileOp, UnaryBcastOp, TransposeWHTileOp>(op)) {
      addRead(reads.toDest, op->getOperand(0), program);
    } else if (isCall<MatmulTilesOp, ReduceTileOp, AddTilesOp, SubTilesOp, MulTilesOp>(op)) {
      addRead(reads.toSources, op->getOperand(0), program);
      addRead(reads.toSources, op->getOperand(1), program);
    }
  });
  return reads;
}

static bool isInSection(Operation *op) {
  for (Operation *at = op; !isa<func::FuncOp>(at); at = at->getParentOp())
    for (Operation *before = at->getPrevNode(); before; before = before->getPrevNode()) {
      if (ttkernel::isCall<ttkernel::TileRegsCommitOp, ttkernel::TileRegsReleaseOp>(before))
        return false;
      if (ttkernel::isCall<ttkernel::TileRegsAcquireOp>(before))
        return true;
    }
  return false;
}

// Returns whether the init of a broadcast in a section resets DST's half, which is harmless only if
// DST is not divided into halves.
static bool resetsDSTInSection(func::FuncOp function) {
  auto result = function.walk([](Operation *op) {
    bool resets = ttkernel::isCall<ttkernel::UnaryBcastInitOp>(op) && isInSection(op);
    return resets ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

static void chooseUnpackModes(ttl::ProgramOp op, DeviceProgram &program) {
  for (auto thread : op.getBody().getOps<ttl::ThreadOp>()) {
    auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, thread.getCalleeAttr());
    if (!function || thread.getProcessor() != ttl::Processor::Compute)
      continue;
    program.fullSync |= resetsDSTInSection(function);
    if (!program.fp32Dest())
      continue;
    program.fullSync |= needsFullSync(function);
    Reads reads = findReads(function, program);
    for (int id : reads.toDest) {
      if (!reads.toSources.count(id)) {
        program.unpackToDest.insert(id);
        continue;
      }
      program.unpackToDest.insert(program.numIds);
      for (DeviceBuffer &buffer : program.buffers)
        if (buffer.id == id)
          buffer.aliases.push_back(program.numIds++);
    }
  }
}

FailureOr<DeviceProgram> ttjit::planDeviceProgram(ttl::ProgramOp op) {
  DeviceProgram program = readDeviceProgram(op);
  chooseUnpackModes(op, program);
  if (program.numIds <= program.arch.maxCircularBuffers)
    return program;
  return op.emitError("the emitted program needs ")
         << program.numIds << " circular buffers, and the chip has "
         << program.arch.maxCircularBuffers
         << ": its buffers, one for the landing slots of each pipe net, one for semaphores beyond "
            "the chip's, one for each thread that copies unaligned parts of rows, and a second id "
            "for each float32 buffer that both copies and matrix "
            "operations read; use fewer buffers or pipe nets";
}

//===--------------------------------------------------------------------------===//
// The calls
//===--------------------------------------------------------------------------===//

namespace {

class ModeUser {
public:
  ModeUser(emitc::FuncOp function, const DeviceProgram &program)
      : function(function), program(program) {}

  void run() {
    SmallVector<emitc::CallOpaqueOp> calls;
    function.walk([&](emitc::CallOpaqueOp op) { calls.push_back(op); });
    for (emitc::CallOpaqueOp op : calls)
      if (op.getCallee() == "get_compile_time_arg_val")
        addBuffer(op);
    if (buffers.empty())
      return;
    for (emitc::CallOpaqueOp op : calls)
      rewrite(op);
  }

private:
  void addBuffer(emitc::CallOpaqueOp op) {
    APInt id;
    if (matchConstant(op.getOperand(0), id))
      buffers[op.getResult(0)] = static_cast<int>(id.getSExtValue());
  }
  static bool matchConstant(Value value, APInt &number) {
    auto constant = value.getDefiningOp<emitc::ConstantOp>();
    auto attribute = constant ? dyn_cast<IntegerAttr>(constant.getValue()) : IntegerAttr();
    if (attribute)
      number = attribute.getValue();
    return bool(attribute);
  }

  int idOf(Value buffer) const { return buffers.contains(buffer) ? buffers.lookup(buffer) : -1; }
  Value alias(Value buffer);
  void rewrite(emitc::CallOpaqueOp op);

  emitc::FuncOp function;
  const DeviceProgram &program;
  DenseMap<Value, int> buffers;
  DenseMap<Value, Value> aliases;
};

} // namespace

// Returns the variable of the second id; null if the buffer has one id.
Value ModeUser::alias(Value buffer) {
  const DeviceBuffer *found = program.findBuffer(idOf(buffer));
  if (!found || found->aliases.empty())
    return {};
  Value &made = aliases[buffer];
  if (made)
    return made;
  auto first = buffer.getDefiningOp<emitc::CallOpaqueOp>();
  OpBuilder builder(first->getContext());
  builder.setInsertionPointAfter(first);
  Location position = positionOf(first.getLoc());
  Value id = emitc::ConstantOp::create(builder, position, builder.getI32Type(),
                                       builder.getI32IntegerAttr(found->aliases.front()));
  made = emitc::CallOpaqueOp::create(builder,
                                     namedLocation(wantedName(buffer).str() + "_fp32", position),
                                     buffer.getType(), first.getCallee(), id)
             .getResult(0);
  return made;
}

static bool countsPages(StringRef callee) {
  return callee == "cb_push_back" || callee == "cb_pop_front" || callee == "cb_wait_front" ||
         callee == "cb_reserve_back";
}

static bool readsToDest(StringRef callee) {
  return callee == "copy_tile" || callee == "copy_tile_init" || callee == "init_sfpu" ||
         callee == "reconfig_data_format_srca" || callee.starts_with("unary_bcast") ||
         callee.starts_with("transpose_wh");
}

void ModeUser::rewrite(emitc::CallOpaqueOp op) {
  StringRef callee = op.getCallee();
  if (countsPages(callee)) {
    if (Value second = alias(op.getOperand(0))) {
      OpBuilder builder(op);
      builder.setInsertionPointAfter(op);
      emitc::CallOpaqueOp::create(builder, op.getLoc(), TypeRange(), callee,
                                  ValueRange{second, op.getOperand(1)});
    }
    return;
  }
  if (readsToDest(callee))
    if (Value second = alias(op.getOperand(0)))
      op.setOperand(0, second);
}

void tometalium::useUnpackModes(emitc::FuncOp function, const DeviceProgram &program) {
  ModeUser(function, program).run();
}
