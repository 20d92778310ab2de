//===- Passes.td - passes of stage compute ---------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_COMPUTE_PASSES_TD
#define TTJIT_PASSES_COMPUTE_PASSES_TD

include "passes/common/PassBase.td"

def TTLForwardStores : TTLPass<"ttl-forward-stores"> {
  let summary = "Pass on the contents of reserved blocks that other branches or iterations read";
  let statistics = [Statistic<"numForwarded", "forwarded", "Number of blocks whose stores were forwarded">];
}

def TTLFormCompute : TTLPass<"ttl-form-compute"> {
  let summary = "Fuse block expressions into ttl.compute";
  let statistics = [
    Statistic<"numExpressions", "expressions", "Number of block expressions">,
    Statistic<"numComputes", "computes", "Number of ttl.compute ops made of them">,
    Statistic<"numBuffers", "buffers", "Number of buffers made for values that must be in L1">];
}

def TTLBufferizeExpressions : TTLPass<"ttl-bufferize-expressions"> {
  let summary = "Compute each block expression into a buffer of its own, without fusion";
  let statistics = [Statistic<"numBuffers", "ops-bufferized", "Number of ops that were bufferized">];
}

def TTLTileCompute : TTLPass<"ttl-tile-compute"> {
  let summary = "Tile each ttl.compute that needs more DST registers than there are";
  let statistics = [Statistic<"numTiled", "tiled", "Number of ttl.compute ops that were tiled">];
}

#endif // TTJIT_PASSES_COMPUTE_PASSES_TD
