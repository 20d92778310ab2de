//===- BufferUsers.cpp - the threads that use a buffer ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: on each node a buffer has one producer and one consumer. Different threads may
// be the producer on different nodes.
//
// 1. Collect the acquires of each side of each buffer, by thread. A call of a C++ function of the
//    user counts as one if its effects are on this side.
// 2. If several threads have some, find on which nodes each of them acquires blocks: the
//    conditions around the acquires may depend on the coordinates of the node.
// 3. Two threads that certainly acquire blocks on one node are an error. Where it depends
//    on run-time values whether they do, the device binds the buffer to the first thread
//    of each side and reports a second one.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/BufferUsers.h"

#include "ir/Messages/Warnings.h"
#include "passes/common/Describe.h"
#include "passes/common/NodeDomains.h"
#include "passes/common/Threads.h"
#include "passes/ttl/ExternalEffects.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// The acquires of one side of a buffer, by thread.
using Users = llvm::MapVector<Operation *, SmallVector<Operation *>>;

// A node on which two threads acquire blocks of one side of a buffer.
struct Meeting {
  int64_t node;
  Operation *first, *second; // an acquire of each thread
  NodeDomains::Runs runs;    // whether both threads do
};

llvm::MapVector<BlockQueue, Users> collectUsers(ttl::KernelOp kernel) {
  llvm::MapVector<BlockQueue, Users> users;
  auto add = [&](BlockQueue queue, Operation *thread, Operation *op) {
    users[queue][thread].push_back(op);
  };
  auto threads = llvm::make_filter_range(kernel.getBody().front(),
                                         [](Operation &op) { return ttl::isThread(&op); });
  for (Operation &thread : threads)
    thread.walk([&](Operation *op) {
      if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op))
        add(queueOf(op), &thread, op);
      if (auto call = dyn_cast<ttcpp::CallOp>(op))
        for (BlockQueue queue : statedQueues(call))
          add(queue, &thread, op);
    });
  return users;
}

// Returns the acquire that most certainly runs on the node.
std::pair<NodeDomains::Runs, Operation *> acquireOn(int64_t node, ArrayRef<Operation *> acquires,
                                                    NodeDomains &domains) {
  std::pair<NodeDomains::Runs, Operation *> best{NodeDomains::Runs::Never, nullptr};
  for (Operation *acquire : acquires)
    if (NodeDomains::Runs runs = domains.at(node, acquire); runs > best.first)
      best = {runs, acquire};
  return best;
}

// Returns a node on which two threads certainly acquire blocks, else one on which they perhaps do;
// nothing if there is none.
std::optional<Meeting> findMeeting(const Users &users, NodeDomains &domains) {
  std::optional<Meeting> found;
  for (int64_t node = 0; node < domains.numNodes(); ++node) {
    SmallVector<std::pair<NodeDomains::Runs, Operation *>> here;
    for (NodeDomains::Runs runs : {NodeDomains::Runs::Always, NodeDomains::Runs::Perhaps})
      for (auto &[thread, acquires] : users)
        if (auto acquire = acquireOn(node, acquires, domains); acquire.first == runs)
          here.push_back(acquire);
    if (here.size() < 2 || (found && here[1].first == NodeDomains::Runs::Perhaps))
      continue;
    found = Meeting{node, here[0].second, here[1].second, here[1].first};
    if (found->runs == NodeDomains::Runs::Always)
      break;
  }
  return found;
}

StringRef nameOf(Value buffer) {
  auto create = buffer.getDefiningOp<ttl::CreateCBOp>();
  return create ? create.getName() : "a buffer";
}

LogicalResult report(const Meeting &meeting, BlockQueue queue, NodeDomains &domains, bool strict) {
  StringRef verb = queue.second ? "produce" : "consume", name = nameOf(queue.first);
  bool isCertain = meeting.runs == NodeDomains::Runs::Always;
  Operation *first = meeting.first, *second = meeting.second;
  InFlightDiagnostic diagnostic = emitCardRule(isCertain || strict, second);
  if (isCertain)
    diagnostic << "two threads " << verb << " '" << name << "' on node "
               << domains.nameOf(meeting.node)
               << ": on each node a buffer can have only one producer and one consumer; use a "
                  "buffer for each thread, or acquire the blocks on different nodes";
  else
    diagnostic << "two threads may " << verb << " '" << name << "' on node "
               << domains.nameOf(meeting.node)
               << ", which depends on run-time values: tt-lang refuses this for a card; use a "
                  "buffer for each thread, or conditions on the node's coordinates only";
  StringRef use = isa<ttcpp::CallOp>(first) ? "uses" : "acquires";
  diagnostic.attachNote(first->getLoc()) << "the other thread " << use << " it here";
  return failure(isCertain || strict);
}

} // namespace

LogicalResult ttjit::verifyBufferUsers(ttl::KernelOp kernel, bool strict) {
  NodeDomains domains(kernel);
  for (auto &[queue, users] : collectUsers(kernel)) {
    if (users.size() < 2)
      continue;
    std::optional<Meeting> meeting = findMeeting(users, domains);
    if (meeting && failed(report(*meeting, queue, domains, strict)))
      return failure();
  }
  return success();
}
