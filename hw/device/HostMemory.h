//===- HostMemory.h - what the host has for a run -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Limits of this process and memory of the host, for allocations whose size a program
// decides: such a run is refused with a message before the host runs out.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_HOSTMEMORY_H
#define TTJIT_HW_DEVICE_HOSTMEMORY_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ttjit::hw {

/// "4.0 GiB", "12.5 MiB".
std::string describeBytes(uint64_t bytes);

/// Why `bytes` bytes of address space cannot be mapped: names the limit of this process
/// (ulimit -v) if it has one.
std::string whyNoAddressSpace(uint64_t bytes);

/// Bytes of memory that programs can still get; the largest number if unknown.
uint64_t availableMemory();

/// Mappings a process may have (vm.max_map_count), and those that this one has now.
size_t maxMappings();
size_t countMappings();

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_HOSTMEMORY_H
