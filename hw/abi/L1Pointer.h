//===- L1Pointer.h - accesses of kernels through device addresses ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Kernels in Metalium C++ make pointers from 32-bit addresses of their core's L1. The JIT replaces
// each such pointer by the result of this function (jit/DeviceAccesses.h). Kernels that
// are lowered from IR do not use it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_ABI_L1POINTER_H
#define TTJIT_HW_ABI_L1POINTER_H

#include "hw/abi/KernelThread.h"

extern "C" {

/// Returns the host address of `bytes` bytes at an address of L1. Returns an address of more than
/// 32 bits as it is: it is the host's own. Pages that the access writes count as written. If
/// the bytes are not in L1, reports a fault and does not return. `writes`: 0 for loads, 1 for
/// stores, 2 if the bytes were written in another way and their pages shall only count as written.
uint8_t *ttl_hw_l1_pointer(ttjit::hw::KernelThread *, uint64_t address, uint64_t bytes,
                           int32_t writes);
}

#endif // TTJIT_HW_ABI_L1POINTER_H
