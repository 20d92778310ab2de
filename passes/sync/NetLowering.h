//===- NetLowering.h - turns callbacks of a net into loops ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The protocol of one net's pipes. It uses words of L1 that only count up:
//
//   valid[r]     at a receiver: transfers that its r-th pipe has delivered
//   received[r]  at a receiver: transfers of its r-th pipe that it has received
//   credit[s]    at a source: received transfers of its s-th pipe, over all receivers
//   sent[s]      at a source: transfers of its s-th pipe that have begun
//
// A send waits until credit[s] equals sent[s] x receivers, when the landing slots are
// free again. It increments sent[s], writes the block into the slots, and then writes
// sent[s] into valid[r] on the same channel. A receive waits until valid[r] exceeds
// received[r], copies the slot into its block, increments received[r] and adds to
// credit[s] at the source.
//
// A receive that is in a ttl.wait_any remembers at its copy what received[r] will be: its
// turn. It has arrived when valid[r] is at least the turn, and is complete when received[r] is.
//
// If a send may wait for its receive (passes/sync/PipeProofs.h), the receive gives room
// only when it begins: it adds to credit[s] first, and a send waits for one credit
// more. All pipes then land in one slot, or in the block itself, whose place in its
// ring follows from sent[s].
//
// A net that is received into tensors has queues (kQueuedAttr): a send does not wait, and no
// receive gives room.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_SYNC_NETLOWERING_H
#define TTJIT_PASSES_SYNC_NETLOWERING_H

#include "ir/Nodes/PipeNets.h"
#include "passes/sync/NodeTables.h"
#include "passes/sync/PipeProofs.h"

#include <map>

namespace ttjit {

/// The ops of a kernel that use a net. `outside` are the copies outside of callbacks.
struct NetUses {
  llvm::SmallVector<mlir::tt::ttl::CopyOp> outside;
  llvm::SmallVector<mlir::tt::ttl::IfPipeSrcOp> sources;
  llvm::SmallVector<mlir::tt::ttl::IfPipeDstOp> destinations;
  /// The first send and the first receive of the net; null if there is none.
  mlir::tt::ttl::CopyOp send, receive;
  /// A buffer whose blocks are received; null if loops carry the blocks.
  mlir::Value receivedInto;
};

class NetLowering {
public:
  NetLowering(mlir::tt::ttl::KernelOp kernel, PipeNet net, NetUses uses, Landing landing);

  /// Number of L1 words (semaphores) that the net needs on a node.
  int64_t numWords() const { return 2 * (net.numSends + net.numReceives); }
  bool hasTransfers() const { return uses.send || uses.receive; }

  /// Creates tables, landing slots and words in the kernel's body, before its threads.
  /// Exactly one of `semaphore` and `page` gives the place of the words.
  void createResources(mlir::OpBuilder &builder, std::optional<int64_t> semaphore,
                       std::optional<int64_t> page);

  /// Turns the callbacks into loops over this node's pipes, and lowers the copies outside of them.
  void lowerCallbacks();

private:
  enum class Word { Valid, Received, Credit, Sent };
  enum SourceField { kSlot, kReceivers, kFirstPart, kNumParts, kSourceEnds };
  enum PartField { kKind, kX0, kY0, kX1, kY1, kDests, kNumPartFields };
  enum PartKind { kUnicast, kMulticast, kLoopback };
  enum DestinationField { kReceiveIndex, kSendIndex, kSourceX, kSourceY, kDestinationEnds };

  static PartKind kindOf(const PipePart &part);
  bool occurs(PartKind kind) const;
  void fillTables();
  mlir::Location withCopies(mlir::Location loc);
  void describeWords(mlir::tt::ttl::CreateCountersOp words);
  void noteReached(mlir::tt::ttl::CreateCountersOp words);
  bool hasOutside(bool sending) const;
  NodeTable placesOf(mlir::tt::ttl::CopyOp copy) const;
  void createPlaces(mlir::OpBuilder &builder);
  void lowerOutside(mlir::tt::ttl::CopyOp copy);
  void lowerCallback(mlir::Operation *callback, const NodeTable &table, unsigned firstEnd);
  void lowerCopy(mlir::tt::ttl::CopyOp copy, mlir::Value number);
  void lowerUses(mlir::Value pipe, mlir::Value number, const NodeTable &table, unsigned firstEnd);
  void lowerQuery(mlir::Operation *op, mlir::Value number, const NodeTable &table,
                  unsigned firstEnd);
  void lowerSend(mlir::tt::ttl::CopyOp copy, mlir::Value number);
  void lowerReceive(mlir::tt::ttl::CopyOp copy, mlir::Value number);
  void receive(mlir::OpBuilder &builder, mlir::tt::ttl::CopyOp copy, mlir::Value number);
  mlir::Value turnOf(mlir::tt::ttl::CopyOp copy, mlir::Value number);
  mlir::Value receivedCount(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number);
  mlir::Value isPending(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number,
                        mlir::Value turn);
  void await(mlir::OpBuilder &builder, mlir::Operation *cast, mlir::Value number, mlir::Value turn);
  void sendParts(mlir::OpBuilder &builder, mlir::tt::ttl::CopyOp copy, mlir::Value number,
                 mlir::Value before, mlir::Value count);
  void sendPart(mlir::OpBuilder &builder, mlir::tt::ttl::CopyOp copy, mlir::Value slot,
                mlir::Value part, mlir::Value count, mlir::Value number, mlir::Value receiver);
  void sendAs(PartKind kind, mlir::OpBuilder &builder, mlir::tt::ttl::CopyOp copy, mlir::Value slot,
              llvm::ArrayRef<mlir::Value> to, mlir::Value count, mlir::Value valid,
              mlir::Value sent);
  mlir::Value word(mlir::OpBuilder &builder, mlir::Location loc, Word kind, mlir::Value number);
  mlir::Value slotFor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number,
                      mlir::Value before);
  mlir::Value landingSlot(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number);
  void giveCredit(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number);
  llvm::SmallVector<int64_t> endsOf(const Pipe &pipe, unsigned number, int64_t node);
  int64_t firstWord(Word kind) const;

  mlir::tt::ttl::KernelOp kernel;
  PipeNet net;
  NetUses uses;
  Landing mode;
  int64_t numSlots; ///< slots at each receiver; 0 if data land in its block
  llvm::SmallVector<int64_t> grid;
  unsigned rank; ///< rank of the coordinates that the user gave
  NodeTable sources, parts, destinations;
  /// The tables of placesOf() for copies outside of callbacks, by (number of the pipe, whether it
  /// sends).
  std::map<std::pair<int64_t, bool>, NodeTable> places;
  mlir::Value landing, words;
};

} // namespace ttjit

#endif // TTJIT_PASSES_SYNC_NETLOWERING_H
