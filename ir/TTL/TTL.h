//===- TTL.h - the ttl dialect --------------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// TT-Lang kernels at block and tile level. The frontend creates this dialect, and
// passes lower it to ttkernel.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_TTL_H
#define TTJIT_IR_TTL_TTL_H

#include "ir/TTCore/TTCore.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizationTypeInterfaces.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace mlir::tt::ttl {

/// Marks ops that only text of other tools contains; ttl-canonicalize replaces them.
template <typename ConcreteType>
class IsAlias : public OpTrait::TraitBase<ConcreteType, IsAlias> {};

/// Checks that the op has only attributes that it declares or that a dialect's prefix marks.
LogicalResult verifyAttributeNames(Operation *op);

template <typename ConcreteType>
class KnownAttributes : public OpTrait::TraitBase<ConcreteType, KnownAttributes> {
public:
  static LogicalResult verifyTrait(Operation *op) { return verifyAttributeNames(op); }
};

/// Returns whether the type is `tensor<MxNx!ttcore.tile<..>>`, the type of block expressions.
bool isBlockTensor(Type type);

/// Marks ops that compute a block expression.
template <typename ConcreteType>
class IsBlockExpression : public OpTrait::TraitBase<ConcreteType, IsBlockExpression> {};

inline bool isBlockExpression(Operation *op) { return op->hasTrait<IsBlockExpression>(); }

/// Marks ops that combine their result with a DST register, in place.
template <typename ConcreteType>
class UpdatesTile : public OpTrait::TraitBase<ConcreteType, UpdatesTile> {};

//===--------------------------------------------------------------------------===//
// Resources of memory effects: state that ops change and that is not a value.
//===--------------------------------------------------------------------------===//

/// Pointers and counters of circular buffers.
struct BufferResource : SideEffects::Resource::Base<BufferResource> {
  StringRef getName() final { return "ttl.buffers"; }
};
/// Semaphores, local and remote.
struct SemaphoreResource : SideEffects::Resource::Base<SemaphoreResource> {
  StringRef getName() final { return "ttl.semaphores"; }
};
/// Transfers in flight, and the memory that they read and write.
struct TransferResource : SideEffects::Resource::Base<TransferResource> {
  StringRef getName() final { return "ttl.transfers"; }
};
/// The DST registers.
struct DSTResource : SideEffects::Resource::Base<DSTResource> {
  StringRef getName() final { return "ttl.dst"; }
};
/// The text that a thread prints, and its signposts.
struct OutputResource : SideEffects::Resource::Base<OutputResource> {
  StringRef getName() final { return "ttl.output"; }
};
/// Whether the thread continues or faults; every check writes it.
struct FaultResource : SideEffects::Resource::Base<FaultResource> {
  StringRef getName() final { return "ttl.fault"; }
};

/// Adds the effects of a tile operation: it reads its blocks, and writes its DST register if
/// `dst_idx` says which one.
void addTileEffects(Operation *op, SmallVectorImpl<MemoryEffects::EffectInstance> &effects);

/// A later ttl.dst_tile may read the register that a tile operation writes. So MLIR must not
/// erase the operation where nothing uses its result.
template <typename ConcreteType>
class WritesRegister : public OpTrait::TraitBase<ConcreteType, WritesRegister> {
public:
  void getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
    addTileEffects(this->getOperation(), effects);
  }
};

} // namespace mlir::tt::ttl

#include "ir/TTL/TTLEnums.h.inc"

#include "ir/TTL/TTLInterfaces.h.inc"

#include "ir/TTL/TTLDialect.h.inc"

#include "ir/TTL/TTLComputeInterfaces.h.inc"

#include "ir/TTL/TTLLayoutInterface.h.inc"

#define GET_ATTRDEF_CLASSES
#include "ir/TTL/TTLAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "ir/TTL/TTLTypes.h.inc"

#define GET_OP_CLASSES
#include "ir/TTL/TTLOps.h.inc"

namespace mlir::tt::ttl {
// Registers the ops of TTLElementwiseOps.h.
void registerTileRows(TTLDialect *dialect);
} // namespace mlir::tt::ttl

namespace mlir::tt::ttl {

/// The kind of a number that is printed: 'i', 'f' or 'b' for i32, f32 or i1.
char getNumberKind(Type type);
/// A format string that prints this text: braces are doubled.
std::string escapeFormat(StringRef text);
/// Describes how a tensor is printed. `columns` is the number of elements of a page that is a row,
/// 0 for a tile.
struct PrintedTensor {
  std::string heading; ///< "<Tensor shape=(64, 64) dtype=float32>"
  ttjit::hw::DataFormat format;
  int64_t columns;
};
PrintedTensor getPrintedTensor(RankedTensorType type);
/// Extents of a block in elements. A row of tiles has two, as its tensor is stored.
SmallVector<int64_t> getElementExtents(BlockType block);

/// Returns whether the op is a thread of a ttl.kernel.
inline bool isThread(Operation *op) {
  return isa<ComputeThreadOp, DataMovementThreadOp, UnifiedThreadOp>(op);
}

/// On a compute or data movement thread, or a ttl.microcore_thread: the processor that it runs on.
inline constexpr StringLiteral kMicrocoreHintAttr = "microcore_hint";

/// Returns the processor that runs a compute or data movement thread of a ttl.kernel.
Processor processorOf(Operation *thread);
/// Returns a processor for each data movement thread; `bound` has those that the program chose.
SmallVector<Processor> placeMovers(ArrayRef<std::optional<Processor>> bound);
/// Returns the `microcore_hint` that names a processor.
StringRef hintOf(Processor processor);
/// Returns the processor that a hint names; nothing if it names none.
std::optional<Processor> processorOfHint(StringRef hint);
/// Returns the names of the small processors of which a processor consists: hw/facts/Microcores.h.
SmallVector<StringRef> microcoresOf(Processor processor);
/// Returns the role of a ttl.microcore_thread on a processor.
ArrayAttr getRole(MLIRContext *context, Processor processor);

/// Returns whether the op computes on blocks, which only compute threads may do.
bool isBlockArithmetic(Operation *op);
/// Returns whether the op transfers data or selects a part of a tensor, which only data movement
/// threads may do.
bool isDataMovement(Operation *op);
/// Returns whether the op uses pipes or semaphores as only data movement threads may. Every thread
/// may ask for the ends of a pipe.
bool isPipeOrSemaphoreUse(Operation *op);

/// Returns the shape of a block or block expression, in tiles.
ArrayRef<int64_t> getBlockShape(Type type);

/// Returns the type of a block expression of this shape: Float32 tiles, or Int32 or UInt32
/// ones.
RankedTensorType getBlockTensorType(MLIRContext *context, ArrayRef<int64_t> shape,
                                    ttcore::DataType type = ttcore::DataType::Float32);

/// Returns the type in which the tiles of a block or block expression are computed: Float32,
/// or Int32 or UInt32 if they are integers. `type` is the block's, the expression's or a
/// tile's.
ttcore::DataType getComputedType(Type type);

/// Converts coordinates of a node (or extents of a grid) from the grid's rank to `dims`
/// dimensions, as `ttl.core` does: too few dimensions flatten the highest ones
/// row-major, the values of additional
/// dimensions are `pad`.
SmallVector<int64_t> flattenGridDims(ArrayRef<int64_t> shape, int64_t dims, int64_t pad);

/// Returns a shape as the user writes it, such as `(2, 1)`.
std::string shapeText(ArrayRef<int64_t> shape);

/// Returns the grid of the kernel or program around `op`; null in a thread function,
/// which is outside its program.
ttcore::GridAttr getGridAround(Operation *op);

/// Returns the node number (row-major, first dimension slowest) of a coordinate, which
/// has the grid's rank or rank 1.
int64_t linearizeNode(ttcore::GridAttr grid, ArrayRef<int64_t> coords);

/// Returns the node numbers of a range, which has one slice per dimension of the grid
/// or one slice of node numbers. They are in the order of the slices, the first
/// slowest.
SmallVector<int64_t> nodesOfRange(ttcore::GridAttr grid, ArrayRef<SliceAttr> range);

/// Returns the extents of a tensor in the units of its layout: tiles for the two
/// innermost dimensions of a tiled tensor (rounded up), elements otherwise. A tiled
/// tensor of rank 1 or 0 is stored with rank 2 and has that rank here. A row-major tensor
/// of rank 0 has rank 1.
SmallVector<int64_t> getStoredShape(RankedTensorType type);

/// Returns the stored shape of the part's tensor in the dimensions that the part's extents
/// count: two for a part of a sharded tensor that counts rows.
SmallVector<int64_t> getStoredShape(TensorSliceType part);

/// Returns whether the part consists of pages that transfers can move as they are: tiles, or
/// whole rows that are pages and that follow each other at aligned addresses in a block.
bool hasWholePages(TensorSliceType part);

/// Returns the bytes of an element of a row-major tensor.
int64_t getElementBytes(RankedTensorType type);

/// Returns the DST register of a tile; nothing before registers are assigned, and for a
/// block argument.
std::optional<int> getRegister(Value tile);

/// Returns the size of one page of a tensor with a ttl.tensor_encoding: a tile, or a row of
/// the tensor or of its shard.
int64_t getPageBytes(RankedTensorType type);

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_TTL_H
