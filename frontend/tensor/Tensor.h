//===- Tensor.h - tensors on the host and on the device -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The data of a tensor is on the host, in a row-major array that it shares with numpy or torch, or
// on the device, in pages. A launch places a host tensor on the device: it calls shareForLaunch or
// placeForLaunch, runs the kernel, and calls copyBack or release. This file does not depend on
// Python: the owner of the array is a shared_ptr<void>, which HostArray.h makes from a Python
// object.
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
  std::shared_ptr<void> owner; ///< keeps the memory at `data` alive
  bool writable = true;
  /// Called after copyBack wrote to `data`. It is set if `data` is a copy of an array that is not
  /// contiguous.
  std::function<void()> afterWrite;
};

/// The pages of a tensor on a device. The destructor frees them.
class Placement {
public:
  /// Reserves pages for `spec`. Throws TensorError if the banks are full. The contents of the pages
  /// are undefined.
  Placement(std::shared_ptr<hw::Device> device, const TensorSpec &spec, const std::string &name);
  ~Placement();
  Placement(const Placement &) = delete;
  Placement &operator=(const Placement &) = delete;

  hw::Device &device() const { return *owner; }
  const std::shared_ptr<hw::Device> &sharedDevice() const { return owner; }
  const hw::TensorAllocation &allocation() const { return pages; }
  int numDevices() const { return owner->numDevices(); }
  /// Replaces the pages by this row-major array of the tensor's own type.
  void share(const TensorSpec &spec, std::byte *rowMajor) {
    owner->share(pages, rowMajor, formatOf(spec.dtype), spec.pages());
  }
  hw::HostPages hostPages(int device) const { return owner->pages(pages, device); }
  std::optional<hw::HostPages> pagesToWrite(int device) const {
    return owner->pagesToWrite(pages, device);
  }

private:
  std::shared_ptr<hw::Device> owner;
  hw::TensorAllocation pages;
};

/// Converts `count` elements between host arrays of these types. If both arrays have the same type,
/// the bits are kept. Otherwise values are rounded to the nearest, ties to even. Integers can be
/// converted to Float32 only. Nothing can be converted to integers.
void convertElements(const std::byte *from, DType fromType, std::byte *to, DType toType,
                     int64_t count);

/// Rounds a row-major array of Float32 values to a host array of the float type `dtype`. In a block
/// float format, the 16 elements that share an exponent are those that share it in a tensor of this
/// shape in tile layout.
void roundElements(const std::byte *values, std::byte *to, DType dtype,
                   std::span<const int64_t> shape);

/// A tensor. A launch writes into it, so its identity matters: it is held by shared_ptr and never
/// copied. It is not thread-safe.
class Tensor {
public:
  /// Makes a host tensor over an existing array. Checks `spec`.
  Tensor(TensorSpec spec, HostStorage storage);
  /// Makes a device tensor with the contents of `rowMajor` (hostBytes() bytes), or with zeros if
  /// `rowMajor` is null. Padding is zero. Checks `spec`. On a mesh, each device gets a tensor of
  /// this shape and these contents.
  Tensor(TensorSpec spec, std::shared_ptr<hw::Device> device, const std::byte *rowMajor,
         const std::string &name = "tensor");

  /// Returns the tensor that one device of a mesh has of `whole`. It shares the pages.
  static std::shared_ptr<Tensor> onDevice(const Tensor &whole, int device);

  const TensorSpec &spec() const { return description; }
  /// Returns the number of devices that have a tensor of this shape.
  int numDevices() const { return placed && !only ? placed->numDevices() : 1; }
  bool isOnDevice() const { return !onHost; }
  /// Returns the tensor's device; null for a host tensor.
  std::shared_ptr<hw::Device> device() const;
  /// Returns the address of a device tensor; nothing for a host tensor.
  std::optional<uint32_t> bufferAddress() const;
  /// Returns the array of a host tensor; nothing for a device tensor.
  const std::optional<HostStorage> &hostStorage() const { return onHost; }
  /// Returns false after deallocate().
  bool isAllocated() const { return onHost || placed; }

  /// Copies the elements, without padding, to a row-major host array of type `as`. `as` must be the
  /// tensor's own type, which keeps the bits, or Float32. Throws TensorError for a tensor on
  /// several devices.
  void read(std::byte *rowMajor, DType as) const;

  /// Copies the elements like read(). During a launch they are those that the kernel sees.
  void readLaunched(std::byte *rowMajor, DType as) const;

  /// Writes a row-major array of the tensor's own type into the tensor; if several devices have it,
  /// into the part of each. Throws TensorError if the tensor's array is read-only.
  void write(const std::byte *rowMajor);

  /// Says that nobody has written the elements yet, for --check=init. write() ends this, and so do
  /// launches that write the tensor.
  void setUnwritten();
  /// Says that the program may have written the elements of a host tensor.
  void setWritten() { isUnwritten = false; }

  /// Says whether launches may write a part of the tensor only, for --check=outputs.
  void setPartial(bool partial) { isPartial = partial; }

  /// Frees the pages of a device tensor; every later read, write or launch throws TensorError. Does
  /// nothing for a host tensor, because its array belongs to the program.
  void deallocate();

  /// Returns the pages on which a launch works. A device tensor returns its own pages. A host
  /// tensor is copied to `device` and stays there until copyBack or release. `name` is the
  /// argument's name in messages. Throws TensorError if the tensor is on another device or does not
  /// fit.
  hw::TensorAllocation placeForLaunch(const std::shared_ptr<hw::Device> &device,
                                      const std::string &name);

  /// Returns whether kernels can work on the array of this host tensor itself. `isWritten`: whether
  /// they write to it. Then the array must be writable, and have no padding, which would keep
  /// what they write there.
  bool canShare(bool isWritten) const;

  /// Returns the array of a tensor for which canShare() is true as the pages of a launch. Nothing
  /// is copied: kernels read and write the array.
  hw::TensorAllocation shareForLaunch(const std::shared_ptr<hw::Device> &device,
                                      const std::string &name);

  /// Returns whether the arrays of two host tensors have memory in common.
  bool overlaps(const Tensor &other) const;

  /// Ends a launch that may have written to this tensor, also after a fault. A host tensor that was
  /// not shared copies its pages to its array. A host tensor frees its pages. Throws TensorError if
  /// a read-only array would change. Does nothing for a device tensor. If several tensors of a
  /// launch share an array, call copyBack only for those that the kernel wrote: the others would
  /// restore old contents.
  void copyBack();

  /// Ends a launch that only read this tensor. Does nothing for a device tensor.
  void release();

private:
  explicit Tensor(TensorSpec spec) : description(std::move(spec)) {}
  void checkAllocated() const;
  void checkOneDevice() const;
  void readPlaced(std::byte *rowMajor, DType as) const;
  void copyPages(const Placement &placement);

  TensorSpec description;
  std::optional<HostStorage> onHost;
  std::shared_ptr<Placement> placed; ///< set for a device tensor until deallocate()
  std::optional<int> only;           ///< the device, for a result of onDevice()
  bool isShared = false;             ///< whether the placement is that of shareForLaunch
  bool isUnwritten = false;          ///< of a host tensor: nobody has written an element
  bool isPartial = false;
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_TENSOR_TENSOR_H
