//===- BufferSlowPaths.cpp - circular buffers with all checks -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The slow paths of cb_reserve_back, cb_push_back, cb_wait_front and cb_pop_front, and
// cb_publish, which has no fast path. They check the call, block and wake threads, and record
// events. hw/abi/Inline.h changes the state of the buffer.
//===--------------------------------------------------------------------------===//

#include "hw/abi/Inline.h"
#include "hw/device/Describe.h"
#include "hw/device/LocalMemory.h"
#include "hw/device/PageAliases.h"
#include "hw/device/Worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

using namespace ttjit::hw;

namespace {

// A call of cb_reserve_back, cb_push_back, cb_wait_front, cb_pop_front or cb_publish by a
// thread.
struct BufferCall {
  ThreadContext &thread;
  Machine &machine;
  UserCall call;
  uint32_t index;
  int32_t pages;
  const BufferConfig *config = nullptr;
  CircularBuffer *buffer = nullptr;

  BufferCall(KernelThread *t, UserCall call, int32_t cb, int32_t pages)
      : thread(contextOf(t)), machine(*thread.machine), call(call),
        index(static_cast<uint32_t>(cb)), pages(pages) {
    config = machine.index.bufferConfig(index);
    buffer = fast::findBuffer(t, cb);
  }

  uint32_t count() const { return static_cast<uint32_t>(pages); }
  // Returns the call as the user's language spells it.
  std::string subject() const {
    return spell(call, machine.index.languageAt(thread),
                 config ? config->name : std::string_view());
  }
  std::string amount() const { return describePages(*config, count()); }
  std::string amount(uint64_t n) const { return describePages(*config, n); }

  Status fail(FaultKind kind, std::string text, std::vector<FaultNote> extra = {}) const {
    std::vector<FaultNote> notes = bufferNotes(*config, *buffer);
    notes.insert(notes.begin(), extra.begin(), extra.end());
    return machine.faults.report(&thread, kind, fmt::format("{}: {}", subject(), text),
                                 std::move(notes));
  }

  Status event(EventKind kind) const {
    return thread.worker->event(thread, kind, index, count(), buffer);
  }

  Status begin(uint8_t CircularBuffer::*side, const char *role, const char *verb) const;
  Status checkCapacity(const char *verb) const;
  Status checkIdle(uint32_t first, const char *verb) const;
  Status checkWrap(uint32_t page, const char *verb) const;
  Status checkRelease(uint32_t first, uint32_t held, const char *verb, const char *one,
                      const char *many, const char *what) const;
  bool wasPushed(uint32_t page) const;
  Status checkWritten() const;
  Status takeOver() const;
  void fillReserved() const;
  Status checkKept() const;
  Status checkBacked() const;
  Status reserveBacked() const;
  Status awaitRoom() const;
  Status push() const;
  void wake(uint8_t processor, uint32_t CircularBuffer::*needs) const;
};

// Checks that apply to all four calls. The first thread that uses a side of the buffer
// becomes its only producer (consumer).
Status BufferCall::begin(uint8_t CircularBuffer::*side, const char *role, const char *verb) const {
  Status status = thread.worker->enter(thread);
  if (status != Status::Ok)
    return status;
  if (!buffer && config)
    return machine.faults.report(
        &thread, FaultKind::Resource,
        fmt::format("{}: this node has no '{}': its core_ranges leave the node out", subject(),
                    config->name),
        {{"the buffer is made here", config->location}});
  if (!buffer)
    return machine.faults.report(
        &thread, FaultKind::Resource,
        fmt::format("{}: there is no buffer with index {}", subject(), index));
  if (pages < 1)
    return fail(
        FaultKind::Protocol,
        fmt::format("cannot use {} pages of '{}'; expected at least one", pages, config->name));
  uint8_t &user = buffer->*side;
  if (user == kNoProcessor)
    user = thread.processor;
  if (user == thread.processor)
    return Status::Ok;
  const ThreadContext &other = *thread.node->threads[user];
  return fail(FaultKind::Protocol,
              fmt::format("{}() cannot {} '{}': {}() is already its only {}", thread.config->name,
                          verb, config->name, other.config->name, role));
}

// Refuses a call that waits for more pages than the buffer can ever hold: it would
// never end.
Status BufferCall::checkCapacity(const char *verb) const {
  if (count() <= buffer->numPages)
    return Status::Ok;
  return fail(FaultKind::Protocol, fmt::format("{} {} of '{}', which has room for {}", verb,
                                               amount(), config->name, amount(buffer->numPages)));
}

Status BufferCall::checkIdle(uint32_t first, const char *verb) const {
  if (!buffer->inFlight)
    return Status::Ok;
  const Transfer *busy = Noc::findBusy(*thread.node, *buffer, first, count());
  if (!busy)
    return Status::Ok;
  const char *direction = busy->kind == TransferKind::Read ? "into" : "out of";
  return fail(FaultKind::Protocol,
              fmt::format("{} {} of '{}' while a copy {} it is in flight", verb, amount(),
                          config->name, direction),
              {{"the copy was started and not waited for", machine.index.location(busy->loc)}});
}

Status BufferCall::checkWrap(uint32_t page, const char *verb) const {
  if (page + count() <= buffer->numPages)
    return Status::Ok;
  return fail(
      FaultKind::Protocol,
      fmt::format("{} {} of '{}', which would wrap past the buffer's end after {}: the sizes "
                  "must divide its {}",
                  verb, amount(), config->name, amount(buffer->numPages - page),
                  amount(buffer->numPages)));
}

// Checks that the thread may push or pop the pages: it has acquired `held` pages from page `first`
// on. The message says how many: "only 1 block" `one` `what`, or "only 2 blocks" `many` `what`.
Status BufferCall::checkRelease(uint32_t first, uint32_t held, const char *verb, const char *one,
                                const char *many, const char *what) const {
  if (count() > held) {
    std::string found = held ? "only " + amount(held) : "none";
    bool isOne = held == 0 || found.starts_with("only 1 ");
    return fail(FaultKind::Protocol, fmt::format("{} {} of '{}', but {} {} {}", verb, amount(),
                                                 config->name, found, isOne ? one : many, what));
  }
  RETURN_UNLESS_OK(checkWrap(first, verb));
  return checkIdle(first, verb);
}

// Returns whether a page that will be pushed was pushed before, so that it has the bytes of then.
bool BufferCall::wasPushed(uint32_t page) const {
  return !buffer->sharesMemory && buffer->received + (page - buffer->writePage) >= buffer->numPages;
}

Status BufferCall::checkWritten() const {
  for (uint32_t page = buffer->writePage; page < buffer->writePage + count(); ++page) {
    if (buffer->written[page])
      continue;
    if (machine.options.keptBlocks && wasPushed(page)) {
      buffer->written[page] = 1;
      continue;
    }
    std::vector<FaultNote> notes = {
        {"the block was reserved", machine.index.location(acquiredAt(*buffer, page))}};
    if (wasPushed(page))
      notes.push_back(
          {"a card pushes the block that was in this place before; if that is meant, use "
           "the option kept-blocks=on",
           {}});
    return fail(FaultKind::UninitializedRead,
                fmt::format("pushes a block of '{}' that nobody wrote (page {} of {})",
                            config->name, page - buffer->writePage, count()),
                std::move(notes));
  }
  return Status::Ok;
}

// Reserving pages discards the blocks of other buffers in the same memory. It is a fault
// if a thread still holds such a block.
Status BufferCall::takeOver() const {
  if (!buffer->sharesMemory || config->isAliased)
    return Status::Ok;
  uint32_t page = fast::pageAfter(*buffer, buffer->writePage, buffer->reserved);
  for (uint32_t n = buffer->reserved; n < count(); ++n) {
    uint64_t begin = fast::pageAddress(*buffer, page);
    for (uint32_t i = 0; i < machine.index.numBuffers(); ++i) {
      CircularBuffer &other = thread.node->buffers[i];
      auto [first, pages] = pagesWithin(other, begin, buffer->pageBytes);
      for (uint32_t p = first; &other != buffer && p < first + pages; ++p) {
        if (fast::inRegion(other, p, other.writePage, other.reserved) ||
            fast::inRegion(other, p, other.readPage, other.waited))
          return fail(FaultKind::Protocol,
                      fmt::format("'{}' and '{}' share memory, and a block of '{}' is still in use",
                                  config->name, machine.index.bufferConfig(i)->name,
                                  machine.index.bufferConfig(i)->name),
                      {{"the block that is still in use was acquired",
                        machine.index.location(acquiredAt(other, p))}});
        other.written[p] = 0;
      }
    }
    page = fast::pageAfter(*buffer, page, 1);
  }
  return Status::Ok;
}

// Fills the pages that are about to be reserved if an option of the run says with what.
void BufferCall::fillReserved() const {
  const std::optional<ReservedFill> &fill = machine.options.reservedFill;
  if (!fill || static_cast<uint32_t>(fill->buffer) != index)
    return;
  for (uint32_t n = buffer->reserved; n < count(); ++n)
    std::memset(fast::pageToWrite(&thread, *buffer, fast::pageAfter(*buffer, buffer->writePage, n)),
                fill->byte, buffer->pageBytes);
}

// Fails if pages of this buffer were reserved through another buffer after they were pushed.
Status BufferCall::checkKept() const {
  if (!buffer->sharesMemory || config->isAliased)
    return Status::Ok;
  uint32_t page = fast::pageAfter(*buffer, buffer->readPage, buffer->waited);
  for (uint32_t n = buffer->waited; n < count(); ++n, page = fast::pageAfter(*buffer, page, 1))
    if (!buffer->written[page])
      return fail(
          FaultKind::Protocol,
          fmt::format("waits for a block of '{}' whose memory was reserved for another buffer",
                      config->name));
  return Status::Ok;
}

// Fails if the buffer has no contents that could be published.
Status BufferCall::checkBacked() const {
  if (config->backing)
    return Status::Ok;
  return fail(
      FaultKind::Protocol,
      fmt::format("'{}' has no contents to publish, because no tensor backs it", config->name));
}

// Reserves pages of the tensor that backs the buffer. On a card a push needs no reserve, and
// kernels that give a shard to the compute thread leave it out. Reserves nothing, so that the
// push fails, if the consumer has not popped the pages.
Status BufferCall::reserveBacked() const {
  if (buffer->numPages - (buffer->received - buffer->acked) < count())
    return Status::Ok;
  fast::growReserved(*buffer, count(), thread.loc);
  for (uint32_t n = 0; n < count(); ++n)
    buffer->written[fast::pageAfter(*buffer, buffer->writePage, n)] = 1;
  return event(EventKind::Reserve);
}

// Blocks until the consumer has popped enough pages for the producer to reserve its own.
Status BufferCall::awaitRoom() const {
  while (buffer->numPages - (buffer->received - buffer->acked) < count()) {
    buffer->producerNeeds = count();
    RETURN_UNLESS_OK(thread.worker->block(thread, {WaitKind::Reserve, index, count()}));
  }
  return Status::Ok;
}

// Gives the pages to the consumer. Wakes a consumer that waits if it has enough pages now.
Status BufferCall::push() const {
  fast::advanceWrite(*buffer, count());
  if (buffer->consumerNeeds && buffer->received - buffer->acked >= buffer->consumerNeeds)
    wake(buffer->consumer, &CircularBuffer::consumerNeeds);
  return event(EventKind::Push);
}

// Ends the wait of the thread at the other side.
void BufferCall::wake(uint8_t processor, uint32_t CircularBuffer::*needs) const {
  buffer->*needs = 0;
  thread.worker->waiters.wake(*thread.node->threads[processor]);
}

} // namespace

Status ttl_hw_slow_cb_reserve_back(KernelThread *t, int32_t cb, int32_t pages) {
  BufferCall call(t, UserCall::Reserve, cb, pages);
  RETURN_UNLESS_OK(call.begin(&CircularBuffer::producer, "producer", "reserve"));
  RETURN_UNLESS_OK(call.checkCapacity("reserves"));
  CircularBuffer &b = *call.buffer;
  RETURN_UNLESS_OK(call.awaitRoom());
  RETURN_UNLESS_OK(call.takeOver());
  call.fillReserved();
  fast::growReserved(b, call.count(), t->loc);
  if (call.config->isAliased)
    std::memset(b.written, 1, b.numPages);
  return call.event(EventKind::Reserve);
}

Status ttl_hw_slow_cb_push_back(KernelThread *t, int32_t cb, int32_t pages) {
  BufferCall call(t, UserCall::Push, cb, pages);
  RETURN_UNLESS_OK(call.begin(&CircularBuffer::producer, "producer", "push"));
  CircularBuffer &b = *call.buffer;
  if (call.config->backing && !b.reserved)
    RETURN_UNLESS_OK(call.reserveBacked());
  RETURN_UNLESS_OK(call.checkRelease(b.writePage, b.reserved, "pushes", "is", "are", "reserved"));
  RETURN_UNLESS_OK(call.checkWritten());
  return call.push();
}

Status ttl_hw_slow_cb_wait_front(KernelThread *t, int32_t cb, int32_t pages) {
  BufferCall call(t, UserCall::Wait, cb, pages);
  RETURN_UNLESS_OK(call.begin(&CircularBuffer::consumer, "consumer", "wait for"));
  RETURN_UNLESS_OK(call.checkCapacity("waits for"));
  CircularBuffer &b = *call.buffer;
  while (b.received - b.acked < call.count()) {
    b.consumerNeeds = call.count();
    RETURN_UNLESS_OK(
        call.thread.worker->block(call.thread, {WaitKind::Front, call.index, call.count()}));
  }
  RETURN_UNLESS_OK(call.checkKept());
  fast::growWaited(b, call.count(), t->loc);
  return call.event(EventKind::Wait);
}

Status ttl_hw_slow_cb_pop_front(KernelThread *t, int32_t cb, int32_t pages) {
  BufferCall call(t, UserCall::Pop, cb, pages);
  RETURN_UNLESS_OK(call.begin(&CircularBuffer::consumer, "consumer", "pop"));
  CircularBuffer &b = *call.buffer;
  RETURN_UNLESS_OK(call.checkRelease(b.readPage, b.waited, "pops", "was", "were", "waited for"));
  fast::advanceRead(b, call.count());
  if (b.producerNeeds && b.numPages - (b.received - b.acked) >= b.producerNeeds)
    call.wake(b.producer, &CircularBuffer::producerNeeds);
  return call.event(EventKind::Pop);
}

Status ttl_hw_cb_publish(KernelThread *t, int32_t cb, int32_t pages) {
  fast::countCall(t);
  BufferCall call(t, UserCall::Publish, cb, pages);
  RETURN_UNLESS_OK(call.begin(&CircularBuffer::producer, "producer", "publish"));
  RETURN_UNLESS_OK(call.checkCapacity("publishes"));
  RETURN_UNLESS_OK(call.checkBacked());
  RETURN_UNLESS_OK(call.awaitRoom());
  CircularBuffer &b = *call.buffer;
  fast::growReserved(b, call.count(), t->loc);
  std::fill_n(b.written, call.count(), uint8_t(1));
  RETURN_UNLESS_OK(call.event(EventKind::Reserve));
  return call.push();
}

void ttl_hw_slow_settle(KernelThread *t, int32_t cb, uint32_t page) {
  settlePage(*contextOf(t).node, t->buffers[cb], page);
}
