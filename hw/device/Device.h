//===- Device.h - the emulated device -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Cores with their L1, DRAM banks, the tensors in them, and run(). Several
// devices may live in one process; one run at a time per device, and per host
// thread. No function here prints or exits.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_DEVICE_H
#define TTJIT_HW_DEVICE_DEVICE_H

#include "hw/device/Run.h"
#include "hw/facts/Arch.h"

#include <memory>
#include <span>
#include <vector>

namespace ttjit::hw {

enum class BufferType : uint8_t { DRAM, L1 };

/// A tensor placed on the device: `numPages` pages of `pageBytes` in the banks of `type`.
/// `base` is its address in every bank.
struct TensorAllocation {
  BufferType type = BufferType::DRAM;
  uint32_t base = 0;
  uint32_t pageBytes = 0;
  uint32_t alignedPageBytes = 0;
  uint32_t numPages = 0;
};

/// How a tensor is cut into shards of `rows` x `columns` pages. `pageColumns` pages are a row
/// of the tensor; its pages are numbered row-major. `banks` has the bank of each shard,
/// row-major over the shards, each bank once: bank b of L1 is core (b % gridX, b / gridX).
struct Sharding {
  uint32_t rows = 1, columns = 1;
  uint32_t pageColumns = 1;
  std::vector<uint32_t> banks;
};

class Device {
public:
  /// `arch` also says how large the compute grid is.
  explicit Device(const ArchDesc &arch);
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  const ArchDesc &arch() const;

  /// Reserves pages in the banks. `name` is used in messages ("page 70 of tensor 'a',
  /// which has 64"). Nothing if the banks are full, or if the host cannot map them: then
  /// `whyNoHost` gets the reason.
  std::optional<TensorAllocation> allocate(BufferType type, uint32_t pageBytes, uint32_t numPages,
                                           std::string name, std::string *whyNoHost = nullptr);
  /// The same for a tensor whose pages are cut into shards, one for each bank of `sharding`.
  std::optional<TensorAllocation> allocate(BufferType type, uint32_t pageBytes, uint32_t numPages,
                                           Sharding sharding, std::string name,
                                           std::string *whyNoHost = nullptr);
  void setName(const TensorAllocation &tensor, std::string name);
  void free(const TensorAllocation &tensor);

  /// Host address of a page, valid until the tensor is freed. For placing
  /// tensors and reading them back, never for kernels.
  std::byte *page(const TensorAllocation &tensor, uint32_t index);

  /// Runs a program on its grid (which may exceed the chip's: the device grows)
  /// until every thread returned or one faulted. L1 contents of circular buffers
  /// do not survive; tensors do.
  RunResult run(const Program &program, const RunOptions &options);

  /// Ends the current run of this device from another thread or a signal
  /// handler: threads leave at their next call, the result is a Runtime fault
  /// "interrupted".
  void interrupt();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_DEVICE_H
