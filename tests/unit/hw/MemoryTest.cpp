//===- MemoryTest.cpp - tensors, banks, program checks ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/FreeList.h"
#include "hw/device/NocAddress.h"
#include "tests/unit/hw/HwTesting.h"

#include "hw/device/Mapping.h"

#include <fstream>

using namespace ttjit::hw;
using namespace ttjit::hw::testing;

namespace {

TEST(FreeList, FirstFitAndCoalescing) {
  FreeList list(64, 1024);
  auto a = list.allocate(128, false), b = list.allocate(128, false), c = list.allocate(128, false);
  EXPECT_EQ(*a, 64u);
  EXPECT_EQ(*b, 192u);
  EXPECT_EQ(*c, 320u);
  list.free(*a, 128);
  list.free(*c, 128);
  EXPECT_EQ(*list.allocate(64, false), 64u); // takes the first hole that is large enough
  list.free(64, 64);
  list.free(*b, 128);
  EXPECT_EQ(*list.allocate(960, false), 64u) << "all holes are one again";
  EXPECT_FALSE(list.allocate(32, false));
}

TEST(FreeList, FromTheTop) {
  FreeList list(64, 1024);
  EXPECT_EQ(list.lowestUsed(), 1024u);
  EXPECT_EQ(*list.allocate(64, true), 960u);
  EXPECT_EQ(*list.allocate(64, true), 896u);
  EXPECT_EQ(list.lowestUsed(), 896u);
  list.free(960, 64);
  EXPECT_EQ(*list.allocate(32, true), 992u);
}

TEST(NocAddress, LayoutOfTheHardware) {
  uint64_t unicast = NocAddress{0x12345678, 21, 19}.encode();
  EXPECT_EQ(unicast, 0x12345678u | uint64_t(21) << 36 | uint64_t(19) << 42);
  uint64_t multicast = NocAddress{0x100, 25, 24, 18, 19}.encode();
  EXPECT_EQ(multicast, 0x100u | uint64_t(25) << 36 | uint64_t(24) << 42 | uint64_t(18) << 48 |
                           uint64_t(19) << 54);
  for (int x : {0, 63, 64, 200, 254}) {
    NocAddress back = NocAddress::decode(NocAddress{0xfffffff0, x, 255 - x, x / 2, 7}.encode());
    EXPECT_EQ(back.local, 0xfffffff0u);
    EXPECT_EQ(back.x, x);
    EXPECT_EQ(back.y, 255 - x);
    EXPECT_EQ(back.startX, x / 2);
    EXPECT_EQ(back.startY, 7);
  }
  EXPECT_EQ(NocAddress::decode(NocAddress{0, 100000, -3}.encode()).x, NocAddress::kNowhere);
  EXPECT_EQ(NocAddress::decode(NocAddress{0, 1000, -3}.encode()).y, NocAddress::kNowhere);
}

// The grids of the devices of a mesh are side by side.
TEST(NocAddress, ColumnsOfManyDevices) {
  for (int x : {253, 254, 255, 256, 511, 1298, NocAddress::kMostColumns - 1}) {
    NocAddress back = NocAddress::decode(NocAddress{0xfffffff0, x, 7}.encode());
    EXPECT_EQ(back.local, 0xfffffff0u);
    EXPECT_EQ(back.x, x);
    EXPECT_EQ(back.y, 7);
    EXPECT_EQ(back.startX, 0);
  }
  NocAddress far = NocAddress::decode(NocAddress{0, 300, 24, 290, 18}.encode());
  EXPECT_EQ(far.y, NocAddress::kNowhere);
}

TEST(Tensors, InterleavedPages) {
  for (const char *name : {"wormhole_b0", "blackhole"}) {
    ArchDesc arch = *lookupArch(name);
    Device device(arch);
    auto banks = static_cast<uint32_t>(arch.dramBanks);
    TensorAllocation t = *device.allocate(BufferType::DRAM, 100, 3 * banks + 1, "t");
    EXPECT_EQ(t.base % arch.dramAlignment, 0u);
    EXPECT_NE(t.base, 0u);
    EXPECT_EQ(t.alignedPageBytes, 128u);
    for (uint32_t page : {0u, 1u, banks, 3 * banks}) {
      MemoryPlace place = device.place(t, page);
      EXPECT_EQ(place.memory, MemoryPlace::DRAM);
      EXPECT_EQ(place.x, static_cast<int>(page % banks));
      EXPECT_EQ(place.address, t.base + page / banks * 128);
    }
    EXPECT_EQ(device.page(t, 3 * banks + 1), nullptr);
    TensorAllocation next = *device.allocate(BufferType::DRAM, 100, 1, "next");
    EXPECT_EQ(next.base, t.base + 4 * 128);
  }
}

TEST(Tensors, PagesInDramAreLinearOnTheHost) {
  Device device(smallChip());
  TensorAllocation t = *device.allocate(BufferType::DRAM, 100, 40, "t");
  TensorAllocation next = *device.allocate(BufferType::DRAM, 2048, 13, "next");
  std::byte *first = device.pages(t).linear();
  ASSERT_NE(first, nullptr);
  for (uint32_t page = 0; page < 40; ++page) {
    EXPECT_EQ(device.pages(t)[page], first + page * 100);
    EXPECT_EQ(device.page(t, page), first + page * 100);
  }
  std::memset(first, 1, 40 * 100);
  std::memset(device.pages(next).linear(), 2, 13 * 2048);
  EXPECT_EQ(static_cast<int>(device.page(t, 39)[99]), 1) << "no two tensors share bytes";
  device.free(t);
  EXPECT_EQ(device.pages(*device.allocate(BufferType::DRAM, 100, 40, "again")).linear(), first);
}

TEST(Tensors, PagesInL1AreInTheirCore) {
  Device device(smallChip());
  TensorAllocation t = *device.allocate(BufferType::L1, 96, 80, "t");
  EXPECT_EQ(device.pages(t).linear(), nullptr);
  EXPECT_EQ(device.page(t, 64) - device.page(t, 0), 96);
  MemoryPlace place = device.place(t, 64 + 11);
  EXPECT_EQ(place.memory, MemoryPlace::L1);
  EXPECT_EQ(place.x, 3);
  EXPECT_EQ(place.y, 1);
  EXPECT_EQ(place.address, t.base + 96);
}

TEST(Tensors, FreedMemoryIsUsedAgain) {
  Device device(smallChip());
  TensorAllocation a = *device.allocate(BufferType::DRAM, 2048, 100, "a");
  device.free(a);
  device.free(a); // no page exists after this
  EXPECT_EQ(device.page(a, 0), nullptr);
  EXPECT_EQ(device.allocate(BufferType::DRAM, 2048, 100, "b")->base, a.base);
}

TEST(Tensors, BanksAreFull) {
  Device device(smallChip());
  EXPECT_FALSE(device.allocate(BufferType::DRAM, 1u << 30, 13, "large"));
  EXPECT_TRUE(device.allocate(BufferType::DRAM, 1u << 29, 12, "half"));
  EXPECT_FALSE(device.allocate(BufferType::L1, 1u << 21, 1, "larger than L1"));
  EXPECT_TRUE(device.allocate(BufferType::DRAM, 0, 0, "nothing"));
}

TEST(Tensors, ATensorOfSeveralDevicesHasOneAddress) {
  Device mesh(smallChip(), 3);
  EXPECT_EQ(mesh.numDevices(), 3);
  std::optional<TensorAllocation> first = mesh.allocate(BufferType::DRAM, 64, 2, "first");
  std::optional<TensorAllocation> second = mesh.allocate(BufferType::DRAM, 64, 2, "second");
  ASSERT_TRUE(first && second);
  for (int device = 0; device < 3; ++device)
    *mesh.page(*second, 1, device) = static_cast<std::byte>(device + 1);
  for (int device = 0; device < 3; ++device)
    EXPECT_EQ(mesh.pages(*second, device)[1][0], static_cast<std::byte>(device + 1));
  mesh.free(*first);
  std::optional<TensorAllocation> again = mesh.allocate(BufferType::DRAM, 64, 2, "again");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->base, first->base);
}

TEST(Device, AProgramRunsOnAsManyDevicesAsItNames) {
  TestProgram program;
  program.grid(2, 1);
  program.reader([](KernelThread &) { return Status::Ok; });
  Device mesh(smallChip(), 2);
  RunResult result = mesh.run(program, {});
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->message, "the program is for 1 device, but the mesh has 2");
}

size_t residentBytes() {
  std::ifstream status("/proc/self/statm");
  size_t total = 0, resident = 0;
  status >> total >> resident;
  return resident * 4096;
}

TEST(Tensors, UntouchedMemoryCostsNothing) {
  size_t before = residentBytes();
  Device device(*lookupArch("blackhole"));
  EXPECT_TRUE(device.allocate(BufferType::DRAM, 1u << 20, 8 * 1024, "8 GiB"));
  EXPECT_TRUE(device.allocate(BufferType::L1, 1u << 20, 130, "130 MiB"));
  EXPECT_LT(residentBytes(), before + (size_t(8) << 20));
}

TEST(Device, AnIdleCoreCostsLessThan8KiB) {
#ifdef TTJIT_THREAD_SANITIZER
  GTEST_SKIP() << "ThreadSanitizer has memory of its own for each core";
#endif
  constexpr int kSide = 64;
  TestProgram program;
  program.grid(kSide, kSide);
  for (const char *name : {"a", "b", "c", "y"})
    program.buffer(name, 8);
  auto nothing = [](KernelThread &) { return Status::Ok; };
  program.reader(nothing);
  program.writer(nothing);
  program.compute(nothing);
  Device device(smallChip());
  size_t before = residentBytes();
  EXPECT_TRUE(succeeded(device.run(program, {})));
  EXPECT_LT(residentBytes(), before + kSide * kSide * 8 * 1024);
}

TEST(Tensors, SurviveRunsThatNeedALargerL1) {
  Device device(smallChip());
  TensorAllocation l1 = *device.allocate(BufferType::L1, 64, 64, "t");
  std::memset(device.page(l1, 5), 9, 64);
  TestProgram program;
  program.grid(8, 8);
  program.buffer("huge", 1, 4 << 20);
  program.reader([](KernelThread &) { return Status::Ok; });
  EXPECT_TRUE(faulted(device.run(program, {}), FaultKind::Resource, "tensors in L1 begin"));
  device.free(l1);
  EXPECT_TRUE(succeeded(device.run(program, {})));
  l1 = *device.allocate(BufferType::L1, 64, 64, "t");
  EXPECT_EQ(static_cast<int>(device.page(l1, 5)[63]), 9) << "L1 moved with its contents";
}

//===--------------------------------------------------------------------------===//
// Programs that the device refuses
//===--------------------------------------------------------------------------===//

TEST(Program, Refused) {
  auto expect = [](const char *text, std::function<void(TestProgram &)> spoil) {
    TestProgram program;
    program.buffer("a", 2);
    program.reader([](KernelThread &) { return Status::Ok; });
    spoil(program);
    EXPECT_TRUE(faulted(runOnce(program), FaultKind::Resource, text));
  };
  expect("cannot hold 0 nodes", [](TestProgram &p) { p.numNodes = 0; });
  expect("cannot hold 2 nodes", [](TestProgram &p) { p.numNodes = 2; });
  expect("index of its own", [](TestProgram &p) { p.buffer("b", 1), p.buffers[1].index = 0; });
  expect("0 pages of 4096 bytes", [](TestProgram &p) { p.buffers[0].numPages = 0; });
  expect("65536 pages", [](TestProgram &p) { p.buffers[0].numPages = 1 << 16; });
  expect("expected a multiple of 16", [](TestProgram &p) { p.buffers[0].address += 8; });
  expect("expected a multiple of 16", [](TestProgram &p) { p.buffers[0].address = 64; });
  expect("shares its processor with another thread",
         [](TestProgram &p) { p.reader([](KernelThread &) { return Status::Ok; }); });
  expect("has no code", [](TestProgram &p) { p.threads[0].entry = nullptr; });
  expect("addresses have 32 bits", [](TestProgram &p) { p.buffers[0].pageBytes = 0xfffffff0; });
}

TEST(Program, WithoutThreads) { EXPECT_TRUE(succeeded(runOnce(TestProgram()))); }

TEST(Program, Identity) {
  TestProgram program;
  program.grid(3, 2);
  int seen = 0;
  program.reader(
      [&](KernelThread &t) {
        seen += ttl_hw_my_logical_x(&t) * 10 + ttl_hw_my_logical_y(&t);
        EXPECT_EQ(ttl_hw_get_common_arg_val(&t, 1), 22u);
        EXPECT_EQ(ttl_hw_get_common_arg_val(&t, 2), 0u);
        return Status::Ok;
      },
      {11, 22});
  EXPECT_TRUE(succeeded(runOnce(program)));
  EXPECT_EQ(seen, 2 * (0 + 10 + 20) + 3);
}

TEST(MappingTest, LargePagesKeepTheContents) {
  constexpr size_t kMiB = 1 << 20;
  Mapping mapping;
  ASSERT_TRUE(mapping.grow(8 * kMiB));
  mapping.data()[5 * kMiB] = 7;
  mapping.preferLargePages(kMiB + 100, 6 * kMiB);
  mapping.preferLargePages(0, 4096); // this range contains no large page
  EXPECT_EQ(mapping.data()[5 * kMiB], 7);
  EXPECT_EQ(mapping.data()[3 * kMiB], 0);
}

TEST(CoreMemory, SemaphoresBeginAnew) {
  Device device(smallChip());
  TestProgram program;
  int first = program.semaphore("first", 3), second = program.semaphore("second");
  program.reader([=](KernelThread &t) {
    uint32_t word = ttl_hw_get_semaphore(&t, first), other = ttl_hw_get_semaphore(&t, second);
    EXPECT_EQ(ttl_hw_load_from_l1(&t, word), 3u);
    EXPECT_EQ(ttl_hw_load_from_l1(&t, other), 0u);
    CALL(ttl_hw_noc_semaphore_set(&t, word, 9));
    return ttl_hw_noc_semaphore_set(&t, other, 9);
  });
  for (int run = 0; run < 2; ++run)
    EXPECT_TRUE(succeeded(device.run(program, {})));
}

} // namespace
