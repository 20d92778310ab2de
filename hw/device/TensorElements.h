//===- TensorElements.h - the elements in the pages of a tensor -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_TENSORELEMENTS_H
#define TTJIT_HW_DEVICE_TENSORELEMENTS_H

#include "hw/facts/DataFormat.h"
#include "hw/tile/HostLayout.h"

#include <vector>

namespace ttjit::hw {

/// What the pages of a tensor hold. Only messages use it.
struct TensorElements {
  std::vector<int64_t> shape; ///< without padding
  PageLayout layout;
  DataFormat format = DataFormat::Float32;
  bool isPartial = false; ///< the program says that a launch may write a part of the tensor
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_TENSORELEMENTS_H
