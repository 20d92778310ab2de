//===- Device.h - the emulated device -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Cores with their L1, DRAM banks, the tensors in them, and run(). A process may have
// several devices. A device runs one program at a time, and so does a host thread. No
// function here prints or exits.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_DEVICE_H
#define TTJIT_HW_DEVICE_DEVICE_H

#include "hw/device/DeviceFabric.h"
#include "hw/device/Events.h"
#include "hw/device/Run.h"
#include "hw/device/TensorAllocation.h"
#include "hw/facts/Arch.h"

#include <memory>
#include <span>
#include <vector>

namespace ttjit::hw {

class PausableRun;
struct TensorAccess;
struct PageLayout;
struct TensorElements;
enum class DataFormat : uint8_t;

/// The bytes of a tensor on the host, valid until the tensor is freed. The host fills and reads
/// tensors through them; kernels must not use them.
class HostPages {
public:
  HostPages(const TensorAccess &tensor);

  /// Returns page `index`, which must exist.
  std::byte *operator[](uint32_t index) const;
  /// Returns the first of all pages if they follow each other without gaps in page order (tensors
  /// in DRAM); otherwise null.
  std::byte *linear() const { return first; }

private:
  const TensorAccess *tensor;
  std::byte *first;
  size_t pageBytes;
};

class Device {
public:
  /// Creates a device of this chip and compute grid. With `numDevices` it is a mesh of that many
  /// devices, which run one program together. A tensor then has pages on each of them, at the same
  /// addresses. Functions with a parameter `device` use the pages of that device; the other ones
  /// use those of all devices, or facts that are the same on all.
  explicit Device(const ArchDesc &arch, int numDevices = 1);
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  const ArchDesc &arch() const;
  int numDevices() const;

  /// The links between the devices of a mesh. No result of a run depends on them.
  const DeviceFabric &fabric() const;
  void setFabric(DeviceFabric fabric);

  /// Notes that the program has closed the device, and must not use its tensors any more.
  void close();
  bool isClosed() const;

  /// Reserves pages in the banks. `name` appears in messages ("page 70 of tensor 'a' does
  /// not exist"). Returns nothing if the banks are full, or if the host cannot map
  /// them; in the second case `whyNoHost` gets the reason.
  std::optional<TensorAllocation> allocate(BufferType type, uint32_t pageBytes, uint32_t numPages,
                                           std::string name, std::string *whyNoHost = nullptr);
  /// Allocates a tensor whose pages are cut into shards, one for each bank of `sharding`.
  std::optional<TensorAllocation> allocate(BufferType type, uint32_t pageBytes, uint32_t numPages,
                                           Sharding sharding, std::string name,
                                           std::string *whyNoHost = nullptr);
  /// The name of a tensor, which must be allocated.
  std::string name(const TensorAllocation &tensor) const;
  void setName(const TensorAllocation &tensor, std::string name);
  void free(const TensorAllocation &tensor);

  /// The pages of a tensor, which must be allocated.
  HostPages pages(const TensorAllocation &tensor, int device = 0) const;
  /// The same, for a caller that writes all pages. Returns nothing if another process (rank) runs
  /// the device (hw/link/Ranks.h): that process writes them.
  std::optional<HostPages> pagesToWrite(const TensorAllocation &tensor, int device = 0) const;
  /// Makes kernels read and write this row-major array in place of the tensor's pages, until the
  /// tensor is freed. `layout` is that of the tensor, which must be in DRAM of the only device, and
  /// `format` no block float. pages() and page() then show no contents.
  void share(const TensorAllocation &tensor, std::byte *array, DataFormat format,
             const PageLayout &layout);
  /// Host address of one page; null if it does not exist.
  std::byte *page(const TensorAllocation &tensor, uint32_t index, int device = 0);
  /// Returns the place of a page, which must exist. In L1, `x` is a column of that device.
  MemoryPlace place(const TensorAllocation &tensor, uint32_t page, int device = 0) const;
  /// Keeps which pages of a tensor nobody has written, by page; empty: all are written. Runs do not
  /// use this. hasUnwritten() returns whether a tensor of the device has such pages.
  void setUnwritten(const TensorAllocation &tensor, std::vector<bool> pages, int device = 0);
  const std::vector<bool> &unwritten(const TensorAllocation &tensor, int device = 0) const;
  bool hasUnwritten() const;
  /// Keeps what the pages of a tensor hold, for messages. elements() returns null if nothing is
  /// kept; include hw/device/TensorElements.h.
  void setElements(const TensorAllocation &tensor, TensorElements elements);
  TensorElements *elements(const TensorAllocation &tensor) const;

  /// Runs a program on its grid until every thread returned or one faulted. If the grid
  /// is larger than the chip's, the device grows. L1 contents of circular buffers do
  /// not survive; tensors do.
  RunResult run(const Program &program, const RunOptions &options);

  /// Prepares a run that stops at chosen events; include hw/device/PausableRun.h. Returns null if
  /// run() would refuse the program; then `whyNot` gets the reason.
  std::unique_ptr<PausableRun> start(const Program &program, const RunOptions &options,
                                     std::string &whyNot);

  /// Ends the current run of this device; may be called from another thread or a signal
  /// handler. Kernel threads leave at their next call, and the result is a Runtime
  /// fault "interrupted".
  void interrupt();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_DEVICE_H
