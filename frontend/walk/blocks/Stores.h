//===- Stores.h - stores into blocks --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_BLOCKS_STORES_H
#define TTJIT_FRONTEND_WALK_BLOCKS_STORES_H

#include "frontend/walk/values/Values.h"

namespace ttjit::frontend {

/// Stores an expression into a block. With `accumulate`, adds it to what was stored since the block
/// was reserved.
void storeToBlock(Walker &walker, py::handle node, const Block &block, const Value &value,
                  bool accumulate);
/// Builds `block += operand`.
void addToBlock(Walker &walker, py::handle node, const Block &block, const Value &operand);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_BLOCKS_STORES_H
