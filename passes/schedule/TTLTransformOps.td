//===- TTLTransformOps.td - transform ops ----------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Operations of the transform dialect. Each checks its preconditions and fails
// silenceably, at the payload op, if one does not hold. None changes the results of a
// kernel. docs/scheduling.md shows examples.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SCHEDULE_TTLTRANSFORMOPS_TD
#define TTJIT_PASSES_SCHEDULE_TTLTRANSFORMOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class TTLTransformOp<string mnemonic, list<Trait> traits = []>
    : Op<Transform_Dialect, "ttl." # mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        ReportTrackingListenerFailuresOpTrait])> {
  let cppNamespace = "::mlir::transform";
  let assemblyFormat = "$target attr-dict `:` functional-type($target, results)";
}

// An op that changes one payload op at a time, in place: the handle stays valid and is
// the op's result.
class TTLInPlaceTransformOp<string mnemonic, string payload>
    : TTLTransformOp<mnemonic, [TransformOpInterface, TransformEachOpTrait]> {
  let results = (outs TransformHandleTypeInterface:$result);
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter, }] # payload # [{ target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def TTLAllocateDSTRegistersOp
    : TTLInPlaceTransformOp<"allocate_dst_registers", "::mlir::tt::ttl::ComputeOp"> {
  let summary = "Assign DST registers to a ttl.compute now";
  let description = [{
    Makes loads, copies and registers as ttl-assign-dst does, which then leaves
    this compute alone. `order` chooses between loading every argument first
    (`arguments`), loading each where it is read (`lazy`: fewest registers), or the
    first of the two that fits (`auto`). `capacity` lowers the number of registers
    from what the chip and the kernel's configuration give.

    Fails if the compute has registers already, or needs more than there are.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       DefaultValuedAttr<StrAttr, "\"auto\"">:$order,
                       OptionalAttr<I64Attr>:$capacity);
  let hasVerifier = 1;
}

def TTLSchedulePipelineOp
    : TTLInPlaceTransformOp<"schedule_pipeline", "::mlir::Operation *"> {
  let summary = "Issue transfers early and wait for them late";
  let description = [{
    In every block of code of the data movement threads in `target`:

    * `conservative` moves each ttl.copy up to where its operands are there, and
      each ttl.wait down to what needs the data (release or use of the block).
      Acquires and releases of blocks stay in their order, so no other thread can
      tell the difference.
    * `aggressive` also moves reserves of blocks, with their copies, up over waits
      and pushes of other blocks. Such a reserve might wait where it did not wait
      before. So its buffer gets one more block for each reserve that passes a
      push, and no reserve waits longer than before.
    * `auto` is aggressive where the buffers it enlarges fit into L1, conservative
      where they do not.

    Copies keep their order with respect to each other where one of them writes the
    tensor of the other. Fails if the target has no transfers, if the enlarged
    buffers do not fit, or if more transfers would be in flight than there are
    transfer ids.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       DefaultValuedAttr<StrAttr, "\"auto\"">:$strategy);
  let hasVerifier = 1;
}

def TTLReorderForLocalityOp
    : TTLInPlaceTransformOp<"reorder_for_locality", "::mlir::Operation *"> {
  let summary = "Reorder transfers so that they access tensors in the order of their pages";
  let description = [{
    Copies that a data movement thread issues one after the other, with nothing but
    arithmetic and acquires in between, are issued in the order of the kernel's
    arguments and, where their distance is known, of positions in the tensor.

    Fails if there are no such copies, or if they are in order already or must stay
    where they are (copies of one tensor of which one writes). Copies of tensors
    that another thread writes are left out.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
}

// A result handle may be empty.
def TTLInsertPrefetchOp : TTLTransformOp<"insert_prefetch", [
    DeclareOpInterfaceMethods<TransformOpInterface>]> {
  let summary = "Start reads several iterations before they are needed";
  let description = [{
    `target` is an scf.for of a data movement thread whose iterations reserve
    blocks, copy into them, wait and push. Its `form` becomes one of

    * `groups`: a loop that takes `distance` iterations at a time. All their blocks
      are reserved and all reads issued first, then each is waited for and pushed
      in order. Iterations that are left over follow in a loop of their own.
    * `pipeline`: the reads of the first `distance` iterations stand in front of
      the loop. Each iteration issues the reads of the one `distance` later, then
      waits for its own. The last transfers end behind the loop. If some nodes may
      have fewer than `distance` iterations, a branch keeps the old loop for these
      nodes.

    The buffers get a block more for each reserve that now precedes a push which it followed before,
    so that no thread waits longer than before.

    Results: the loop over groups, respectively the steady state of the pipeline;
    the loop over the rest, respectively that for few iterations (no op if there
    can be none).

    Fails if the loop is not of that form, carries values, reads a tensor that the
    kernel also writes or a block that it waits for twice; if it has too few
    iterations; if the buffers do not fit into L1; if there are too few transfer
    ids.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       DefaultValuedAttr<I64Attr, "2">:$distance,
                       DefaultValuedAttr<StrAttr, "\"groups\"">:$form);
  let results = (outs TransformHandleTypeInterface:$loop, TransformHandleTypeInterface:$rest);
  let hasVerifier = 1;
}

def TTLMultiSizeSplitOp : TTLTransformOp<"multisize_split", [
    DeclareOpInterfaceMethods<TransformOpInterface>]> {
  let summary = "Tile a dimension of a ttl.compute by two sizes that together cover it exactly";
  let description = [{
    `target` is a ttl.compute that has extent N along `dimension`. The sizes are those
    nearest to `target_size` from below that are multiples of `divisor` and differ by
    at most one divisor: N = n * sz1 + m * sz2. The op becomes two loops, of n tiles
    and of m; a loop of one tile is that tile alone.

    Results: the tiles of size sz1, and those of size sz2 (no op if m is 0).

    Fails if the dimension does not exist or is a reduction, or the extent is no
    multiple of `divisor`.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       I64Attr:$dimension, I64Attr:$target_size,
                       DefaultValuedAttr<I64Attr, "1">:$divisor);
  let results = (outs TransformHandleTypeInterface:$low, TransformHandleTypeInterface:$high);
  let hasVerifier = 1;
}

// An op that considers all payload ops together.
class TTLJointTransformOp<string mnemonic>
    : TTLTransformOp<mnemonic, [DeclareOpInterfaceMethods<TransformOpInterface>]> {
  let results = (outs TransformHandleTypeInterface:$result);
}

def TTLOptimizeBufferFactorOp : TTLJointTransformOp<"optimize_buffer_factor"> {
  let summary = "Choose the number of blocks of circular buffers under the L1 limit";
  let description = [{
    `target` are ttl.create_cb ops of one kernel or program. A buffer needs the
    blocks that one thread holds at a time; it profits from those that the other
    side can work on meanwhile, as far as there are that many iterations. Buffers
    grow from what they need to what they profit from, at most to `max_factor`,
    those that cost the fewest bytes first, while the kernel's buffers together
    stay within L1 (or `l1_bytes`). A buffer with more blocks than it profits from
    shrinks where the order of acquires and releases is the same in every run and
    proves that no thread waits for ever.

    Fails if the buffers belong to different kernels or do not fit even with the
    blocks they have now.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       DefaultValuedAttr<I64Attr, "4">:$max_factor,
                       OptionalAttr<I64Attr>:$l1_bytes);
  let hasVerifier = 1;
}

def TTLCoalesceDMAOp : TTLJointTransformOp<"coalesce_dma"> {
  let summary = "Merge the waits of several transfers into one";
  let description = [{
    `target` are ttl.copy ops of one block of code and one direction, each waited
    for once, there. Those whose waits follow each other, with nothing but
    arithmetic in between, complete together: one ttl.dma_barrier stands for all
    the waits. Where pages are adjacent in memory, ttl-coalesce-dma merges them.

    Fails if the copies stand in different blocks of code or go in different
    directions, or if no two of them are waited for together.
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
}

#endif // TTJIT_PASSES_SCHEDULE_TTLTRANSFORMOPS_TD
