//===- PipeNets.cpp - the pipes of a net --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "ir/Nodes/PipeNets.h"

#include "ir/TTL/DiscardableAttrs.h"

#include "llvm/ADT/DenseSet.h"

#include <map>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Cores
//===--------------------------------------------------------------------------===//

namespace {
struct Box {
  int64_t x0 = INT64_MAX, y0 = INT64_MAX, x1 = -1, y1 = -1;

  void include(std::pair<int64_t, int64_t> core) {
    x0 = std::min(x0, core.first);
    x1 = std::max(x1, core.first);
    y0 = std::min(y0, core.second);
    y1 = std::max(y1, core.second);
  }
  bool contains(std::pair<int64_t, int64_t> core) const {
    return core.first >= x0 && core.first <= x1 && core.second >= y0 && core.second <= y1;
  }
  int64_t area() const { return (x1 - x0 + 1) * (y1 - y0 + 1); }
};
} // namespace

// Returns the cores of nodes, all on one device, as few parts that a NoC operation can write.
static SmallVector<PipePart> partsOnDevice(ArrayRef<int64_t> nodes, int64_t sender,
                                           ArrayRef<int64_t> grid, const GridLayout &layout) {
  Box box;
  DenseSet<int64_t> different;
  for (int64_t node : nodes) {
    box.include(coreOfNode(grid, layout, node));
    different.insert(node);
  }
  if (nodes.size() > 1 && box.area() == static_cast<int64_t>(different.size()))
    return {{box.x0, box.y0, box.x1, box.y1, box.area(), /*multicast=*/true,
             box.contains(coreOfNode(grid, layout, sender))}};
  return llvm::map_to_vector(nodes, [&](int64_t node) {
    auto [x, y] = coreOfNode(grid, layout, node);
    return PipePart{x, y, x, y};
  });
}

SmallVector<PipePart> ttjit::partsOf(ArrayRef<int64_t> nodes, int64_t sender,
                                     ArrayRef<int64_t> grid, const GridLayout &layout) {
  if (layout.devices == 1)
    return partsOnDevice(nodes, sender, grid, layout);
  std::map<int64_t, SmallVector<int64_t>> ofDevice;
  for (int64_t node : nodes)
    ofDevice[coreOfNode(grid, layout, node).first / layout.columnsOfDevice()].push_back(node);
  int64_t own = coreOfNode(grid, layout, sender).first / layout.columnsOfDevice();
  SmallVector<PipePart> parts;
  for (auto &[device, there] : ofDevice) {
    if (device == own) { // a multicast of the NoC does not leave the device
      llvm::append_range(parts, partsOnDevice(there, sender, grid, layout));
      continue;
    }
    for (int64_t node : there)
      llvm::append_range(parts, partsOnDevice(node, sender, grid, layout));
  }
  return parts;
}

//===--------------------------------------------------------------------------===//
// Nets
//===--------------------------------------------------------------------------===//

SmallVector<int64_t> PipeNet::pipesFrom(int64_t node) const {
  SmallVector<int64_t> result;
  for (auto [i, pipe] : llvm::enumerate(pipes))
    if (pipe.src == node)
      result.push_back(i);
  return result;
}

SmallVector<int64_t> PipeNet::pipesTo(int64_t node) const {
  SmallVector<int64_t> result;
  for (auto [i, pipe] : llvm::enumerate(pipes))
    if (llvm::is_contained(pipe.dst, node))
      result.push_back(i);
  return result;
}

// Gives each pipe the lowest number that is free at every receiver: all receivers of a
// multicast use the same number.
static void numberPipes(PipeNet &net) {
  DenseMap<int64_t, int64_t> sends;
  DenseMap<int64_t, llvm::SmallBitVector> taken;
  for (Pipe &pipe : net.pipes) {
    pipe.sendIndex = sends[pipe.src]++;
    llvm::SmallBitVector used(net.pipes.size());
    for (int64_t node : pipe.dst)
      used |= taken[node];
    used.resize(net.pipes.size());
    pipe.receiveIndex = used.find_first_unset();
    for (int64_t node : pipe.dst) {
      taken[node].resize(net.pipes.size());
      taken[node].set(pipe.receiveIndex);
    }
    net.numSends = std::max(net.numSends, pipe.sendIndex + 1);
    net.numReceives = std::max(net.numReceives, pipe.receiveIndex + 1);
  }
}

Pipe ttjit::analysePipe(ttl::CreatePipeOp op, ttcore::GridAttr grid, const GridLayout &layout) {
  Pipe pipe;
  pipe.src = ttl::linearizeNode(grid, op.getSrc());
  if (op.getDst())
    pipe.dst = {ttl::linearizeNode(grid, *op.getDst())};
  else
    pipe.dst =
        ttl::nodesOfRange(grid, llvm::to_vector(op.getDstRange()->getAsRange<ttl::SliceAttr>()));
  pipe.parts = partsOf(pipe.dst, pipe.src, grid.getShape(), layout);
  return pipe;
}

PipeNet ttjit::analyseNet(ttl::CreatePipeNetOp op, ttcore::GridAttr grid,
                          const GridLayout &layout) {
  PipeNet net;
  net.op = op;
  for (Value value : op.getPipes())
    net.pipes.push_back(analysePipe(value.getDefiningOp<ttl::CreatePipeOp>(), grid, layout));
  numberPipes(net);
  return net;
}

Operation *ttjit::callbackOf(Value pipe) {
  auto argument = dyn_cast<BlockArgument>(pipe);
  Operation *parent = argument ? argument.getOwner()->getParentOp() : nullptr;
  return isa_and_present<ttl::IfPipeSrcOp, ttl::IfPipeDstOp>(parent) ? parent : nullptr;
}

static Value pipeOfCopy(ttl::CopyOp copy) {
  return copy.isSend() ? copy.getDst() : copy.isReceive() ? copy.getSrc() : Value();
}

ttl::CreatePipeNetOp ttjit::netOf(ttl::CopyOp copy) {
  Value pipe = pipeOfCopy(copy);
  if (Operation *callback = pipe ? callbackOf(pipe) : nullptr)
    return netOf(callback);
  if (pipe)
    for (Operation *user : pipe.getUsers())
      if (auto net = dyn_cast<ttl::CreatePipeNetOp>(user))
        return net;
  return {};
}

std::optional<int64_t> ttjit::pipeNumber(ttl::CopyOp copy) {
  Value pipe = pipeOfCopy(copy);
  if (!pipe || !pipe.getDefiningOp<ttl::CreatePipeOp>())
    return std::nullopt;
  ttl::CreatePipeNetOp net = netOf(copy);
  return net ? llvm::find(net.getPipes(), pipe) - net.getPipes().begin() : 0;
}

std::string ttjit::netNameOf(ttl::CopyOp copy) {
  if (ttl::CreatePipeNetOp net = netOf(copy))
    return net.getName().str();
  Operation *create = pipeOfCopy(copy).getDefiningOp();
  auto name = create ? create->getAttrOfType<StringAttr>(ttl::kNetNameAttr) : StringAttr();
  return name ? name.str() : "net";
}

void ttjit::restoreNet(ttl::CopyOp copy) {
  Value pipe = pipeOfCopy(copy);
  if (!pipe || netOf(copy))
    return;
  OpBuilder builder(copy.getContext());
  builder.setInsertionPointAfterValue(pipe);
  ttl::CreatePipeNetOp::create(builder, pipe.getLoc(), ttl::PipeNetType::get(copy.getContext()),
                               netNameOf(copy), pipe);
}

std::string ttjit::wrongNodeText(ttl::CopyOp copy, ArrayRef<int64_t> grid, int64_t src,
                                 ArrayRef<int64_t> dst, int64_t devices, StringRef who) {
  std::string net = ttl::escapeFormat(netNameOf(copy));
  bool isOne = copy.isSend() || dst.size() == 1;
  std::string ends = isOne ? "node " + nodeText(grid, copy.isSend() ? src : dst.front(), devices)
                           : std::to_string(dst.size()) + " other nodes";
  return who.str() + " a copy that " + (copy.isSend() ? "sends over" : "receives from") +
         " a pipe of '" + net + "', which " + (copy.isSend() ? "begins" : "ends") + " at " + ends +
         ": copy only there, for example in a callback of " + net +
         (copy.isSend() ? ".if_src()" : ".if_dst()");
}

std::string ttjit::nodeText(ArrayRef<int64_t> grid, int64_t node, int64_t devices) {
  SmallVector<int64_t> coords(grid.size());
  for (size_t dim = grid.size(); dim-- > 0; node /= grid[dim])
    coords[dim] = node % grid[dim];
  if (devices == 1)
    return ttl::shapeText(coords);
  int64_t columns = grid.front() / devices, device = coords.front() / columns;
  coords.front() %= columns;
  return ttl::shapeText(coords) + " of device " + std::to_string(device);
}
