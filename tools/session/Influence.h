//===- Influence.h - whether unwritten bytes change results ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_INFLUENCE_H
#define TTJIT_TOOLS_SESSION_INFLUENCE_H

#include "hw/check/InitCheck.h"
#include "hw/device/Device.h"
#include "tools/session/TensorContents.h"
#include "tools/session/TensorPages.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ttjit::session {

/// Repeats a launch with other bytes in memory that nobody has written, and compares what the
/// program prints and what its tensors hold. Create it before the launch.
class Influence {
public:
  using Launch = std::function<hw::RunResult(const hw::RunOptions &)>;

  /// Saves the contents of the tensors, but not of the `constant` ones, which the program does not
  /// write.
  Influence(hw::Device &device, const std::vector<hw::TensorAllocation> &tensors,
            TensorPages &pages, const std::vector<unsigned> &constant);

  /// Gives the check the unwritten pages of the tensors.
  void begin(hw::check::InitCheck &check) const;

  /// Returns these options with a `print` that also keeps the text.
  hw::RunOptions listening(hw::RunOptions options);

  /// Call it after a launch that ended without a fault. Returns the first difference that the
  /// unwritten bytes of `use` make, such as "page 2 of tensor 'y'"; nothing if they make none.
  /// Afterwards, the tensors have their contents of before the call.
  std::optional<std::string> of(const hw::check::UnwrittenUse &use,
                                const hw::check::Unwritten &unwritten, hw::RunOptions options,
                                uint64_t steps, const Launch &launch);

  /// Sets on the device which pages of the tensors are still unwritten.
  void end(const hw::check::Unwritten &unwritten) const;

private:
  void fillUnwritten(int tensor, uint8_t byte) const;
  std::optional<std::string> difference(const TensorContents::Copies &first,
                                        const hw::check::Unwritten &unwritten,
                                        const hw::check::Unwritten &unwrittenAgain) const;

  hw::Device &device;
  const std::vector<hw::TensorAllocation> &tensors;
  TensorPages &pages;
  TensorContents contents; ///< of the tensors that the program writes
  TensorContents::Copies before;
  std::string printed;
};

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_INFLUENCE_H
