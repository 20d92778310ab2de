//===- Transfers.cpp - transfers on the NoC and DRAM --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A read is a request of one flit to the memory and a response with the data; a write is the data
// and an acknowledgement. Both use the NoC interfaces of both ends, and a bank of DRAM; links
// between routers are never full (docs/timing.md). A multicast reserves its rectangle for each
// packet before the data flows.
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

// Returns how long the data and the headers of their packets take at a NoC interface.
Ticks Replay::flits(uint64_t bytes, TimeCost perFlit) const {
  uint64_t width = static_cast<uint64_t>(costs.value(TimeCost::FlitBytes));
  return static_cast<Ticks>(packets(bytes) + (bytes + width - 1) / width) * costs[perFlit];
}

Server &Replay::serverOf(std::vector<Server> &servers, const Endpoint &core, int noc) {
  size_t node = static_cast<size_t>(core.y) * static_cast<size_t>(std::max(1, program.gridX)) +
                static_cast<size_t>(core.x);
  return servers[std::min(node * 2 + static_cast<size_t>(noc), servers.size() - 1)];
}

Instant Replay::queue(Server &server, Instant moment, Ticks ticks) {
  return assumptions.hasQueues ? server.reserve(moment, ticks) : moment;
}

// Charges the call that issues a transfer. Each packet after the first is another call.
Instant Replay::call(hw::AgentId id, const Step &step, TimeCost cost) {
  Ticks more = static_cast<Ticks>(packets(step.count) - 1) * costs[TimeCost::PacketCall];
  agents[id].now = take(id, agents[id].now, Resource::Calls, step.loc, costs[cost] + more);
  return agents[id].now;
}

// Returns when the last byte has passed the bank, and sets `begin` to the first one. A bank serves
// one transfer after the other; one core gets no more than a part of its rate.
Instant Replay::useBank(hw::AgentId id, const Endpoint &bank, Instant moment, uint64_t bytes,
                        TimeCost rate, uint32_t loc, Instant &begin) {
  auto ticks = [&](TimeCost bytesPerCycle) {
    return scaled(Resource::DramRate, static_cast<Ticks>(bytes) * hw::kTicksPerCycle *
                                          hw::kTicksPerCycle / costs[bytesPerCycle]);
  };
  size_t numBanks = static_cast<size_t>(arch.dramBanks);
  size_t number = static_cast<size_t>(bank.x) % numBanks;
  size_t index = (static_cast<size_t>(bank.y) * numBanks + number) % banks.size();
  Ticks ofBank = ticks(rate);
  bool reads = rate == TimeCost::BankReadBytes;
  Ticks ofStream =
      std::max(ofBank, ticks(reads ? TimeCost::StreamBytes : TimeCost::StreamWriteBytes));
  Server &stream = streams[id * numBanks + number];
  moment = queue(stream, moment, ofStream);
  begin = queue(banks[index], moment, ofBank);
  result.bankBusy[index] += ofBank;
  Instant served = path.extend(begin, Resource::DramRate, loc, ofBank);
  Instant end = path.extend(served, Resource::DramRate, loc, ofStream - ofBank);
  result.agents[id].busy[static_cast<size_t>(Resource::DramRate)] += ofStream;
  if (loc < result.lines.size())
    result.lines[loc].busy[static_cast<size_t>(Resource::DramRate)] += ofStream;
  stream.endsWith(end);
  banks[index].endsWith(served);
  return end;
}

static void note(std::array<Instant, hw::kAllIds + 1> &ends, uint8_t transferId, Instant end) {
  ends[transferId % hw::kAllIds] = later(ends[transferId % hw::kAllIds], end);
  ends[hw::kAllIds] = later(ends[hw::kAllIds], end);
}

void Replay::read(hw::AgentId id, const Step &step) {
  const TransferRecord &transfer = recording.transfers[step.object];
  int noc = nocOf(id);
  Endpoint core = coreOf(id);
  bool isBank = transfer.source.kind == Endpoint::Bank;
  const Endpoint &memory = transfer.source.kind == Endpoint::None ? core : transfer.source;
  uint32_t loc = step.loc;
  (isBank ? result.traffic.dramReadBytes : result.traffic.coreBytes) += step.count;
  Instant issued = call(id, step, isBank ? TimeCost::PageCall : TimeCost::ReadCall);
  Instant request = take(id, issued, Resource::NocLatency, loc, latency(core, memory, noc));
  Ticks rate = scaled(Resource::NocRate, flits(step.count, TimeCost::ReadFlit));
  Ticks back = latency(memory, core, noc);
  Instant first, last;
  if (isBank) {
    last = useBank(id, memory, request, step.count, TimeCost::BankReadBytes, loc, first);
    first = take(id, first, Resource::DramLatency, loc, costs[TimeCost::DramRead]);
    last = path.extend(last, Resource::DramLatency, loc,
                       scaled(Resource::DramLatency, costs[TimeCost::DramRead]));
  } else {
    Server &out = serverOf(outs, memory, noc);
    first = queue(out, request, rate);
    out.endsWith(path.extend(first, Resource::NocRate, loc, rate));
    first = take(id, first, Resource::NocLatency, loc, costs[TimeCost::L1Read]);
    last = first;
  }
  first = take(id, first, Resource::NocLatency, loc, back);
  last = path.extend(last, Resource::NocLatency, loc, scaled(Resource::NocLatency, back));
  Server &in = serverOf(ins, core, noc);
  Instant end = queue(in, first, rate);
  end = take(id, end, Resource::NocRate, loc, flits(step.count, TimeCost::ReadFlit));
  in.endsWith(end);
  note(agents[id].reads, step.id, later(end, last));
  landed(transfer, later(end, last));
}

void Replay::landed(const TransferRecord &transfer, Instant moment) {
  for (uint32_t i = 0; i < transfer.numChanges; ++i)
    setChange(transfer.firstChange + i, moment);
}

// A write or an increment.
void Replay::write(hw::AgentId id, const Step &step) {
  const TransferRecord &transfer = recording.transfers[step.object];
  Agent &agent = agents[id];
  int noc = nocOf(id);
  uint32_t loc = step.loc;
  Endpoint core = coreOf(id);
  bool isBank = transfer.destination.kind == Endpoint::Bank;
  const Endpoint &memory =
      transfer.destination.kind == Endpoint::None ? core : transfer.destination;
  (isBank ? result.traffic.dramWriteBytes : result.traffic.coreBytes) += step.count;
  Instant issued = call(id, step, isBank ? TimeCost::PageCall : TimeCost::WriteCall);
  Ticks length = flits(step.count, TimeCost::WriteFlit);
  Ticks rate = scaled(Resource::NocRate, length);
  Server &out = serverOf(outs, core, noc);
  Instant begin = queue(out, issued, rate);
  Instant sent = take(id, begin, Resource::NocRate, loc, length);
  out.endsWith(sent);
  if (packets(step.count) > 1) // the registers of the last packet are free when it is sent
    wait(id, agent.now, begin, loc);
  Ticks way = latency(core, memory, noc), back = latency(memory, core, noc);
  Instant first = take(id, begin, Resource::NocLatency, loc, way);
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
  Instant answer = isBank ? take(id, end, Resource::DramLatency, loc, costs[TimeCost::DramWrite])
                          : take(id, end, Resource::NocLatency, loc, costs[TimeCost::L1Write]);
  answer = take(id, answer, Resource::NocLatency, loc, back);
  bool increments = step.kind == StepKind::Increment;
  note(increments ? agent.increments : agent.writes, step.id, answer);
  if (!increments)
    note(agent.flushed, step.id, sent);
}

// Returns how long a packet reserves the rectangle between two corners.
Ticks Replay::setUpOf(const Endpoint &sender, const Endpoint &a, const Endpoint &b) const {
  auto [left, right] = std::minmax(a.x, b.x);
  auto [top, bottom] = std::minmax(a.y, b.y);
  Ticks sides = right - left + bottom - top + 2;
  bool isInside = sender.x >= left && sender.x <= right && sender.y >= top && sender.y <= bottom;
  Ticks setUp =
      isInside ? costs[TimeCost::MulticastInside] + sides * costs[TimeCost::MulticastInsideSide]
               : costs[TimeCost::MulticastSetup] + sides * costs[TimeCost::MulticastSide];
  return std::max<Ticks>(0, setUp);
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
  Ticks setUp = setUpOf(core, first, far) * static_cast<Ticks>(packets(step.count));
  Ticks length = flits(step.count, TimeCost::WriteFlit);
  result.traffic.coreBytes += uint64_t(step.count) * transfer.receivers;
  Instant issued = call(id, step, TimeCost::WriteCall);
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
  agent.now = take(id, agent.now, Resource::Calls, step.loc, costs[TimeCost::BarrierCall]);
  if (wait(id, agent.now, ends[std::min<size_t>(step.count, hw::kAllIds)], step.loc))
    agent.now = take(id, agent.now, Resource::Calls, step.loc, costs[TimeCost::BarrierEnd]);
}
