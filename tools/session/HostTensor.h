//===- HostTensor.h - tensors of .mlir programs ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A tensor value of func.func @main: row-major elements in their storage format. It can
// copy itself to the device and back.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_SESSION_HOSTTENSOR_H
#define TTJIT_TOOLS_SESSION_HOSTTENSOR_H

#include "hw/device/Device.h"
#include "hw/tile/HostLayout.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/Error.h"

namespace ttjit::session {

class HostTensor {
public:
  /// Creates a tensor of zeros. Fails for element types and layouts that the emulated
  /// device does not support, and for tensors of more than 2^31 bytes.
  static llvm::Expected<HostTensor> create(mlir::RankedTensorType type);

  mlir::RankedTensorType type() const { return tensorType; }
  int64_t size() const { return tensorType.getNumElements(); }
  unsigned elementBits() const { return bits; }

  /// Sets an element; rounds floats to nearest even, and integers towards zero.
  void set(int64_t index, const llvm::APFloat &value);
  void setBits(int64_t index, uint64_t value);
  uint64_t getBits(int64_t index) const;
  /// Returns an element as a number; integers are exact.
  llvm::APFloat get(int64_t index) const;
  std::string text(int64_t index) const;
  /// Returns the distance of two elements in units in the last place. Two NaNs have distance 0, a
  /// NaN and a number have distance 2^64-1.
  uint64_t ulpDistance(int64_t index, const HostTensor &other) const;
  /// Returns the FNV-1a hash of the row-major bytes.
  uint64_t hash() const;

  /// Allocates pages on the device and copies the elements into them. Padding is zero.
  llvm::Expected<hw::TensorAllocation> place(hw::Device &device, const std::string &name) const;
  void readBack(hw::Device &device, const hw::TensorAllocation &placed, int deviceNumber = 0);

private:
  HostTensor(mlir::RankedTensorType type, hw::DataFormat format, unsigned bits)
      : tensorType(type), format(format), bits(bits), bytes(type.getNumElements() * bits / 8) {}

  hw::PageLayout pages() const;

  mlir::RankedTensorType tensorType;
  hw::DataFormat format;
  unsigned bits;
  std::vector<std::byte> bytes;
};

/// The number of elements that differ, and the index of the first one.
struct ElementDifference {
  int64_t count, first;
};

/// Finds the elements that are more than `ulp` units apart or, if `ulp` is 0, whose
/// bits differ. Returns nothing if there are none. Both tensors must have the same
/// shape and element type.
std::optional<ElementDifference> firstDifference(const HostTensor &a, const HostTensor &b,
                                                 uint64_t ulp = 0);

/// Returns the coordinates of element `index` in row-major order, such as "[3, 17]".
std::string indexText(mlir::RankedTensorType type, int64_t index);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_SESSION_HOSTTENSOR_H
