//===- CardLimits.cpp - rules of a card about whole nodes ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: some limits of a card count what all threads of a node do.
//
// 1. Count the signposts on each node: the profiler's memory has room for 125.
// 2. Count how many blocks each node pushes and pops, where that is known at compile time.
//    A buffer that does not hold what remains makes the kernel hang.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/CardLimits.h"

#include "ir/Messages/Warnings.h"
#include "passes/common/DataFlow.h"
#include "passes/common/NodeDomains.h"
#include "passes/common/Threads.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

//===--------------------------------------------------------------------------===//
// Signposts
//===--------------------------------------------------------------------------===//

LogicalResult ttjit::checkSignposts(ttl::KernelOp kernel, bool portable) {
  constexpr size_t kMaxSignposts = 125; // the profiler's memory of a core has room for so many
  SmallVector<ttl::SignpostOp> posts;
  kernel.walk([&](ttl::SignpostOp post) {
    if (post.getKind() != ttl::SignpostKind::End)
      posts.push_back(post);
  });
  if (posts.size() <= kMaxSignposts)
    return success();
  NodeDomains domains(kernel);
  for (int64_t node = 0; node < domains.numNodes(); ++node) {
    size_t count = 0;
    for (ttl::SignpostOp post : posts) {
      if (domains.at(node, post) == NodeDomains::Runs::Never || ++count <= kMaxSignposts)
        continue;
      emitCardRule(portable, post)
          << "this is signpost " << count << " of node " << domains.nameOf(node)
          << ", but a card has room for " << kMaxSignposts
          << ": tt-lang's compiler refuses this for a card; remove some";
      return success(!portable);
    }
  }
  return success();
}

//===--------------------------------------------------------------------------===//
// Blocks that stay in a buffer
//===--------------------------------------------------------------------------===//

namespace {

// The releases of the two sides of a buffer.
struct Releases {
  SmallVector<Operation *> pushes, pops;
};

// Returns how many blocks the node releases; nothing if that is not known.
std::optional<int64_t> countOn(int64_t node, ArrayRef<Operation *> releases, NodeDomains &domains) {
  int64_t sum = 0;
  for (Operation *release : releases) {
    std::optional<int64_t> times = domains.times(node, release);
    if (!times)
      return std::nullopt;
    sum += *times;
  }
  return sum;
}

LogicalResult checkLeftover(ttl::CreateCBOp buffer, const Releases &releases,
                            NodeDomains &domains) {
  int64_t room = buffer.getType().getBufferFactor();
  for (int64_t node = 0; node < domains.numNodes(); ++node) {
    std::optional<int64_t> pushed = countOn(node, releases.pushes, domains),
                           popped = countOn(node, releases.pops, domains);
    if (!pushed || !popped || *pushed <= *popped + room)
      continue;
    InFlightDiagnostic diagnostic = releases.pushes.front()->emitError();
    diagnostic << "node " << domains.nameOf(node) << " pushes " << *pushed << " blocks of '"
               << buffer.getName() << "' and pops " << *popped << ", so that " << *pushed - *popped
               << " stay in the buffer, which has room for " << room
               << ": pop as many blocks as are pushed";
    if (!releases.pops.empty())
      diagnostic.attachNote(releases.pops.front()->getLoc()) << "a block is popped here";
    return failure();
  }
  return success();
}

} // namespace

LogicalResult ttjit::checkLeftovers(ttl::KernelOp kernel) {
  constexpr int64_t kMostWork = 1 << 20; // a kernel of more releases on all nodes is not checked
  llvm::MapVector<Operation *, Releases> buffers;
  int64_t count = 0;
  kernel.walk([&](Operation *op) {
    if (!isa<ttl::CBPushOp, ttl::CBPopOp>(op))
      return;
    Operation *acquire = originsOf(op->getOperand(0)).front();
    bool isKnown = isa_and_present<ttl::CBWaitOp, ttl::CBReserveOp>(acquire);
    auto buffer = isKnown ? acquire->getOperand(0).getDefiningOp<ttl::CreateCBOp>() : nullptr;
    if (!buffer || isCountedAcquire(acquire))
      count = kMostWork; // the blocks of this release are not known
    if (!buffer || buffer.isTensorBacked())
      return;
    Releases &releases = buffers[buffer];
    (isa<ttl::CBPushOp>(op) ? releases.pushes : releases.pops).push_back(op);
    ++count;
  });
  NodeDomains domains(kernel);
  if (count * domains.numNodes() >= kMostWork)
    return success();
  for (auto &[buffer, releases] : buffers)
    if (!releases.pushes.empty() &&
        failed(checkLeftover(cast<ttl::CreateCBOp>(buffer), releases, domains)))
      return failure();
  return success();
}
