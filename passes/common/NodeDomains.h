//===- NodeDomains.h - the nodes on which an op runs ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMMON_NODEDOMAINS_H
#define TTJIT_PASSES_COMMON_NODEDOMAINS_H

#include "ir/Nodes/PipeNets.h"
#include "passes/common/PassDialects.h"

namespace ttjit {

/// Finds on which nodes of a kernel's grid an op runs, from the conditions and the callbacks of
/// pipes around it. Loops count as if they ran at least once, unless their bounds are known.
class NodeDomains {
public:
  enum class Runs { Never, Perhaps, Always };

  explicit NodeDomains(mlir::tt::ttl::KernelOp kernel);

  int64_t numNodes() const { return layout.numNodes; }
  /// Returns whether `op`, which is in a thread of the kernel, runs on the node of that number.
  Runs at(int64_t node, mlir::Operation *op);
  /// Returns whether the op around the region runs the region on the node.
  Runs in(int64_t node, mlir::Region *region);
  /// Returns how many iterations the loop has on the node; nothing if that is not known.
  std::optional<int64_t> tripCount(int64_t node, mlir::scf::ForOp loop);
  /// Returns how often `op` runs on the node; nothing if that is not known.
  std::optional<int64_t> times(int64_t node, mlir::Operation *op);
  /// Returns the pipes of a net, or one pipe as if it were a net.
  const PipeNet &netOf(mlir::Value pipes);
  std::string nameOf(int64_t node) { return nodeText(grid.getShape(), node, layout.devices); }

private:
  mlir::Attribute valueOf(int64_t node, mlir::Value value);
  mlir::Attribute resultOf(int64_t node, mlir::OpResult result);
  mlir::Attribute folded(int64_t node, mlir::OpResult result);
  bool isEnd(int64_t node, mlir::Value pipes, bool source, bool destination);

  mlir::tt::ttcore::GridAttr grid;
  GridLayout layout;
  llvm::DenseMap<mlir::Value, PipeNet> nets;
  llvm::DenseMap<std::pair<int64_t, mlir::Value>, mlir::Attribute> values; ///< null: not known
};

} // namespace ttjit

#endif // TTJIT_PASSES_COMMON_NODEDOMAINS_H
