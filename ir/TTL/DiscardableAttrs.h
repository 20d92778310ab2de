//===- DiscardableAttrs.h - attributes that ODS does not declare ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Attributes that the frontend or a pass sets on ops of ttl for a later pass or an engine.
// Attributes that passes of one stage share are in a header of that stage.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_DISCARDABLEATTRS_H
#define TTJIT_IR_TTL_DISCARDABLEATTRS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::tt::ttl {

//===--------------------------------------------------------------------------===//
// Threads
//===--------------------------------------------------------------------------===//

/// Marks the threads that ttl-split-unified-threads made. Unified bodies usually release no
/// blocks, so the compiler does not warn when it inserts releases in these threads.
inline constexpr llvm::StringLiteral kFromUnifiedAttr = "ttl.from_unified";

/// On a ttl.unified_thread: the `microcore_hint` of the data movement thread that fills blocks. The
/// other one gets the other processor.
inline constexpr llvm::StringLiteral kReaderHintAttr = "ttl.reader_hint";

/// On a release or a ttcpp.call in a unified thread: the thread that the program gave it,
/// "compute", "reader", "writer" or "pipe_source". On a release it has an effect only if no other
/// op uses the block.
inline constexpr llvm::StringLiteral kSelectorAttr = "ttl.selector";

/// On a ttl.unified_thread: its body has asserts that held when it was compiled, of which no op is
/// left. Such a body has a purpose even if it has no other work.
inline constexpr llvm::StringLiteral kStaticAssertsAttr = "ttl.static_asserts";

/// On a scf.if around the whole body of a thread: only the nodes of the devices that
/// mesh_program_placements names run the body.
inline constexpr llvm::StringLiteral kPlacedAttr = "ttl.placed";

/// On a ttl.create_node_table: launches replace its numbers by those with this number.
inline constexpr llvm::StringLiteral kLaunchNumberAttr = "ttl.launch_number";

/// On a ttl.create_node_table: all nodes have the same number, of the type that the attribute
/// names, f32 or i32. The table has one row, with the bits of the number, which is among the common
/// run-time arguments of its threads, after the addresses of tensors.
inline constexpr llvm::StringLiteral kCommonNumberAttr = "ttl.common_number";

//===--------------------------------------------------------------------------===//
// Buffers and blocks
//===--------------------------------------------------------------------------===//

/// On a ttl.create_cb: the number of its allocation group. ttl-merge-allocation-groups makes
/// one buffer of all buffers of a group.
inline constexpr llvm::StringLiteral kAllocationGroupAttr = "ttl.allocation_group";

/// On a ttl.cb_reserve: the location of the first statement `name = value` that bound the block's
/// variable to another value while the thread held the block. If nothing writes the block, its
/// author probably meant to store that value.
inline constexpr llvm::StringLiteral kReboundAttr = "ttl.rebound";

/// On a ttl.cb_push or ttl.cb_pop: the end of a with statement releases the block, unless the
/// program released it before on the same path. ttl-insert-releases removes it.
inline constexpr llvm::StringLiteral kEndsWithAttr = "ttl.ends_with";

/// On a ttl.cb_push or ttl.cb_pop: the program may release the block before an older block of its
/// buffer. The value is the name of the older block, as in messages. ttl-verify-protocol removes
/// it.
inline constexpr llvm::StringLiteral kDeferredAttr = "ttl.deferred";

/// On an expression that was in a ttl.compute_region with `keep_in_dst`: the value is not stored
/// for the sole reason that several expressions use it (ttl-form-compute).
inline constexpr llvm::StringLiteral kKeepInDSTAttr = "ttl.keep_in_dst";

//===--------------------------------------------------------------------------===//
// Numbers
//===--------------------------------------------------------------------------===//

/// On an arith.addi or arith.muli: an overflow is no mistake. C++ computes it with unsigned
/// numbers.
inline constexpr llvm::StringLiteral kWrapsAttr = "ttl.wraps";

//===--------------------------------------------------------------------------===//
// Transfers and pipes
//===--------------------------------------------------------------------------===//

/// On a ttl.copy: the number of a dimension of the slice that the block does not have, and for
/// which the program wrote a range such as 0:1.
inline constexpr llvm::StringLiteral kDroppedRangeAttr = "ttl.dropped_range";

/// On a ttl.create_pipe: the name of its net.
inline constexpr llvm::StringLiteral kNetNameAttr = "ttl.net";

//===--------------------------------------------------------------------------===//
// Checks
//===--------------------------------------------------------------------------===//

/// On a ttl.assert: its fault is one of the protocol of buffers and pipes, not of the program.
inline constexpr llvm::StringLiteral kProtocolAttr = "ttl.protocol";

/// On a ttl.assert: its fault is a copy of elements that another device of a mesh grid holds.
inline constexpr llvm::StringLiteral kMeshAccessAttr = "ttl.mesh_access";

/// On a ttl.tensor_accessor of a mesh grid: the dimensions of the tensor that are cut over devices,
/// as a list of [dimension, axis of the grid, extent of the part of one device in the tensor's
/// indices]. ttl-check-mesh-access replaces it by asserts.
inline constexpr llvm::StringLiteral kMeshShardsAttr = "ttl.mesh_shards";

/// On a ttl.check_index: what the index counts, such as "tile rows".
inline constexpr llvm::StringLiteral kIndexUnitAttr = "unit";

} // namespace mlir::tt::ttl

#endif // TTJIT_IR_TTL_DISCARDABLEATTRS_H
