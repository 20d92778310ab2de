//===- HostFunction.h - functions of the host that kernels call -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_HOSTFUNCTION_H
#define TTJIT_HW_DEVICE_HOSTFUNCTION_H

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ttjit::hw {

/// An argument of a call: a number, or a block as a row-major array of fp32.
struct HostArgument {
  char kind = 'i';   ///< i, f, b: an int32, fp32 or bool; r, w: an array, w: may be written
  uint32_t bits = 0; ///< of a number
  std::vector<float> elements;
  std::vector<int32_t> extents;

  bool isArray() const { return kind == 'r' || kind == 'w'; }
};

/// A function that runs on the host thread's own stack, so that it may use as much as it needs.
class HostFunction {
public:
  virtual ~HostFunction() = default;
  /// `resultKind` is i, f, b, or 0 for a function without a result. Returns an empty text,
  /// or why the function failed.
  virtual std::string call(std::span<HostArgument> arguments, char resultKind,
                           uint32_t &result) = 0;
};

/// Functions by name, or by "LIBRARY:NAME".
using HostFunctions = std::map<std::string, std::shared_ptr<HostFunction>>;

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_HOSTFUNCTION_H
