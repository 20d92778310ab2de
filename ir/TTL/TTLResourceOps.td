//===- TTLResourceOps.td - buffers, tensors, node queries ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_RESOURCEOPS_TD
#define TTJIT_IR_TTL_RESOURCEOPS_TD

include "ir/TTL/TTLTypes.td"

def TTL_CreateCBOp : TTL_Op<"create_cb", [MemoryEffects<[MemAlloc]>]> {
  let summary = "A circular buffer on every node of the grid";
  let description = [{
    Shape, element and number of blocks are in the result type. `name` is the name in the
    user's program. If `buffer_index`, `page_size` (bytes) or `address` (byte address in L1)
    are absent, ttl-allocate-circular-buffers sets them. `core_ranges` names the nodes that
    use the buffer; absent means all nodes.

    `compiler_made` marks buffers of intermediate values, which are Float32. Of these,
    `accumulator` marks one that carries a value from one iteration of a loop to the next.
    The value before the loop is pushed once. Each iteration waits for the old value,
    reserves and pushes the new one and pops the old one. The value after the loop is waited
    for once.

    `ttl.create_cb "x" in(%a : tensor<...>) {byte_offset = 4096 : i64} : !ttl.cb<...>` makes a
    buffer that is backed by a tensor: its pages are those of the node's shard from
    `byte_offset` (absent: 0) on. Such a buffer has no address, because each launch has its own
    tensor.
  }];
  let arguments = (ins Optional<TTL_Tensor>:$tensor, StrAttr:$name,
                       OptionalAttr<I32Attr>:$buffer_index,
                       OptionalAttr<I64Attr>:$page_size, OptionalAttr<I64Attr>:$address,
                       UnitAttr:$compiler_made, UnitAttr:$accumulator,
                       OptionalAttr<TTCore_CoreRangeSetAttr>:$core_ranges,
                       OptionalAttr<I64Attr>:$byte_offset);
  let results = (outs TTL_CircularBuffer:$result);
  // Prints `$name (in($tensor : type($tensor)))? attr-dict : type($result)`; also reads
  // `shape = [1, 1], element_type = ..., buffer_factor = 2` (TTLResourceText.cpp).
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::llvm::StringRef":$name,
                                 "::mlir::IntegerAttr":$bufferIndex,
                                 "::mlir::IntegerAttr":$pageSize, "::mlir::IntegerAttr":$address,
                                 CArg<"bool", "false">:$compilerMade), [{
    build($_builder, $_state, type, /*tensor=*/::mlir::Value(), name, bufferIndex, pageSize,
          address, compilerMade, /*accumulator=*/false, ::mlir::tt::ttcore::CoreRangeSetAttr(),
          /*byte_offset=*/::mlir::IntegerAttr());
  }]>];
  let extraClassDeclaration = [{
    bool isTensorBacked() { return static_cast<bool>(getTensor()); }
    /// Bytes of the node's shard before the first page of a tensor-backed buffer.
    int64_t getTensorOffset() { return static_cast<int64_t>(getByteOffset().value_or(0)); }
  }];
}

def TTL_TensorAccessorOp : TTL_Op<"tensor_accessor", [Pure]> {
  let summary = "Makes a tensor addressable by transfers";
  let arguments = (ins TTL_Tensor:$tensor);
  let results = (outs TTL_TensorAccessor:$result);
  // Prints `$tensor attr-dict : type($tensor) -> type($result)`; the types may be left out.
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TTL_GridSliceOp : TTL_Op<"grid_slice", [Pure, SameOperandsAndResultType]> {
  let summary = "This node's window of a tensor";
  let description = [{
    Indices into the result of
    `%w = ttl.grid_slice %acc {block_factors = array<i64: 2, 1>} : !ttl.accessor<...>`
    count from the first index of this node's window. In dimension d the window starts at
    coordinate d of the node times `block_factors[d]`; there is one factor per dimension of
    the tensor as stored. ttl-canonicalize adds the start to the indices and erases the op.
  }];
  let arguments = (ins TTL_TensorAccessor:$accessor, DenseI64ArrayAttr:$block_factors);
  let results = (outs TTL_TensorAccessor:$result);
  let assemblyFormat = "$accessor attr-dict `:` type($accessor)";
  let hasVerifier = 1;
}

//===--------------------------------------------------------------------------===//
// Node queries
//===--------------------------------------------------------------------------===//

class TTL_NodeQueryOp<string mnemonic> : TTL_Op<mnemonic, [Pure]> {
  let arguments = (ins DefaultValuedAttr<I64Attr, "2">:$dims);
  let results = (outs Variadic<Index>:$coords);
  // Prints `attr-dict : type($coords)`; also reads `(dims = 1)` and `dims = 1`.
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasFolder = 1;
}

def TTL_CoreOp : TTL_NodeQueryOp<"core"> {
  let summary = "This node's coordinates";
  let description = [{
    `%x, %y = ttl.core {dims = 2} : index, index`. If `dims` is less than the rank of the
    grid, the highest dimensions are flattened row-major, the first one slowest. If it is
    more, the further coordinates are 0.
  }];
  let hasCanonicalizeMethod = 1;
}

def TTL_GridSizeOp : TTL_NodeQueryOp<"grid_size"> {
  let summary = "The grid's extents, flattened as for ttl.core and padded with 1";
}

def TTL_CoreLinearOp : TTL_Op<"core_linear", [Pure]> {
  let summary = "Row-major number of this node; same as ttl.core with dims = 1";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasFolder = 1;
}

#endif // TTJIT_IR_TTL_RESOURCEOPS_TD
