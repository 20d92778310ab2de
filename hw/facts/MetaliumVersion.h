//===- MetaliumVersion.h - differences between tt-metal versions ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_FACTS_METALIUMVERSION_H
#define TTJIT_HW_FACTS_METALIUMVERSION_H

#include "hw/facts/MetaliumApi.h"

#include <string>

namespace ttjit::hw {

/// The generation of tt-metal for which kernels are emitted, and its include paths.
struct MetaliumVersion {
  MetaliumGeneration generation = MetaliumGeneration::Mid;

  bool isOld() const { return generation == MetaliumGeneration::Old; }
  bool isNew() const { return generation == MetaliumGeneration::New; }

  const char *dataMovementHeader() const {
    return isOld() ? "dataflow_api.h" : "api/dataflow/dataflow_api.h";
  }
  const char *accessorHeader() const {
    return isOld() ? "accessor/tensor_accessor.h" : "api/tensor/tensor_accessor.h";
  }
  const char *printHeader() const { return isOld() ? "debug/dprint.h" : "api/debug/dprint.h"; }
  const char *assertHeader() const { return isOld() ? "debug/assert.h" : "api/debug/assert.h"; }
  const char *profilerHeader() const { return "tools/profiler/kernel_profiler.hpp"; }
  /// Returns the include path of a header of the compute API; `header` is relative to the API's
  /// folder. In the old generation, compute_kernel_api.h is beside that folder.
  std::string computeHeader(std::string_view header) const {
    if (isOld() && header == "compute_kernel_api.h")
      return std::string(header);
    return (isOld() ? "compute_kernel_api/" : "api/compute/") + std::string(header);
  }
};

} // namespace ttjit::hw

#endif // TTJIT_HW_FACTS_METALIUMVERSION_H
