//===- DSTSchedule.h - assigns DST registers to tile ops ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A schedule lists the changes of DST for one tile: loads from L1, operations, copies
// between registers. It is made from the body of a ttl.compute without changing it, so
// that several schedules can be tried. One that fits is then applied.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_DST_DSTSCHEDULE_H
#define TTJIT_PASSES_DST_DSTSCHEDULE_H

#include "passes/dst/DSTOrder.h"
#include "passes/dst/TileFacts.h"

#include "llvm/ADT/BitVector.h"

namespace ttjit {

/// When a tile is loaded from L1.
enum class Loads {
  AtStart,    ///< all tiles are loaded first, in the order of the arguments
  AtFirstUse, ///< a tile is loaded at its first use and kept to its last use
  AtEachUse,  ///< a tile is loaded at each use and not kept
};

struct DSTPlan {
  Loads loads = Loads::AtStart;
  /// Outputs get registers above those of all other values, so that one section can
  /// compute several tiles. If false, outputs and other values share registers.
  bool outputsApart = true;
  /// A value may take the register of a value whose last use defines it (intervals
  /// expire with `<=` instead of `<`).
  bool expireAtUse = false;
};

class DSTSchedule {
public:
  DSTSchedule(mlir::tt::ttl::ComputeOp compute, llvm::ArrayRef<mlir::Operation *> order,
              DSTPlan plan);

  /// The plan of step 2 in the head of AssignDST.cpp: loads in the order of the arguments, ops in
  /// the written order, outputs apart.
  static DSTSchedule inArgumentOrder(mlir::tt::ttl::ComputeOp compute);

  /// The plan that needs the fewest registers: depth-first order, each tile loaded at
  /// its use.
  static DSTSchedule lazy(mlir::tt::ttl::ComputeOp compute);

  /// Assigns registers by linear scan. Returns false if more than `capacity` are
  /// needed.
  bool assign(int capacity);

  /// Number of tiles that one section can compute.
  int unrollFactor() const;

  /// Rewrites the body as scheduled: sets the `dst_idx` of each op, and
  /// `ttl.unroll_factor` on the compute. assign() must have returned true.
  void apply();

  /// Text with the interval and register of each class of values, one per line.
  std::string describe() const;

  int numLoads() const { return loads; }
  int numCopies() const { return copies; }
  /// Number of registers used for one tile.
  int footprint() const;

private:
  /// One step. If `op` is null, it loads `argument` or copies `operands[0]`.
  struct Step {
    mlir::Operation *op = nullptr;
    mlir::BlockArgument argument;
    llvm::SmallVector<int, 3> operands; ///< values in DST, in the op's order
    int inPlace = -1; ///< position of the operand that is overwritten, -1 if there is none
    int paired = -1;  ///< position of the operand that must be in the next register
    int result = -1;  ///< number of the result, -1 if there is none
    bool fresh = false;
  };
  /// Values that share one register, with the indices of the first and last step that
  /// use it.
  struct Class {
    int start, end;
    bool yielded = false;
    int reg = -1;
    int next = -1;     ///< class that must be in the register after this one
    int previous = -1; ///< class whose `next` is this class
    int fixed = -1;    ///< register that ttl.acquire_dst requires
  };

  int addLoad(mlir::BlockArgument argument);
  int addResult(Step step, mlir::Value value);
  void addOp(mlir::Operation *op);
  void addMarker(mlir::Operation *op);
  int valueFor(mlir::Value operand);
  void loadArguments();
  void insertCopies();
  void insertCopy(std::vector<Step> &into, Step &reader, int position);
  void buildClasses();
  void extend(int value, int index);
  void tieClasses();
  llvm::SmallVector<int> classOrder() const;
  bool scan(llvm::ArrayRef<int> order);
  int pickRegister(const Class &c, const llvm::BitVector &free) const;
  bool assignApart();
  void noteFirstWriters();
  mlir::Value emit(mlir::OpBuilder &builder, const Step &step, llvm::ArrayRef<mlir::Value> values);
  mlir::Value emitOp(mlir::OpBuilder &builder, const Step &step,
                     llvm::ArrayRef<mlir::Value> values);
  void applyMarker(mlir::OpBuilder &builder, const Step &step);
  std::vector<std::string> names() const;
  const Class &classFor(int value) const { return classes[classOf[value]]; }

  mlir::tt::ttl::ComputeOp compute;
  DSTPlan plan;
  std::vector<Step> steps;
  llvm::SmallVector<int> yields;
  llvm::DenseMap<mlir::Value, int> numbers;
  int numValues = 0;
  int loads = 0, copies = 0;
  int capacity = 0;
  std::vector<Class> classes;
  std::vector<int> classOf; ///< class of each value
  llvm::SmallVector<int> fixedClasses;
  int firstOutput = 0;                  ///< first register of the outputs
  int numOutputs = 0;                   ///< number of classes that are yielded
  llvm::DenseMap<int, int> firstWriter; ///< first class in each register
};

} // namespace ttjit

#endif // TTJIT_PASSES_DST_DSTSCHEDULE_H
