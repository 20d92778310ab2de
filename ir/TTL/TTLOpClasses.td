//===- TTLOpClasses.td - what ops of ttl have in common --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// This file defines no op, so that the ops of TTLTileTable.td can be generated apart from those
// of TTLOps.td.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_OPCLASSES_TD
#define TTJIT_IR_TTL_OPCLASSES_TD

include "ir/TTL/TTLTypes.td"
include "ir/TTCore/TTCoreInterfaces.td"
include "ir/TTL/TTLComputeInterfaces.td"

def TTL_BlockExpressionTrait : NativeOpTrait<"IsBlockExpression"> {
  let cppNamespace = "::mlir::tt::ttl";
}

// An expression that reads a block has a read effect on it, so that it is neither merged
// nor moved across a write of the block. No block expression can fault.
class TTL_BlockComputeOp<string mnemonic, list<Trait> traits = []>
    : TTL_Op<mnemonic, !listconcat(traits, [
        AlwaysSpeculatable, TTL_BlockExpressionTrait, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])> {
  let results = (outs TTL_BlockTensor:$result);
}

// Every tile operation has an attribute `dst_idx`.
class TTL_TileOp<string mnemonic, list<Trait> traits = []>
    : TTL_Op<mnemonic, !listconcat(traits, [AlwaysSpeculatable, TTL_RegisterTraits])> {
  let results = (outs TTCore_AnyTile:$result);
}

#endif // TTJIT_IR_TTL_OPCLASSES_TD
