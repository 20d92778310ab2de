//===- TTLTypes.td - types and attributes of ttl ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_TYPES_TD
#define TTJIT_IR_TTL_TYPES_TD

include "mlir/Dialect/Bufferization/IR/BufferizationTypeInterfaces.td"
include "ir/TTL/TTLDialect.td"
include "ir/TTL/TTLLayoutInterface.td"

//===--------------------------------------------------------------------------===//
// Attributes
//===--------------------------------------------------------------------------===//

class TTL_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<TTL_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def TTL_SliceAttr : TTL_Attr<"Slice", "slice"> {
  let summary = "Half-open range with a step, as Python's slice";
  let description =
      "`#ttl.slice<start = 1, stop = 4, step = 1>`; the parser also accepts `#ttl.slice<1, 4, 1>`.";
  let parameters = (ins "int64_t":$start, "int64_t":$stop, "int64_t":$step);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTL_LayoutAttr : TTL_Attr<"Layout", "layout", [TTL_LayoutAttrInterface]> {
  let summary = "How a tensor's elements form pages, and how pages are distributed over banks";
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
    with the interface LayoutAttrInterface can be the layout; a `#ttl.layout` may be written
    without its name, as `<interleaved>`. The parser also accepts
    `#ttcore.memory_space<dram>`, `DRAM` and `DeviceDRAM` as the memory space, and
    `#ttnn.layout<tile>` as the layout.
  }];
  let parameters = (ins
    EnumParameter<TTCore_MemorySpace>:$memorySpace, "LayoutAttrInterface":$layout);
  let assemblyFormat = "`<` custom<MemorySpaceName>($memorySpace) `,` custom<Layout>($layout) `>`";
  let genVerifyDecl = 1;
}

//===--------------------------------------------------------------------------===//
// Types
//===--------------------------------------------------------------------------===//

class TTL_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<TTL_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def TTL_CircularBuffer : TTL_Type<"CircularBuffer", "cb"> {
  let summary = "Circular buffer: a ring of blocks in a core's L1";
  let description = [{
    `!ttl.cb<[2, 1], !ttcore.tile<32x32, f32>, 2>` has block shape (in tiles if the element is
    a tile, else in scalars), element and number of blocks. A circular buffer is always in
    L1, so the type has no memory space.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "int64_t":$bufferFactor);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isTiled() const;
    int64_t getElementsPerBlock() const;
    int64_t getTotalElements() const { return getElementsPerBlock() * getBufferFactor(); }
    /// Number of pages of one block: its tiles, or its rows of the innermost dimension.
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
    `!ttl.block<tensor<2x1x!ttcore.tile<32x32, f32>>, !ttl.cb<...>>`. Shape and element of the
    tensor are those of the buffer. `BlockType::get(cb)` builds the type from the buffer's
    type. Ops that acquire a block also accept `!ttl.block<...>`, with three dots: the block
    of their buffer.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tensorType,
                        "CircularBufferType":$circularBuffer);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [TypeBuilderWithInferredContext<(ins "CircularBufferType":$cb)>];
}

def TTL_TransferHandle : TTL_Type<"TransferHandle", "xf"> {
  let summary = "Handle of one asynchronous transfer; a pass replaces it by a transaction id";
}

def TTL_Semaphore : TTL_Type<"Semaphore", "semaphore"> {
  let summary = "A 32-bit synchronisation word on every node; `<true>` is the word of a remote node";
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
    `!ttl.tensor_slice<[2, 1], tensor<...>>` has the part's extents, in the units of the
    tensor's layout (tiles for the two innermost dimensions of a tiled tensor, elements
    otherwise), and the type of the whole tensor. The part starts at the indices of the
    `ttl.index_accessor` that creates it.
    A part of a sharded tensor may have two extents whatever the tensor's rank: all
    dimensions but the last count rows.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$sizes, "::mlir::RankedTensorType":$tensor);
  let assemblyFormat = "`<` `[` $sizes `]` `,` $tensor `>`";
}

//===--------------------------------------------------------------------------===//
// Constraints
//===--------------------------------------------------------------------------===//

def TTL_Tensor : Type<
    CPred<"::llvm::isa<::mlir::RankedTensorType>($_self)">, "ranked tensor",
    "::mlir::RankedTensorType">;

// Type of a block expression: a tensor of tiles that is only a value and in no memory.
def TTL_BlockTensor : Type<
    CPred<"::mlir::tt::ttl::isBlockTensor($_self)">, "tensor of tiles",
    "::mlir::RankedTensorType">;

def TTL_PrintedNumber : AnyTypeOf<[I32, F32, I1], "i32, f32 or i1">;

def TTL_BlockOperand : AnyTypeOf<[TTL_Block, TTL_BlockTensor], "block or tensor of tiles">;

#endif // TTJIT_IR_TTL_TYPES_TD
