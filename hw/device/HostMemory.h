//===- HostMemory.h - memory limits of the host ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Limits of this process, and the host's memory. The size of some allocations depends on
// the program, so a run that needs too much is refused with a message before the host runs
// out of memory.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_HOSTMEMORY_H
#define TTJIT_HW_DEVICE_HOSTMEMORY_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ttjit::hw {

/// Returns a text such as "4.0 GiB" or "12.5 MiB".
std::string describeBytes(uint64_t bytes);

/// Returns the bytes of address space that this process may have (ulimit -v); UINT64_MAX if it has
/// no limit.
uint64_t addressSpaceLimit();

/// Explains why `bytes` bytes of address space cannot be mapped. Names the limit of
/// this process (ulimit -v) if it has one.
std::string whyNoAddressSpace(uint64_t bytes);

/// Returns the bytes of memory that the host can still give to programs; UINT64_MAX if
/// unknown.
uint64_t availableMemory();

/// Return the number of mappings that a process may have (vm.max_map_count), and the number that
/// this process has now.
size_t maxMappings();
size_t countMappings();

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_HOSTMEMORY_H
