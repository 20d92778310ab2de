//===- RefusedTransforms.cpp - transforms that kernels cannot use -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// MLIR has transforms that take or create ops of its linalg, tensor and vector dialects. A kernel
// has none of these ops. So the transforms would fail without a reason that helps, or crash.
//===--------------------------------------------------------------------------===//

#include "passes/schedule/RefusedTransforms.h"

#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/IR/OpImplementation.h"

#include <iterator>

using namespace mlir;

namespace {

struct Refused {
  StringLiteral name;
  StringLiteral advice;
};

constexpr StringLiteral kFused =
    "cannot fuse in a kernel: ttl-form-compute has fused block expressions before stage 'compute' "
    "ends; write transform.structured.tile_using_for to tile the ttl.compute that it made";
constexpr StringLiteral kSplit =
    "cannot split a ttl.compute: write transform.ttl.multisize_split, which tiles it with two "
    "sizes that cover the extent";
constexpr StringLiteral kParallel =
    "cannot make a parallel loop in a kernel, whose grid says which cores run it: write "
    "transform.structured.tile_using_for";
constexpr StringLiteral kReduction =
    "cannot tile a reduction of a ttl.compute, which sums in ascending order: tile its other "
    "dimensions with transform.structured.tile_using_for";
constexpr StringLiteral kOrder =
    "cannot change the order of a ttl.compute's loops: write transform.structured.tile_using_for "
    "with interchange, or transform.ttl.reorder_for_locality for transfers";
constexpr StringLiteral kMemory =
    "cannot move or pad data in a kernel, whose blocks are slots of circular buffers: write "
    "transform.ttl.optimize_buffer_factor to change their number, or "
    "transform.ttl.insert_prefetch to load them earlier";
constexpr StringLiteral kLowered =
    "cannot lower or rewrite a ttl.compute, which the stages after the schedule lower: leave it "
    "out";
constexpr StringLiteral kMatched =
    "matches ops of the linalg dialect, and a kernel has none: write transform.structured.match "
    "ops{[\"ttl.compute\"]}";

constexpr Refused kRefused[] = {
    {"transform.apply_patterns.linalg.decompose_pack_unpack", kLowered},
    {"transform.apply_patterns.linalg.decompose_pad", kLowered},
    {"transform.apply_patterns.linalg.erase_unnecessary_inputs", kLowered},
    {"transform.apply_patterns.linalg.fold_add_into_dest", kLowered},
    {"transform.apply_patterns.linalg.fold_pack_unpack_into_empty", kLowered},
    {"transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes", kLowered},
    {"transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices", kLowered},
    {"transform.apply_patterns.linalg.pad_vectorization", kLowered},
    {"transform.apply_patterns.linalg.tiling_canonicalization", kLowered},
    {"transform.match.structured", kMatched},
    {"transform.match.structured.body", kMatched},
    {"transform.match.structured.classify_contraction_dims", kMatched},
    {"transform.match.structured.classify_convolution_dims", kMatched},
    {"transform.match.structured.dim", kMatched},
    {"transform.match.structured.elemental_bitwidth", kMatched},
    {"transform.match.structured.init", kMatched},
    {"transform.match.structured.input", kMatched},
    {"transform.match.structured.num_inits", kMatched},
    {"transform.match.structured.num_inputs", kMatched},
    {"transform.match.structured.rank", kMatched},
    {"transform.match.structured.result", kMatched},
    {"transform.match.structured.yield", kMatched},
    {"transform.structured.bufferize_to_allocation", kMemory},
    {"transform.structured.continuous_tile_sizes", kSplit},
    {"transform.structured.convert_conv2d_to_img2col", kLowered},
    {"transform.structured.convert_to_loops", kLowered},
    {"transform.structured.decompose", kLowered},
    {"transform.structured.decompose_interface", kLowered},
    {"transform.structured.decompose_winograd_op", kLowered},
    {"transform.structured.eliminate_empty_tensors", kLowered},
    {"transform.structured.flatten_elementwise", kLowered},
    {"transform.structured.fuse", kFused},
    {"transform.structured.fuse_into_containing_op", kFused},
    {"transform.structured.generalize", kLowered},
    {"transform.structured.gpu.map_copy_to_threads", kParallel},
    {"transform.structured.hoist_pad", kMemory},
    {"transform.structured.hoist_pad.build_packing_loop_nest", kMemory},
    {"transform.structured.hoist_redundant_vector_broadcasts", kLowered},
    {"transform.structured.hoist_redundant_vector_transfers", kLowered},
    {"transform.structured.insert_slice_to_copy", kMemory},
    {"transform.structured.interchange", kOrder},
    {"transform.structured.linalg_copy_to_memref", kMemory},
    {"transform.structured.lower_pack", kMemory},
    {"transform.structured.lower_unpack", kMemory},
    {"transform.structured.multitile_sizes", kSplit},
    {"transform.structured.pack", kMemory},
    {"transform.structured.pack_greedily", kMemory},
    {"transform.structured.pack_transpose", kMemory},
    {"transform.structured.pad", kMemory},
    {"transform.structured.pad_tiling_interface", kMemory},
    {"transform.structured.promote", kMemory},
    {"transform.structured.promote_tensor", kMemory},
    {"transform.structured.replace", kLowered},
    {"transform.structured.rewrite_in_destination_passing_style", kLowered},
    {"transform.structured.scalarize", kLowered},
    {"transform.structured.specialize", kLowered},
    {"transform.structured.split", kSplit},
    {"transform.structured.split_reduction", kReduction},
    {"transform.structured.tile_reduction_using_for", kReduction},
    {"transform.structured.tile_reduction_using_forall", kReduction},
    {"transform.structured.tile_using_forall", kParallel},
    {"transform.structured.transpose_conv2d", kLowered},
    {"transform.structured.transpose_matmul", kLowered},
    {"transform.structured.vectorize", kLowered},
    {"transform.structured.vectorize_children_and_apply_patterns", kLowered},
    {"transform.structured.winograd_conv2d", kLowered},
};

// An op with a name of the table. Its parser always fails, so only MLIR's generic form can create
// such an op, and verify() rejects that.
template <size_t Row>
class RefusedOp : public Op<RefusedOp<Row>, OpTrait::ZeroRegions, OpTrait::ZeroSuccessors,
                            OpTrait::VariadicOperands, OpTrait::VariadicResults> {
public:
  using Op<RefusedOp<Row>, OpTrait::ZeroRegions, OpTrait::ZeroSuccessors, OpTrait::VariadicOperands,
           OpTrait::VariadicResults>::Op;
  static constexpr StringLiteral getOperationName() { return kRefused[Row].name; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  static ParseResult parse(OpAsmParser &parser, OperationState &) {
    return parser.emitError(parser.getNameLoc()) << kRefused[Row].advice;
  }
  LogicalResult verify() { return this->emitOpError() << kRefused[Row].advice; }
};

template <size_t... Rows> void insertRefused(Dialect &dialect, std::index_sequence<Rows...>) {
  (RegisteredOperationName::insert<RefusedOp<Rows>>(dialect), ...);
}

} // namespace

void ttjit::registerRefusedTransforms(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, transform::TransformDialect *dialect) {
    insertRefused(*dialect, std::make_index_sequence<std::size(kRefused)>());
  });
}
