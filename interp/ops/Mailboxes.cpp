//===- Mailboxes.cpp - interprets pipes before their lowering -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Interprets pipes before ttl-infer-pipe-semaphores lowers them. Sends and receives wait as after
// the lowering, but there are no landing slots, counters and NoC transfers. Each pipe of a
// net has, at each of its receivers, a mailbox with room for one block.
//
// A send waits until the mailboxes at all receivers are empty and fills them; it is
// then complete. A receive only notes its block. The wait for a receive waits until the
// mailbox is full, moves its content into the block and leaves the mailbox empty.
// Receives of one pipe are served in the order in which they were started. The mailboxes of a
// queued net (kQueuedAttr) have room for any number of blocks: its sends do not wait.
//===--------------------------------------------------------------------------===//

#include "interp/ops/Mailboxes.h"

#include "hw/calls/EngineCalls.h"
#include "hw/facts/FaultText.h"
#include "interp/ops/ApiCall.h"
#include "interp/ops/BlockPages.h"
#include "interp/ops/TileRules.h"
#include "ir/Nodes/PipeNets.h"

#include <deque>
#include <map>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::interp;

//===--------------------------------------------------------------------------===//
// Mailboxes of a run
//===--------------------------------------------------------------------------===//

namespace {
struct Mailbox {
  struct Post {
    uint32_t address;
    BlockPages pages;
    uint32_t pageSize; // distance of the pages
  };
  hw::EngineFlag full;
  std::deque<std::vector<std::byte>> contents; // not empty if the mailbox is full
  const hw::WordRole *data = nullptr;          // role of the words of the pipe
  std::deque<Post> posts;                      // blocks of receives that are not complete
  uint32_t posted = 0, delivered = 0;
};

class Mailboxes : public hw::EngineState {
public:
  static Mailboxes &of(Frame &frame) {
    std::unique_ptr<hw::EngineState> &state = hw::engineState(&frame.thread);
    if (!state)
      state = std::make_unique<Mailboxes>();
    return static_cast<Mailboxes &>(*state);
  }

  // Returns the number of the mailbox that a net's pipe has at this node.
  uint32_t find(uint32_t net, int64_t pipe, int64_t node) {
    auto [it, isNew] = numbers.try_emplace({net, pipe, node}, boxes.size());
    if (isNew)
      boxes.emplace_back();
    return it->second;
  }
  Mailbox &operator[](uint32_t number) { return boxes[number]; }

private:
  std::map<std::tuple<uint32_t, int64_t, int64_t>, uint32_t> numbers;
  std::deque<Mailbox> boxes;
};

// The content of a handle's slot: the number of the receive in its mailbox, or 0 for a
// send.
struct PipeHandle {
  static constexpr uint64_t kIsPipe = uint64_t(1) << 63;
  uint64_t bits;

  static PipeHandle of(uint32_t mailbox, uint32_t number) {
    return {kIsPipe | uint64_t(mailbox) << 32 | number};
  }
  uint32_t mailbox() const { return static_cast<uint32_t>((bits & ~kIsPipe) >> 32); }
  uint32_t number() const { return static_cast<uint32_t>(bits); }
};
} // namespace

bool interp::isPipeHandle(uint64_t handle) { return handle & PipeHandle::kIsPipe; }

//===--------------------------------------------------------------------------===//
// Nets
//===--------------------------------------------------------------------------===//

namespace {
struct NetPipe {
  int64_t src = 0;
  SmallVector<int64_t> dst;
  SmallVector<int64_t> srcCoords, dstCoords; // coordinates as the user gave them
  hw::WordRole data, room;

  bool beginsAt(int64_t node) const { return src == node; }
  bool endsAt(int64_t node) const { return llvm::is_contained(dst, node); }
};

// A net's number and pipes: instructions find the mailboxes of their node through them.
struct Net {
  uint32_t number = 0; // number of the net in its kernel
  bool isQueued = false;
  std::vector<NetPipe> pipes;
  NodeNumbers nodes;
};
} // namespace

// Returns the number of devices of the thread's kernel.
static int64_t numDevices(const ThreadSource &thread) {
  Operation *kernel = thread.op->getParentOp();
  return kernel ? ttjit::devicesOf(kernel) : 1;
}

static NetPipe describePipe(ttl::CreatePipeOp op, const ThreadSource &thread,
                            const GridLayout &layout, const std::string &name) {
  auto grid = ttcore::GridAttr::get(op.getContext(), thread.grid);
  Pipe ends = analysePipe(op, grid, layout);
  NetPipe pipe;
  pipe.src = ends.src;
  pipe.dst = std::move(ends.dst);
  pipe.srcCoords.assign(op.getSrc());
  if (op.getDst())
    pipe.dstCoords.assign(*op.getDst());
  std::string where = pipe.dst.size() == 1
                          ? "node " + nodeText(thread.grid, pipe.dst.front(), layout.devices)
                          : std::to_string(pipe.dst.size()) + " nodes";
  pipe.data.what =
      "data of " + name + " from node " + nodeText(thread.grid, pipe.src, layout.devices);
  pipe.room.what = "room for " + name + " at " + where;
  return pipe;
}

static Net netOfPipes(ValueRange pipes, StringRef name, FunctionCompiler &compiler) {
  const ThreadSource &thread = compiler.thread();
  Net net;
  net.nodes = NodeNumbers(thread);
  for (auto [i, value] : llvm::enumerate(pipes))
    net.pipes.push_back(describePipe(value.getDefiningOp<ttl::CreatePipeOp>(), thread,
                                     layoutGrid(thread.grid, thread.arch, numDevices(thread)),
                                     ("pipe " + Twine(i) + " of '" + name + "'").str()));
  return net;
}

// The number of a net is the same in all threads of the kernel.
static llvm::Expected<Net> describeNet(Operation *user, Value value, FunctionCompiler &compiler) {
  auto create = value.getDefiningOp<ttl::CreatePipeNetOp>();
  if (!create)
    return errorAt(
        user, "cannot run over an unknown net: nets cannot be passed through loops or branches");
  Net net = netOfPipes(create.getPipes(), create.getName(), compiler);
  net.isQueued = create->hasAttr(kQueuedAttr);
  Operation *kernel = compiler.thread().op->getParentOp();
  kernel->walk([&](ttl::CreatePipeNetOp other) {
    net.number += other != create;
    return other == create ? WalkResult::interrupt() : WalkResult::advance();
  });
  return net;
}

// Returns the net of a pipe whose net was erased. Its number differs from those of other nets.
static Net netOfOne(ttl::CopyOp copy, Value pipe, FunctionCompiler &compiler) {
  Net net = netOfPipes(pipe, netNameOf(copy), compiler);
  constexpr uint32_t kFirst = 1 << 20;
  net.number = kFirst;
  Operation *kernel = compiler.thread().op->getParentOp();
  kernel->walk([&](ttl::CreatePipeOp other) {
    net.number += other != pipe.getDefiningOp();
    return other == pipe.getDefiningOp() ? WalkResult::interrupt() : WalkResult::advance();
  });
  return net;
}

// Returns the net of a predicate's operand, which is one pipe, or all pipes of a net. If it is the
// pipe of a callback, also returns the slot with the number of the pipe.
static llvm::Expected<std::pair<Net, std::optional<SlotNumber>>>
describePipes(Operation *op, Value value, FunctionCompiler &compiler) {
  std::optional<SlotNumber> chosen;
  if (Operation *callback = callbackOf(value)) {
    chosen = compiler.slotOf(value);
    value = callback->getOperand(0);
  } else if (value.getDefiningOp<ttl::CreatePipeOp>()) {
    return std::pair(netOfPipes(value, "", compiler), chosen);
  }
  llvm::Expected<Net> net = describeNet(op, value, compiler);
  if (!net)
    return net.takeError();
  return std::pair(std::move(*net), chosen);
}

//===--------------------------------------------------------------------------===//
// Callbacks
//===--------------------------------------------------------------------------===//

namespace {
struct CallbackDetail : Detail {
  Net net;
  bool sends = false;
  SlotNumber pipe = 0;
  Instructions body;
};
} // namespace

static hw::Status runCallback(const Instruction &inst, Frame &frame) {
  const auto &detail = static_cast<const CallbackDetail &>(*inst.detail);
  int64_t node = detail.net.nodes.here(frame);
  for (auto [i, pipe] : llvm::enumerate(detail.net.pipes)) {
    if (!(detail.sends ? pipe.beginsAt(node) : pipe.endsAt(node)))
      continue;
    frame.set(detail.pipe, static_cast<int64_t>(i));
    if (hw::Status status = runInstructions(detail.body, frame); status != hw::Status::Ok)
      return status;
  }
  return hw::Status::Ok;
}

// Compiles a callback. A copy without a wait is complete when its block is released, or at the end
// of the callback.
static llvm::Error callback(Operation *op, FunctionCompiler &compiler) {
  llvm::Expected<Net> net = describeNet(op, op->getOperand(0), compiler);
  if (!net)
    return net.takeError();
  auto detail = std::make_unique<CallbackDetail>();
  detail->net = std::move(*net);
  detail->sends = isa<ttl::IfPipeSrcOp>(op);
  Block &body = op->getRegion(0).front();
  detail->pipe = compiler.slotOf(body.getArgument(0));
  llvm::Expected<Instructions> calls = compiler.collect([&]() -> llvm::Error {
    llvm::Expected<Instructions> inside = compiler.compileBlock(body);
    if (!inside)
      return inside.takeError();
    compiler.append(std::move(*inside));
    for (Operation *user : body.getArgument(0).getUsers())
      if (auto copy = dyn_cast<ttl::CopyOp>(user); copy && copy->use_empty())
        emitPipeWait(op, copy, compiler);
    return llvm::Error::success();
  });
  if (!calls)
    return calls.takeError();
  detail->body = std::move(*calls);
  compiler.emit(op, runCallback, {}).detail = std::move(detail);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Copies
//===--------------------------------------------------------------------------===//

namespace {
struct PipeCopyDetail : Detail {
  Net net;
  BlockPages pages;
  // For a copy outside of callbacks: the message if the node is not at the pipe's end of the copy.
  std::string wrongNode;
};
} // namespace

// Faults if a copy outside of callbacks runs on a node that is not at the pipe's end of the copy.
static hw::Status checkEnd(const PipeCopyDetail &detail, Frame &frame, bool isEnd) {
  if (isEnd || detail.wrongNode.empty())
    return hw::Status::Ok;
  const char kinds[] = {hw::kProtocolFault, 0};
  return ttl_hw_text_fault(&frame.thread, detail.wrongNode.c_str(), kinds, nullptr);
}

// Operands: block, number of the pipe.
static hw::Status runSendBlock(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  const auto &detail = static_cast<const PipeCopyDetail &>(*inst.detail);
  auto number = inst.operand<int64_t>(frame, 1);
  const NetPipe &pipe = detail.net.pipes[number];
  if (hw::Status status = checkEnd(detail, frame, pipe.beginsAt(detail.net.nodes.here(frame)));
      status != hw::Status::Ok)
    return status;
  hw::KernelThread *thread = &frame.thread;
  Mailboxes &boxes = Mailboxes::of(frame);
  auto boxAt = [&](int64_t node) -> Mailbox & {
    return boxes[boxes.find(detail.net.number, number, node)];
  };
  for (int64_t node : pipe.dst)
    if (hw::Status status = detail.net.isQueued
                                ? hw::Status::Ok
                                : hw::waitForFlag(thread, boxAt(node).full, false, pipe.room);
        status != hw::Status::Ok)
      return status;
  std::vector<std::byte> content(detail.pages.allBytes());
  BlockRef block = BlockRef::of(frame, inst.operands[0]);
  auto read = [&](uint32_t from, uint32_t to, uint32_t bytes) {
    return hw::readBytes(thread, block.address(frame, 0) + from, bytes, content.data() + to);
  };
  if (hw::Status status =
          detail.pages.forEachPiece(block.buffer(frame).pageBytes, detail.pages.bytes, read);
      status != hw::Status::Ok)
    return status;
  for (int64_t node : pipe.dst)
    boxAt(node).contents.push_back(content);
  for (int64_t node : pipe.dst)
    if (hw::Status status = hw::setFlag(thread, boxAt(node).full, true); status != hw::Status::Ok)
      return status;
  return inst.finish(frame, PipeHandle::of(0, 0).bits);
}

// Operands: block, number of the pipe. The wait for the handle may be anywhere in the thread.
static hw::Status runReceiveBlock(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  const auto &detail = static_cast<const PipeCopyDetail &>(*inst.detail);
  auto pipe = inst.operand<int64_t>(frame, 1);
  int64_t node = detail.net.nodes.here(frame);
  if (hw::Status status = checkEnd(detail, frame, detail.net.pipes[pipe].endsAt(node));
      status != hw::Status::Ok)
    return status;
  Mailboxes &boxes = Mailboxes::of(frame);
  uint32_t number = boxes.find(detail.net.number, pipe, node);
  Mailbox &box = boxes[number];
  box.data = &detail.net.pipes[pipe].data;
  BlockRef block = BlockRef::of(frame, inst.operands[0]);
  box.posts.push_back({block.address(frame, 0), detail.pages, block.buffer(frame).pageBytes});
  return inst.finish(frame, PipeHandle::of(number, ++box.posted).bits);
}

llvm::Error interp::emitPipeCopy(ttl::CopyOp op, FunctionCompiler &compiler) {
  Value pipe = op.isSend() ? op.getDst() : op.getSrc();
  Value block = op.isSend() ? op.getSrc() : op.getDst();
  if (!isa<ttl::BlockType>(block.getType()) || (!callbackOf(pipe) && !pipeNumber(op)))
    return errorAt(op, "a copy over a pipe must move a block over a pipe of a net");
  ttl::CreatePipeNetOp create = netOf(op);
  llvm::Expected<Net> net = create ? describeNet(op, create, compiler)
                                   : llvm::Expected<Net>(netOfOne(op, pipe, compiler));
  if (!net)
    return net.takeError();
  auto detail = std::make_unique<PipeCopyDetail>();
  detail->net = std::move(*net);
  detail->pages = BlockPages::of(block);
  std::optional<int64_t> number = pipeNumber(op);
  if (number)
    detail->wrongNode =
        wrongNodeText(op, compiler.thread().grid, detail->net.pipes[*number].src,
                      detail->net.pipes[*number].dst, numDevices(compiler.thread()));
  SlotNumber which =
      number ? compiler.constantSlot(Slot{static_cast<uint64_t>(*number)}) : compiler.slotOf(pipe);
  compiler.emit(op, op.isSend() ? runSendBlock : runReceiveBlock, {compiler.slotOf(block), which})
      .detail = std::move(detail);
  if (op->use_empty() && number)
    emitPipeWait(op, op, compiler);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Waits
//===--------------------------------------------------------------------------===//

static hw::Status deliver(const Instruction &inst, Frame &frame, Mailbox &box) {
  Mailbox::Post post = box.posts.front();
  box.posts.pop_front();
  ++box.delivered;
  std::vector<std::byte> content = std::move(box.contents.front());
  box.contents.pop_front();
  if (content.size() != post.pages.allBytes())
    return programFault(inst, frame, static_cast<int32_t>(hw::ProgramFault::Assert),
                        "receives a block of another size than the one that was sent");
  auto write = [&](uint32_t from, uint32_t to, uint32_t bytes) {
    return hw::writeBytes(&frame.thread, post.address + to, bytes, content.data() + from);
  };
  if (hw::Status status = post.pages.forEachPiece(post.pages.bytes, post.pageSize, write);
      status != hw::Status::Ok)
    return status;
  return box.contents.empty() ? hw::setFlag(&frame.thread, box.full, false) : hw::Status::Ok;
}

hw::Status interp::waitForPipe(const Instruction &inst, Frame &frame, uint64_t bits) {
  PipeHandle handle{bits};
  if (handle.number() == 0)
    return hw::Status::Ok;
  Mailbox &box = Mailboxes::of(frame)[handle.mailbox()];
  auto isPending = [&] { return static_cast<int32_t>(handle.number() - box.delivered) > 0; };
  hw::Status status = hw::Status::Ok;
  while (isPending() && status == hw::Status::Ok) {
    status = hw::waitForFlag(&frame.thread, box.full, true, *box.data);
    if (status == hw::Status::Ok && isPending())
      status = deliver(inst, frame, box);
  }
  return status;
}

// Operand: a handle, which may belong to a copy that did not run.
static hw::Status runPipeWait(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  auto handle = inst.operand<uint64_t>(frame, 0);
  return isPipeHandle(handle) ? waitForPipe(inst, frame, handle) : hw::Status::Ok;
}

namespace {
// The slots of the handles that a wait_any waits for.
struct WaitAnyHandleDetail : Detail {
  SmallVector<SlotNumber> handles;
};
} // namespace

// Operand: the number of the handle that is tested first, taken modulo the number of handles.
static hw::Status runWaitAnyHandle(const Instruction &inst, Frame &frame) {
  setPosition(inst, frame);
  const auto &detail = static_cast<const WaitAnyHandleDetail &>(*inst.detail);
  auto count = static_cast<int64_t>(detail.handles.size());
  int64_t first = (inst.operand<int32_t>(frame, 0) % count + count) % count;
  SmallVector<hw::FlagWait> waits;
  SmallVector<int64_t> places;
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = (first + i) % count;
    PipeHandle handle{frame.get<uint64_t>(detail.handles[place])};
    Mailbox &box = Mailboxes::of(frame)[handle.mailbox()];
    if (static_cast<int32_t>(handle.number() - box.delivered) <= 0)
      continue;
    waits.push_back({&box.full, true, box.data});
    places.push_back(place);
  }
  size_t chosen = 0;
  if (hw::Status status = hw::waitForAnyFlag(&frame.thread, waits, chosen);
      status != hw::Status::Ok)
    return status;
  frame.set(inst.result, places[chosen]);
  return waitForPipe(inst, frame, frame.get<uint64_t>(detail.handles[places[chosen]]));
}

static llvm::Error waitAny(ttl::WaitAnyOp op, FunctionCompiler &compiler) {
  auto detail = std::make_unique<WaitAnyHandleDetail>();
  for (Value handle : op.getXfs()) {
    auto copy = handle.getDefiningOp<ttl::CopyOp>();
    if (!copy || !copy.isReceive())
      return errorAt(op, "wait_any waits for receives over pipes only");
    detail->handles.push_back(compiler.slotOf(handle));
  }
  compiler.emit(op, runWaitAnyHandle, {compiler.slotOf(op.getStart())}).detail = std::move(detail);
  return llvm::Error::success();
}

void interp::emitPipeWait(Operation *op, ttl::CopyOp copy, FunctionCompiler &compiler) {
  compiler.emit(op, runPipeWait, {compiler.slotOf(copy.getXf())});
}

//===--------------------------------------------------------------------------===//
// Ends of a pipe, and predicates on pipes
//===--------------------------------------------------------------------------===//

namespace {
struct QueryDetail : Detail {
  Net net;
  std::optional<SlotNumber> chosen; // slot of the pipe's number; all pipes if empty
  bool src = false, dst = false;    // whether the predicate checks sources, destinations
  SmallVector<SlotNumber> results;

  ArrayRef<NetPipe> pipes(const Frame &frame) const {
    ArrayRef<NetPipe> all(net.pipes);
    return chosen ? all.slice(frame.get<int64_t>(*chosen), 1) : all;
  }
};
} // namespace

static hw::Status runPredicate(const Instruction &inst, Frame &frame) {
  const auto &detail = static_cast<const QueryDetail &>(*inst.detail);
  int64_t node = detail.net.nodes.here(frame);
  bool found = llvm::any_of(detail.pipes(frame), [&](const NetPipe &pipe) {
    return (detail.src && pipe.beginsAt(node)) || (detail.dst && pipe.endsAt(node));
  });
  return inst.finish(frame, static_cast<uint64_t>(found));
}

static hw::Status runEnd(const Instruction &inst, Frame &frame) {
  const auto &detail = static_cast<const QueryDetail &>(*inst.detail);
  const NetPipe &pipe = detail.pipes(frame).front();
  ArrayRef<int64_t> coords = detail.src ? pipe.srcCoords : pipe.dstCoords;
  for (auto [i, slot] : llvm::enumerate(detail.results))
    frame.set(slot, i < coords.size() ? coords[i] : int64_t(0));
  return hw::Status::Ok;
}

static llvm::Error query(Operation *op, FunctionCompiler &compiler) {
  auto pipes = describePipes(op, op->getOperand(0), compiler);
  if (!pipes)
    return pipes.takeError();
  auto detail = std::make_unique<QueryDetail>();
  std::tie(detail->net, detail->chosen) = std::move(*pipes);
  detail->src = isa<ttl::PipeSourceOp, ttl::IsPipeSrcOp, ttl::IsPipeActiveOp>(op);
  detail->dst = isa<ttl::PipeDestinationOp, ttl::IsPipeDstOp, ttl::IsPipeActiveOp>(op);
  for (Value result : op->getResults())
    detail->results.push_back(compiler.slotOf(result));
  bool isEnd = isa<ttl::PipeSourceOp, ttl::PipeDestinationOp>(op);
  compiler.emit(op, isEnd ? runEnd : runPredicate, {}).detail = std::move(detail);
  return llvm::Error::success();
}

void interp::addMailboxOps(OpTable &table) {
  using namespace mlir::tt::ttl;
  table.add<CreatePipeOp>(doNothing);
  table.add<CreatePipeNetOp>(doNothing);
  table.add<IfPipeSrcOp>(callback);
  table.add<IfPipeDstOp>(callback);
  table.add<PipeSourceOp>(query);
  table.add<PipeDestinationOp>(query);
  table.add<WaitAnyOp, waitAny>();
  table.add<IsPipeSrcOp>(query);
  table.add<IsPipeDstOp>(query);
  table.add<IsPipeActiveOp>(query);
}
