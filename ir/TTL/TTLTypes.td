//===- TTLTypes.td - types and attributes of ttl -------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_TYPES_TD
#define TTJIT_IR_TTL_TYPES_TD

include "mlir/Dialect/Bufferization/IR/BufferizationTypeInterfaces.td"
include "ir/TTL/TTLDialect.td"
include "ir/TTL/TTLLayoutInterface.td"

//===------------------------------------------------------------------------------===//
// Attributes
//===------------------------------------------------------------------------------===//

class TTL_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TTL_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def TTL_SliceAttr : TTL_Attr<"Slice", "slice"> {
  let summary = "Half-open range with a step, as Python's slice";
  let description = "`#ttl.slice<start = 1, stop = 4, step = 1>`; `#ttl.slice<1, 4, 1>` reads too.";
  let parameters = (ins "int64_t":$start, "int64_t":$stop, "int64_t":$step);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTL_LayoutAttr : TTL_Attr<"Layout", "layout", [TTL_LayoutAttrInterface]> {
  let summary = "How a tensor's elements form pages and pages spread over banks";
  let description = [{
    `#ttl.layout<interleaved, tile = 32x32>` stores tiles, one per page;
    `#ttl.layout<interleaved>` stores rows of the innermost dimension, one per
    page. Sharded layouts add `grid = 2x2` (shards per dimension) and
    `shard = 64x64` (elements of one shard); all dimensions but the last count rows. Pages of
    a row-major tensor are the rows of its shards.
  }];
  let parameters = (ins
    "::mlir::tt::ttcore::TensorMemoryLayout":$memoryLayout,
    OptionalArrayRefParameter<"int64_t">:$tile,
    OptionalArrayRefParameter<"int64_t">:$grid,
    OptionalArrayRefParameter<"int64_t">:$shard);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTL_TensorEncodingAttr : TTL_Attr<"TensorEncoding", "tensor_encoding"> {
  let summary = "Memory space and layout of a tensor on the device";
  let description = [{
    `#ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>`. Any attribute
    with the interface LayoutAttrInterface can be the layout; for a `#ttl.layout` the
    part in brackets is enough.
  }];
  let parameters = (ins
    EnumParameter<TTCore_MemorySpace>:$memorySpace, "LayoutAttrInterface":$layout);
  let assemblyFormat = "`<` $memorySpace `,` custom<Layout>($layout) `>`";
  let genVerifyDecl = 1;
}

//===------------------------------------------------------------------------------===//
// Types
//===------------------------------------------------------------------------------===//

class TTL_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<TTL_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def TTL_CircularBuffer : TTL_Type<"CircularBuffer", "cb"> {
  let summary = "Circular buffer: a ring of blocks in a core's L1";
  let description = [{
    `!ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>`: block shape (in tiles for a
    tile element, in scalars otherwise), element, number of blocks. Always in
    L1, so there is no memory space.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "int64_t":$bufferFactor);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isTiled() const;
    int64_t getElementsPerBlock() const;
    int64_t getTotalElements() const { return getElementsPerBlock() * getBufferFactor(); }
    /// Pages of one block: tiles, or rows of the innermost dimension.
    int64_t getPagesPerBlock() const;
    /// Bytes of one page.
    int64_t getPageBytes() const;
    int64_t getTotalBytes() const {
      return getPagesPerBlock() * getPageBytes() * getBufferFactor();
    }
    /// Storage format of the elements.
    ttjit::hw::DataFormat getFormat() const;
  }];
}

def TTL_Block : TTL_Type<"Block", "block", [Bufferization_BufferLikeTypeInterface]> {
  let summary = "One slot of a circular buffer, acquired by wait or reserve";
  let description = [{
    `!ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !ttl.cb<...>>`. Made only
    by `ttl.cb_wait` and `ttl.cb_reserve`; the tensor's shape and element are
    the buffer's. `BlockType::get(cb)` builds it from the buffer's type.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tensorType,
                        "CircularBufferType":$circularBuffer);
  let assemblyFormat = "`<` $tensorType `,` $circularBuffer `>`";
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<(ins "CircularBufferType":$cb)>];
}

def TTL_TransferHandle : TTL_Type<"TransferHandle", "xf"> {
  let summary = "Handle of one asynchronous transfer; becomes a transaction id";
}

def TTL_Semaphore : TTL_Type<"Semaphore", "semaphore"> {
  let summary = "32-bit synchronisation word on every node; `<true>` names a remote node's";
  let parameters = (ins DefaultValuedParameter<"bool", "false">:$isRemote);
  let assemblyFormat = "(`<` $isRemote^ `>`)?";
}

def TTL_TensorAccessor : TTL_Type<"TensorAccessor", "accessor"> {
  let summary = "A tensor that transfers can address";
  let parameters = (ins "::mlir::RankedTensorType":$tensor);
  let assemblyFormat = "`<` $tensor `>`";
}

def TTL_TensorSlice : TTL_Type<"TensorSlice", "tensor_slice"> {
  let summary = "A rectangular part of a tensor: one end of a transfer";
  let description = [{
    `!ttl.tensor_slice<[2, 1], tensor<...>>`: the part's extents, in the units
    of the tensor's layout (tiles for the two innermost dimensions of a tiled
    tensor, elements otherwise), and the whole tensor's type. The operands of the
    `ttl.index_accessor` that makes it say where it starts. A part of a sharded tensor may
    have two extents whatever the tensor's rank: all dimensions but the last count rows.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$sizes, "::mlir::RankedTensorType":$tensor);
  let assemblyFormat = "`<` `[` $sizes `]` `,` $tensor `>`";
}

//===------------------------------------------------------------------------------===//
// Constraints
//===------------------------------------------------------------------------------===//

def TTL_Tensor : Type<
    CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">, "ranked tensor",
    "::mlir::RankedTensorType">;

// A block expression: a tensor of tiles that exists only as a value.
def TTL_BlockTensor : Type<
    CPred<"::mlir::tt::ttl::isBlockTensor($_self)">, "tensor of tiles",
    "::mlir::RankedTensorType">;

def TTL_BlockOperand : AnyTypeOf<[TTL_Block, TTL_BlockTensor], "block or tensor of tiles">;

#endif // TTJIT_IR_TTL_TYPES_TD
