//===- FabricApi.cpp - kernels in C++ on several devices ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A kernel in C++ sees only the columns of its own device. The grid of a run has the columns of all
// devices side by side (hw/device/Program.h), so the address of a core on another device is one
// with another column.
//===--------------------------------------------------------------------------===//

#include "hw/abi/CppApi.h"

#include "hw/calls/Issue.h"

#include <fmt/format.h>

using namespace ttjit::hw;

int32_t ttl_hw_first_column(KernelThread *t) { return contextOf(t).node->firstColumn; }

Status ttl_hw_fabric_noc_addr(KernelThread *t, uint64_t address, uint32_t device, uint64_t *there) {
  Issue issue(t, "send over the fabric");
  const Program &program = issue.machine.program;
  NocAddress to = NocAddress::decode(address);
  if (device >= static_cast<uint32_t>(program.numDevices))
    return issue.fail(FaultKind::OutOfBounds, fmt::format("there is no device {}; the mesh has {}",
                                                          device, program.numDevices));
  if (to.isDram() || to.startX != 0 || to.startY != 0)
    return issue.fail(FaultKind::Protocol,
                      fmt::format("the emulated fabric writes to the L1 of one core, not to {}",
                                  to.isDram() ? "DRAM" : "a rectangle of cores"));
  to.x += static_cast<int>(device) * program.columnsOfDevice() - issue.thread.node->firstColumn;
  *there = to.encode();
  return Status::Ok;
}

//===--------------------------------------------------------------------------===//
// Headers and connections
//===--------------------------------------------------------------------------===//

// Each processor has packet headers in L1 behind the arguments of kernels (hw/calls/CppApi.cpp).
static constexpr uint32_t kHeadersAddress = 0x7000, kHeadersOfThread = 8;

Status ttl_hw_packet_headers(KernelThread *t, uint32_t count, uint32_t *address) {
  ThreadContext &thread = contextOf(t);
  if (count == 0)
    thread.packetHeaders = 0;
  if (thread.packetHeaders + count > kHeadersOfThread)
    return thread.machine->faults.report(
        &thread, FaultKind::Resource,
        fmt::format("PacketHeaderPool: a kernel has {} packet headers: use one again after its "
                    "packet was flushed",
                    kHeadersOfThread));
  uint32_t number =
      static_cast<uint32_t>(thread.processor) * kHeadersOfThread + thread.packetHeaders;
  *address = kHeadersAddress + number * kPacketHeaderBytes;
  thread.packetHeaders = static_cast<uint8_t>(thread.packetHeaders + count);
  return Status::Ok;
}

Status ttl_hw_fabric_connections(KernelThread *t, int32_t change) {
  ThreadContext &thread = contextOf(t);
  int open = thread.openConnections + change;
  if (open < 0)
    return thread.machine->faults.report(&thread, FaultKind::Protocol,
                                         "closes a connection to the fabric that is not open");
  thread.openConnections = static_cast<uint8_t>(open);
  return Status::Ok;
}
