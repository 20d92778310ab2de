//===- MemoryBindings.h - memory configs in the _ttjit module -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_TENSOR_MEMORYBINDINGS_H
#define TTJIT_FRONTEND_TENSOR_MEMORYBINDINGS_H

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

/// Adds BufferType, TensorMemoryLayout, ShardOrientation, ShardDistributionStrategy, CoreCoord,
/// CoreRange, CoreRangeSet, ShardSpec, NdShardSpec and MemoryConfig.
void bindMemoryConfig(pybind11::module_ &module);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_MEMORYBINDINGS_H
