//===- Device.cpp - the emulated device ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/Device.h"

#include "hw/device/Execution.h"
#include "hw/device/PausableRun.h"
#include "hw/device/RankedRuns.h"
#include "hw/facts/Assert.h"
#include "hw/facts/Words.h"

#include <fmt/format.h>

#include <utility>

namespace ttjit::hw {

struct Device::Impl {
  Impl(const ArchDesc &arch, int numDevices) : memories(arch, numDevices) {}

  const TensorAccess &access(const TensorAllocation &allocation, int device = 0) {
    const PlacedTensor *tensor = memories.device(device).find(allocation.type, allocation.base);
    TTJIT_ASSERT(tensor, "the tensor is allocated");
    return tensor->access;
  }

  // Gets the pages of a tensor that only other processes (ranks) have.
  void gather(const TensorAllocation &allocation) {
    PlacedTensor *tensor = leavesPagesOnRanks() && memories.numDevices() > 1
                               ? memories.find(allocation.type, allocation.base)
                               : nullptr;
    if (tensor && !tensor->elsewhere.empty())
      gatherPages(memories, *tensor, allocation.type);
  }

  std::string admit(const Program &program, const RunOptions &options,
                    std::unique_ptr<DecisionSource> &own);

  Memories memories;
  MachineStorage storage;
  DeviceFabric fabric;
  bool isClosed = false;
  std::atomic<bool> interrupted{false};
  std::atomic<bool> running{false};
};

Device::Device(const ArchDesc &arch, int numDevices)
    : impl(std::make_unique<Impl>(arch, numDevices)) {}
Device::~Device() = default;

const ArchDesc &Device::arch() const { return impl->memories.arch(); }
int Device::numDevices() const { return impl->memories.numDevices(); }
const DeviceFabric &Device::fabric() const { return impl->fabric; }
void Device::setFabric(DeviceFabric fabric) { impl->fabric = std::move(fabric); }
void Device::close() { impl->isClosed = true; }
bool Device::isClosed() const { return impl->isClosed; }

std::optional<TensorAllocation> Device::allocate(BufferType type, uint32_t pageBytes,
                                                 uint32_t numPages, std::string name,
                                                 std::string *whyNoHost) {
  return allocate(type, pageBytes, numPages, Sharding(), std::move(name), whyNoHost);
}

std::optional<TensorAllocation> Device::allocate(BufferType type, uint32_t pageBytes,
                                                 uint32_t numPages, Sharding sharding,
                                                 std::string name, std::string *whyNoHost) {
  std::string why;
  return impl->memories.allocate(type, pageBytes, numPages, sharding, name,
                                 whyNoHost ? *whyNoHost : why);
}

void Device::setName(const TensorAllocation &allocation, std::string name) {
  for (int device = 0; device < numDevices(); ++device)
    if (PlacedTensor *tensor = impl->memories.device(device).find(allocation.type, allocation.base))
      tensor->rename(name);
}

void Device::free(const TensorAllocation &tensor) { impl->memories.free(tensor); }

void Device::share(const TensorAllocation &allocation, std::byte *array, DataFormat format,
                   const PageLayout &layout) {
  PlacedTensor *tensor = impl->memories.find(allocation.type, allocation.base);
  TTJIT_ASSERT(tensor && !tensor->access.inL1, "a tensor in DRAM shares an array");
  if (layout.isRowMajorArray())
    tensor->access.pages = reinterpret_cast<uint8_t *>(array);
  else
    tensor->access.tiles = &tensor->tiles.emplace(array, format, layout);
}

std::byte *Device::page(const TensorAllocation &allocation, uint32_t index, int device) {
  impl->gather(allocation);
  const PlacedTensor *tensor = impl->memories.device(device).find(allocation.type, allocation.base);
  if (!tensor || index >= tensor->access.numPages)
    return nullptr;
  return HostPages(tensor->access)[index];
}

std::string Device::name(const TensorAllocation &allocation) const {
  const char *name = impl->access(allocation).name;
  return name ? name : "";
}

MemoryPlace Device::place(const TensorAllocation &allocation, uint32_t page, int device) const {
  MemoryPlace place = impl->memories.place(impl->access(allocation), page);
  if (place.memory == MemoryPlace::DRAM)
    place.y = device;
  return place;
}

void Device::setUnwritten(const TensorAllocation &allocation, std::vector<bool> pages, int device) {
  Memories &memories = impl->memories.device(device);
  if (PlacedTensor *tensor = memories.find(allocation.type, allocation.base))
    memories.setUnwritten(*tensor, std::move(pages));
}

const std::vector<bool> &Device::unwritten(const TensorAllocation &allocation, int device) const {
  PlacedTensor *tensor = impl->memories.device(device).find(allocation.type, allocation.base);
  TTJIT_ASSERT(tensor, "the tensor is allocated");
  return tensor->unwritten;
}

bool Device::hasUnwritten() const {
  for (int device = 0; device < numDevices(); ++device)
    if (impl->memories.device(device).numUnwritten() != 0)
      return true;
  return false;
}

void Device::setElements(const TensorAllocation &allocation, TensorElements elements) {
  if (PlacedTensor *tensor = impl->memories.find(allocation.type, allocation.base))
    tensor->elements = std::move(elements);
}

TensorElements *Device::elements(const TensorAllocation &allocation) const {
  PlacedTensor *tensor = impl->memories.find(allocation.type, allocation.base);
  return tensor && tensor->elements ? &*tensor->elements : nullptr;
}

HostPages Device::pages(const TensorAllocation &allocation, int device) const {
  impl->gather(allocation);
  return impl->access(allocation, device);
}

std::optional<HostPages> Device::pagesToWrite(const TensorAllocation &allocation,
                                              int device) const {
  Memories &memories = impl->memories;
  if (leavesPagesOnRanks() && memories.numDevices() > 1 &&
      !leavePages(memories, *memories.find(allocation.type, allocation.base), allocation.type,
                  device))
    return std::nullopt;
  return impl->access(allocation, device);
}

HostPages::HostPages(const TensorAccess &tensor)
    : tensor(&tensor), first(tensor.inL1 ? nullptr : reinterpret_cast<std::byte *>(tensor.pages)),
      pageBytes(tensor.pageBytes) {}

std::byte *HostPages::operator[](uint32_t index) const {
  return first ? first + index * pageBytes : reinterpret_cast<std::byte *>(tensor->hostPage(index));
}

// Makes the decisions of a run and marks the device as running. Returns why it cannot run; empty
// if it can.
std::string Device::Impl::admit(const Program &program, const RunOptions &options,
                                std::unique_ptr<DecisionSource> &own) {
  if (program.numDevices != memories.numDevices())
    return fmt::format("the program is for {}, but the mesh has {}",
                       plural(program.numDevices, "device"), memories.numDevices());
  if (!options.decisions && !(own = makeDecisions(options)))
    return "to replay a run, pass the decisions that an earlier run recorded";
  if (running.exchange(true))
    return "the device is running another program";
  interrupted = false;
  return {};
}

static RunResult refused(std::string message) {
  RunResult result;
  result.fault.emplace().message = std::move(message);
  return result;
}

RunResult Device::run(const Program &program, const RunOptions &options) {
  std::unique_ptr<DecisionSource> own;
  if (std::string whyNot = impl->admit(program, options, own); !whyNot.empty())
    return refused(std::move(whyNot));
  struct Running {
    std::atomic<bool> &flag;
    ~Running() { flag = false; }
  } running{impl->running};
  DecisionSource &decisions = options.decisions ? *options.decisions : *own;
  if (program.numDevices > 1 && hasRanks())
    return runOnRanks(program, options, {impl->memories, impl->storage, impl->interrupted},
                      decisions);
  Execution execution(program, options, impl->memories, impl->storage, decisions,
                      impl->interrupted);
  return execution.execute();
}

std::unique_ptr<PausableRun> Device::start(const Program &program, const RunOptions &options,
                                           std::string &whyNot) {
  std::unique_ptr<DecisionSource> own;
  whyNot = impl->admit(program, options, own);
  if (!whyNot.empty())
    return nullptr;
  return std::make_unique<PausableRun>(program, options, impl->memories, impl->storage,
                                       std::move(own), impl->interrupted,
                                       [this] { impl->running = false; });
}

void Device::interrupt() { impl->interrupted = true; }

} // namespace ttjit::hw
