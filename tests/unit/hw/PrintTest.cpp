//===- PrintTest.cpp - prints, signposts, elements, host calls ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "HwTesting.h"

#include "hw/device/Events.h"

#include <bit>
#include <cstdlib>

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

// Runs a program and keeps what it prints.
struct Printed {
  explicit Printed(const Program &program, RunOptions options = {}) {
    options.print = [this](const std::string &lines) { text += lines; };
    result = runOnce(program, options);
  }
  std::string text;
  RunResult result;
};

Status say(KernelThread &t, const char *text) { return ttl_hw_dprint(&t, text, "", nullptr); }

} // namespace

TEST(Print, LinesHaveNodeAndThread) {
  TestProgram program;
  program.grid(2, 1);
  program.compute([](KernelThread &t) {
    auto x = static_cast<uint32_t>(t.x);
    return ttl_hw_dprint(&t, "x = {}\n", "i", &x);
  });
  Printed printed(program);
  EXPECT_TRUE(succeeded(printed.result));
  EXPECT_EQ(printed.text, "(0, 0) compute: x = 0\n(1, 0) compute: x = 1\n");
}

TEST(Print, ALineIsPrintedWhole) {
  TestProgram program;
  int gate = program.buffer("gate", 2);
  program.reader([=](KernelThread &t) {
    CALL(say(t, "one "));
    CALL(produce(&t, gate));
    CALL(say(t, "two\nthree"));
    return Status::Ok;
  });
  program.compute([=](KernelThread &t) {
    CALL(ttl_hw_cb_wait_front(&t, gate, 1));
    CALL(say(t, "between\n"));
    return ttl_hw_cb_pop_front(&t, gate, 1);
  });
  Printed printed(program, greedy());
  EXPECT_TRUE(succeeded(printed.result));
  EXPECT_EQ(printed.text,
            "(0, 0) reader: one two\n(0, 0) reader: three\n(0, 0) compute: between\n");
}

TEST(Print, OpenLinesAreEndedAtAFault) {
  TestProgram program;
  program.compute([](KernelThread &t) {
    CALL(say(t, "open"));
    return ttl_hw_program_fault(&t, 2, "stop");
  });
  Printed printed(program);
  EXPECT_TRUE(faulted(printed.result, FaultKind::Runtime, "stop"));
  EXPECT_EQ(printed.text, "(0, 0) compute: open\n");
}

TEST(Print, TheSinkRunsOnTheHostsStack) {
  TestProgram program;
  program.compute([](KernelThread &t) { return say(t, "x\n"); });
  RunOptions options;
  size_t used = 0;
  options.print = [&](const std::string &) {
    volatile char large[2 << 20]; // exceeds the stack of a kernel thread
    large[0] = 1;
    large[sizeof large - 1] = 1;
    used = sizeof large;
  };
  EXPECT_TRUE(succeeded(runOnce(program, options)));
  EXPECT_EQ(used, size_t(2 << 20));
}

TEST(Print, AnExceptionOfTheSinkIsAFault) {
  TestProgram program;
  program.compute([](KernelThread &t) { return say(t, "x\n"); });
  RunOptions options;
  options.print = [](const std::string &) { throw std::runtime_error("no room"); };
  EXPECT_TRUE(faulted(runOnce(program, options), FaultKind::Runtime, "no room"));
}

TEST(Print, WithoutASinkNothingHappens) {
  TestProgram program;
  program.compute([](KernelThread &t) { return say(t, "x\n"); });
  EXPECT_TRUE(succeeded(runOnce(program)));
}

TEST(Print, BlocksAndTheirStates) {
  TestProgram program;
  int cb = program.buffer("a", 2);
  program.buffers[0].blockShape = {1, 1};
  program.reader([=](KernelThread &t) {
    CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
    CALL(ttl_hw_dprint_block(&t, cb, 0, 1));
    uint32_t address = ttl_hw_get_write_ptr(&t, cb);
    CALL(ttl_hw_store_element(&t, address, 0, 0.5f));
    CALL(ttl_hw_dprint_block(&t, cb, 0, 1));
    return ttl_hw_dprint_buffer(&t, cb);
  });
  Printed printed(program);
  EXPECT_TRUE(succeeded(printed.result));
  std::string prefix = "(0, 0) reader: ";
  EXPECT_TRUE(
      printed.text.starts_with(prefix + "<Block shape=(1, 1)>\n" + prefix + "[[? ? ? ... ? ? ?]\n"))
      << printed.text;
  EXPECT_NE(printed.text.find("[[0.5 "), std::string::npos) << printed.text;
  EXPECT_NE(printed.text.find(prefix + "<DataflowBuffer a shape=(1, 1) block_count=2 size=8192 "
                                       "page_size=4096 rd_ptr=0 wr_ptr=0 wr_tile_ptr=1>\n"),
            std::string::npos)
      << printed.text;
}

TEST(Print, RowsOfIntegers) {
  TestProgram program;
  int cb = program.buffer("rows", 4, 16, DataFormat::Int32, 2);
  program.buffers[0].blockShape = {2, 4};
  program.buffers[0].tiled = false;
  program.reader([=](KernelThread &t) {
    CALL(ttl_hw_cb_reserve_back(&t, cb, 2));
    CALL(fillPage(&t, cb, 1));
    for (int32_t i = 0; i < 4; ++i) {
      int32_t value = i * 10 - 5;
      std::memcpy(t.l1 + ttl_hw_get_write_ptr(&t, cb) + 16 + 4 * i, &value, 4);
    }
    return ttl_hw_dprint_block(&t, cb, 0, 1);
  });
  Printed printed(program);
  EXPECT_TRUE(succeeded(printed.result));
  EXPECT_NE(printed.text.find("[[ ?  ?  ?  ?]\n(0, 0) reader:  [-5  5 15 25]]\n"),
            std::string::npos)
      << printed.text;
}

TEST(Print, EventsHaveTheText) {
  struct Log : EventListener {
    void onEvent(const Event &event) override {
      if (event.kind == EventKind::Print || event.kind == EventKind::Signpost)
        texts += std::string(eventName(event.kind)) + std::to_string(event.object) + " " +
                 std::string(event.text) + ";";
    }
    std::string texts;
  } log;
  TestProgram program;
  program.compute([](KernelThread &t) {
    CALL(ttl_hw_signpost(&t, 1, "zone"));
    CALL(say(t, "a"));
    return ttl_hw_signpost(&t, 2, "zone");
  });
  RunOptions options;
  options.listeners = {&log};
  EXPECT_TRUE(succeeded(runOnce(program, options)));
  EXPECT_EQ(log.texts, "signpost1 zone;print0 a;signpost2 zone;");
}

TEST(Print, AssertionsWithNumbers) {
  TestProgram program;
  program.compute([](KernelThread &t) {
    const uint32_t numbers[] = {7, std::bit_cast<uint32_t>(0.25f)};
    return ttl_hw_text_fault(&t, "{} is not {:.1f}", "if", numbers);
  });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Runtime, "7 is not 0.2"));
}

//===--------------------------------------------------------------------------===//
// Elements
//===--------------------------------------------------------------------------===//

TEST(Element, FormatsAndChecks) {
  TestProgram program;
  int cb = program.buffer("b", 1, 2048, DataFormat::Float16_b);
  float read = 0;
  program.reader([&, cb](KernelThread &t) {
    CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
    auto format = static_cast<int32_t>(DataFormat::Float16_b);
    uint32_t address = ttl_hw_get_write_ptr(&t, cb) + 2;
    CALL(ttl_hw_store_element(&t, address, format, 1.00390625f)); // halfway: goes to the even one
    return ttl_hw_load_element(&t, address, format, &read);
  });
  EXPECT_TRUE(succeeded(runOnce(program)));
  EXPECT_EQ(read, 1.0f);
}

TEST(Element, UnwrittenPagesAreNotRead) {
  TestProgram program;
  int cb = program.buffer("b", 1);
  program.reader([=](KernelThread &t) {
    CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
    float value = 0;
    return ttl_hw_load_element(&t, ttl_hw_get_write_ptr(&t, cb), 0, &value);
  });
  EXPECT_TRUE(
      faulted(runOnce(program), FaultKind::UninitializedRead, "reads a block of 'b' that nobody"));
}

TEST(Element, CopiesInFlightLockTheBlock) {
  TestProgram program;
  int cb = program.buffer("b", 1);
  program.reader([=](KernelThread &t) {
    CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
    uint32_t address = ttl_hw_get_write_ptr(&t, cb);
    uint64_t source = ttl_hw_get_noc_addr(&t, t.x + 18, t.y + 18, 112 * 1024 - 8192);
    CALL(ttl_hw_noc_async_read(&t, source, address, 4096));
    return ttl_hw_store_element(&t, address, 0, 1.0f);
  });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Protocol,
                      "writes a block of 'b' while a copy into it is in flight"));
}

//===--------------------------------------------------------------------------===//
// Functions of the host
//===--------------------------------------------------------------------------===//

namespace {
struct AddOne : HostFunction {
  std::string call(std::span<HostArgument> arguments, char, uint32_t &result) override {
    if (arguments[0].bits == 13)
      return "thirteen";
    for (float &element : arguments[1].elements)
      element += 1;
    result = arguments[0].bits + static_cast<uint32_t>(arguments[1].extents[0]);
    return {};
  }
};

Status callAddOne(KernelThread &t, int cb, uint32_t number, uint32_t &result) {
  const uint32_t words[] = {number, static_cast<uint32_t>(cb), 0};
  return ttl_hw_call_host(&t, "add_one", "iw", words, 'i', &result);
}
} // namespace

TEST(HostCall, ArraysAreRowMajorAndWrittenBack) {
  TestProgram program;
  int cb = program.buffer("b", 1, 2048, DataFormat::Float16_b);
  program.hostFunctions["add_one"] = std::make_shared<AddOne>();
  uint32_t result = 0;
  float read = 0;
  program.reader([&, cb](KernelThread &t) {
    auto format = static_cast<int32_t>(DataFormat::Float16_b);
    CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
    CALL(callAddOne(t, cb, 4, result)); // the block is not written, so it is all zeros
    CALL(callAddOne(t, cb, 4, result));
    return ttl_hw_load_element(&t, ttl_hw_get_write_ptr(&t, cb) + 2046, format, &read);
  });
  EXPECT_TRUE(succeeded(runOnce(program)));
  EXPECT_EQ(result, 36u);
  EXPECT_EQ(read, 2.0f);
}

TEST(HostCall, ErrorsAreFaults) {
  TestProgram program;
  int cb = program.buffer("b", 1);
  program.hostFunctions["add_one"] = std::make_shared<AddOne>();
  uint32_t result = 0;
  program.reader([&, cb](KernelThread &t) {
    CALL(ttl_hw_cb_reserve_back(&t, cb, 1));
    return callAddOne(t, cb, 13, result);
  });
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Runtime, "thirteen"));
  program.hostFunctions.clear();
  EXPECT_TRUE(faulted(runOnce(program), FaultKind::Resource, "the host has no function"));
}
