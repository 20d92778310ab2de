//===- DebuggerCalls.h - functions that a debugger calls ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The commands of frontend/python/ttl_jit/gdb/ttl_gdb.py call these functions in a stopped process.
// They describe the kernel thread that runs on the selected host thread. The text is valid until
// the next call.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_DEBUGGERCALLS_H
#define TTJIT_HW_DEVICE_DEBUGGERCALLS_H

extern "C" {

/// Returns the thread and its node, such as "compute of node (0, 1)".
const char *ttl_debug_where();
/// Returns a line for each buffer of the node: its shape, its pointers, and the pages in use.
const char *ttl_debug_buffers();
/// Returns the elements of the block of a buffer that the thread has reserved or waited for.
const char *ttl_debug_block(const char *buffer);
/// Returns the elements of the block that begins at an address of L1.
const char *ttl_debug_block_at(unsigned address);

} // extern "C"

#endif // TTJIT_HW_DEVICE_DEBUGGERCALLS_H
