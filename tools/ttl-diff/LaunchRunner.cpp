//===- LaunchRunner.cpp - runs one launch several times -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-diff/LaunchRunner.h"

#include "hw/device/Events.h"
#include "hw/device/NodeRanges.h"
#include "ir/Locations/Locations.h"
#include "tools/session/HostTensor.h"
#include "tools/session/TensorPages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::plan;
using namespace ttjit::session;
using namespace ttjit::ttl_diff;

//===--------------------------------------------------------------------------===//
// Running
//===--------------------------------------------------------------------------===//

LaunchRunner::LaunchRunner(const LaunchContext &launch)
    : device(launch.device), tensors(launch.tensors), launchOptions(launch.options),
      hostFunctions(launch.hostFunctions), inputs(read()) {}

static size_t bytesOn(const hw::TensorAllocation &tensor) {
  return size_t(tensor.pageBytes) * tensor.numPages;
}

// Calls `visit(at, page)` for each page of a tensor on each device; `at` is its offset in a copy.
template <typename Visit>
static void forEachPage(const hw::Device &device, const hw::TensorAllocation &tensor,
                        const Visit &visit) {
  for (int on = 0; on < device.numDevices(); ++on) {
    hw::HostPages pages = device.pages(tensor, on);
    for (uint32_t page = 0; page < tensor.numPages; ++page)
      visit(size_t(on) * bytesOn(tensor) + size_t(page) * tensor.pageBytes, pages[page]);
  }
}

std::vector<LaunchRunner::Bytes> LaunchRunner::read() const {
  std::vector<Bytes> contents;
  for (const hw::TensorAllocation &tensor : tensors) {
    Bytes &bytes = contents.emplace_back(bytesOn(tensor) * size_t(device.numDevices()));
    forEachPage(device, tensor, [&](size_t at, std::byte *page) {
      std::memcpy(bytes.data() + at, page, tensor.pageBytes);
    });
  }
  return contents;
}

void LaunchRunner::write(const std::vector<Bytes> &contents) {
  for (auto [tensor, bytes] : llvm::zip_equal(tensors, contents))
    forEachPage(device, tensor, [&](size_t at, std::byte *page) {
      std::memcpy(page, bytes.data() + at, tensor.pageBytes);
    });
}

RunOutcome LaunchRunner::run(LaunchPlan &plan, const hw::RunOptions &options) {
  bindTensors(plan, tensors);
  plan.program.hostFunctions = hostFunctions;
  return run(plan.program, options);
}

RunOutcome LaunchRunner::run(const hw::Program &program, hw::RunOptions options) {
  write(inputs);
  PrintedLines printed;
  options.print = [&](const std::string &text) { printed.add(text); };
  hw::RunResult result = device.run(program, options);
  RunOutcome outcome{std::move(result), read(), std::move(printed)};
  write(inputs);
  return outcome;
}

//===--------------------------------------------------------------------------===//
// Differences
//===--------------------------------------------------------------------------===//

static std::string faultText(const hw::RunResult &result) {
  if (!result.fault)
    return "finished";
  const hw::NodeCoord &node = result.fault->node;
  std::string device = node.device < 0 ? "" : fmt::format("device {} ", node.device);
  return fmt::format("fault in thread {} of {}node ({}, {}): {}", result.fault->thread, device,
                     node.x, node.y, result.fault->message);
}

static bool sameEnd(const hw::RunResult &a, const hw::RunResult &b) {
  return a.fault.has_value() == b.fault.has_value() && (!a.fault || a.fault->kind == b.fault->kind);
}

std::optional<std::string> LaunchRunner::difference(const ComparedRun &before,
                                                    const ComparedRun &after) {
  const RunOutcome &one = before.outcome, &other = after.outcome;
  if (!sameEnd(one.result, other.result))
    return fmt::format("  {}: {}\n  {}: {}\n", before.name, faultText(one.result), after.name,
                       faultText(other.result));
  if (one.result.fault)
    return std::nullopt; // which writes precede a fault depends on the order of the threads
  for (unsigned i = 0; i < tensors.size(); ++i)
    if (one.tensors[i] != other.tensors[i])
      if (std::optional<std::string> text = tensorDifference(i, before, after))
        return text;
  if (one.printed && other.printed)
    return one.printed->difference(*other.printed);
  return std::nullopt;
}

static BlockArgument argumentOf(KernelVersion &version, unsigned number) {
  return findKernel(*version.module)->getRegion(0).getArgument(number);
}

std::optional<std::string> LaunchRunner::tensorDifference(unsigned number,
                                                          const ComparedRun &before,
                                                          const ComparedRun &after) {
  const hw::TensorAllocation &tensor = tensors[number];
  const Bytes &a = before.outcome.tensors[number], &b = after.outcome.tensors[number];
  size_t at = std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
  auto on = static_cast<int>(at / bytesOn(tensor));
  auto page = static_cast<uint32_t>(at % bytesOn(tensor) / tensor.pageBytes);
  std::string ofDevice = device.numDevices() > 1 ? fmt::format(" of device {}", on) : "";
  KernelVersion *version = after.version;
  if (!version)
    return fmt::format("  page {} of tensor argument {}{} differs between {} and {}\n", page,
                       number, ofDevice, before.name, after.name);
  BlockArgument argument = argumentOf(*version, number);
  auto type = cast<RankedTensorType>(argument.getType());
  std::string name =
      getSourceName(argument.getLoc()).value_or(fmt::format("argument {}", number)) + ofDevice;
  llvm::Expected<HostTensor> old = HostTensor::create(type), now = HostTensor::create(type);
  if (!old || !now) {
    llvm::consumeError(llvm::joinErrors(old.takeError(), now.takeError()));
    return fmt::format("  tensor {}: page {} differs\n{}", name, page,
                       writerOf(after, number, page, on));
  }
  write(before.outcome.tensors);
  old->readBack(device, tensor, on);
  write(after.outcome.tensors);
  now->readBack(device, tensor, on);
  write(inputs);
  std::optional<ElementDifference> found = firstDifference(*old, *now);
  if (!found)
    return std::nullopt; // the pages differ only in padding
  unsigned digits = old->elementBits() / 4;
  return fmt::format("  tensor {}, element {}: {} (0x{:0{}X}) {}, {} (0x{:0{}X}) {}; "
                     "{} of {} elements differ\n{}",
                     name, indexText(old->type(), found->first), old->text(found->first),
                     old->getBits(found->first), digits, before.name, now->text(found->first),
                     now->getBits(found->first), digits, after.name, found->count, old->size(),
                     writerOf(after, number, page, on));
}

//===--------------------------------------------------------------------------===//
// Finding the thread that wrote an element
//===--------------------------------------------------------------------------===//

namespace {
// Notes the last write to one of the `bytes` bytes that begin at a place.
class WriteListener : public hw::EventListener {
public:
  WriteListener(hw::MemoryPlace place, uint64_t bytes) : place(place), bytes(bytes) {}
  void onEvent(const hw::Event &event) override {
    const hw::MemoryPlace &to = event.destination;
    if (event.kind != hw::EventKind::WriteIssued || to.memory != place.memory || to.x != place.x ||
        to.y != place.y)
      return;
    uint64_t begin = to.address;
    if (begin < place.address + bytes && place.address < begin + event.count)
      last = event;
  }
  std::optional<hw::Event> last;

private:
  hw::MemoryPlace place;
  uint64_t bytes;
};
} // namespace

std::string LaunchRunner::writerOf(const ComparedRun &compared, unsigned number, uint32_t page,
                                   int on) {
  const hw::TensorAllocation &tensor = tensors[number];
  const hw::Program &program = compared.version->plan.program;
  TensorPages pages(device, tensors, program.columnsOfDevice());
  WriteListener listener(pages.placeOf(number, page, on), tensor.pageBytes);
  hw::RunOptions options = compared.options;
  options.listeners = {&listener};
  (void)run(compared.version->plan, options);
  if (!listener.last)
    return "  no thread writes this element\n";
  auto processor = static_cast<hw::Processor>(listener.last->agent % hw::kThreadsPerNode);
  auto thread = llvm::find_if(program.threads, [&](const hw::ThreadConfig &config) {
    return config.processor == processor;
  });
  const hw::SourceLocation &where = program.locations[listener.last->loc];
  return fmt::format(
      "  written by thread {} of {}{}\n", thread == program.threads.end() ? "?" : thread->name,
      hw::describeNode(program, listener.last->node.x, listener.last->node.y),
      where.line ? fmt::format(" at {}:{}:{}", where.file, where.line, where.column) : "");
}
