//===- Passes.td - passes of stage compute -----------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===------------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMPUTE_PASSES_TD
#define TTJIT_PASSES_COMPUTE_PASSES_TD

include "passes/common/PassBase.td"

def TTLFormCompute : TTLPass<"ttl-form-compute"> {
  let summary = "Fuse block expressions into ttl.compute";
  let statistics = [
    Statistic<"numExpressions", "expressions", "Block expressions">,
    Statistic<"numComputes", "computes", "Computes that they became">,
    Statistic<"numBuffers", "buffers", "Buffers made for values that must stand in L1">];
}

def TTLBufferizeExpressions : TTLPass<"ttl-bufferize-expressions"> {
  let summary = "Compute each block expression into a buffer of its own, without fusion";
  let statistics = [Statistic<"numBuffers", "ops-bufferized", "Ops that were bufferized">];
}

def TTLTileCompute : TTLPass<"ttl-tile-compute"> {
  let summary = "Tile computes that need too many DST registers, so that their pieces are small";
  let statistics = [Statistic<"numTiled", "tiled", "Computes that were tiled">];
}

#endif // TTJIT_PASSES_COMPUTE_PASSES_TD
