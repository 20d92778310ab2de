//===- DeviceProgram.cpp - what the host gives an emitted program -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/DeviceProgram.h"

#include "ir/Locations/Locations.h"
#include "ir/Nodes/GridLayout.h"
#include "ir/Nodes/Meshes.h"
#include "ir/Nodes/ReachedDevices.h"
#include "ir/TTKernel/DeviceCalls.h"
#include "ir/TTL/BufferPages.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "passes/buffers/CoreRanges.h"
#include "passes/metalium/RowParts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

const DeviceBuffer *DeviceProgram::findBuffer(int id) const {
  for (const DeviceBuffer &buffer : buffers)
    if (buffer.id == id)
      return &buffer;
  return nullptr;
}

bool DeviceProgram::usesFabric() const {
  return llvm::any_of(kernels, [](const DeviceKernel &kernel) { return !kernel.reached.empty(); });
}

size_t ttjit::placeOfCore(const DeviceProgram &program, int64_t column, int64_t row) {
  int64_t device = column / program.columns;
  return static_cast<size_t>((device * program.rows + row) * program.columns +
                             column % program.columns);
}

namespace {

class ProgramReader {
public:
  explicit ProgramReader(ttl::ProgramOp op) : op(op) {}

  DeviceProgram run() {
    readGrid();
    for (BlockArgument argument : op.getBody().getArguments())
      addTensor(argument);
    addBuffers();
    addPipeMemory();
    addSemaphores();
    for (auto thread : op.getBody().getOps<ttl::ThreadOp>())
      addKernel(thread);
    if (program.usesFabric())
      allocateWhatIsReached();
    return program;
  }

private:
  void readGrid();
  void addTensor(BlockArgument argument);
  void addBuffers();
  void addCores(ttl::CreateCBOp cb, DeviceBuffer &buffer);
  void addPipeMemory();
  void addWords();
  void addSemaphores();
  void allocateWhatIsReached();
  void addKernel(ttl::ThreadOp thread);
  void addReached(ttl::ThreadOp thread, func::FuncOp function, DeviceKernel &kernel);
  void addAccessors(func::FuncOp function, DeviceKernel &kernel);
  void addRowBuffer(func::FuncOp function, DeviceKernel &kernel);
  void addTable(ttl::CreateNodeTableOp table, DeviceKernel &kernel);

  ttl::ProgramOp op;
  DeviceProgram program;
  GridLayout layout;
};

} // namespace

void ProgramReader::readGrid() {
  program.name = op.getSymName().str();
  program.archName = op.getArch().value_or(hw::kDefaultArch).str();
  program.arch = hw::lookupArch(program.archName).value_or(hw::defaultArch());
  program.config = op.getComputeConfigAttr();
  program.devices = devicesOf(op);
  if (auto mesh = op->getAttrOfType<DenseI64ArrayAttr>(kMeshAttr))
    program.mesh = mesh.asArrayRef().vec();
  layout = layoutGrid(op.getGrid().getShape(), program.arch, program.devices);
  program.columns = layout.columnsOfDevice();
  program.rows = layout.rows;
  program.numCores = layout.numNodes / program.devices;
}

void ProgramReader::addTensor(BlockArgument argument) {
  std::string name =
      getSourceName(argument.getLoc()).value_or("tensor" + std::to_string(argument.getArgNumber()));
  program.tensors.push_back({name, dyn_cast<RankedTensorType>(argument.getType())});
}

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

void ProgramReader::addBuffers() {
  for (auto cb : op.getBody().getOps<ttl::CreateCBOp>()) {
    DeviceBuffer buffer;
    buffer.name = cb.getName().str();
    buffer.id = static_cast<int>(cb.getBufferIndex().value_or(0));
    buffer.format = cb.getType().getFormat();
    buffer.pageBytes = ttl::pageSizeOf(cb);
    buffer.totalBytes = ttl::totalBytesOf(cb);
    buffer.address = cb.getAddress().value_or(0);
    if (cb.isTensorBacked()) {
      buffer.tensor = cast<BlockArgument>(cb.getTensor()).getArgNumber();
      buffer.tensorOffset = cb.getTensorOffset();
    }
    addCores(cb, buffer);
    program.numOwnIds = std::max(program.numOwnIds, buffer.id + 1);
    program.buffers.push_back(std::move(buffer));
  }
  program.numIds = program.numOwnIds;
}

void ProgramReader::addCores(ttl::CreateCBOp cb, DeviceBuffer &buffer) {
  ArrayRef<int64_t> grid = op.getGrid().getShape();
  if (!cb.getCoreRanges())
    return;
  for (int64_t node = 0; node < program.numCores; ++node)
    if (isOnNode(cb, coordinatesOf(grid, node)))
      buffer.cores.insert(coreOfNode(grid, layout, node));
}

void ProgramReader::addPipeMemory() {
  for (auto landing : op.getBody().getOps<ttl::CreateLandingOp>()) {
    ttl::LandingType type = landing.getResult().getType();
    DeviceBuffer buffer;
    buffer.name = landing.getName().str() + "_slots";
    buffer.id = program.numIds++;
    buffer.pageBytes = type.getSlotBytes();
    buffer.totalBytes = type.getTotalBytes();
    buffer.address = landing.getAddress().value_or(0);
    buffer.isPipeMemory = true;
    program.buffers.push_back(std::move(buffer));
  }
  addWords();
}

// Puts the semaphores without an id, words of L1 on aligned lines, into one buffer.
void ProgramReader::addWords() {
  std::vector<std::pair<uint64_t, int32_t>> words; // address and first value
  uint64_t line = program.arch.l1Alignment;
  for (auto semaphore : op.getBody().getOps<ttl::CreateSemaphoreOp>())
    if (!semaphore.getSemaphoreId())
      words.push_back({semaphore.getAddress().value_or(0), semaphore.getInitialValue()});
  for (auto counters : op.getBody().getOps<ttl::CreateCountersOp>())
    for (int64_t i = 0; !counters.getSemaphoreId() && i < counters.getResult().getType().getCount();
         ++i)
      words.push_back({counters.getAddress().value_or(0) + i * line, 0});
  if (words.empty())
    return;
  llvm::sort(words);
  DeviceBuffer buffer;
  buffer.name = "semaphore_words";
  buffer.id = program.numIds++;
  buffer.format = hw::DataFormat::UInt32;
  buffer.isPipeMemory = true;
  buffer.address = words.front().first;
  buffer.totalBytes = buffer.pageBytes =
      static_cast<int64_t>(words.back().first - buffer.address + line);
  buffer.words.assign(buffer.totalBytes / sizeof(int32_t), 0);
  for (auto [address, value] : words)
    buffer.words[(address - buffer.address) / sizeof(int32_t)] = value;
  program.buffers.push_back(std::move(buffer));
}

void ProgramReader::addSemaphores() {
  for (auto semaphore : op.getBody().getOps<ttl::CreateSemaphoreOp>())
    if (std::optional<uint32_t> id = semaphore.getSemaphoreId())
      program.semaphores.push_back({static_cast<int>(*id),
                                    static_cast<int>(semaphore.getInitialValue()),
                                    semaphore.getName().str()});
  for (auto counters : op.getBody().getOps<ttl::CreateCountersOp>())
    for (int64_t i = 0; counters.getSemaphoreId() && i < counters.getResult().getType().getCount();
         ++i)
      program.semaphores.push_back(
          {static_cast<int>(*counters.getSemaphoreId() + i), 0, counters.getName().str()});
  llvm::sort(program.semaphores, [](auto &a, auto &b) { return a.id < b.id; });
}

//===--------------------------------------------------------------------------===//
// Kernels
//===--------------------------------------------------------------------------===//

void ProgramReader::addTable(ttl::CreateNodeTableOp table, DeviceKernel &kernel) {
  if (auto type = table->getAttrOfType<TypeAttr>(ttl::kCommonNumberAttr)) {
    CommonNumber number{table.getName().str(), type.getValue().isF32(),
                        *table.getValues().value_begin<int32_t>()};
    if (auto place = table->getAttrOfType<IntegerAttr>(ttl::kLaunchNumberAttr))
      number.launchNumber = place.getInt();
    kernel.numbers.push_back(std::move(number));
    return;
  }
  kernel.arguments.resize(static_cast<size_t>(program.devices * program.columns * program.rows));
  int64_t length = table.getRowLength();
  auto values = table.getValues().getValues<int32_t>();
  for (int64_t i = 0; i < layout.numNodes * length; ++i) {
    auto [column, row] = coreOfNode(op.getGrid().getShape(), layout, i / length);
    kernel.arguments[placeOfCore(program, column, row)].push_back(values[i % values.size()]);
  }
  std::string name = table.getName().str();
  for (int64_t i = 0; i < length; ++i)
    kernel.argumentNames.push_back(length == 1 ? name : name + "[" + std::to_string(i) + "]");
}

void ProgramReader::addKernel(ttl::ThreadOp thread) {
  DeviceKernel kernel;
  kernel.function = thread.getCallee().str();
  kernel.processor = thread.getProcessor();
  StringRef name = thread.getCallee();
  size_t at = name.rfind("__");
  kernel.thread = (at == StringRef::npos ? name : name.drop_front(at + 2)).str();
  for (Value resource : thread.getResources()) {
    if (auto argument = dyn_cast<BlockArgument>(resource))
      kernel.tensors.push_back(argument.getArgNumber());
    else if (auto table = resource.getDefiningOp<ttl::CreateNodeTableOp>())
      addTable(table, kernel);
  }
  if (auto function =
          SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, thread.getCalleeAttr())) {
    addAccessors(function, kernel);
    addRowBuffer(function, kernel);
    addReached(thread, function, kernel);
  }
  program.kernels.push_back(std::move(kernel));
}

//===--------------------------------------------------------------------------===//
// Other devices
//===--------------------------------------------------------------------------===//

// Returns the device of the core that a call of a semaphore names, if it is a constant.
static std::optional<int64_t> constantDevice(Value address, int64_t columns) {
  auto core = ttkernel::definingCall<ttkernel::GetNocAddrOp>(address);
  auto column = core ? ttkernel::definingCall<ttkernel::ConvertLogicalXOp>(core.getX())
                     : ttkernel::CallOf<ttkernel::ConvertLogicalXOp>();
  APInt number;
  if (!column || !matchPattern(column->getOperand(0), m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue() / columns;
}

// Returns the other devices whose semaphores the function changes. Constants name these devices.
static std::set<int32_t> reachedBySemaphores(func::FuncOp function, int64_t columns) {
  std::set<int32_t> devices;
  function.walk([&](Operation *op) {
    Value address;
    if (auto inc = ttkernel::asCall<ttkernel::NocSemaphoreIncOp>(op))
      address = inc->getOperand(0);
    else if (auto set = ttkernel::asCall<ttkernel::NocSemaphoreSetRemoteOp>(op))
      address = set->getOperand(1);
    if (!address || op->hasAttr(kOfNetAttr))
      return;
    if (std::optional<int64_t> device = constantDevice(address, columns))
      devices.insert(static_cast<int32_t>(*device));
  });
  return devices;
}

void ProgramReader::addReached(ttl::ThreadOp thread, func::FuncOp function, DeviceKernel &kernel) {
  if (program.devices == 1)
    return;
  auto numCores = static_cast<size_t>(program.columns * program.rows);
  std::vector<std::set<int32_t>> reached(numCores * static_cast<size_t>(program.devices));
  for (auto counters : op.getBody().getOps<ttl::CreateCountersOp>()) {
    auto numbers = counters->getAttrOfType<DenseI32ArrayAttr>(kReachedAttr);
    for (ArrayRef<int32_t> rest = numbers ? numbers.asArrayRef() : ArrayRef<int32_t>();
         !rest.empty(); rest = rest.drop_front(3)) {
      auto [column, row] = coreOfNode(op.getGrid().getShape(), layout, rest[0]);
      if (rest[1] == static_cast<int32_t>(thread.getProcessor()))
        reached[placeOfCore(program, column, row)].insert(rest[2]);
    }
  }
  std::set<int32_t> bySemaphores = reachedBySemaphores(function, program.columns);
  for (auto [place, devices] : llvm::enumerate(reached))
    for (int32_t device : bySemaphores)
      if (device != static_cast<int32_t>(place / numCores))
        devices.insert(device);
  if (llvm::any_of(reached, [](auto &devices) { return !devices.empty(); }))
    kernel.reached = std::move(reached);
}

// A device may send to one that has not begun the program yet, or has ended it. The card sets
// semaphores when a program begins, and programs share the memory of circular buffers. So what
// others write is in tensors, which exist before the program begins.
void ProgramReader::allocateWhatIsReached() {
  for (DeviceBuffer &buffer : program.buffers)
    buffer.isAllocated |= buffer.isPipeMemory;
  if (program.semaphores.empty())
    return;
  DeviceBuffer buffer;
  buffer.name = "semaphores";
  buffer.id = program.numIds++;
  buffer.format = hw::DataFormat::UInt32;
  buffer.isPipeMemory = buffer.isAllocated = buffer.hasSemaphores = true;
  buffer.address = program.arch.semaphoreAddress(0);
  buffer.totalBytes = buffer.pageBytes = program.arch.numSemaphores * program.arch.l1Alignment;
  buffer.words.assign(buffer.totalBytes / sizeof(int32_t), 0);
  for (const DeviceSemaphore &semaphore : program.semaphores)
    buffer.words[semaphore.id * program.arch.l1Alignment / sizeof(int32_t)] =
        semaphore.initialValue;
  program.semaphores.clear();
  program.buffers.push_back(std::move(buffer));
}

//===--------------------------------------------------------------------------===//
// Parts of kernels
//===--------------------------------------------------------------------------===//

// Adds the accessors: a layout's offset among the common arguments is the number of the tensor.
void ProgramReader::addAccessors(func::FuncOp function, DeviceKernel &kernel) {
  std::map<int64_t, unsigned> byOffset;
  function.walk([&](Operation *op) {
    auto args = ttkernel::asCall<ttkernel::TensorAccessorArgsOp>(op);
    if (!args)
      return;
    unsigned number = static_cast<unsigned>(args.getCrtaOffset());
    if (number < kernel.tensors.size())
      byOffset[args.getCtaOffset()] = kernel.tensors[number];
  });
  for (auto [offset, tensor] : byOffset)
    kernel.accessors.push_back(tensor);
}

// Adds the buffer for parts of rows. The processors of a core run at once, so each has its own.
void ProgramReader::addRowBuffer(func::FuncOp function, DeviceKernel &kernel) {
  int64_t bytes = bytesOfRowBuffer(function, program.arch);
  if (bytes == 0)
    return;
  DeviceBuffer buffer;
  buffer.name = kernel.thread + "_rows";
  buffer.id = program.numIds++;
  buffer.format = hw::DataFormat::UInt32;
  buffer.pageBytes = buffer.totalBytes = bytes;
  buffer.isOnCardOnly = true;
  kernel.rowBuffer = buffer.id;
  program.buffers.push_back(std::move(buffer));
}

DeviceProgram ttjit::readDeviceProgram(ttl::ProgramOp program) {
  return ProgramReader(program).run();
}
