//===- Transfers.cpp - transfers on the NoC and DRAM --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A read is a request of one flit to the memory and a response with the data; a write is the data
// and an acknowledgement. Both use the NoC interfaces of both ends, the links between their
// routers, and a bank of DRAM. A multicast reserves its rectangle for each packet before the data
// flows. A write to another chip also uses the links between the chips.
//===--------------------------------------------------------------------------===//

#include "tools/timing/Replay.h"

#include <algorithm>

using namespace ttjit;
using namespace ttjit::timing;
using hw::TimeCost;

Ticks Replay::latency(const Endpoint &from, const Endpoint &to, int noc) const {
  return costs[TimeCost::EndCycles] + map.hops(from, to, noc) * costs[TimeCost::HopCycles];
}

uint64_t Replay::packets(uint64_t bytes) const {
  return std::max<uint64_t>(1, (bytes + arch.nocMaxBurstBytes - 1) / arch.nocMaxBurstBytes);
}

// Returns how long the data and the packet headers take at a NoC interface.
Ticks Replay::flits(uint64_t bytes, TimeCost perFlit) const {
  uint64_t width = static_cast<uint64_t>(costs.value(TimeCost::FlitBytes));
  return static_cast<Ticks>(packets(bytes) + (bytes + width - 1) / width) * costs[perFlit];
}

Server &Replay::serverOf(std::vector<Server> &servers, const Endpoint &core, int noc) {
  auto indexIn = [&](int columns) {
    return static_cast<size_t>(core.y) * static_cast<size_t>(columns) + static_cast<size_t>(core.x);
  };
  size_t node = indexIn(std::max(1, program.gridX));
  if (core.device >= 0)
    node = agents.size() / hw::kThreadsPerNode + indexIn(arch.gridX) +
           static_cast<size_t>(core.device) * static_cast<size_t>(arch.gridX * arch.gridY);
  return servers[std::min(node * 2 + static_cast<size_t>(noc), servers.size() - 1)];
}

Instant Replay::queue(Server &server, Instant moment, Ticks ticks) {
  return assumptions.hasQueues ? server.reserve(moment, ticks) : moment;
}

// Adds the time of the call that issues a transfer. Each further packet is a further call.
Instant Replay::call(hw::AgentId id, const Step &step, TimeCost cost) {
  Ticks more = static_cast<Ticks>(packets(step.count) - 1) * costs[TimeCost::PacketCall];
  agents[id].now = take(id, agents[id].now, Resource::Calls, step.loc, costs[cost] + more);
  return agents[id].now;
}

// Returns how long bytes take at a rate of the table, in bytes per cycle.
Ticks Replay::bytesAt(uint64_t bytes, TimeCost rate) const {
  return static_cast<Ticks>(bytes) * hw::kTicksPerCycle * hw::kTicksPerCycle / costs[rate];
}

// Writes to DRAM of fewer bytes are slower on Wormhole.
static constexpr uint64_t kWholeBurstBytes = 128;

// Returns when the last byte has passed the bank, and sets `begin` to the time of the first. A bank
// serves one transfer after the other; those of one core follow each other at a lower rate.
Instant Replay::useBank(hw::AgentId id, const Endpoint &bank, Instant moment, uint64_t bytes,
                        TimeCost rate, uint32_t loc, Instant &begin) {
  auto ticks = [&](TimeCost at) { return scaled(Resource::DramRate, bytesAt(bytes, at)); };
  size_t numBanks = static_cast<size_t>(arch.dramBanks);
  size_t number = static_cast<size_t>(bank.x) % numBanks;
  size_t index = (static_cast<size_t>(bank.y) * numBanks + number) % banks.size();
  bool reads = rate == TimeCost::BankReadBytes;
  Ticks ofBank = ticks(rate);
  if (!reads && bytes < kWholeBurstBytes) // the bank reads a whole burst and writes it back
    ofBank = std::max(ofBank, scaled(Resource::DramRate, costs[TimeCost::PartialWrite]));
  Ticks least = reads ? 0 : scaled(Resource::DramRate, costs[TimeCost::StreamWriteLeast]);
  Ticks ofStream =
      std::max({ofBank, least, ticks(reads ? TimeCost::StreamBytes : TimeCost::StreamWriteBytes)});
  Server &stream = streams[id * numBanks + number];
  moment = queue(stream, moment, ofStream);
  begin = queue(banks[index], moment, ofBank);
  result.bankBusy[index] += ofBank;
  Instant served = path.extend(begin, Resource::DramRate, loc, ofBank);
  Instant next = path.extend(served, Resource::DramRate, loc, ofStream - ofBank);
  busy(id, Resource::DramRate, loc, ofStream);
  stream.endsWith(next);
  banks[index].endsWith(served);
  return reads ? next : served; // a write is done when the bank has its bytes
}

// Returns where a transfer begins or ends. A transfer without a place there begins or ends at its
// own core. Tensors in L1 are in the cores in turn.
Endpoint Replay::placeOf(const Endpoint &place, const Endpoint &core) const {
  if (place.kind == Endpoint::None)
    return core;
  if (place.kind == Endpoint::Core || !assumptions.isInL1)
    return place;
  int columns = program.columnsOfDevice(), number = place.x % std::max(1, columns * program.gridY);
  return {Endpoint::Core, static_cast<int16_t>(place.y * columns + number % columns),
          static_cast<int16_t>(number / columns)};
}

int Replay::deviceOf(const Endpoint &place) const {
  if (program.numDevices <= 1)
    return 0;
  int device = place.kind == Endpoint::Bank ? place.y
               : place.device >= 0          ? place.device
                                            : program.deviceOfColumn(place.x);
  return std::clamp(device, 0, program.numDevices - 1);
}

// Returns when the data of a transfer may begin to flow: each link on its way carries one transfer
// after the other. The two NoCs have separate links.
Instant Replay::useLinks(hw::AgentId id, const Endpoint &from, const Endpoint &to, Instant moment,
                         Ticks ticks, uint32_t loc) {
  if (!assumptions.hasQueues || program.numNodes == 1 || deviceOf(from) != deviceOf(to))
    return moment;
  ticks = scaled(Resource::LinkRate, ticks);
  Server *const first = links.data() + size_t(deviceOf(from)) * map.numLinks();
  int noc = nocOf(id);
  map.forLinks(from, to, noc, [&](size_t link) { moment = first[link].reserve(moment, ticks); });
  Instant end = path.extend(moment, Resource::LinkRate, loc, ticks);
  map.forLinks(from, to, noc, [&](size_t link) { first[link].endsWith(end); });
  return moment;
}

// Returns when the last byte is on the other chip. Chips on the way pass bytes on as soon as they
// arrive.
Instant Replay::useFabric(hw::AgentId id, const Endpoint &from, const Endpoint &to, Instant moment,
                          uint64_t bytes, uint32_t loc) {
  Ticks rate = bytesAt(chips.bytesOnLink(bytes), TimeCost::FabricBytes);
  Ticks served = scaled(Resource::FabricRate, rate);
  int first = deviceOf(from), last = deviceOf(to);
  int number = chips.connectionOf(id / hw::kThreadsPerNode, first, last);
  chips.forHops(first, last, [&](int at, const hw::FabricHop &hop) {
    Server &link = fabric[chips.indexOf(at, hop, number)];
    moment = queue(link, moment, served);
    link.endsWith(path.extend(moment, Resource::FabricRate, loc, served));
    moment = take(id, moment, Resource::FabricLatency, loc, chips.hopTicks());
  });
  return take(id, moment, Resource::FabricRate, loc, rate);
}

static void note(std::array<Instant, hw::kAllIds + 1> &ends, uint8_t transferId, Instant end) {
  ends[transferId % hw::kAllIds] = later(ends[transferId % hw::kAllIds], end);
  ends[hw::kAllIds] = later(ends[hw::kAllIds], end);
}

// Returns when the memory takes the request of a read from another core, and sets `last` to when it
// has sent the data. Successive reads of one thread from one core follow each other more slowly
// than its reads from several cores, or reads of several threads from one core.
Instant Replay::followStream(hw::AgentId id, const Step &step, const Endpoint &memory,
                             Instant request, Instant &last) {
  Agent &agent = agents[id];
  if (agent.source == memory && assumptions.hasQueues)
    request = later(request, agent.sourceFree);
  agent.source = memory;
  Ticks data = scaled(Resource::NocRate, flits(step.count, TimeCost::ReadStream));
  Ticks spacing = scaled(Resource::NocRate, costs[TimeCost::ReadSpacing]);
  last = path.extend(request, Resource::NocRate, step.loc, data);
  agent.sourceFree = later(last, path.extend(request, Resource::NocRate, step.loc, spacing));
  return request;
}

void Replay::read(hw::AgentId id, const Step &step) {
  const TransferRecord &transfer = recording.transfers[step.object];
  int noc = nocOf(id);
  Endpoint core = coreOf(id);
  bool isBank = transfer.source.kind == Endpoint::Bank && !assumptions.isInL1;
  const Endpoint memory = placeOf(transfer.source, core);
  uint32_t loc = step.loc;
  (isBank ? result.traffic.dramReadBytes : result.traffic.coreBytes) += step.count;
  Instant issued = call(id, step, isBank ? TimeCost::BankCall : TimeCost::ReadCall);
  addTraffic(id, "READ", issued.time, core, memory, memory, step.count);
  Instant request = take(id, issued, Resource::NocLatency, loc, latency(core, memory, noc));
  // Pages of several banks come no faster than those of one core (s2 mb3).
  TimeCost perFlit = isBank ? TimeCost::ReadStream : TimeCost::ReadFlit;
  Ticks rate = scaled(Resource::NocRate, flits(step.count, perFlit));
  Ticks ofLink = scaled(Resource::NocRate, flits(step.count, TimeCost::LinkFlit));
  Ticks back = latency(memory, core, noc);
  Instant first, last;
  if (isBank) {
    last = useBank(id, memory, request, step.count, TimeCost::BankReadBytes, loc, first);
    first = take(id, first, Resource::DramLatency, loc, costs[TimeCost::DramRead]);
    first = useLinks(id, memory, core, first, rate, loc);
    last = later(first, path.extend(last, Resource::DramLatency, loc,
                                    scaled(Resource::DramLatency, costs[TimeCost::DramRead])));
  } else {
    Server &out = serverOf(outs, memory, noc);
    request = followStream(id, step, memory, request, last);
    first = useLinks(id, memory, core, queue(out, request, ofLink), ofLink, loc);
    out.endsWith(path.extend(first, Resource::NocRate, loc, ofLink));
    first = take(id, first, Resource::NocLatency, loc, costs[TimeCost::L1Read]);
    last = path.extend(last, Resource::NocLatency, loc,
                       scaled(Resource::NocLatency, costs[TimeCost::L1Read]));
  }
  first = take(id, first, Resource::NocLatency, loc, back);
  last = path.extend(last, Resource::NocLatency, loc, scaled(Resource::NocLatency, back));
  Server &in = serverOf(ins, core, noc);
  Instant begin = queue(in, first, rate);
  Instant end = take(id, begin, Resource::NocRate, loc, flits(step.count, perFlit));
  in.endsWith(end);
  noteTransfer(step, begin.time, later(end, last).time);
  note(agents[id].reads, step.id, later(end, last));
  landed(transfer, later(end, last));
}

void Replay::landed(const TransferRecord &transfer, Instant moment) {
  for (uint32_t i = 0; i < transfer.numChanges; ++i)
    setChange(transfer.firstChange + i, moment);
}

// Executes a write or an increment.
void Replay::write(hw::AgentId id, const Step &step) {
  const TransferRecord &transfer = recording.transfers[step.object];
  Agent &agent = agents[id];
  int noc = nocOf(id);
  uint32_t loc = step.loc;
  Endpoint core = coreOf(id);
  bool isBank = transfer.destination.kind == Endpoint::Bank && !assumptions.isInL1;
  const Endpoint memory = placeOf(transfer.destination, core);
  (isBank ? result.traffic.dramWriteBytes : result.traffic.coreBytes) += step.count;
  Instant issued = call(id, step, isBank ? TimeCost::BankWriteCall : TimeCost::WriteCall);
  bool increments = step.kind == StepKind::Increment;
  addTraffic(id, increments ? "SEMAPHORE_INC" : "WRITE_", issued.time, core, memory, memory,
             step.count);
  Ticks length = flits(step.count, TimeCost::WriteFlit);
  Ticks rate = scaled(Resource::NocRate, length);
  Server &out = serverOf(outs, core, noc);
  Instant begin = useLinks(id, core, memory, queue(out, issued, rate), rate, loc);
  Instant sent = take(id, begin, Resource::NocRate, loc, length);
  out.endsWith(sent);
  if (packets(step.count) > 1) // wait until the last packet's registers are free, when it is sent
    wait(id, agent.now, begin, loc);
  Ticks way = latency(core, memory, noc), back = latency(memory, core, noc);
  Instant first = take(id, begin, Resource::NocLatency, loc, way);
  bool isFar = deviceOf(core) != deviceOf(memory); // the sender waits only for its own chip
  if (isFar)
    first = useFabric(id, core, memory, first, step.count, loc);
  Instant end;
  if (isBank) {
    Instant start;
    end = useBank(id, memory, first, step.count, TimeCost::BankWriteBytes, loc, start);
    end =
        later(end, path.extend(sent, Resource::NocLatency, loc, scaled(Resource::NocLatency, way)));
  } else {
    Server &in = serverOf(ins, memory, noc);
    end = path.extend(queue(in, first, rate), Resource::NocRate, loc, rate);
    in.endsWith(end);
  }
  landed(transfer, end);
  noteTransfer(step, begin.time, end.time);
  Instant answer = isBank ? take(id, end, Resource::DramLatency, loc, costs[TimeCost::DramWrite])
                          : take(id, end, Resource::NocLatency, loc, costs[TimeCost::L1Write]);
  answer = isFar ? sent : take(id, answer, Resource::NocLatency, loc, back);
  note(increments ? agent.increments : agent.writes, step.id, answer);
  if (!increments)
    note(agent.flushed, step.id, sent);
}

// Returns how long a packet needs to reserve its way: to the first corner of the rectangle, and
// from there to the last one.
Ticks Replay::setUpOf(const Endpoint &sender, const Endpoint &first, const Endpoint &last,
                      int noc) const {
  Ticks routers = map.hops(sender, first, noc) + map.hops(first, last, noc);
  return costs[TimeCost::MulticastSetup] + routers * costs[TimeCost::MulticastHop];
}

void Replay::multicast(hw::AgentId id, const Step &step) {
  const TransferRecord &transfer = recording.transfers[step.object];
  Agent &agent = agents[id];
  int noc = nocOf(id);
  uint32_t loc = step.loc;
  Endpoint core = coreOf(id), first = transfer.destination;
  Endpoint far{Endpoint::Core, transfer.lastX, transfer.lastY};
  if (noc == 1)
    std::swap(first, far);
  Ticks setUp = setUpOf(core, first, far, noc) * static_cast<Ticks>(packets(step.count));
  Ticks length = flits(step.count, TimeCost::WriteFlit);
  result.traffic.coreBytes += uint64_t(step.count) * transfer.receivers;
  Instant issued = call(id, step, TimeCost::WriteCall);
  addTraffic(id, "WRITE_MULTICAST", issued.time, core, first, far, step.count);
  Server &out = serverOf(outs, core, noc);
  Instant begin =
      queue(out, issued, scaled(Resource::Multicast, setUp) + scaled(Resource::NocRate, length));
  Instant sent = take(id, begin, Resource::Multicast, loc, setUp);
  sent = take(id, sent, Resource::NocRate, loc, length);
  out.endsWith(sent);
  if (packets(step.count) > 1)
    wait(id, agent.now, begin, loc);
  Instant end = take(id, sent, Resource::NocLatency, loc, latency(core, far, noc));
  landed(transfer, end);
  noteTransfer(step, begin.time, end.time);
  Instant answer =
      take(id, end, Resource::NocLatency, loc, costs[TimeCost::L1Write] + latency(far, core, noc));
  note(agent.writes, step.id, answer);
  note(agent.flushed, step.id, sent);
}

void Replay::barrier(hw::AgentId id, const Step &step) {
  Agent &agent = agents[id];
  const Ends &ends = step.kind == StepKind::ReadBarrier    ? agent.reads
                     : step.kind == StepKind::WriteBarrier ? agent.writes
                     : step.kind == StepKind::Flush        ? agent.flushed
                                                           : agent.increments;
  bool isRead = step.kind == StepKind::ReadBarrier, isWrite = step.kind == StepKind::WriteBarrier;
  Endpoint core = coreOf(id);
  auto trace = [&](std::string_view read, std::string_view write) {
    if (isRead || isWrite)
      addTraffic(id, isRead ? read : write, agent.now.time, core, core, core, 0);
  };
  trace("READ_BARRIER_START", "WRITE_BARRIER_START");
  agent.now = take(id, agent.now, Resource::Calls, step.loc, costs[TimeCost::BarrierCall]);
  if (wait(id, agent.now, ends[std::min<size_t>(step.count, hw::kAllIds)], step.loc))
    agent.now = take(id, agent.now, Resource::Calls, step.loc, costs[TimeCost::BarrierEnd]);
  trace("READ_BARRIER_END", "WRITE_BARRIER_END");
}
