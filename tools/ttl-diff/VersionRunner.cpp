//===- VersionRunner.cpp - runs and compares versions of a kernel ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/ttl-diff/VersionRunner.h"

#include "hw/device/Events.h"
#include "ir/Support/Locations.h"
#include "tools/mlir-run/HostTensor.h"
#include "tools/session/InterruptGuard.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

using namespace mlir;
using namespace ttjit;
using namespace ttjit::session;

//===--------------------------------------------------------------------------===//
// Running
//===--------------------------------------------------------------------------===//

VersionRunner::VersionRunner(const LaunchContext &launch)
    : device(launch.device), tensors(launch.tensors), options(launch.options),
      hostFunctions(launch.hostFunctions), inputs(read()) {}

std::vector<VersionRunner::Bytes> VersionRunner::read() const {
  std::vector<Bytes> contents;
  for (const hw::TensorAllocation &tensor : tensors) {
    Bytes &bytes = contents.emplace_back(size_t(tensor.pageBytes) * tensor.numPages);
    hw::HostPages pages = device.pages(tensor);
    for (uint32_t page = 0; page < tensor.numPages; ++page)
      std::memcpy(bytes.data() + size_t(page) * tensor.pageBytes, pages[page], tensor.pageBytes);
  }
  return contents;
}

void VersionRunner::write(const std::vector<Bytes> &contents) {
  for (auto [tensor, bytes] : llvm::zip_equal(tensors, contents)) {
    hw::HostPages pages = device.pages(tensor);
    for (uint32_t page = 0; page < tensor.numPages; ++page)
      std::memcpy(pages[page], bytes.data() + size_t(page) * tensor.pageBytes, tensor.pageBytes);
  }
}

VersionRunner::Outcome VersionRunner::run(LaunchPlan &plan,
                                          std::vector<hw::EventListener *> listeners) {
  write(inputs);
  bindTensors(plan, tensors);
  plan.program.hostFunctions = hostFunctions;
  hw::RunOptions runOptions = options;
  runOptions.listeners = std::move(listeners);
  PrintedLines printed;
  runOptions.print = [&](const std::string &text) { printed.add(text); };
  hw::RunResult result = device.run(plan.program, runOptions);
  Outcome outcome{std::move(result), read(), std::move(printed)};
  write(inputs);
  return outcome;
}

std::optional<hw::RunResult> VersionRunner::compare(std::vector<KernelVersion> &versions,
                                                    PassComparison &comparison) {
  ++comparison.launches;
  const KernelVersion *previous = nullptr;
  for (KernelVersion &version : versions) {
    if (comparison.difference)
      break;
    Outcome outcome = run(version.plan);
    if (InterruptGuard::wasInterrupted())
      return std::move(outcome.result);
    ++comparison.versions;
    if (previous)
      note(version, *last, outcome, {version.plan.program.name, previous->step, version.step, {}},
           comparison);
    previous = &version;
    last = std::move(outcome);
  }
  return std::nullopt;
}

void VersionRunner::compareWithEngine(std::vector<KernelVersion> &versions, const LaunchPlan &plan,
                                      const hw::RunResult &result, PassComparison &comparison) {
  if (!last || comparison.difference)
    return;
  Outcome outcome{result, read(), std::nullopt};
  KernelVersion &version = versions.back();
  note(version, *last, outcome, {plan.program.name, version.step, {"engine", "jit"}, {}},
       comparison);
  write(outcome.tensors);
}

//===--------------------------------------------------------------------------===//
// Differences
//===--------------------------------------------------------------------------===//

static std::string faultText(const hw::RunResult &result) {
  if (!result.fault)
    return "finished";
  return fmt::format("fault in thread {} of node ({}, {}): {}", result.fault->thread,
                     result.fault->node.x, result.fault->node.y, result.fault->message);
}

static bool sameEnd(const hw::RunResult &a, const hw::RunResult &b) {
  return a.fault.has_value() == b.fault.has_value() && (!a.fault || a.fault->kind == b.fault->kind);
}

void VersionRunner::note(KernelVersion &version, const Outcome &before, const Outcome &after,
                         PassDifference difference, PassComparison &comparison) {
  std::optional<std::string> text = describe(version, before, after);
  if (!text)
    return;
  difference.text = std::move(*text);
  comparison.difference = std::move(difference);
}

std::optional<std::string> VersionRunner::describe(KernelVersion &version, const Outcome &before,
                                                   const Outcome &after) {
  if (!sameEnd(before.result, after.result))
    return fmt::format("  before: {}\n  after: {}\n", faultText(before.result),
                       faultText(after.result));
  if (before.result.fault)
    return std::nullopt; // writes before a fault depend on the order of the threads
  for (unsigned i = 0; i < tensors.size(); ++i)
    if (before.tensors[i] != after.tensors[i])
      if (std::optional<std::string> text = describeTensor(version, i, before, after))
        return text;
  if (before.printed && after.printed)
    return before.printed->difference(*after.printed);
  return std::nullopt;
}

static BlockArgument argumentOf(KernelVersion &version, unsigned number) {
  return findKernel(*version.module)->getRegion(0).getArgument(number);
}

std::optional<std::string> VersionRunner::describeTensor(KernelVersion &version, unsigned number,
                                                         const Outcome &before,
                                                         const Outcome &after) {
  const hw::TensorAllocation &tensor = tensors[number];
  const Bytes &a = before.tensors[number], &b = after.tensors[number];
  auto page = static_cast<uint32_t>(
      (std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin()) / tensor.pageBytes);
  BlockArgument argument = argumentOf(version, number);
  auto type = cast<RankedTensorType>(argument.getType());
  std::string name = getSourceName(argument.getLoc()).value_or(fmt::format("argument {}", number));
  llvm::Expected<HostTensor> old = HostTensor::create(type), now = HostTensor::create(type);
  if (!old || !now) {
    llvm::consumeError(llvm::joinErrors(old.takeError(), now.takeError()));
    return fmt::format("  tensor {}: page {} differs\n{}", name, page,
                       describeWriter(version, number, page));
  }
  write(before.tensors);
  old->readBack(device, tensor);
  write(after.tensors);
  now->readBack(device, tensor);
  write(inputs);
  std::optional<ElementDifference> found = firstDifference(*old, *now);
  if (!found)
    return std::nullopt; // the pages differ only in padding
  unsigned digits = old->elementBits() / 4;
  return fmt::format("  tensor {}, element {}: {} (0x{:0{}X}) before, {} (0x{:0{}X}) after; "
                     "{} of {} elements differ\n{}",
                     name, indexText(old->type(), found->first), old->text(found->first),
                     old->getBits(found->first), digits, now->text(found->first),
                     now->getBits(found->first), digits, found->count, old->size(),
                     describeWriter(version, number, page));
}

//===--------------------------------------------------------------------------===//
// Finding the thread that wrote an element
//===--------------------------------------------------------------------------===//

namespace {
/// Remembers the last write that touches `bytes` bytes from a place on.
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

std::string VersionRunner::describeWriter(KernelVersion &version, unsigned number, uint32_t page) {
  const hw::TensorAllocation &tensor = tensors[number];
  WriteListener listener(device.place(tensor, page), tensor.pageBytes);
  (void)run(version.plan, {&listener});
  if (!listener.last)
    return "  no thread writes this element\n";
  const hw::Program &program = version.plan.program;
  auto processor = static_cast<hw::Processor>(listener.last->agent % hw::kThreadsPerNode);
  auto thread = llvm::find_if(program.threads, [&](const hw::ThreadConfig &config) {
    return config.processor == processor;
  });
  const hw::SourceLocation &where = program.locations[listener.last->loc];
  return fmt::format("  written by thread {} of node ({}, {}){}\n",
                     thread == program.threads.end() ? "?" : thread->name, listener.last->node.x,
                     listener.last->node.y,
                     where.line ? fmt::format(" at {}:{}:{}", where.file, where.line, where.column)
                                : "");
}
