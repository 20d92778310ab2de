//===- ProgramBuilder.cpp - ttl.program to hw::Program -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/session/ProgramBuilder.h"

#include "ir/Support/GridLayout.h"
#include "ir/TTKernel/TTKernel.h"
#include "tools/session/Diagnostics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SmallSet.h"

#include <tuple>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::session;

//===--------------------------------------------------------------------------===//
// Resources
//===--------------------------------------------------------------------------===//

// Buffer indices the emulated device has, more than any chip.
static constexpr int64_t kBufferIndices = 64;

static FailureOr<hw::BufferConfig> makeBuffer(ttl::CreateCBOp op) {
  if (!op.getBufferIndex() || !op.getPageSize() || !op.getAddress())
    return op.emitError("buffer \"")
           << op.getName() << "\" has no index, page size or address; "
           << "ttl-allocate-circular-buffers gives them";
  ttl::CircularBufferType type = op.getType();
  int64_t index = static_cast<int32_t>(*op.getBufferIndex());
  int64_t pageBytes = *op.getPageSize(), address = *op.getAddress();
  int64_t pages = type.getPagesPerBlock() * type.getBufferFactor();
  if (index < 0 || index >= kBufferIndices)
    return op.emitError("buffer index ") << index << " is not in 0.." << kBufferIndices - 1;
  auto fits = [](int64_t value) { return value > 0 && value <= int64_t(UINT32_MAX); };
  if (pageBytes != type.getPageBytes() || !fits(pageBytes) || !fits(address) || !fits(pages) ||
      !fits(address + pageBytes * pages))
    return op.emitError("buffer \"") << op.getName() << "\" of " << pages << " pages of "
                                     << pageBytes << " bytes at address " << address
                                     << " does not fit its type or 32-bit addresses";
  hw::BufferConfig config;
  config.name = op.getName().str();
  config.index = index;
  config.address = address;
  config.pageBytes = pageBytes;
  config.numPages = pages;
  config.pagesPerBlock = type.getPagesPerBlock();
  config.format = type.getFormat();
  config.location = toSourceLocation(op.getLoc());
  return config;
}

static LogicalResult addBuffers(ttl::ProgramOp program, hw::Program &out) {
  llvm::SmallSet<int, 32> seen;
  for (auto op : program.getBody().getOps<ttl::CreateCBOp>()) {
    FailureOr<hw::BufferConfig> buffer = makeBuffer(op);
    if (failed(buffer))
      return failure();
    if (!seen.insert(buffer->index).second)
      return op.emitError("buffer index ") << buffer->index << " is used twice";
    out.buffers.push_back(std::move(*buffer));
  }
  return success();
}

static LogicalResult addSemaphores(ttl::ProgramOp program, const hw::ArchDesc &arch,
                                   hw::Program &out) {
  for (auto op : program.getBody().getOps<ttl::CreateSemaphoreOp>()) {
    std::optional<uint32_t> id = op.getSemaphoreId();
    if (!id || *id >= uint32_t(arch.numSemaphores))
      return op.emitError("semaphore \"")
             << op.getName() << "\" needs an id in 0.." << arch.numSemaphores - 1;
    out.semaphores.push_back({op.getName().str(), int(*id), uint32_t(op.getInitialValue())});
  }
  return success();
}

static LogicalResult addGrid(ttl::ProgramOp program, const hw::ArchDesc &arch, hw::Program &out) {
  // Nodes the emulated device can hold: coordinates are 12 bits in options too.
  constexpr int64_t kMaxNodes = int64_t(1) << 20;
  int64_t nodes = 1;
  for (int64_t extent : program.getGrid().getShape()) {
    if (extent > kMaxNodes / nodes)
      return program.emitError("a grid has at most ") << kMaxNodes << " nodes";
    nodes *= extent;
  }
  GridLayout layout = layoutGrid(program.getGrid().getShape(), arch);
  out.gridX = layout.columns;
  out.gridY = layout.rows;
  out.numNodes = layout.numNodes;
  if (auto config = program.getComputeConfigAttr())
    out.compute = {config.getFp32DestAccEn(), config.getDstFullSyncEn()};
  return success();
}

//===--------------------------------------------------------------------------===//
// Threads
//===--------------------------------------------------------------------------===//

/// Where the function's last statement begins: the last position inside it that
/// is not the function's own.
static hw::SourceLocation lastLocation(func::FuncOp function) {
  hw::SourceLocation start = toSourceLocation(function.getLoc());
  hw::SourceLocation last = start;
  function.getBody().walk([&](Operation *op) {
    hw::SourceLocation here = toSourceLocation(op->getLoc());
    if (here.file == start.file &&
        std::tie(here.line, here.column) > std::tie(last.line, last.column))
      last = here;
  });
  return last;
}

static std::string threadName(ttl::ThreadOp op, ttl::ProgramOp program) {
  if (std::optional<std::string> name = getSourceName(op.getLoc()))
    return *name;
  StringRef name = op.getCallee();
  name.consume_front((program.getSymName() + "__").str());
  return name.str();
}

/// Arguments of the kernel behind the tensor operands of a thread, in order.
static FailureOr<std::vector<unsigned>> tensorOperands(ttl::ThreadOp op) {
  std::vector<unsigned> result;
  for (Value operand : op.getResources()) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument)
      return op.emitError("binds a tensor that is no argument of the program");
    result.push_back(argument.getArgNumber());
  }
  return result;
}

/// The device does not check indices of arguments: they are known here.
static LogicalResult checkArguments(func::FuncOp function, const hw::Program &program,
                                    size_t numTensors) {
  auto hasBuffer = [&](int64_t index) {
    return llvm::any_of(program.buffers,
                        [&](const hw::BufferConfig &buffer) { return buffer.index == index; });
  };
  WalkResult result = function.walk([&](Operation *op) -> WalkResult {
    if (auto get = dyn_cast<ttkernel::GetCompileTimeArgValOp>(op))
      if (isa<ttkernel::CBType>(get.getResult().getType()) && !hasBuffer(get.getIndex()))
        return op->emitError("the program has no buffer ") << get.getIndex();
    if (auto get = dyn_cast<ttkernel::GetCommonArgValOp>(op)) {
      APInt index;
      if (!matchPattern(get.getIndex(), m_ConstantInt(&index)) || index.isNegative() ||
          index.getZExtValue() >= numTensors)
        return op->emitError("common argument must be a constant below ") << numTensors;
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult addThread(ttl::ThreadOp op, ttl::ProgramOp program, LaunchPlan &plan) {
  auto function =
      SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(program, op.getCalleeAttr());
  if (!function || function.isExternal() || function.getNumArguments() != 0)
    return op.emitError("names no function without arguments: ") << op.getCalleeAttr();
  auto processor = static_cast<hw::Processor>(op.getProcessor());
  for (const hw::ThreadConfig &other : plan.program.threads)
    if (other.processor == processor)
      return op.emitError("a second thread on ") << ttl::stringifyProcessor(op.getProcessor());
  FailureOr<std::vector<unsigned>> tensors = tensorOperands(op);
  if (failed(tensors) || failed(checkArguments(function, plan.program, tensors->size())))
    return failure();
  hw::ThreadConfig config;
  config.name = threadName(op, program);
  config.processor = processor;
  config.location = toSourceLocation(function.getLoc());
  config.endLocation = lastLocation(function);
  plan.program.threads.push_back(std::move(config));
  plan.functions.push_back(function);
  plan.tensorArguments.push_back(std::move(*tensors));
  return success();
}

FailureOr<LaunchPlan> session::buildLaunchPlan(ttl::ProgramOp program, const hw::ArchDesc &arch) {
  LaunchPlan plan;
  plan.program.name = program.getSymName().str();
  plan.numTensors = program.getArgumentTypes().size();
  if (failed(addGrid(program, arch, plan.program)) || failed(addBuffers(program, plan.program)) ||
      failed(addSemaphores(program, arch, plan.program)))
    return failure();
  for (auto thread : program.getBody().getOps<ttl::ThreadOp>())
    if (failed(addThread(thread, program, plan)))
      return failure();
  return plan;
}
