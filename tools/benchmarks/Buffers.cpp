//===- Buffers.cpp - what reserving, pushing, waiting and popping cost --------===//
// SPDX-License-Identifier: Apache-2.0
//
// tools/bench measures only the four calls of a buffer. A kernel cannot: it must write what
// it pushes. Here the run sets the flags of the pages instead, as a transfer does when it
// lands.
//===--------------------------------------------------------------------------===//

#include "hw/abi/KernelThread.h"
#include "hw/device/Device.h"

#include <cstring>

using namespace ttjit::hw;

namespace {

Status produce(KernelThread &t, int32_t pages) {
  if (Status status = ttl_hw_cb_reserve_back(&t, 0, pages); status != Status::Ok)
    return status;
  const CircularBuffer &buffer = t.buffers[0];
  std::memset(buffer.written + buffer.writePage, 1, static_cast<size_t>(pages));
  return ttl_hw_cb_push_back(&t, 0, pages);
}

Status consume(KernelThread &t, int32_t pages) {
  if (Status status = ttl_hw_cb_wait_front(&t, 0, pages); status != Status::Ok)
    return status;
  return ttl_hw_cb_pop_front(&t, 0, pages);
}

template <typename... Calls>
void addThread(Program &program, Processor processor, int64_t rounds, Calls... calls) {
  ThreadConfig thread;
  thread.name = processor == Processor::Compute ? "compute" : "reader";
  thread.processor = processor;
  thread.entry = [=](KernelThread &t) {
    Status status = Status::Ok;
    for (int64_t round = 0; round < rounds && status == Status::Ok; ++round)
      (void)((status == Status::Ok && (status = calls(t)) == Status::Ok) && ...);
    return status;
  };
  program.threads.push_back(std::move(thread));
}

} // namespace

// Moves `rounds` blocks of `pages` pages through a buffer. With `switches`, two threads pass the
// buffer's only block to each other; otherwise one thread makes all calls. Returns whether the run
// ended well.
extern "C" int ttjit_bench_quadruples(int pages, int64_t rounds, int switches) {
  Program program;
  BufferConfig buffer;
  buffer.name = "blocks";
  buffer.address = 128 * 1024;
  buffer.pageBytes = 4096;
  buffer.numPages = static_cast<uint32_t>(pages * (switches ? 1 : 2));
  program.buffers.push_back(buffer);
  program.locations.emplace_back();
  auto produces = [=](KernelThread &t) { return produce(t, pages); };
  auto consumes = [=](KernelThread &t) { return consume(t, pages); };
  if (switches) {
    addThread(program, Processor::RISCV_1, rounds, produces);
    addThread(program, Processor::Compute, rounds, consumes);
  } else {
    addThread(program, Processor::RISCV_1, rounds, produces, consumes);
  }
  Device device(defaultArch());
  return !device.run(program, RunOptions()).fault;
}
