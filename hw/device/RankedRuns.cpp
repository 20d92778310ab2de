//===- RankedRuns.cpp - runs that several ranks share -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/RankedRuns.h"

#include "hw/device/Execution.h"
#include "hw/device/RankMessages.h"
#include "hw/link/LoopbackLink.h"
#include "hw/link/Ranks.h"

#include <fmt/format.h>

#include <deque>
#include <thread>

namespace ttjit::hw {

bool hasRanks() { return ranksOfProcess().link || ranksOfProcess().inProcess > 0; }

bool leavesPagesOnRanks() { return ranksOfProcess().link; }

namespace {

// Returns the result for a program that ranks cannot run: a fault at the first of its threads.
RunResult refuse(const Program &program, std::string why) {
  RunResult result;
  Fault &fault = result.fault.emplace();
  fault.message = std::move(why);
  if (!program.threads.empty())
    fault.location = program.threads.front().location;
  return result;
}

//===--------------------------------------------------------------------------===//
// Ranks in one process
//===--------------------------------------------------------------------------===//

// A rank that is a host thread. All such ranks share the memories, but each uses its own devices'.
struct RankThread {
  RankThread(Link &link, const Program &program, const RunOptions &options, const RunPlace &place,
             MachineStorage &storage)
      : decisions(makeDecisions(options)), rank(link, program, options, link.rank() == 0),
        execution(program, rank.options(), place.memories, storage, *decisions, place.interrupted,
                  &rank) {}

  void run() {
    execution.run();
    result = execution.finish();
  }

  std::unique_ptr<DecisionSource> decisions;
  RankRun rank;
  Execution execution;
  RunResult result;
};

bool isOfThisRank(const Memories &memories, int device) {
  Link &link = *ranksOfProcess().link;
  return rankOf(device, link.numRanks(), memories.numDevices()) == link.rank();
}

BufferType typeOf(const PlacedTensor &tensor) {
  return tensor.access.inL1 ? BufferType::L1 : BufferType::DRAM;
}

Message messageOf(const RunResult &result) {
  Message message;
  ByteWriter writer(message);
  if (result.fault)
    put(writer, *result.fault);
  put(writer, result.stats);
  for (const Fault &warning : result.warnings)
    put(writer, warning);
  return message;
}

RunResult runInProcess(const Program &program, const RunOptions &options, const RunPlace &place) {
  RanksOfProcess &chosen = ranksOfProcess();
  Loopback loopback(chosen.inProcess, chosen.seed++);
  if (std::string why = RankRun::whyNot(loopback[0], program, options); !why.empty())
    return refuse(program, std::move(why));
  std::deque<MachineStorage> storages(static_cast<size_t>(chosen.inProcess));
  std::deque<RankThread> ranks;
  for (int rank = 0; rank < chosen.inProcess; ++rank)
    ranks.emplace_back(loopback[rank], program, options, place, storages[static_cast<size_t>(rank)])
        .execution.begin();
  std::vector<std::thread> threads;
  for (size_t rank = 1; rank < ranks.size(); ++rank)
    threads.emplace_back([&, rank] { ranks[rank].run(); });
  ranks[0].run();
  for (std::thread &thread : threads)
    thread.join();
  for (RankThread &rank : ranks)
    if (messageOf(rank.result) != messageOf(ranks[0].result))
      return refuse(program, "internal error: ranks have different results");
  return std::move(ranks[0].result);
}

} // namespace

RunResult runOnRanks(const Program &program, const RunOptions &options, const RunPlace &place,
                     DecisionSource &decisions) {
  Link *link = ranksOfProcess().link;
  if (!link)
    return runInProcess(program, options, place);
  if (std::string why = RankRun::whyNot(*link, program, options); !why.empty())
    return refuse(program, std::move(why));
  RankRun rank(*link, program, options);
  RunResult result = Execution(program, rank.options(), place.memories, place.storage, decisions,
                               place.interrupted, &rank)
                         .execute();
  for (PlacedTensor *tensor : place.memories.writable(program.constantTensors))
    for (int device = 0; device < program.numDevices; ++device)
      (void)leavePages(place.memories, *tensor, typeOf(*tensor), device);
  return result;
}

bool leavePages(Memories &memories, PlacedTensor &tensor, BufferType type, int device) {
  tensor.elsewhere.resize(static_cast<size_t>(memories.numDevices()));
  tensor.elsewhere[static_cast<size_t>(device)] = true;
  if (isOfThisRank(memories, device))
    return true;
  Memories &its = memories.device(device);
  its.release(*its.find(type, tensor.access.base));
  return false;
}

void gatherPages(Memories &memories, PlacedTensor &tensor, BufferType type) {
  Link &link = *ranksOfProcess().link;
  uint32_t base = tensor.access.base, count = tensor.access.numPages;
  std::vector<bool> wanted = std::exchange(tensor.elsewhere, {});
  auto forEachPage = [&](int rank, auto visit) {
    for (int device = 0; device < memories.numDevices(); ++device)
      if (wanted[static_cast<size_t>(device)] &&
          rankOf(device, link.numRanks(), memories.numDevices()) == rank) {
        const TensorAccess &access = memories.device(device).find(type, base)->access;
        for (uint32_t page = 0; page < count; ++page)
          visit(access.hostPage(page));
      }
  };
  Message own;
  ByteWriter writer(own);
  forEachPage(link.rank(), [&](uint8_t *page) { writer.putBytes(page, tensor.access.pageBytes); });
  std::vector<Message> all = callTogether(fmt::format("reads tensor '{}'", tensor.name), own);
  for (int rank = 0; rank < link.numRanks(); ++rank) {
    ByteReader reader(all[static_cast<size_t>(rank)]);
    if (rank != link.rank())
      forEachPage(rank, [&](uint8_t *page) {
        std::memcpy(page, reader.takeBytes(tensor.access.pageBytes), tensor.access.pageBytes);
      });
  }
}

} // namespace ttjit::hw
