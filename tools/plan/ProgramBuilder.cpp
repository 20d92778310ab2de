//===- ProgramBuilder.cpp - builds a hw::Program from a kernel ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/plan/ProgramBuilder.h"

#include "diagnostics/Diagnostics.h"
#include "hw/facts/Words.h"
#include "ir/Nodes/GridLayout.h"
#include "ir/Nodes/Meshes.h"
#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "passes/buffers/CoreRanges.h"
#include "passes/common/BufferThreads.h"
#include "tools/plan/ConstantTensors.h"
#include "tools/plan/PipePlan.h"
#include "tools/plan/ProvisionalResources.h"
#include "tools/plan/Releases.h"
#include "tools/plan/Resets.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/SmallSet.h"

#include <numeric>
#include <tuple>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::plan;

//===--------------------------------------------------------------------------===//
// Resources
//===--------------------------------------------------------------------------===//

// Number of buffer indices of the emulated device, larger than any chip's.
static constexpr int64_t kBufferIndices = 64;

// Returns, for each node of the device, whether it has the buffer; empty if all nodes
// have it.
static std::vector<bool> nodesWith(ttl::CreateCBOp op, ArrayRef<int64_t> grid,
                                   const GridLayout &layout) {
  if (!op.getCoreRanges())
    return {};
  std::vector<bool> onNode(static_cast<size_t>(layout.numNodes));
  for (int64_t node = 0; node < layout.numNodes; ++node) {
    auto [column, row] = coreOfNode(grid, layout, node);
    onNode[static_cast<size_t>(row * layout.columns + column)] =
        isOnNode(op, coordinatesOf(grid, node));
  }
  return onNode;
}

// Returns the threads that use a side of the buffer, for each node of the device.
static std::vector<uint8_t> usersOf(ttl::CreateCBOp op, StringRef side, ArrayRef<int64_t> grid,
                                    const GridLayout &layout) {
  auto threads = op->getAttrOfType<DenseI8ArrayAttr>(side);
  if (!threads || threads.size() != layout.numNodes)
    return {};
  std::vector<uint8_t> result(static_cast<size_t>(layout.numNodes));
  for (auto [node, bits] : llvm::enumerate(threads.asArrayRef())) {
    auto [column, row] = coreOfNode(grid, layout, int64_t(node));
    if (size_t place = static_cast<size_t>(row * layout.columns + column); place < result.size())
      result[place] = static_cast<uint8_t>(bits);
  }
  return result;
}

static FailureOr<hw::BufferConfig> makeBuffer(ttl::CreateCBOp op,
                                              const ProvisionalResources &places) {
  std::optional<ProvisionalResources::BufferPlace> place = places.find(op);
  if (!place)
    return op.emitError("buffer \"") << op.getName() << "\" has no index, page size or address: "
                                     << "run ttl-allocate-circular-buffers first";
  ttl::CircularBufferType type = op.getType();
  auto [index, pageBytes, address] = *place;
  int64_t pages = type.getPagesPerBlock() * type.getBufferFactor();
  if (index < 0 || index >= kBufferIndices)
    return op.emitError("buffer index ") << index << " is not in 0.." << kBufferIndices - 1;
  auto fits = [](int64_t value) { return value > 0 && value <= int64_t(UINT32_MAX); };
  bool areValid = fits(pageBytes) && fits(pages) && (op.isTensorBacked() || fits(address));
  if (!areValid || !fits(address + pageBytes * pages))
    return op.emitError("buffer \"")
           << op.getName() << "\" of " << hw::plural(pages, "page") << " of " << pageBytes
           << " bytes at address " << address
           << (areValid ? " ends above address 4294967295, the last one of 32 bits"
                        : ": pages, bytes and address must be from 1 to 4294967295");
  hw::BufferConfig config;
  config.name = op.getName().str();
  config.index = index;
  config.address = address;
  config.pageBytes = pageBytes;
  config.numPages = pages;
  config.pagesPerBlock = type.getPagesPerBlock();
  config.format = type.getFormat();
  config.tiled = type.isTiled();
  config.blockShape.assign(type.getShape().begin(), type.getShape().end());
  config.location = toSourceLocation(op.getLoc());
  if (op.isTensorBacked())
    config.backing = {getSourceName(op.getTensor().getLoc()).value_or("tensor"), 0,
                      static_cast<uint32_t>(op.getTensorOffset())};
  return config;
}

static LogicalResult addBuffers(Region &body, ArrayRef<int64_t> grid, const GridLayout &layout,
                                const ProvisionalResources &places, LaunchPlan &plan) {
  hw::Program &out = plan.program;
  llvm::SmallSet<int, 32> seen;
  for (auto op : body.getOps<ttl::CreateCBOp>()) {
    FailureOr<hw::BufferConfig> buffer = makeBuffer(op, places);
    if (failed(buffer))
      return failure();
    if (!seen.insert(buffer->index).second)
      return op.emitError("buffer index ") << buffer->index << " is used twice";
    buffer->onNode = nodesWith(op, grid, layout);
    buffer->producers = usersOf(op, kProducersAttr, grid, layout);
    buffer->consumers = usersOf(op, kConsumersAttr, grid, layout);
    if (op.isTensorBacked())
      plan.backedBuffers.push_back(
          {out.buffers.size(), cast<BlockArgument>(op.getTensor()).getArgNumber()});
    out.buffers.push_back(std::move(*buffer));
  }
  return success();
}

static LogicalResult addSemaphores(Region &body, const ProvisionalResources &places,
                                   const hw::ArchDesc &arch, hw::Program &out) {
  for (auto op : body.getOps<ttl::CreateSemaphoreOp>()) {
    if (places.pageAddress(op))
      continue;
    std::optional<uint32_t> id = places.find(op);
    if (!id || *id >= uint32_t(arch.numSemaphores))
      return op.emitError("semaphore \"")
             << op.getName() << "\" needs an id in 0.." << arch.numSemaphores - 1;
    out.semaphores.push_back({op.getName().str(), int(*id), uint32_t(op.getInitialValue())});
  }
  return success();
}

template <typename OpT>
static void addGrid(OpT program, const hw::ArchDesc &arch, hw::Program &out) {
  GridLayout layout = layoutGrid(program.getGrid().getShape(), arch);
  out.gridX = layout.columns;
  out.gridY = layout.rows;
  out.numNodes = layout.numNodes;
  out.numDevices = static_cast<int>(devicesOf(program));
  if (auto config = program.getComputeConfigAttr())
    out.compute = {config.getFp32DestAccEn(), config.getDstFullSyncEn(),
                   static_cast<hw::MathFidelity>(config.getMathFidelity()), hw::NumericMode::Host,
                   config.getMathApproxMode()};
}

//===--------------------------------------------------------------------------===//
// Threads
//===--------------------------------------------------------------------------===//

// Returns where the thread's last statement begins: the last position in the thread
// that is not the position of the thread itself.
static hw::SourceLocation lastLocation(Operation *thread) {
  hw::SourceLocation start = toSourceLocation(thread->getLoc());
  hw::SourceLocation last = start;
  thread->getRegion(0).walk([&](Operation *op) {
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

// Returns the number of the kernel's argument for each tensor operand of a thread.
static FailureOr<std::vector<unsigned>> tensorOperands(ttl::ThreadOp op) {
  std::vector<unsigned> result;
  for (Value operand : op.getResources()) {
    if (!isa<RankedTensorType>(operand.getType()))
      continue;
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument)
      return op.emitError("expected an argument of the program; found another tensor");
    result.push_back(argument.getArgNumber());
  }
  return result;
}

// Checks the indices of arguments, since the device does not check them.
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
        return op->emitError("the index of a common argument must be a constant below ")
               << numTensors;
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static void addThread(LaunchPlan &plan, std::string name, hw::Processor processor,
                      interp::ThreadSource source, std::vector<unsigned> tensors) {
  hw::ThreadConfig config;
  config.name = std::move(name);
  config.processor = processor;
  config.location = toSourceLocation(source.op->getLoc());
  config.endLocation = lastLocation(source.op);
  plan.program.threads.push_back(std::move(config));
  plan.sources.push_back(std::move(source));
  plan.tensorArguments.push_back(std::move(tensors));
  plan.commonNumbers.emplace_back();
}

template <typename OpT>
static interp::ThreadSource sourceOf(Operation *thread, OpT kernel, const hw::ArchDesc &arch) {
  interp::ThreadSource source;
  source.op = thread;
  source.grid.assign(kernel.getGrid().getShape());
  source.arch = arch;
  return source;
}

// Returns the number by which the interpreter refers to a resource
// (interp/ThreadSource.h); nothing for any other value. Tables belong to one thread,
// so they are not included.
static std::optional<uint32_t> resourceNumber(Value value, const ProvisionalResources &places,
                                              const hw::ArchDesc &arch,
                                              ArrayRef<ttl::CreateNodeTableOp> tables) {
  Operation *op = value.getDefiningOp();
  if (auto landing = dyn_cast_if_present<ttl::CreateLandingOp>(op))
    return places.find(landing);
  if (auto counters = dyn_cast_if_present<ttl::CreateCountersOp>(op))
    return counters.getSemaphoreId()
               ? std::optional(arch.semaphoreAddress(int(*counters.getSemaphoreId())))
               : places.find(counters);
  if (auto table = dyn_cast_if_present<ttl::CreateNodeTableOp>(op)) {
    uint32_t first = 0;
    for (ttl::CreateNodeTableOp before : tables) {
      if (before == table)
        return first;
      first += before.getRowLength();
    }
    return std::nullopt;
  }
  if (auto buffer = dyn_cast_if_present<ttl::CreateCBOp>(op))
    return static_cast<uint32_t>(places.find(buffer)->index);
  if (auto semaphore = dyn_cast_if_present<ttl::CreateSemaphoreOp>(op))
    return places.pageAddress(semaphore)
               ? places.pageAddress(semaphore)
               : std::optional(arch.semaphoreAddress(int(*places.find(semaphore))));
  return std::nullopt;
}

//===--------------------------------------------------------------------------===//
// Threads that are functions
//===--------------------------------------------------------------------------===//

// Binds the function's arguments. Functions of the last stage have none.
static LogicalResult bindArguments(ttl::ThreadOp op, func::FuncOp function,
                                   const ProvisionalResources &places,
                                   ArrayRef<ttl::CreateNodeTableOp> tables,
                                   interp::ThreadSource &source) {
  uint32_t tensors = 0;
  for (auto [argument, resource] : llvm::zip_equal(function.getArguments(), op.getResources())) {
    std::optional<uint32_t> number = isa<RankedTensorType>(resource.getType())
                                         ? tensors++
                                         : resourceNumber(resource, places, source.arch, tables);
    if (!number)
      return op.emitError("a thread cannot have an argument of type ") << resource.getType();
    source.resources.push_back({argument, *number});
  }
  return success();
}

// Returns the function that the thread runs. Reports one that cannot run.
static FailureOr<func::FuncOp> functionOf(ttl::ThreadOp op, ttl::ProgramOp program,
                                          Lowering lowering) {
  auto function = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(program, op.getCalleeAttr());
  if (!function)
    return op.emitError("there is no func.func ") << op.getCalleeAttr();
  if (function.isExternal())
    return op.emitError("function ") << op.getCalleeAttr() << " has no body";
  if (lowering == Lowering::Complete && function.getNumArguments() != 0)
    return op.emitError("function ")
           << op.getCalleeAttr() << " must have no arguments, found " << function.getNumArguments();
  return function;
}

static LogicalResult addThread(ttl::ThreadOp op, ttl::ProgramOp program, const hw::ArchDesc &arch,
                               const ProvisionalResources &places, Lowering lowering,
                               LaunchPlan &plan) {
  FailureOr<func::FuncOp> found = functionOf(op, program, lowering);
  if (failed(found))
    return failure();
  func::FuncOp function = *found;
  auto processor = static_cast<hw::Processor>(op.getProcessor());
  for (const hw::ThreadConfig &other : plan.program.threads)
    if (other.processor == processor)
      return op.emitError("two threads run on processor ")
             << ttl::stringifyProcessor(op.getProcessor());
  FailureOr<std::vector<unsigned>> tensors = tensorOperands(op);
  SmallVector<ttl::CreateNodeTableOp> tables, common;
  for (Value resource : op.getResources())
    if (auto table = resource.getDefiningOp<ttl::CreateNodeTableOp>())
      (table->hasAttr(ttl::kCommonNumberAttr) ? common : tables).push_back(table);
  if (failed(tensors) ||
      failed(checkArguments(function, plan.program, tensors->size() + common.size())))
    return failure();
  // A thread function with arguments is of a stage before ttkernel. The interpreter then reads all
  // tables, also the common ones, from the arguments of the node.
  if (function.getNumArguments() != 0)
    llvm::append_range(tables, common);
  interp::ThreadSource source = sourceOf(function, program, arch);
  if (function.getNumArguments() != 0 &&
      failed(bindArguments(op, function, places, tables, source)))
    return failure();
  source.scratchWord = places.scratchWord(static_cast<unsigned>(processor), arch);
  addThread(plan, threadName(op, program), processor, std::move(source), std::move(*tensors));
  addCommonNumbers(common, plan);
  addNodeArguments(tables, program.getGrid().getShape(), arch, plan);
  return success();
}

//===--------------------------------------------------------------------------===//
// Threads that are regions of their kernel
//===--------------------------------------------------------------------------===//

static void addRegionThreads(ttl::KernelOp kernel, const hw::ArchDesc &arch,
                             const ProvisionalResources &places, LaunchPlan &plan) {
  std::vector<unsigned> tensors(plan.numTensors);
  std::iota(tensors.begin(), tensors.end(), 0);
  auto tables = llvm::to_vector(kernel.getBody().getOps<ttl::CreateNodeTableOp>());
  for (Operation &op : kernel.getBody().front()) {
    if (!isa<ttl::ComputeThreadOp, ttl::DataMovementThreadOp>(op))
      continue;
    interp::ThreadSource source = sourceOf(&op, kernel, arch);
    for (BlockArgument argument : kernel.getBody().getArguments())
      source.resources.push_back({argument, argument.getArgNumber()});
    for (Operation &resource : kernel.getBody().front())
      if (resource.getNumResults() == 1)
        if (auto number = resourceNumber(resource.getResult(0), places, arch, tables))
          source.resources.push_back({resource.getResult(0), *number});
    auto processor = static_cast<hw::Processor>(ttl::processorOf(&op));
    std::string name =
        getSourceName(op.getLoc()).value_or(op.getAttrOfType<StringAttr>("name").str());
    source.scratchWord = places.scratchWord(static_cast<unsigned>(processor), arch);
    addThread(plan, std::move(name), processor, std::move(source), tensors);
    addNodeArguments(tables, kernel.getGrid().getShape(), arch, plan);
  }
}

//===--------------------------------------------------------------------------===//
// The plan
//===--------------------------------------------------------------------------===//

Operation *plan::findKernel(ModuleOp module) {
  for (Operation &op : *module.getBody())
    if (isa<ttl::KernelOp, ttl::ProgramOp>(op))
      return &op;
  return nullptr;
}

void plan::bindTensors(LaunchPlan &plan, const std::vector<hw::TensorAllocation> &tensors) {
  for (auto [thread, arguments, numbers] :
       llvm::zip(plan.program.threads, plan.tensorArguments, plan.commonNumbers)) {
    thread.commonArgs.clear();
    for (unsigned argument : arguments)
      thread.commonArgs.push_back(tensors[argument].base);
    llvm::append_range(thread.commonArgs, numbers);
  }
  bindConstantTensors(plan, tensors);
  for (auto [number, argument] : plan.backedBuffers) {
    hw::BufferConfig &buffer = plan.program.buffers[number];
    buffer.backing->base = tensors[argument].base;
    buffer.address = buffer.backing->base + buffer.backing->offset;
  }
}

// Returns the language of a kernel: Mlir if its file is MLIR text, otherwise Python.
static hw::KernelLanguage languageOf(Location location) {
  std::string file = toSourceLocation(location).file;
  bool isMlir = file.empty() || file == "-" || file == "<mlir>" || file.ends_with(".mlir");
  return isMlir ? hw::KernelLanguage::Mlir : hw::KernelLanguage::Python;
}

template <typename OpT>
static LogicalResult addResources(OpT kernel, const hw::ArchDesc &arch,
                                  const ProvisionalResources &places, LaunchPlan &plan) {
  plan.program.name = kernel.getSymName().str();
  plan.program.language = languageOf(kernel.getLoc());
  plan.numTensors = kernel.getArgumentTypes().size();
  Region &body = kernel.getBody();
  ArrayRef<int64_t> grid = kernel.getGrid().getShape();
  addGrid(kernel, arch, plan.program);
  if (auto mesh = kernel->template getAttrOfType<DenseI64ArrayAttr>(kMeshAttr))
    plan.mesh.assign(mesh.asArrayRef().begin(), mesh.asArrayRef().end());
  return success(succeeded(addBuffers(body, grid, layoutGrid(grid, arch), places, plan)) &&
                 succeeded(addSemaphores(body, places, arch, plan.program)) &&
                 succeeded(addPipeResources(body, grid, places, arch, plan.program)));
}

FailureOr<LaunchPlan> plan::buildLaunchPlan(Operation *op, const hw::ArchDesc &arch,
                                            Lowering lowering) {
  LaunchPlan plan;
  // The interpreter keeps what is in a pipe in its own state, for all nodes together.
  plan.program.sharesEngineState =
      op->walk([](ttl::CreatePipeNetOp) { return WalkResult::interrupt(); }).wasInterrupted();
  ProvisionalResources places(op->getRegion(0), arch, lowering == Lowering::Partial);
  if (auto kernel = dyn_cast<ttl::KernelOp>(op)) {
    if (failed(addResources(kernel, arch, places, plan)))
      return failure();
    addRegionThreads(kernel, arch, places, plan);
    findReleases(plan);
    findResets(plan);
    return plan;
  }
  auto program = cast<ttl::ProgramOp>(op);
  if (failed(addResources(program, arch, places, plan)))
    return failure();
  for (auto thread : program.getBody().getOps<ttl::ThreadOp>())
    if (failed(addThread(thread, program, arch, places, lowering, plan)))
      return failure();
  findReleases(plan);
  findResets(plan);
  findConstantArguments(plan);
  return plan;
}
