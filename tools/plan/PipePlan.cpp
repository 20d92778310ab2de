//===- PipePlan.cpp - adds the resources of pipes to a launch -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/plan/PipePlan.h"

#include "diagnostics/Diagnostics.h"
#include "ir/Nodes/GridLayout.h"
#include "ir/Nodes/PipeNets.h"
#include "ir/TTL/DiscardableAttrs.h"

#include <limits>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::diagnostics;
using namespace ttjit::plan;

// The node of a role that no thread waits for.
static constexpr uint32_t kNoNode = std::numeric_limits<uint32_t>::max();

// Converts a node number of the kernel, row-major in its own grid, to one of the
// device, which numbers nodes row by row of the compute grid.
static uint32_t deviceNode(ArrayRef<int64_t> grid, const GridLayout &layout, int64_t node) {
  auto [x, y] = coreOfNode(grid, layout, node);
  return y * layout.columns + x;
}

static LogicalResult addLandings(Region &body, const ProvisionalResources &places,
                                 hw::Program &out) {
  for (auto op : body.getOps<ttl::CreateLandingOp>()) {
    std::optional<uint32_t> address = places.find(op);
    if (!address)
      return op.emitError("landing slots \"")
             << op.getName() << "\" have no address: run ttl-allocate-circular-buffers first";
    out.ranges.push_back({op.getName().str(), *address,
                          uint32_t(op.getResult().getType().getTotalBytes()), /*zeroed=*/false,
                          toSourceLocation(op.getLoc()), op->hasAttr(kQueuedAttr)});
  }
  return success();
}

// Returns the position of the send, or of the receive, that changes a word of a net. The counters
// of a net have a fused position: that of the net, of the send and of the receive.
static hw::SourceLocation copyLocation(Location loc, bool sends) {
  auto fused = dyn_cast<FusedLoc>(loc);
  return fused && fused.getLocations().size() == 3
             ? toSourceLocation(fused.getLocations()[sends ? 1 : 2])
             : hw::SourceLocation();
}

static void addRoles(ttl::CreateCountersOp op, ArrayRef<int64_t> grid,
                     std::optional<uint32_t> address, const hw::ArchDesc &arch, hw::Program &out) {
  std::optional<ArrayAttr> roles = op.getRoles();
  if (!roles)
    return;
  GridLayout layout = layoutGrid(grid, arch);
  std::optional<ArrayRef<int32_t>> peers = op.getPeers();
  int64_t deliveries = op.getDeliveries().value_or(0);
  auto placeOf = [&](int64_t word) -> uint32_t {
    return op.getSemaphoreId() ? *op.getSemaphoreId() + word : *address + word * arch.l1Alignment;
  };
  for (auto [i, text] : llvm::enumerate(roles->getAsValueRange<StringAttr>())) {
    if (text.empty())
      continue;
    int64_t word = i / layout.numNodes;
    if (word >= deliveries && word < 2 * deliveries) {
      out.deliveries.push_back({deviceNode(grid, layout, i % layout.numNodes),
                                op.getSemaphoreId().has_value(), placeOf(word - deliveries),
                                placeOf(word), text.str(), toSourceLocation(op.getLoc())});
      continue;
    }
    hw::WordRole &role = out.roles.emplace_back();
    role.node = deviceNode(grid, layout, i % layout.numNodes);
    role.what = text.str();
    if (op.getSemaphoreId())
      role.semaphore = placeOf(word);
    else
      role.address = placeOf(word);
    role.location = copyLocation(op.getLoc(), /*sends=*/word < deliveries);
    if (peers && i < peers->size() && (*peers)[i] >= 0) {
      role.peer = deviceNode(grid, layout, (*peers)[i] / 3);
      role.processor = static_cast<hw::Processor>((*peers)[i] % 3);
    }
  }
}

static LogicalResult addCounters(Region &body, ArrayRef<int64_t> grid,
                                 const ProvisionalResources &places, const hw::ArchDesc &arch,
                                 hw::Program &out) {
  for (auto op : body.getOps<ttl::CreateCountersOp>()) {
    int64_t count = op.getResult().getType().getCount();
    std::optional<uint32_t> id = op.getSemaphoreId(), address = places.find(op);
    if (!id && !address)
      return op.emitError("counters \"")
             << op.getName() << "\" have no address: run ttl-allocate-circular-buffers first";
    for (int64_t i = 0; id && i < count; ++i) {
      out.semaphores.push_back(
          {op.getName().str() + "[" + std::to_string(i) + "]", int(*id + i), 0});
      // The words of some counters have no texts, but no semaphore of them is the user's.
      out.roles.emplace_back(
          hw::WordRole{.node = kNoNode, .semaphore = int(*id + i), .what = op.getName().str()});
    }
    if (!id)
      out.ranges.push_back({op.getName().str(), *address, uint32_t(count * arch.l1Alignment),
                            /*zeroed=*/true, toSourceLocation(op.getLoc())});
    addRoles(op, grid, address, arch, out);
  }
  return success();
}

LogicalResult plan::addPipeResources(Region &body, ArrayRef<int64_t> grid,
                                     const ProvisionalResources &places, const hw::ArchDesc &arch,
                                     hw::Program &out) {
  for (auto op : body.getOps<ttl::CreateSemaphoreOp>())
    if (std::optional<uint32_t> address = places.pageAddress(op))
      out.ranges.push_back({op.getName().str(), *address, arch.l1Alignment, /*zeroed=*/true,
                            toSourceLocation(op.getLoc())});
  return success(succeeded(addLandings(body, places, out)) &&
                 succeeded(addCounters(body, grid, places, arch, out)));
}

// Notes where the numbers of a table are among the arguments, if launches give the numbers.
static void addColumn(ttl::CreateNodeTableOp table, LaunchPlan::NumberColumn place,
                      LaunchPlan &plan) {
  if (auto number = table->getAttrOfType<IntegerAttr>(ttl::kLaunchNumberAttr)) {
    place.number = unsigned(number.getInt());
    plan.numberColumns.push_back(place);
  }
}

void plan::addCommonNumbers(ArrayRef<ttl::CreateNodeTableOp> tables, LaunchPlan &plan) {
  unsigned thread = plan.program.threads.size() - 1;
  int64_t column = std::ssize(plan.tensorArguments[thread]);
  for (ttl::CreateNodeTableOp table : tables) {
    plan.commonNumbers[thread].push_back(*table.getValues().value_begin<int32_t>());
    addColumn(table, {0, thread, column++, /*isCommon=*/true}, plan);
  }
}

void plan::addNodeArguments(ArrayRef<ttl::CreateNodeTableOp> tables, ArrayRef<int64_t> grid,
                            const hw::ArchDesc &arch, LaunchPlan &plan) {
  GridLayout layout = layoutGrid(grid, arch);
  unsigned thread = plan.program.threads.size() - 1;
  hw::ThreadConfig &config = plan.program.threads[thread];
  for (ttl::CreateNodeTableOp table : tables)
    config.argsPerNode += table.getRowLength();
  config.nodeArgs.resize(size_t(config.argsPerNode) * layout.numNodes);
  int64_t column = 0;
  for (ttl::CreateNodeTableOp table : tables) {
    int64_t length = table.getRowLength();
    auto values = table.getValues().getValues<int32_t>();
    for (int64_t i = 0; i < layout.numNodes * length; ++i) {
      size_t node = deviceNode(grid, layout, i / length);
      config.nodeArgs[node * config.argsPerNode + column + i % length] = values[i % values.size()];
    }
    addColumn(table, {0, thread, column}, plan);
    column += length;
  }
  plan.deviceNodes.clear();
  for (int64_t node = 0; node < layout.numNodes; ++node)
    plan.deviceNodes.push_back(deviceNode(grid, layout, node));
}

void plan::bindNumbers(LaunchPlan &plan, const std::vector<std::vector<int32_t>> &numbers) {
  for (const LaunchPlan::NumberColumn &place : plan.numberColumns) {
    if (place.number >= numbers.size())
      continue;
    const std::vector<int32_t> &values = numbers[place.number];
    hw::ThreadConfig &config = plan.program.threads[place.thread];
    if (place.isCommon) {
      if (!values.empty())
        config.commonArgs[place.column] = values.front();
      continue;
    }
    // Write the numbers into the arguments of all nodes of each device.
    for (size_t i = 0; !values.empty() && i < plan.deviceNodes.size(); ++i)
      config.nodeArgs[plan.deviceNodes[i] * config.argsPerNode + place.column] =
          values[i % values.size()];
  }
}
