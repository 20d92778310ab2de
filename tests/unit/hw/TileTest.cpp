//===- TileTest.cpp - DST sections and tile calls -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tests/unit/hw/HwTesting.h"

#include "hw/facts/TileOps.h"

#include <cmath>

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

constexpr auto opNumber = [](TileOp op) { return static_cast<int32_t>(op); };

// One compute thread with input buffers `a` and `b` and an output buffer `out`. All have fp32
// tiles, and a section has 4 registers.
struct TileTest : ::testing::Test {
  TileTest() {
    program.compute_config();
    a = program.buffer("a", 2);
    b = program.buffer("b", 2);
    out = program.buffer("out", 2);
  }

  struct Fp32Program : TestProgram {
    void compute_config() { Program::compute.fp32DestAccEn = true; }
    void computeThread(ThreadEntry entry) { thread(Processor::Compute, std::move(entry)); }
  } program;

  // Pushes `pages` tiles filled with `value`, `value` + 1, ... into a buffer and waits for them.
  static Status put(KernelThread &t, int cb, float value, int32_t pages = 1) {
    CALL(ttl_hw_cb_reserve_back(&t, cb, pages));
    CALL(ttl_hw_tile_regs_acquire(&t));
    for (int32_t i = 0; i < pages; ++i)
      CALL(ttl_hw_fill_tile(&t, i, i == 0 ? value : value + static_cast<float>(i)));
    CALL(ttl_hw_tile_regs_commit(&t));
    CALL(ttl_hw_tile_regs_wait(&t));
    for (int32_t i = 0; i < pages; ++i)
      CALL(ttl_hw_pack_tile(&t, i, cb, i));
    CALL(ttl_hw_tile_regs_release(&t));
    CALL(ttl_hw_cb_push_back(&t, cb, pages));
    return ttl_hw_cb_wait_front(&t, cb, pages);
  }
  static float element(KernelThread &t, int cb, uint32_t page, uint32_t index = 0) {
    float value;
    const CircularBuffer &buffer = t.buffers[cb];
    std::memcpy(&value, t.l1 + buffer.address + page * buffer.pageBytes + 4 * index, 4);
    return value;
  }

  // Runs a program whose compute thread is `body`.
  RunResult run(std::function<Status(KernelThread &)> body) {
    program.threads.clear();
    program.computeThread([body](KernelThread &t) { return body(t); });
    return runOnce(program);
  }
  // Runs `body` inside an acquired section, at line 7.
  RunResult inSection(std::function<Status(KernelThread &)> body) {
    return run([body](KernelThread &t) {
      CALL(ttl_hw_tile_regs_acquire(&t));
      t.loc = 7;
      return body(t);
    });
  }

  int a, b, out;
};

TEST_F(TileTest, CopyComputePack) {
  EXPECT_TRUE(succeeded(run([&](KernelThread &t) {
    CALL(put(t, a, 3));
    CALL(put(t, b, 4));
    CALL(ttl_hw_cb_reserve_back(&t, out, 1));
    CALL(ttl_hw_tile_regs_acquire(&t));
    CALL(ttl_hw_copy_tile(&t, a, 0, 0));
    CALL(ttl_hw_copy_tile(&t, b, 0, 1));
    CALL(ttl_hw_sfpu_binary(&t, opNumber(TileOp::Mul), 0, 1, 2));
    CALL(ttl_hw_copy_dest_values(&t, 3, 2));
    CALL(ttl_hw_sfpu_unary(&t, opNumber(TileOp::Neg), 3));
    CALL(ttl_hw_tile_regs_commit(&t));
    CALL(ttl_hw_tile_regs_wait(&t));
    CALL(ttl_hw_pack_tile(&t, 3, out, 0));
    CALL(ttl_hw_tile_regs_release(&t));
    EXPECT_EQ(element(t, out, 0, 1023), -12.0f);
    return ttl_hw_cb_push_back(&t, out, 1);
  })));
}

TEST_F(TileTest, MatmulAccumulatesFromZero) {
  EXPECT_TRUE(succeeded(run([&](KernelThread &t) {
    CALL(put(t, a, 1, 2));
    CALL(put(t, b, 3, 2));
    CALL(ttl_hw_cb_reserve_back(&t, out, 1));
    for (int round = 0; round < 2; ++round) {
      CALL(ttl_hw_tile_regs_acquire(&t));
      CALL(ttl_hw_matmul_tiles(&t, a, b, 0, 0, 0));
      CALL(ttl_hw_matmul_tiles(&t, a, b, 1, 1, 0));
      CALL(ttl_hw_tile_regs_commit(&t));
      CALL(ttl_hw_tile_regs_wait(&t));
      CALL(ttl_hw_pack_tile(&t, 0, out, 0));
      CALL(ttl_hw_tile_regs_release(&t));
      // The product of the second section begins at zero, too.
      EXPECT_EQ(element(t, out, 0), 32 * 1.0f * 3 + 32 * 2.0f * 4);
    }
    return Status::Ok;
  })));
}

TEST_F(TileTest, MatrixEngineElementByElement) {
  EXPECT_TRUE(succeeded(run([&](KernelThread &t) {
    CALL(put(t, a, 3, 2));
    CALL(put(t, b, 4, 2));
    CALL(ttl_hw_cb_reserve_back(&t, out, 2));
    CALL(ttl_hw_tile_regs_acquire(&t));
    CALL(ttl_hw_add_tiles(&t, a, b, 0, 1, 0));
    CALL(ttl_hw_add_tiles(&t, a, b, 0, 1, 0)); // overwrites register 0
    CALL(ttl_hw_sub_tiles(&t, a, b, 1, 1, 1));
    CALL(ttl_hw_fill_tile(&t, 2, 100));
    CALL(ttl_hw_mul_tiles(&t, a, b, 0, 0, 2)); // adds to register 2
    CALL(ttl_hw_tile_regs_commit(&t));
    CALL(ttl_hw_tile_regs_wait(&t));
    CALL(ttl_hw_pack_tile_block(&t, 1, out, 2));
    EXPECT_EQ(element(t, out, 0), -1.0f);
    EXPECT_EQ(element(t, out, 1, 1023), 112.0f);
    CALL(ttl_hw_pack_tile(&t, 0, out, 0));
    EXPECT_EQ(element(t, out, 0), 8.0f);
    CALL(ttl_hw_tile_regs_release(&t));
    return ttl_hw_cb_push_back(&t, out, 2);
  })));
}

TEST_F(TileTest, AFreshProductIsRoundedOnce) {
  EXPECT_TRUE(succeeded(run([&](KernelThread &t) {
    CALL(put(t, a, -0.0f));
    CALL(put(t, b, 4));
    CALL(ttl_hw_cb_reserve_back(&t, out, 1));
    CALL(ttl_hw_tile_regs_acquire(&t));
    CALL(ttl_hw_mul_tiles(&t, a, b, 0, 0, 0));
    CALL(ttl_hw_tile_regs_commit(&t));
    CALL(ttl_hw_tile_regs_wait(&t));
    CALL(ttl_hw_pack_tile(&t, 0, out, 0));
    EXPECT_TRUE(std::signbit(element(t, out, 0)));
    return Status::Ok;
  })));
}

TEST_F(TileTest, BlockPacksContinueSinceThePush) {
  EXPECT_TRUE(succeeded(run([&](KernelThread &t) {
    for (int round = 0; round < 2; ++round) {
      CALL(ttl_hw_cb_reserve_back(&t, out, 2));
      CALL(ttl_hw_tile_regs_acquire(&t));
      CALL(ttl_hw_fill_tile(&t, 0, 1));
      CALL(ttl_hw_fill_tile(&t, 1, 2));
      CALL(ttl_hw_tile_regs_commit(&t));
      CALL(ttl_hw_tile_regs_wait(&t));
      CALL(ttl_hw_pack_tile_block(&t, 1, out, 1));
      CALL(ttl_hw_pack_tile_block(&t, 0, out, 1));
      CALL(ttl_hw_tile_regs_release(&t));
      EXPECT_EQ(element(t, out, 0), 2.0f);
      EXPECT_EQ(element(t, out, 1), 1.0f);
      CALL(ttl_hw_cb_push_back(&t, out, 2));
      CALL(ttl_hw_cb_wait_front(&t, out, 2));
      CALL(ttl_hw_cb_pop_front(&t, out, 2));
    }
    return Status::Ok;
  })));
}

TEST_F(TileTest, BlockPacksStayInTheReservedRegion) {
  EXPECT_TRUE(faulted(run([&](KernelThread &t) {
                        CALL(ttl_hw_cb_reserve_back(&t, out, 1));
                        CALL(ttl_hw_tile_regs_acquire(&t));
                        CALL(ttl_hw_fill_tile(&t, 0, 1));
                        CALL(ttl_hw_fill_tile(&t, 1, 2));
                        CALL(ttl_hw_tile_regs_commit(&t));
                        CALL(ttl_hw_tile_regs_wait(&t));
                        return ttl_hw_pack_tile_block(&t, 0, out, 2);
                      }),
                      FaultKind::Protocol, "tile 1 of 'out'"));
}

TEST_F(TileTest, L1Accumulation) {
  EXPECT_TRUE(succeeded(run([&](KernelThread &t) {
    CALL(ttl_hw_cb_reserve_back(&t, out, 1));
    for (int i = 0; i < 3; ++i) {
      CALL(ttl_hw_tile_regs_acquire(&t));
      CALL(ttl_hw_fill_tile(&t, 0, 1.5f));
      CALL(ttl_hw_tile_regs_commit(&t));
      CALL(ttl_hw_tile_regs_wait(&t));
      CALL(ttl_hw_pack_reconfig_l1_acc(&t, i > 0));
      CALL(ttl_hw_pack_tile(&t, 0, out, 0));
      CALL(ttl_hw_pack_reconfig_l1_acc(&t, 0));
      CALL(ttl_hw_tile_regs_release(&t));
    }
    EXPECT_EQ(element(t, out, 0), 4.5f);
    return Status::Ok;
  })));
}

TEST_F(TileTest, L1AccumulationOntoGarbage) {
  EXPECT_TRUE(faulted(run([&](KernelThread &t) {
                        CALL(ttl_hw_cb_reserve_back(&t, out, 1));
                        CALL(ttl_hw_tile_regs_acquire(&t));
                        CALL(ttl_hw_fill_tile(&t, 0, 1));
                        CALL(ttl_hw_tile_regs_commit(&t));
                        CALL(ttl_hw_tile_regs_wait(&t));
                        CALL(ttl_hw_pack_reconfig_l1_acc(&t, 1));
                        return ttl_hw_pack_tile(&t, 0, out, 0);
                      }),
                      FaultKind::UninitializedRead, "accumulates onto tile 0 of 'out'"));
}

//===--------------------------------------------------------------------------===//
// Order of sections
//===--------------------------------------------------------------------------===//

TEST_F(TileTest, SectionsOutOfOrder) {
  using Call = Status (*)(KernelThread *);
  Call acquire = ttl_hw_tile_regs_acquire, commit = ttl_hw_tile_regs_commit,
       wait = ttl_hw_tile_regs_wait, release = ttl_hw_tile_regs_release;
  struct Case {
    std::vector<Call> calls;
    const char *text;
  };
  for (const Case &c : std::vector<Case>{
           {{commit}, "tile_regs_commit: no DST section is acquired"},
           {{wait}, "tile_regs_wait: no DST section is committed"},
           {{release}, "tile_regs_release: the packer has no DST section"},
           {{acquire, acquire}, "already acquired"},
           {{acquire, wait}, "tile_regs_wait: no DST section is committed"},
           {{acquire, commit, acquire, commit, acquire}, "all DST sections are committed"},
           {{acquire, commit, acquire, commit, wait, wait}, "already has a DST section"},
       }) {
    RunResult result = run([&](KernelThread &t) {
      for (Call call : c.calls)
        CALL(call(&t));
      return Status::Ok;
    });
    EXPECT_TRUE(faulted(result, FaultKind::Protocol, c.text));
  }
}

TEST_F(TileTest, TwoSectionsOverlap) {
  EXPECT_TRUE(succeeded(run([&](KernelThread &t) {
    CALL(ttl_hw_cb_reserve_back(&t, out, 2));
    for (int i = 0; i < 2; ++i) {
      CALL(ttl_hw_tile_regs_acquire(&t));
      CALL(ttl_hw_fill_tile(&t, 0, static_cast<float>(i)));
      CALL(ttl_hw_tile_regs_commit(&t));
    }
    for (int i = 0; i < 2; ++i) {
      CALL(ttl_hw_tile_regs_wait(&t));
      CALL(ttl_hw_pack_tile(&t, 0, out, i));
      CALL(ttl_hw_tile_regs_release(&t));
    }
    EXPECT_EQ(element(t, out, 0), 0.0f);
    EXPECT_EQ(element(t, out, 1), 1.0f);
    return Status::Ok;
  })));
}

TEST_F(TileTest, FullSyncHasOneSectionOfTwiceTheSize) {
  static_cast<Program &>(program).compute.dstFullSyncEn = true;
  EXPECT_TRUE(succeeded(inSection([](KernelThread &t) { return ttl_hw_fill_tile(&t, 7, 1); })));
  EXPECT_TRUE(faulted(inSection([](KernelThread &t) {
                        CALL(ttl_hw_tile_regs_commit(&t));
                        return ttl_hw_tile_regs_acquire(&t);
                      }),
                      FaultKind::Protocol, "all DST sections are committed"));
}

//===--------------------------------------------------------------------------===//
// Registers and tiles
//===--------------------------------------------------------------------------===//

TEST_F(TileTest, RegisterOutOfRange) {
  for (int32_t dst : {4, -1})
    EXPECT_TRUE(faulted(inSection([&](KernelThread &t) { return ttl_hw_fill_tile(&t, dst, 1); }),
                        FaultKind::Protocol, "does not exist; this kernel has 4", 7));
}

TEST_F(TileTest, RegisterNobodyWrote) {
  EXPECT_TRUE(faulted(
      inSection([](KernelThread &t) { return ttl_hw_sfpu_unary(&t, opNumber(TileOp::Exp), 1); }),
      FaultKind::UninitializedRead, "DST register 1 is read", 7));
  EXPECT_TRUE(faulted(inSection([](KernelThread &t) { return ttl_hw_copy_dest_values(&t, 0, 2); }),
                      FaultKind::UninitializedRead, "DST register 2 is read", 7));
  EXPECT_TRUE(faulted(inSection([](KernelThread &t) {
                        CALL(ttl_hw_fill_tile(&t, 0, 1));
                        return ttl_hw_sfpu_binary(&t, opNumber(TileOp::Add), 0, 1, 2);
                      }),
                      FaultKind::UninitializedRead, "DST register 1 is read", 7));
}

TEST_F(TileTest, WrittenInAnEarlierSectionDoesNotCount) {
  EXPECT_TRUE(faulted(inSection([](KernelThread &t) {
                        CALL(ttl_hw_fill_tile(&t, 0, 1));
                        CALL(ttl_hw_tile_regs_commit(&t));
                        CALL(ttl_hw_tile_regs_wait(&t));
                        CALL(ttl_hw_tile_regs_release(&t));
                        CALL(ttl_hw_tile_regs_acquire(&t));
                        return ttl_hw_sfpu_unary(&t, opNumber(TileOp::Abs), 0);
                      }),
                      FaultKind::UninitializedRead, "in this section"));
}

TEST_F(TileTest, OutsideASection) {
  EXPECT_TRUE(faulted(run([](KernelThread &t) { return ttl_hw_fill_tile(&t, 0, 1); }),
                      FaultKind::Protocol, "outside tile_regs_acquire"));
  EXPECT_TRUE(faulted(inSection([&](KernelThread &t) { return ttl_hw_pack_tile(&t, 0, out, 0); }),
                      FaultKind::Protocol, "outside tile_regs_wait", 7));
}

TEST_F(TileTest, TilesThatWereNotAcquired) {
  EXPECT_TRUE(faulted(inSection([&](KernelThread &t) { return ttl_hw_copy_tile(&t, a, 0, 0); }),
                      FaultKind::Protocol,
                      "reads tile 0 of 'a', but the thread has only 0 blocks waited for", 7));
  EXPECT_TRUE(faulted(run([&](KernelThread &t) {
                        CALL(put(t, a, 1, 2));
                        CALL(put(t, b, 1, 1));
                        CALL(ttl_hw_tile_regs_acquire(&t));
                        return ttl_hw_matmul_tiles(&t, a, b, 1, 1, 0);
                      }),
                      FaultKind::Protocol,
                      "reads tile 1 of 'b', but the thread has only 1 block waited for"));
  auto pack = [&](int32_t index, bool write) {
    return inSection([=, this](KernelThread &t) {
      CALL(ttl_hw_cb_reserve_back(&t, out, 1));
      if (write)
        CALL(ttl_hw_fill_tile(&t, 0, 1));
      CALL(ttl_hw_tile_regs_commit(&t));
      CALL(ttl_hw_tile_regs_wait(&t));
      return ttl_hw_pack_tile(&t, 0, out, index);
    });
  };
  EXPECT_TRUE(succeeded(pack(0, true)));
  EXPECT_TRUE(faulted(pack(1, true), FaultKind::Protocol,
                      "writes tile 1 of 'out', but the thread has only 1 block res"));
  EXPECT_TRUE(faulted(pack(-1, true), FaultKind::Protocol, "writes tile -1 of 'out'"));
  EXPECT_TRUE(faulted(pack(0, false), FaultKind::UninitializedRead, "nobody wrote DST register 0"));
}

TEST_F(TileTest, TilesThatAnotherThreadWaitedFor) {
  program.reader([&](KernelThread &t) { return produce(&t, a); });
  program.writer([&](KernelThread &t) { return ttl_hw_cb_wait_front(&t, a, 1); });
  program.computeThread([&](KernelThread &t) {
    CALL(put(t, b, 1));
    CALL(ttl_hw_tile_regs_acquire(&t));
    return ttl_hw_copy_tile(&t, a, 0, 0);
  });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Protocol, "only 0 blocks waited for"));
}

TEST_F(TileTest, BufferWithoutTiles) {
  int rows = program.buffer("rows", 2, 64);
  EXPECT_TRUE(faulted(run([=](KernelThread &t) {
                        CALL(produce(&t, rows));
                        CALL(ttl_hw_cb_wait_front(&t, rows, 1));
                        CALL(ttl_hw_tile_regs_acquire(&t));
                        return ttl_hw_copy_tile(&t, rows, 0, 0);
                      }),
                      FaultKind::Protocol,
                      "cannot compute on tiles of 'rows': its pages have 64 bytes, but a tile of"));
}

TEST_F(TileTest, DataMovementThreadsHaveNoDst) {
  program.reader([](KernelThread &t) { return ttl_hw_tile_regs_acquire(&t); });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Protocol, "has no DST registers"));
}

TEST_F(TileTest, EventsOfASection) {
  program.computeThread([&](KernelThread &t) { return put(t, out, 1); });
  EventLog log;
  RunOptions options;
  options.listeners = {&log};
  EXPECT_TRUE(succeeded(runOnce(program, options)));
  std::vector<EventKind> kinds;
  for (const Event &event : log.events)
    kinds.push_back(event.kind);
  EXPECT_EQ(kinds,
            (std::vector<EventKind>{EventKind::ThreadStart, EventKind::Reserve,
                                    EventKind::DstAcquire, EventKind::DstCommit, EventKind::DstWait,
                                    EventKind::Access, EventKind::DstRelease, EventKind::Push,
                                    EventKind::Wait, EventKind::ThreadEnd}));
}

} // namespace
