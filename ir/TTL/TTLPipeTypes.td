//===- TTLPipeTypes.td - types of pipes and lowered pipes ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Users create pipes and pipenets. From stage `sync` on, the compiler creates landing slots,
// counters, and a table of each node's pipes.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_PIPETYPES_TD
#define TTJIT_IR_TTL_PIPETYPES_TD

include "ir/TTL/TTLTypes.td"

def TTL_Pipe : TTL_Type<"Pipe", "pipe"> {
  let summary = "A channel from one node to one node or to a range of nodes";
  let description = [{
    `!ttl.pipe<[0, 0], dst = [1, 0]>` or
    `!ttl.pipe<[0, 0], range = [<start = 0, stop = 1, step = 1>, ...]>`. Plain
    `!ttl.pipe` is any pipe: the type of a callback's argument.
  }];
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$srcCore,
                        OptionalArrayRefParameter<"int64_t">:$dstCore,
                        OptionalArrayRefParameter<"SliceAttr">:$dstCoreRange);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TTL_PipeNet : TTL_Type<"PipeNet", "pipenet"> {
  let summary = "A list of pipes; the defining ttl.create_pipenet has them as operands";
}

def TTL_Landing : TTL_Type<"Landing", "landing"> {
  let summary = "Landing slots of a net, at the same L1 address on every node";
  let description = [{
    `!ttl.landing<[2, 1], !ttcore.tile<32x32, f32>, 3>` has block shape, element and number
    of slots. A slot holds one block in the block's own format.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "int64_t":$slots);
  let assemblyFormat = "`<` `[` $shape `]` `,` $elementType `,` $slots `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Bytes of one slot, a multiple of the alignment of NoC writes.
    int64_t getSlotBytes() const;
    int64_t getTotalBytes() const { return getSlotBytes() * getSlots(); }
  }];
}

def TTL_Slot : TTL_Type<"Slot", "slot"> {
  let summary = "Room for one block in L1: a landing slot, or a slot of a circular buffer";
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let assemblyFormat = "`<` `[` $shape `]` `,` $elementType `>`";
}

def TTL_Counters : TTL_Type<"Counters", "counters"> {
  let summary = "32-bit words at the same L1 address on every node";
  let parameters = (ins "int64_t":$count);
  let assemblyFormat = "`<` $count `>`";
}

def TTL_NodeTable : TTL_Type<"NodeTable", "node_table"> {
  let summary = "Constants that differ from node to node";
}

#endif // TTJIT_IR_TTL_PIPETYPES_TD
