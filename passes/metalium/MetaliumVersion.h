//===- MetaliumVersion.h - differences between tt-metal versions ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_METALIUMVERSION_H
#define TTJIT_PASSES_METALIUM_METALIUMVERSION_H

#include <string>

namespace ttjit {

/// Differences between versions of tt-metal. The default is the generation of late 2025
/// and early 2026: headers under api/, and the names before the renames of 2026.
struct MetaliumVersion {
  std::string dataMovementHeader = "api/dataflow/dataflow_api.h";
  std::string accessorHeader = "api/tensor/tensor_accessor.h";
  std::string computeFolder = "api/compute/";
  std::string printHeader = "api/debug/dprint.h";
  std::string profilerHeader = "tools/profiler/kernel_profiler.hpp";
  /// The argument order is copy_dest_values(from, to) instead of (to, from). Both
  /// arguments have the same type: with the wrong order a kernel compiles and computes
  /// garbage.
  bool copyDestValuesSourceFirst = false;
};

} // namespace ttjit

#endif // TTJIT_PASSES_METALIUM_METALIUMVERSION_H
