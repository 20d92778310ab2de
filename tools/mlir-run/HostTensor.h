//===- HostTensor.h - tensors of .mlir programs ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Values of func.func @main: row-major elements in their storage format, and
// their way to the device and back.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_MLIR_RUN_HOSTTENSOR_H
#define TTJIT_TOOLS_MLIR_RUN_HOSTTENSOR_H

#include "hw/device/Device.h"
#include "hw/tile/HostLayout.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/Support/Error.h"

namespace ttjit::session {

class HostTensor {
public:
  /// All zero. Fails for element types and layouts that cannot stand on the
  /// emulated device, and for tensors of more than 2^31 bytes.
  static llvm::Expected<HostTensor> create(mlir::RankedTensorType type);

  mlir::RankedTensorType type() const { return tensorType; }
  int64_t size() const { return tensorType.getNumElements(); }
  unsigned elementBits() const { return bits; }

  /// Rounded to the element's format, nearest even; integers towards zero.
  void set(int64_t index, const llvm::APFloat &value);
  void setBits(int64_t index, uint64_t value);
  uint64_t getBits(int64_t index) const;
  std::string text(int64_t index) const;
  /// Distance in units in the last place; 0 for two NaNs, huge for one.
  uint64_t ulpDistance(int64_t index, const HostTensor &other) const;
  /// FNV-1a of the row-major bytes.
  uint64_t hash() const;

  /// Pages on the device holding these elements; padding is zero.
  llvm::Expected<hw::TensorAllocation> place(hw::Device &device, const std::string &name) const;
  void readBack(hw::Device &device, const hw::TensorAllocation &placed);

private:
  HostTensor(mlir::RankedTensorType type, hw::DataFormat format, unsigned bits)
      : tensorType(type), format(format), bits(bits), bytes(type.getNumElements() * bits / 8) {}

  hw::PageLayout pages() const;

  mlir::RankedTensorType tensorType;
  hw::DataFormat format;
  unsigned bits;
  std::vector<std::byte> bytes;
};

/// Elements whose bits differ, or that are more than `ulp` units apart.
struct ElementDifference {
  int64_t count, first;
};

/// Nothing if no element differs. Both tensors have the same shape and element.
std::optional<ElementDifference> firstDifference(const HostTensor &a, const HostTensor &b,
                                                 uint64_t ulp = 0);

/// "[3, 17]": where element `index` of the row-major order stands.
std::string indexText(mlir::RankedTensorType type, int64_t index);

} // namespace ttjit::session

#endif // TTJIT_TOOLS_MLIR_RUN_HOSTTENSOR_H
