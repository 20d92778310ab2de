//===- RankRun.cpp - one rank's part of a run ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/device/RankRun.h"

#include "hw/device/L1Word.h"
#include "hw/device/RankMessages.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ttjit::hw {

namespace {

constexpr uint64_t kAllDevices = UINT64_MAX;

// The topic of a message. Ranks that disagree about it have a bug, or run different programs.
enum class Topic : uint8_t { Round, Waits, End };

void expect(ByteReader &reader, Topic topic, int rank) {
  if (reader.take<Topic>() != topic)
    throw std::runtime_error(fmt::format("internal error: rank {} is at another step", rank));
}

// Calls `visit(address)` for the host address of each word of a delivery.
template <typename Visit>
void forEachWord(const Machine &machine, const Delivery &delivery, Visit visit) {
  for (uint32_t word : {delivery.arrived, delivery.received})
    visit(delivery.areSemaphores ? machine.arch.semaphoreAddress(int(word)) : word);
}

} // namespace

RankRun::RankRun(Link &link, const Program &program, const RunOptions &users, bool tells)
    : link(link), program(program),
      events(tells ? users.listeners : std::vector<EventListener *>()),
      print(tells ? users.print : nullptr), own(users),
      arrivals(static_cast<size_t>(program.numDevices)) {
  if (!users.listeners.empty())
    own.listeners = {&events};
  if (users.print)
    own.print = [this](const std::string &text) { lines.emplace_back(turn, text); };
}

int RankRun::ownerOf(size_t device) const {
  return rankOf(static_cast<int>(device), link.numRanks(), program.numDevices);
}

std::string RankRun::whyNot(const Link &link, const Program &program, const RunOptions &options) {
  if (link.numRanks() > program.numDevices)
    return fmt::format(
        "{} ranks cannot run a mesh of {} devices: take as many ranks as devices, or "
        "fewer",
        link.numRanks(), program.numDevices);
  if (options.decisions ||
      (options.schedule != SchedulePolicy::Fair && options.schedule != SchedulePolicy::Parallel))
    return "several ranks run kernels of a mesh in the order of --schedule=fair or parallel only: "
           "leave out other schedules, --record, --explore and the debugger, or run one process";
  if (options.delivery.value_or(DeliveryPolicy::Late) != DeliveryPolicy::Late)
    return "several ranks deliver transfers as --dma=late does: leave out --dma, or run one "
           "process";
  if (options.stepLimit)
    return "--limit counts the steps of one process: leave it out, or run one process";
  if (program.sharesEngineState)
    return "pipes and semaphores of this stage are in the memory of one process: leave out "
           "--stage, "
           "or run one process";
  if (!program.hostFunctions.empty())
    return "threads that call functions of the host run in one process only";
  if (!program.resets.empty())
    return "kernels that reset buffers run in one process only";
  if (std::ranges::any_of(options.listeners, &EventListener::wantsTiles))
    return "--check=numerics, --check=init and --explain-numerics look at the tiles of one "
           "process: "
           "leave them out, or run one process";
  return {};
}

std::vector<Message> RankRun::exchangeSame(Message message) {
  return exchange(link, std::vector(static_cast<size_t>(link.numRanks()), message));
}

//===--------------------------------------------------------------------------===//
// Rounds
//===--------------------------------------------------------------------------===//

void RankRun::putLines(Message &message) {
  ByteWriter writer(message);
  writer.put(lines.size());
  for (const auto &[device, text] : lines) {
    writer.put(device);
    writer.putText(text);
  }
  lines.clear();
}

static void takeLines(ByteReader &reader, std::vector<std::pair<size_t, std::string>> &lines) {
  for (auto count = reader.take<size_t>(); count > 0; --count) {
    auto device = reader.take<size_t>();
    lines.emplace_back(device, reader.takeText());
  }
}

void RankRun::printLines(const std::vector<std::pair<size_t, std::string>> &all,
                         uint64_t lastDevice) {
  for (const auto &[device, text] : all)
    if (print && device <= lastDevice)
      print(text);
}

void RankRun::putTransfers(Message &message, int to,
                           const std::vector<std::vector<Transfer *>> &departed) const {
  ByteWriter writer(message);
  for (size_t device = 0; device < departed.size(); ++device)
    for (const Transfer *transfer : departed[device]) {
      int column = transfer->x0 - machine->arch.virtualOriginX;
      if (ownerOf(static_cast<size_t>(program.deviceOfColumn(column))) != to)
        continue;
      writer.put(device);
      put(writer, *transfer);
    }
}

void RankRun::takeTransfers(ByteReader &reader) {
  while (!reader.isAtEnd()) {
    auto device = reader.take<size_t>();
    Arrival &arrival = arrivals.at(device).emplace_back();
    arrival.transfer = takeTransfer(reader, machine->grid, arrival.bytes);
  }
}

RoundEnd RankRun::endRound(const RoundEnd &end,
                           const std::vector<std::vector<Transfer *>> &departed) {
  Message common;
  ByteWriter writer(common);
  writer.put(Topic::Round);
  writer.put(end);
  auto [fault, moment] = machine->faults.peek();
  writer.put(fault != nullptr);
  if (fault) {
    writer.put(moment);
    put(writer, *fault);
  }
  putLines(common);
  events.put(common);
  std::vector<Message> messages(static_cast<size_t>(link.numRanks()), common);
  for (int to = 0; to < link.numRanks(); ++to)
    if (to != link.rank())
      putTransfers(messages[static_cast<size_t>(to)], to, departed);
  return takeRound(exchange(link, std::move(messages)));
}

RoundEnd RankRun::takeRound(const std::vector<Message> &messages) {
  RoundEnd all;
  std::optional<std::pair<Moment, Fault>> first;
  std::vector<std::pair<size_t, std::string>> printed;
  for (int rank = 0; rank < link.numRanks(); ++rank) {
    ByteReader reader(messages[static_cast<size_t>(rank)]);
    expect(reader, Topic::Round, rank);
    auto end = reader.take<RoundEnd>();
    all.departed += end.departed;
    all.hasThreads |= end.hasThreads;
    all.arePolling |= end.arePolling;
    if (reader.take<bool>()) {
      auto moment = reader.take<Moment>();
      Fault fault = takeFault(reader);
      if (!first || moment < first->first)
        first.emplace(moment, std::move(fault));
    }
    takeLines(reader, printed);
    events.take(reader);
    takeTransfers(reader);
  }
  // In one process, devices after the one with the fault would not have run.
  uint64_t lastDevice = first && first->first ? first->first - 1 : kAllDevices;
  printLines(printed, lastDevice);
  events.tell(lastDevice);
  if (first)
    machine->faults.replace(std::move(first->second), first->first);
  return all;
}

//===--------------------------------------------------------------------------===//
// The end
//===--------------------------------------------------------------------------===//

void RankRun::shareWaits() {
  Message message;
  ByteWriter writer(message);
  writer.put(Topic::Waits);
  for (const Node &node : machine->grid.nodes())
    if (owns(static_cast<size_t>(node.device)))
      put(writer, node);
  std::vector<Message> messages = exchangeSame(std::move(message));
  for (int rank = 0; rank < link.numRanks(); ++rank) {
    ByteReader reader(messages[static_cast<size_t>(rank)]);
    expect(reader, Topic::Waits, rank);
    for (Node &node : machine->grid.nodes())
      if (rank != link.rank() && ownerOf(static_cast<size_t>(node.device)) == rank)
        takeNode(reader, node, alternatives);
  }
  events.passOn();
}

void RankRun::finish(RunStats &stats) {
  auto ownerOfNode = [&](const Delivery &delivery) {
    return ownerOf(static_cast<size_t>(machine->grid.nodes()[delivery.node].device));
  };
  bool hasWords = machine->faults.isEmpty();
  Message message;
  ByteWriter writer(message);
  writer.put(Topic::End);
  put(writer, stats);
  putLines(message);
  for (const Delivery &delivery : program.deliveries)
    if (hasWords && ownerOfNode(delivery) == link.rank())
      forEachWord(*machine, delivery, [&](uint32_t address) {
        writer.put(loadWord(machine->grid.nodes()[delivery.node].memory.l1 + address));
      });
  stats = {};
  std::vector<Message> messages = exchangeSame(std::move(message));
  std::vector<std::pair<size_t, std::string>> printed;
  for (int rank = 0; rank < link.numRanks(); ++rank) {
    ByteReader reader(messages[static_cast<size_t>(rank)]);
    expect(reader, Topic::End, rank);
    addStats(stats, takeStats(reader));
    takeLines(reader, printed);
    for (const Delivery &delivery : program.deliveries)
      if (hasWords && ownerOfNode(delivery) == rank)
        forEachWord(*machine, delivery, [&](uint32_t address) {
          storeWord(machine->grid.nodes()[delivery.node].memory.l1 + address,
                    reader.take<uint32_t>());
        });
  }
  printLines(printed, kAllDevices);
}

} // namespace ttjit::hw
