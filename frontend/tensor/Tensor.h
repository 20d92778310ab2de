//===- Tensor.h - tensors on the host and on the device ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A tensor lives on the host, in a row-major array that it shares with numpy or
// torch, or on the device, in pages. A host tensor is placed for the duration
// of a launch: placeForLaunch, run, copyBack or release. Knows no Python: the
// array's owner is type-erased (HostArray.h makes one from a Python object).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_TENSOR_TENSOR_H
#define TTJIT_FRONTEND_TENSOR_TENSOR_H

#include "frontend/tensor/TensorSpec.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace ttjit::frontend {

/// A contiguous row-major array of `TensorSpec::hostBytes()` bytes.
struct HostStorage {
  std::byte *data = nullptr;
  std::shared_ptr<void> owner; ///< keeps `data` alive
  bool writable = true;
  /// Called after copyBack wrote to `data`, if `data` is the copy of an array that is not
  /// contiguous.
  std::function<void()> afterWrite;
};

/// Pages on a device, freed with this object.
class Placement {
public:
  /// Reserves pages for `spec`; throws TensorError if the banks are full. The
  /// contents are undefined.
  Placement(std::shared_ptr<hw::Device> device, const TensorSpec &spec, const std::string &name);
  ~Placement();
  Placement(const Placement &) = delete;
  Placement &operator=(const Placement &) = delete;

  hw::Device &device() const { return *owner; }
  const std::shared_ptr<hw::Device> &sharedDevice() const { return owner; }
  const hw::TensorAllocation &allocation() const { return pages; }
  hw::HostPages hostPages() const { return owner->pages(pages); }

private:
  std::shared_ptr<hw::Device> owner;
  hw::TensorAllocation pages;
};

/// Converts `count` elements between host arrays of these types: bits are kept if the arrays
/// hold the same type, else values are rounded to nearest even. Integers convert to Float32
/// only, and nothing converts to them.
void convertElements(const std::byte *from, DType fromType, std::byte *to, DType toType,
                     int64_t count);

/// Rounds a row-major array of Float32 to a host array of the float type `dtype`. Of a block
/// float the 16 elements that share an exponent are those of a tensor of this shape in tile
/// layout.
void roundElements(const std::byte *values, std::byte *to, DType dtype,
                   std::span<const int64_t> shape);

/// Identity matters (a launch writes into it), so tensors are held by
/// shared_ptr and never copied. Not thread-safe.
class Tensor {
public:
  /// A host tensor over an existing array. Checks `spec`.
  Tensor(TensorSpec spec, HostStorage storage);
  /// A device tensor holding `rowMajor` (hostBytes() bytes), or zeros if null;
  /// padding is zero. Checks `spec`.
  Tensor(TensorSpec spec, std::shared_ptr<hw::Device> device, const std::byte *rowMajor,
         const std::string &name = "tensor");

  const TensorSpec &spec() const { return description; }
  bool isOnDevice() const { return !onHost; }
  /// Null for a host tensor.
  std::shared_ptr<hw::Device> device() const;
  /// Of a device tensor, nothing otherwise.
  std::optional<uint32_t> bufferAddress() const;
  /// Nothing for a device tensor.
  const std::optional<HostStorage> &hostStorage() const { return onHost; }
  /// False after deallocate.
  bool isAllocated() const { return onHost || placed; }

  /// Copies the logical contents to a row-major host array of `as`, which is the
  /// tensor's own type (bits are kept) or Float32.
  void read(std::byte *rowMajor, DType as) const;

  /// Replaces the contents with a row-major array of the tensor's own type. Throws
  /// TensorError if the tensor's array is read-only.
  void write(const std::byte *rowMajor);

  /// Frees the pages of a device tensor; every later read, write or launch throws
  /// TensorError. Nothing for a host tensor: its array belongs to the program.
  void deallocate();

  /// The pages a launch works on. A device tensor gives its own; a host tensor
  /// is laid out on `device` and stays there until copyBack or release. `name`
  /// is the argument's, for messages. Throws TensorError if the tensor is on
  /// another device or does not fit.
  hw::TensorAllocation placeForLaunch(const std::shared_ptr<hw::Device> &device,
                                      const std::string &name);

  /// Ends a launch that may have written this tensor, also after a fault: a
  /// host tensor copies its pages to its array and frees them. Throws
  /// TensorError if a read-only array would change. Nothing for device tensors.
  /// Where several tensors of a launch share an array, copyBack belongs to those
  /// that the kernel wrote: any other would restore old contents.
  void copyBack();

  /// Ends a launch that only read this tensor. Nothing for device tensors.
  void release();

private:
  void checkAllocated() const;

  TensorSpec description;
  std::optional<HostStorage> onHost;
  std::unique_ptr<Placement> placed; ///< device tensors: always until deallocate
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_TENSOR_H
