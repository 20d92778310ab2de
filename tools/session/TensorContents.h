//===- TensorContents.h - the bytes of a launch's tensors -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_TENSORCONTENTS_H
#define TTJIT_TOOLS_SESSION_TENSORCONTENTS_H

#include "hw/device/Device.h"

#include <memory>
#include <vector>

namespace ttjit::session {

/// Returns the number of bytes of all pages of a tensor.
size_t bytesOf(const hw::TensorAllocation &tensor);

/// The part of a tensor that one device has. The tensor's number is that in the launch.
struct TensorOnDevice {
  size_t tensor = 0;
  int device = 0;
};

/// Copies the tensors of a launch and restores the copies, so that the launch can run again.
class TensorContents {
public:
  using Copies = std::vector<std::unique_ptr<std::byte[]>>; ///< by part, page after page

  /// The parts are those of all tensors but the `constant` ones, which the program does not write.
  TensorContents(hw::Device &device, const std::vector<hw::TensorAllocation> &tensors,
                 const std::vector<unsigned> &constant);

  Copies save() const;
  void restore(const Copies &saved) const;
  const std::vector<TensorOnDevice> &parts() const { return all; }

private:
  hw::Device &device;
  const std::vector<hw::TensorAllocation> &tensors;
  std::vector<TensorOnDevice> all;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_TENSORCONTENTS_H
