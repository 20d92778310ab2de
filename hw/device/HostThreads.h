//===- HostThreads.h - host threads that runs share -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Host threads wait here between the runs of a device. They are made at the first run that
// needs them, and end with the device.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_HOSTTHREADS_H
#define TTJIT_HW_DEVICE_HOSTTHREADS_H

#include <cstddef>
#include <functional>
#include <memory>

namespace ttjit::hw {

class HostThreads {
public:
  using Work = std::function<void(size_t number)>;

  HostThreads();
  ~HostThreads();
  HostThreads(const HostThreads &) = delete;
  HostThreads &operator=(const HostThreads &) = delete;

  /// Calls `work` with the numbers from 1 to `count`, each on a host thread of its own. Throws
  /// std::system_error, before any call, if the host cannot make the threads. `work` must not
  /// throw.
  void start(size_t count, Work work);
  /// Returns when all calls have returned.
  void wait();

private:
  struct Pool;
  std::unique_ptr<Pool> pool;
};

/// Number of host threads that this process can run at a time.
size_t numHostThreads();

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_HOSTTHREADS_H
