//===- TTLRegionOps.td - regions of block expressions ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Groups of block expressions that should be computed together. ttl-canonicalize replaces
// each op by its body, and ttl-form-compute fuses the expressions.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_REGIONOPS_TD
#define TTJIT_IR_TTL_REGIONOPS_TD

include "ir/TTL/TTLTypes.td"

def TTL_ComputeRegionOp : TTL_Op<"compute_region", [
    AttrSizedOperandSegments, SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects,
    DeclareOpInterfaceMethods<RegionBranchOpInterface, ["getEntrySuccessorOperands"]>]> {
  let summary = "Block expressions that should be computed together";
  let description = [{
    ```mlir
    ttl.compute_region ins(%x, %w : !block, !block) outs(%y : !block) keep_in_dst {
    ^bb0(%a: !block, %b: !block):
      %0 = ttl.block_matmul %a, %b : ...
      %1 = ttl.block_relu %0 : ...
      ttl.yield %1 : ...
    }
    ```
    Body arguments are the inputs. Each yielded value is rounded and stored in one of the
    blocks `outs`; without `outs` the yielded values are the results. With `keep_in_dst` an
    intermediate value is not stored in L1 for the sole reason that several others use it.
  }];
  let arguments = (ins
    Variadic<TTL_BlockOperand>:$inputs,
    Arg<Variadic<TTL_Block>, "", [MemWrite]>:$outputs,
    UnitAttr:$keep_in_dst);
  let results = (outs Variadic<TTL_BlockTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  // Prints `ins($inputs : types) outs($outputs : types) keep_in_dst attributes {..} $body -> types`
  // and leaves out what is empty. The types of operands may be left out, and
  // `{keep_in_dst = true}` may follow the body.
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TTL_BlockComputeOp : TTL_Op<"block_compute", [
    SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects, NoRegionArguments,
    DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "A region that contains only block expressions";
  let description = [{
    `%r = ttl.block_compute { ... ttl.yield %v : tensor<...> } -> tensor<...>`. The body reads
    blocks and values from outside. It must not store, acquire, release or copy blocks.
  }];
  let results = (outs Variadic<TTL_BlockTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body `->` type($results)";
  let hasVerifier = 1;
}

#endif // TTJIT_IR_TTL_REGIONOPS_TD
