//===- NetLowering.cpp - turns callbacks of a net into loops ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/sync/NetLowering.h"

#include "ir/Nodes/ReachedDevices.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "passes/common/Copies.h"
#include "passes/common/Threads.h"
#include "passes/sync/UnwaitedCopies.h"
#include "passes/sync/WaitAny.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <array>
#include <set>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

static Value i32(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}
static Value toI32(OpBuilder &builder, Location loc, Value value) {
  return builder.createOrFold<arith::IndexCastOp>(loc, builder.getI32Type(), value);
}

static ttl::SemaphoreType remoteType(OpBuilder &builder) {
  return ttl::SemaphoreType::get(builder.getContext(), /*isRemote=*/true);
}
static ttl::TransferHandleType handleType(OpBuilder &builder) {
  return ttl::TransferHandleType::get(builder.getContext());
}

static unsigned rankOf(const PipeNet &net) {
  if (net.pipes.empty())
    return 1;
  ttl::CreatePipeNetOp op = net.op;
  return op.getPipes().front().getDefiningOp<ttl::CreatePipeOp>().getSrc().size();
}

// Returns the number of fields after a row's own ones: the coordinates of the pipe's ends and three
// flags (this node is the source, is a receiver, is either).
static unsigned numEnds(unsigned rank) { return 2 * rank + 3; }

static SmallVector<StringRef> withEnds(ArrayRef<StringRef> fields, unsigned rank) {
  SmallVector<StringRef> names(fields);
  names.append(rank, "src");
  names.append(rank, "dst");
  names.append({"is_src", "is_dst", "is_active"});
  return names;
}

static int64_t slotsFor(const PipeNet &net, Landing mode) {
  if (mode == Landing::Direct)
    return 0;
  return mode == Landing::SharedSlot ? 1 : net.numReceives;
}

NetLowering::NetLowering(ttl::KernelOp kernel, PipeNet netToLower, NetUses uses, Landing landing)
    : kernel(kernel), net(std::move(netToLower)), uses(std::move(uses)), mode(landing),
      numSlots(slotsFor(net, landing)), grid(kernel.getGrid().getShape()), rank(rankOf(net)),
      sources(kernel.getGrid().getNumCores(),
              withEnds({"slot", "receivers", "first_part", "num_parts"}, rank)),
      parts(kernel.getGrid().getNumCores(), {"kind", "x0", "y0", "x1", "y1", "dests"}),
      destinations(kernel.getGrid().getNumCores(),
                   withEnds({"slot", "pipe", "source_x", "source_y"}, rank)) {
  fillTables();
}

//===--------------------------------------------------------------------------===//
// Tables
//===--------------------------------------------------------------------------===//

SmallVector<int64_t> NetLowering::endsOf(const Pipe &pipe, unsigned number, int64_t node) {
  auto create = net.op.getPipes()[number].getDefiningOp<ttl::CreatePipeOp>();
  SmallVector<int64_t> ends(create.getSrc());
  if (create.getDst())
    llvm::append_range(ends, *create.getDst());
  ends.resize(2 * rank, 0);
  bool begins = pipe.src == node, stops = llvm::is_contained(pipe.dst, node);
  ends.append({begins, stops, begins || stops});
  return ends;
}

NetLowering::PartKind NetLowering::kindOf(const PipePart &part) {
  return !part.multicast ? kUnicast : part.loopback ? kLoopback : kMulticast;
}

bool NetLowering::occurs(PartKind kind) const {
  return llvm::any_of(net.pipes, [&](const Pipe &pipe) {
    return llvm::any_of(pipe.parts, [&](const PipePart &part) { return kindOf(part) == kind; });
  });
}

void NetLowering::fillTables() {
  GridLayout layout = layoutGrid(grid, archOf(kernel), devicesOf(kernel));
  for (auto [number, pipe] : llvm::enumerate(net.pipes)) {
    NodeTable::Row row = {pipe.receiveIndex, static_cast<int64_t>(pipe.dst.size()),
                          parts.numRows(pipe.src), static_cast<int64_t>(pipe.parts.size())};
    llvm::append_range(row, endsOf(pipe, number, pipe.src));
    sources.addRow(pipe.src, std::move(row));
    for (const PipePart &part : pipe.parts) {
      parts.addRow(pipe.src, {kindOf(part), part.x0, part.y0, part.x1, part.y1, part.dests});
    }
  }
  for (int64_t node = 0; node < kernel.getGrid().getNumCores(); ++node)
    for (int64_t number : net.pipesTo(node)) {
      const Pipe &pipe = net.pipes[number];
      auto [x, y] = coreOfNode(grid, layout, pipe.src);
      NodeTable::Row row = {pipe.receiveIndex, pipe.sendIndex, x, y};
      llvm::append_range(row, endsOf(pipe, number, node));
      destinations.addRow(node, std::move(row));
    }
}

// Returns whether an op reads the ends of pipes. Run-time arguments have few words, so tables have
// no columns that no op reads.
template <typename CallbackOp> static bool asksForEnds(ArrayRef<CallbackOp> callbacks) {
  return llvm::any_of(callbacks, [](CallbackOp callback) {
    return llvm::any_of(callback.getPipe().getUsers(),
                        [](Operation *user) { return !isa<ttl::CopyOp>(user); });
  });
}

bool NetLowering::hasOutside(bool sending) const {
  return llvm::any_of(uses.outside, [&](ttl::CopyOp copy) { return copy.isSend() == sending; });
}

// Returns a table with one row for each node: the number of the row that the pipe of the copy has
// on the node, plus 1; 0 if the node is not the end of the pipe that the copy needs.
NodeTable NetLowering::placesOf(ttl::CopyOp copy) const {
  int64_t number = *pipeNumber(copy), nodes = 1;
  for (int64_t extent : grid)
    nodes *= extent;
  NodeTable table(nodes, {"place"});
  for (int64_t node = 0; node < nodes; ++node) {
    SmallVector<int64_t> here = copy.isSend() ? net.pipesFrom(node) : net.pipesTo(node);
    auto found = llvm::find(here, number);
    table.addRow(node, {found == here.end() ? 0 : found - here.begin() + 1});
  }
  return table;
}

void NetLowering::createPlaces(OpBuilder &builder) {
  for (ttl::CopyOp copy : uses.outside) {
    auto [it, isNew] = places.try_emplace({*pipeNumber(copy), copy.isSend()}, placesOf(copy));
    if (isNew)
      it->second.create(builder, copy.getLoc(), net.op.getName().str() + ".place", /*numUsed=*/1);
  }
}

void NetLowering::createResources(OpBuilder &builder, std::optional<int64_t> semaphore,
                                  std::optional<int64_t> page) {
  Location loc = net.op.getLoc();
  std::string name = net.op.getName().str();
  createPlaces(builder);
  if (!uses.sources.empty() || hasOutside(/*sending=*/true)) {
    unsigned ends = asksForEnds(ArrayRef(uses.sources)) ? numEnds(rank) : 0;
    sources.create(builder, loc, name + ".sources", kSourceEnds + ends);
    if (hasTransfers())
      parts.create(builder, loc, name + ".parts",
                   occurs(kMulticast) || occurs(kLoopback) ? kNumPartFields : kX1);
  }
  if (!uses.destinations.empty() || hasOutside(/*sending=*/false)) {
    unsigned ends = asksForEnds(ArrayRef(uses.destinations)) ? numEnds(rank) : 0;
    destinations.create(builder, loc, name + ".destinations", kDestinationEnds + ends);
  }
  if (!hasTransfers())
    return;
  ttl::CopyOp copy = uses.send ? uses.send : uses.receive;
  auto buffer = cast<ttl::BlockType>(blockOf(copy).getType()).getCircularBuffer();
  if (numSlots > 0)
    landing =
        ttl::CreateLandingOp::create(builder, loc,
                                     ttl::LandingType::get(builder.getContext(), buffer.getShape(),
                                                           buffer.getElementType(), numSlots),
                                     name, IntegerAttr());
  if (mode == Landing::Queued)
    landing.getDefiningOp()->setAttr(kQueuedAttr, builder.getUnitAttr());
  auto optional = [&](std::optional<int64_t> value) {
    return value ? builder.getI32IntegerAttr(*value) : IntegerAttr();
  };
  auto op = ttl::CreateCountersOp::create(
      builder, withCopies(loc), ttl::CountersType::get(builder.getContext(), numWords()), name,
      optional(semaphore), optional(page), IntegerAttr(), ArrayAttr(), DenseI32ArrayAttr(),
      builder.getI32IntegerAttr(net.numReceives));
  describeWords(op);
  noteReached(op);
  words = op;
}

// Adds the positions of the send and of the receive to that of the net: tools/plan/PipePlan.cpp
// tells deadlock reports which copy changes a word.
Location NetLowering::withCopies(Location loc) {
  if (!uses.send || !uses.receive)
    return loc;
  return FusedLoc::get(loc.getContext(), {loc, uses.send.getLoc(), uses.receive.getLoc()});
}

int64_t NetLowering::firstWord(Word kind) const {
  switch (kind) {
  case Word::Valid:
    return 0;
  case Word::Received:
    return net.numReceives;
  case Word::Credit:
    return 2 * net.numReceives;
  case Word::Sent:
    return 2 * net.numReceives + net.numSends;
  }
  return 0;
}

// Returns the number of the processor that runs the thread around `op`; -1 if `op` is
// null.
static int64_t processorOf(ttl::KernelOp kernel, Operation *op) {
  if (!op)
    return -1;
  return int64_t(ttl::processorOf(kernel.getBody().front().findAncestorOpInBlock(*op)));
}

// Adds descriptions of the net's words. A deadlock report names a word of valid or
// credit by its text and the processor that changes it. The check at the end of a run
// names the two nodes whose transfers valid and received count.
void NetLowering::describeWords(ttl::CreateCountersOp op) {
  int64_t nodes = kernel.getGrid().getNumCores(), devices = devicesOf(kernel);
  SmallVector<std::string> texts(numWords() * nodes);
  SmallVector<int32_t> peers(numWords() * nodes, -1);
  auto describe = [&](Word kind, int64_t number, int64_t node, std::string text, int64_t peer = -1,
                      int64_t processor = -1) {
    int64_t at = (firstWord(kind) + number) * nodes + node;
    texts[at] = std::move(text);
    if (peer >= 0 && processor >= 0)
      peers[at] = peer * 3 + processor;
  };
  int64_t sender = processorOf(kernel, uses.send), receiver = processorOf(kernel, uses.receive);
  for (auto [number, pipe] : llvm::enumerate(net.pipes)) {
    std::string of = "pipe " + std::to_string(number) + " of '" + net.op.getName().str() + "'";
    std::string from = of + " from node " + nodeText(grid, pipe.src, devices);
    for (int64_t node : pipe.dst) {
      describe(Word::Valid, pipe.receiveIndex, node, "data of " + from, pipe.src, sender);
      describe(Word::Received, pipe.receiveIndex, node,
               from + " to node " + nodeText(grid, node, devices));
    }
    bool single = pipe.dst.size() == 1;
    std::string where = single ? "node " + nodeText(grid, pipe.dst.front(), devices)
                               : std::to_string(pipe.dst.size()) + " nodes";
    describe(Word::Credit, pipe.sendIndex, pipe.src, "room for " + of + " at " + where,
             single ? pipe.dst.front() : -1, receiver);
  }
  OpBuilder builder(op);
  op.setRolesAttr(builder.getStrArrayAttr(llvm::to_vector_of<StringRef>(texts)));
  op.setPeersAttr(builder.getDenseI32ArrayAttr(peers));
}

// Notes which threads reach other devices: a send with a block, a receive with its credit.
void NetLowering::noteReached(ttl::CreateCountersOp op) {
  int64_t devices = devicesOf(kernel), nodesOfDevice = kernel.getGrid().getNumCores() / devices;
  std::set<std::array<int32_t, 3>> reached;
  auto add = [&](int64_t node, int64_t processor, int64_t other) {
    if (node / nodesOfDevice != other / nodesOfDevice)
      reached.insert({int32_t(node), int32_t(processor), int32_t(other / nodesOfDevice)});
  };
  auto addPipe = [&](ttl::CopyOp copy, int64_t processor, const Pipe &pipe) {
    for (int64_t node : pipe.dst)
      if (copy.isSend())
        add(pipe.src, processor, node);
      else if (mode != Landing::Queued)
        add(node, processor, pipe.src);
  };
  auto addCallback = [&](Value argument) {
    for (Operation *user : argument.getUsers())
      if (auto copy = dyn_cast<ttl::CopyOp>(user)) {
        int64_t processor = processorOf(kernel, copy);
        llvm::for_each(net.pipes, [&](const Pipe &pipe) { addPipe(copy, processor, pipe); });
      }
  };
  for (ttl::IfPipeSrcOp source : uses.sources)
    addCallback(source.getPipe());
  for (ttl::IfPipeDstOp destination : uses.destinations)
    addCallback(destination.getPipe());
  for (ttl::CopyOp copy : uses.outside)
    addPipe(copy, processorOf(kernel, copy), net.pipes[*pipeNumber(copy)]);
  SmallVector<int32_t> numbers;
  for (const std::array<int32_t, 3> &each : reached)
    llvm::append_range(numbers, each);
  if (!numbers.empty())
    op->setAttr(kReachedAttr, DenseI32ArrayAttr::get(op.getContext(), numbers));
}

//===--------------------------------------------------------------------------===//
// Callbacks
//===--------------------------------------------------------------------------===//

void NetLowering::lowerCallbacks() {
  for (ttl::IfPipeSrcOp op : uses.sources)
    lowerCallback(op, sources, kSourceEnds);
  for (ttl::IfPipeDstOp op : uses.destinations)
    lowerCallback(op, destinations, kDestinationEnds);
  for (ttl::CopyOp copy : uses.outside)
    lowerOutside(copy);
}

// Lowers a copy outside of callbacks. It faults on a node that is not the end of the pipe that it
// needs.
void NetLowering::lowerOutside(ttl::CopyOp copy) {
  OpBuilder builder(copy);
  Location loc = copy.getLoc();
  Value zero = constantIndex(builder, loc, 0);
  const NodeTable &table = places.find({*pipeNumber(copy), copy.isSend()})->second;
  Value place = table.field(builder, loc, zero, 0);
  const Pipe &pipe = net.pipes[*pipeNumber(copy)];
  Value isEnd = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ne, place, zero);
  auto check = ttl::AssertOp::create(
      builder, loc, isEnd, wrongNodeText(copy, grid, pipe.src, pipe.dst, devicesOf(kernel)));
  check->setAttr(ttl::kProtocolAttr, builder.getUnitAttr());
  lowerCopy(copy, builder.createOrFold<arith::SubIOp>(loc, place, constantIndex(builder, loc, 1)));
}

void NetLowering::lowerCopy(ttl::CopyOp copy, Value number) {
  if (copy->use_empty())
    completeUnwaited(copy);
  if (copy.isSend())
    lowerSend(copy, number);
  else
    lowerReceive(copy, number);
  copy.erase();
}

void NetLowering::lowerCallback(Operation *callback, const NodeTable &table, unsigned firstEnd) {
  OpBuilder builder(callback);
  Location loc = callback->getLoc();
  Value begin = constantIndex(builder, loc, 0), end = table.count(builder, loc);
  auto loop = scf::ForOp::create(builder, loc, begin, end, constantIndex(builder, loc, 1));
  Block &body = callback->getRegion(0).front();
  lowerUses(body.getArgument(0), loop.getInductionVar(), table, firstEnd);
  body.getTerminator()->erase();
  Block *target = loop.getBody();
  target->getOperations().splice(target->getTerminator()->getIterator(), body.getOperations());
  callback->erase();
}

void NetLowering::lowerUses(Value pipe, Value number, const NodeTable &table, unsigned firstEnd) {
  for (Operation *user : llvm::make_early_inc_range(pipe.getUsers())) {
    auto copy = dyn_cast<ttl::CopyOp>(user);
    if (!copy) {
      lowerQuery(user, number, table, firstEnd);
      continue;
    }
    lowerCopy(copy, number);
  }
}

// Lowers an op that asks for an end of the pipe, or a predicate on the pipe.
void NetLowering::lowerQuery(Operation *op, Value number, const NodeTable &table,
                             unsigned firstEnd) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  SmallVector<Value> results;
  if (isa<ttl::PipeSourceOp, ttl::PipeDestinationOp>(op)) {
    unsigned first = firstEnd + (isa<ttl::PipeSourceOp>(op) ? 0 : rank);
    for (unsigned i = 0; i < op->getNumResults(); ++i)
      results.push_back(i < rank ? table.field(builder, loc, number, first + i)
                                 : constantIndex(builder, loc, 0));
  } else {
    unsigned flag = isa<ttl::IsPipeSrcOp>(op) ? 0 : isa<ttl::IsPipeDstOp>(op) ? 1 : 2;
    Value value = table.field(builder, loc, number, firstEnd + 2 * rank + flag);
    results.push_back(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value,
                                            constantIndex(builder, loc, 0)));
  }
  op->replaceAllUsesWith(results);
  op->erase();
}

//===--------------------------------------------------------------------------===//
// Sending
//===--------------------------------------------------------------------------===//

Value NetLowering::word(OpBuilder &builder, Location loc, Word kind, Value number) {
  Value at = builder.createOrFold<arith::AddIOp>(loc, number,
                                                 constantIndex(builder, loc, firstWord(kind)));
  static constexpr StringLiteral names[] = {"valid", "received", "credit", "sent"};
  return ttl::CounterOp::create(builder, named(names[static_cast<int>(kind)], loc),
                                ttl::SemaphoreType::get(builder.getContext(), false), words, at);
}

// Returns the slot that a send writes after `before` other sends of its pipe.
Value NetLowering::slotFor(OpBuilder &builder, Location loc, Value number, Value before) {
  if (numSlots > 0)
    return landingSlot(builder, loc, number);
  auto type = cast<ttl::CircularBufferType>(uses.receivedInto.getType());
  Value turn = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), before);
  return ttl::BufferSlotOp::create(
      builder, loc,
      ttl::SlotType::get(builder.getContext(), type.getShape(), type.getElementType()),
      uses.receivedInto, turn);
}

Value NetLowering::landingSlot(OpBuilder &builder, Location loc, Value number) {
  auto type = cast<ttl::LandingType>(landing.getType());
  if (numSlots == 1)
    number = constantIndex(builder, loc, 0);
  return ttl::LandingSlotOp::create(
      builder, loc,
      ttl::SlotType::get(builder.getContext(), type.getShape(), type.getElementType()), landing,
      number);
}

void NetLowering::lowerSend(ttl::CopyOp copy, Value number) {
  OpBuilder builder(copy);
  Location loc = copy.getLoc();
  Value sent = word(builder, loc, Word::Sent, number);
  Value before = ttl::SemaphoreValueOp::create(builder, loc, builder.getI32Type(), sent);
  Value receivers = toI32(builder, loc, sources.field(builder, loc, number, kReceivers));
  Value count = arith::AddIOp::create(builder, loc, before, i32(builder, loc, 1));
  if (mode != Landing::Queued) {
    Value needed = mode == Landing::OwnSlots ? before : count;
    needed = builder.createOrFold<arith::MulIOp>(loc, needed, receivers);
    ttl::SemaphoreWaitMinOp::create(builder, loc, word(builder, loc, Word::Credit, number), needed);
  }
  ttl::SemaphoreSetOp::create(builder, loc, sent, count, Value(), /*from_scratch=*/false);
  sendParts(builder, copy, number, before, count);
  for (Operation *user : llvm::make_early_inc_range(copy.getXf().getUsers())) {
    OpBuilder atWait(user);
    ttl::DMABarrierOp::create(atWait, user->getLoc(), ttl::TransferDirection::Writes);
    user->erase();
  }
}

void NetLowering::sendParts(OpBuilder &builder, ttl::CopyOp copy, Value number, Value before,
                            Value count) {
  Location loc = copy.getLoc();
  Value receiver = sources.field(builder, loc, number, kSlot);
  Value slot = slotFor(builder, loc, receiver, before);
  if (sources.constant(kNumParts) == 1)
    return sendPart(builder, copy, slot, number, count, number, receiver);
  Value first = sources.field(builder, loc, number, kFirstPart);
  Value begin = constantIndex(builder, loc, 0),
        end = sources.field(builder, loc, number, kNumParts);
  auto loop = scf::ForOp::create(builder, loc, begin, end, constantIndex(builder, loc, 1));
  OpBuilder inner = OpBuilder::atBlockTerminator(loop.getBody());
  Value part = arith::AddIOp::create(inner, loc, first, loop.getInductionVar());
  sendPart(inner, copy, slot, part, count, number, receiver);
}

void NetLowering::sendPart(OpBuilder &builder, ttl::CopyOp copy, Value slot, Value part,
                           Value count, Value number, Value receiver) {
  Location loc = copy.getLoc();
  Value valid = word(builder, loc, Word::Valid, receiver);
  Value sent = word(builder, loc, Word::Sent, number);
  auto send = [&](PartKind kind, OpBuilder &at) {
    SmallVector<Value> fields;
    for (unsigned field = kX0; field < (kind == kUnicast ? kX1 : kNumPartFields); ++field)
      fields.push_back(parts.field(at, loc, part, field));
    sendAs(kind, at, copy, slot, fields, count, valid, sent);
  };
  if (std::optional<int64_t> kind = parts.constant(kKind))
    return send(static_cast<PartKind>(*kind), builder);
  // If pipes of a net have different kinds, the kind is a field of the table.
  Value kind = parts.field(builder, loc, part, kKind);
  for (PartKind candidate : {kUnicast, kMulticast, kLoopback}) {
    if (!occurs(candidate))
      continue;
    Value is = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, kind,
                                     constantIndex(builder, loc, candidate));
    auto branch = scf::IfOp::create(builder, loc, is, /*withElseRegion=*/false);
    OpBuilder inner = branch.getThenBodyBuilder();
    send(candidate, inner);
  }
}

// Writes the data, then the flag, on one channel to one destination, so that they
// arrive in that order. `to` is a core, or two corners of a rectangle and the number of
// cores written.
void NetLowering::sendAs(PartKind kind, OpBuilder &builder, ttl::CopyOp copy, Value slot,
                         ArrayRef<Value> to, Value count, Value valid, Value sent) {
  Location loc = copy.getLoc();
  bool loopback = kind == kLoopback;
  if (kind == kUnicast)
    ttl::SendOp::create(builder, loc, handleType(builder), copy.getSrc(), slot, to[0], to[1]);
  else
    ttl::SendMulticastOp::create(builder, loc, handleType(builder), copy.getSrc(), slot, to[0],
                                 to[1], to[2], to[3], to[4], loopback);
  Value remote;
  if (kind == kUnicast)
    remote = ttl::GetRemoteSemaphoreOp::create(builder, loc, remoteType(builder), valid,
                                               ValueRange(to), /*cores=*/true);
  else
    remote = ttl::GetRemoteMulticastSemaphoreOp::create(builder, loc, remoteType(builder), valid,
                                                        ValueRange(to), ArrayAttr(), loopback);
  ttl::SemaphoreSetOp::create(builder, loc, remote, count, sent, /*from_scratch=*/true);
}

//===--------------------------------------------------------------------------===//
// Receiving
//===--------------------------------------------------------------------------===//

// Lowers a receive at its waits, because the thread may have to send before them.
void NetLowering::lowerReceive(ttl::CopyOp copy, Value number) {
  Value turn = mayFindComplete(copy) ? turnOf(copy, number) : Value();
  for (Operation *user : llvm::make_early_inc_range(copy.getXf().getUsers())) {
    OpBuilder builder(user);
    if (isa<UnrealizedConversionCastOp>(user)) {
      await(builder, user, number, turn);
    } else if (turn) {
      Value pending = isPending(builder, user->getLoc(), number, turn);
      auto branch = scf::IfOp::create(builder, user->getLoc(), pending, /*withElseRegion=*/false);
      OpBuilder inner = branch.getThenBodyBuilder();
      receive(inner, copy, number);
    } else {
      receive(builder, copy, number);
    }
    user->erase();
  }
}

// Returns what received[r] is when the receive is complete. No other receive of the pipe is in
// flight at the copy.
Value NetLowering::turnOf(ttl::CopyOp copy, Value number) {
  OpBuilder builder(copy);
  Location loc = copy.getLoc();
  Value received = receivedCount(builder, loc, number);
  return arith::AddIOp::create(builder, loc, received, i32(builder, loc, 1));
}

Value NetLowering::receivedCount(OpBuilder &builder, Location loc, Value number) {
  Value receiver = destinations.field(builder, loc, number, kReceiveIndex);
  return ttl::SemaphoreValueOp::create(builder, loc, builder.getI32Type(),
                                       word(builder, loc, Word::Received, receiver));
}

Value NetLowering::isPending(OpBuilder &builder, Location loc, Value number, Value turn) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                               receivedCount(builder, loc, number), turn);
}

// Replaces the results of a cast of expandWaitAny(): the word that a ttl.semaphore_wait_any
// watches, and its value, which is -1 if the receive was completed before.
void NetLowering::await(OpBuilder &builder, Operation *cast, Value number, Value turn) {
  Location loc = cast->getLoc();
  Value receiver = destinations.field(builder, loc, number, kReceiveIndex);
  Value needed = arith::SelectOp::create(builder, loc, isPending(builder, loc, number, turn), turn,
                                         i32(builder, loc, -1));
  cast->replaceAllUsesWith(ValueRange{word(builder, loc, Word::Valid, receiver), needed});
}

void NetLowering::giveCredit(OpBuilder &builder, Location loc, Value number) {
  Value credit =
      word(builder, loc, Word::Credit, destinations.field(builder, loc, number, kSendIndex));
  Value source = ttl::GetRemoteSemaphoreOp::create(
      builder, loc, remoteType(builder), credit,
      ValueRange{destinations.field(builder, loc, number, kSourceX),
                 destinations.field(builder, loc, number, kSourceY)},
      /*cores=*/true);
  ttl::SemaphoreIncOp::create(builder, loc, source, i32(builder, loc, 1));
}

void NetLowering::receive(OpBuilder &builder, ttl::CopyOp copy, Value number) {
  Location loc = copy.getLoc();
  Value receiver = destinations.field(builder, loc, number, kReceiveIndex);
  Value received = word(builder, loc, Word::Received, receiver);
  Value before = ttl::SemaphoreValueOp::create(builder, loc, builder.getI32Type(), received);
  Value count = arith::AddIOp::create(builder, loc, before, i32(builder, loc, 1));
  if (mode == Landing::SharedSlot || mode == Landing::Direct)
    giveCredit(builder, loc, number);
  ttl::SemaphoreWaitMinOp::create(builder, loc, word(builder, loc, Word::Valid, receiver), count);
  if (numSlots > 0) {
    ttl::ReceiveOp::create(builder, loc, handleType(builder), landingSlot(builder, loc, receiver),
                           copy.getDst(), IntegerAttr());
    ttl::DMABarrierOp::create(builder, loc, ttl::TransferDirection::Reads);
  }
  ttl::SemaphoreSetOp::create(builder, loc, received, count, Value(), /*from_scratch=*/false);
  if (mode == Landing::OwnSlots)
    giveCredit(builder, loc, number);
}
