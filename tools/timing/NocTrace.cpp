//===- NocTrace.cpp - NoC traces in the vendor's JSON -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A trace is an array of events: who (`proc`, `sx`, `sy`), what (`type`), where to (`dx`, `dy`,
// `num_bytes`, `noc`) and when (`timestamp`, in cycles). Positions are physical ones of NoC 0.
//
// Prediction: the time between two events of a core is that of the trace (`dt`, or the difference
// of the timestamps). Only a barrier ends when its transfers have ended. These use interfaces,
// links and banks in the order of time.
//===--------------------------------------------------------------------------===//

#include "tools/timing/NocTrace.h"

#include "tools/timing/Instants.h"
#include "tools/timing/ReadTime.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <tuple>

using namespace ttjit;
using namespace ttjit::timing;
using hw::TimeCost;

//===--------------------------------------------------------------------------===//
// Writing
//===--------------------------------------------------------------------------===//

// `start` is the time at which the kernel of the event starts.
static llvm::json::Object toJson(const NocEvent &event, const Estimate &estimate, size_t run,
                                 Ticks start) {
  static constexpr const char *procs[] = {"BRISC", "NCRISC"};
  bool isReader = hw::Processor(event.agent % hw::kThreadsPerNode) == hw::Processor::RISCV_1;
  bool isBarrier = event.type.find("BARRIER") != std::string_view::npos;
  llvm::json::Object object{{"run_host_id", static_cast<int64_t>(run + 1)},
                            {"op_name", estimate.kernel},
                            {"proc", procs[isReader]},
                            {"noc", event.noc ? "NOC_1" : "NOC_0"},
                            {"vc", -1},
                            {"sx", event.source.first},
                            {"sy", event.source.second},
                            {"dx", isBarrier ? -1 : event.destination.first},
                            {"dy", isBarrier ? -1 : event.destination.second},
                            {"num_bytes", event.bytes},
                            {"type", llvm::StringRef(event.type)},
                            {"timestamp", (start + event.time) / hw::kTicksPerCycle}};
  if (event.type == "WRITE_MULTICAST") {
    object["mcast_start_x"] = event.destination.first;
    object["mcast_start_y"] = event.destination.second;
    object["mcast_end_x"] = event.last.first;
    object["mcast_end_y"] = event.last.second;
  }
  return object;
}

std::string timing::renderNocTrace(const std::vector<Estimate> &estimates) {
  std::string text = "[";
  Ticks start = 0;
  for (size_t run = 0; run < estimates.size(); ++run) {
    const std::vector<NocEvent> &events = estimates[run].nocEvents;
    std::vector<std::pair<Ticks, size_t>> order;
    for (size_t i = 0; i < events.size(); ++i)
      order.emplace_back(events[i].time, i);
    std::ranges::sort(order);
    for (auto [time, i] : order)
      text += (text.size() == 1 ? "\n" : ",\n") +
              llvm::formatv("{0}", llvm::json::Value(toJson(events[i], estimates[run], run, start)))
                  .str();
    start += estimates[run].cycles;
  }
  return text + "\n]\n";
}

//===--------------------------------------------------------------------------===//
// Reading
//===--------------------------------------------------------------------------===//

namespace {
struct TraceEvent {
  std::string type;
  int noc = 0;
  std::pair<int, int> from, to, last;
  uint64_t bytes = 0;
  std::optional<double> timestamp, dt;
  bool isBarrierEnd() const { return type.ends_with("_BARRIER_END"); }
};

// The events of one RISC-V core.
struct TraceCore {
  std::string proc;
  std::pair<int, int> at;
  std::vector<TraceEvent> events;
  size_t next = 0;
  Ticks now = 0, before = 0; // the times of the last event and of the one before it
  Ticks reads = 0, writes = 0;
  std::map<std::pair<int, int>, Server> streams;
};

struct BarrierEnd {
  const TraceCore *core;
  std::string_view type;
  double start, predicted;
  std::optional<double> recorded;
};

class TraceReader {
public:
  TraceReader(const std::string &name, const hw::ArchDesc &arch)
      : name(name), arch(arch), map(CostModel(arch, hw::ComputeConfig()).isBlackhole(), 1) {}
  std::string read(std::string_view text); // returns the mistake; empty: none
  std::vector<TraceCore> cores;
  std::map<std::string, size_t> unknown; // by type: the number of transfers that are not modelled

private:
  std::string readEvent(const llvm::json::Object &object);
  std::string checkEnds(const TraceEvent &event) const;
  std::string readTime(const TraceEvent &event, const TraceCore &core) const;
  bool isOnChip(std::pair<int, int> at) const {
    return at.first >= 0 && at.first < map.columns() && at.second >= 0 && at.second < map.rows();
  }
  TraceCore &coreOf(const std::string &proc, std::pair<int, int> at);

  const std::string &name;
  const hw::ArchDesc &arch;
  ChipMap map;
};
} // namespace

// The largest numbers of cycles and bytes of a trace. Larger ones are not exact in ticks.
static constexpr int64_t kMostBytes = int64_t(1) << 32;

static constexpr const char *kOtherVersion =
    "; traces of other versions of the format are not known";

TraceCore &TraceReader::coreOf(const std::string &proc, std::pair<int, int> at) {
  for (TraceCore &core : cores)
    if (core.proc == proc && core.at == at)
      return core;
  cores.emplace_back();
  cores.back().proc = proc;
  cores.back().at = at;
  return cores.back();
}

static bool isRead(const TraceEvent &event) { return event.type == "READ"; }

static bool isWrite(const TraceEvent &event) {
  return event.type == "WRITE_" || event.type.starts_with("WRITE_MULTICAST");
}

// Returns a position of an event. A position that does not fit into an int counts as none.
static std::pair<int, int> pointOf(const llvm::json::Object &object, const char *x, const char *y) {
  auto number = [&](const char *key) {
    int64_t value = object.getInteger(key).value_or(-1);
    return value < 0 || value > 1 << 20 ? -1 : static_cast<int>(value);
  };
  return {number(x), number(y)};
}

// Returns what is wrong with the position of an event or of its data; empty: nothing.
std::string TraceReader::checkEnds(const TraceEvent &event) const {
  auto outside = [&](std::pair<int, int> at) {
    return fmt::format("({}, {}) is no position on {}, which has columns 0 to {} and rows 0 to {}; "
                       "--arch chooses the chip of the trace",
                       at.first, at.second, arch.name, map.columns() - 1, map.rows() - 1);
  };
  if (event.from.first < 0 || event.from.second < 0)
    return fmt::format("expected 'sx' and 'sy', the position of the core{}", kOtherVersion);
  if (!isOnChip(event.from))
    return outside(event.from);
  if (!isRead(event) && !isWrite(event))
    return {};
  if (event.to.first < 0 || event.to.second < 0)
    return fmt::format("expected 'dx' and 'dy', the other end of a {}{}", event.type,
                       kOtherVersion);
  for (std::pair<int, int> end : {event.to, event.last})
    if (!isOnChip(end))
      return outside(end);
  return {};
}

// Returns whether an event only marks a place of the kernel. A card writes the begin of a kernel's
// zone late: after the events that filled the profiler's first buffer.
static bool isMarker(const TraceEvent &event) {
  return !isRead(event) && !isWrite(event) && event.type.find("BARRIER") == std::string::npos;
}

// Returns what is wrong with the time of the next event of a core; empty: nothing.
std::string TraceReader::readTime(const TraceEvent &event, const TraceCore &core) const {
  bool isTimed = event.timestamp || event.dt || (event.isBarrierEnd() && !core.events.empty());
  bool follows = event.dt || core.events.empty() || core.events.back().timestamp;
  if (!isTimed || (!follows && !event.isBarrierEnd()))
    return fmt::format("expected 'timestamp', or 'dt', the cycles since the event of this core "
                       "before{}",
                       kOtherVersion);
  std::optional<double> dt = event.dt;
  if (dt && isMarker(event))
    dt = std::abs(*dt);
  for (std::optional<double> time : {event.timestamp, dt})
    if (std::string wrong = time ? whyNoTime(*time) : ""; !wrong.empty())
      return wrong;
  if (event.timestamp && !isMarker(event) && !core.events.empty() &&
      core.events.back().timestamp > event.timestamp)
    return fmt::format("its 'timestamp', {}, is before {}, that of the event of this core before: "
                       "sort the events by their time",
                       *event.timestamp, *core.events.back().timestamp);
  return {};
}

// Returns the mistake in an event; empty: none.
std::string TraceReader::readEvent(const llvm::json::Object &object) {
  std::optional<llvm::StringRef> proc = object.getString("proc"), type = object.getString("type");
  if (!type && object.getString("zone"))
    type = object.getString("zone_phase");
  if (!proc || !type)
    return fmt::format("expected the fields 'proc' and 'type'; found only {}{}",
                       proc   ? "'proc'"
                       : type ? "'type'"
                              : "others",
                       kOtherVersion);
  TraceEvent event;
  event.type = type->str();
  event.from = pointOf(object, "sx", "sy");
  event.to = event.last = pointOf(object, "dx", "dy");
  llvm::StringRef noc = object.getString("noc").value_or("NOC_0");
  event.noc = noc == "NOC_1";
  int64_t bytes = object.getInteger("num_bytes").value_or(0);
  event.bytes = static_cast<uint64_t>(bytes);
  if (object.getInteger("mcast_start_x")) {
    event.to = pointOf(object, "mcast_start_x", "mcast_start_y");
    event.last = pointOf(object, "mcast_end_x", "mcast_end_y");
  }
  event.timestamp = object.getNumber("timestamp");
  event.dt = object.getNumber("dt");
  if (std::string wrong = checkEnds(event); !wrong.empty())
    return wrong;
  bool moves = isRead(event) || isWrite(event);
  if (moves && noc != "NOC_0" && noc != "NOC_1")
    return fmt::format("expected NOC_0 or NOC_1 in 'noc', found '{}'", noc.str());
  if (moves && (bytes < 0 || bytes > kMostBytes || !object.getInteger("num_bytes")))
    return fmt::format("expected 0 to {} bytes in 'num_bytes'", kMostBytes);
  TraceCore &core = coreOf(proc->str(), event.from);
  if (std::string wrong = readTime(event, core); !wrong.empty())
    return wrong;
  if (!moves && bytes > 0)
    ++unknown[event.type];
  core.events.push_back(std::move(event));
  return {};
}

std::string TraceReader::read(std::string_view text) {
  llvm::Expected<llvm::json::Value> value =
      llvm::json::parse(llvm::StringRef(text.data(), text.size()));
  if (!value)
    return fmt::format("{} is no JSON: {}; it may be cut off", name,
                       llvm::toString(value.takeError()));
  const llvm::json::Array *events = value->getAsArray();
  if (!events)
    return fmt::format("{}: expected an array of events, as tt-metal writes NoC traces", name);
  for (size_t i = 0; i < events->size(); ++i) {
    const llvm::json::Object *object = (*events)[i].getAsObject();
    std::string wrong = object ? readEvent(*object) : "expected an object";
    if (!wrong.empty())
      return fmt::format("{}: event {}: {}", name, i + 1, wrong);
  }
  return {};
}

//===--------------------------------------------------------------------------===//
// Predicting
//===--------------------------------------------------------------------------===//

namespace {
class TraceReplay {
public:
  TraceReplay(const hw::ArchDesc &arch, std::vector<TraceCore> &cores)
      : arch(arch), costs(arch, hw::ComputeConfig()), map(costs.isBlackhole(), 1), cores(cores),
        links(map.numLinks()) {}
  std::vector<BarrierEnd> run();

private:
  using Point = std::pair<int, int>;

  void execute(TraceCore &core, const TraceEvent &event);
  Ticks timeOf(const TraceCore &core) const;
  void read(TraceCore &core, const TraceEvent &event);
  void write(TraceCore &core, const TraceEvent &event);
  Ticks useLinks(Point from, Point to, int noc, Ticks ready, Ticks ticks);
  std::pair<Ticks, Ticks> bank(TraceCore &core, Point at, Ticks ready, uint64_t bytes, bool reads);
  Ticks latency(Point from, Point to, int noc) const {
    return costs[TimeCost::EndCycles] + map.hopsBetween(from, to, noc) * costs[TimeCost::HopCycles];
  }
  Ticks flits(uint64_t bytes, TimeCost perFlit) const {
    uint64_t width = static_cast<uint64_t>(costs.value(TimeCost::FlitBytes));
    uint64_t packets =
        std::max<uint64_t>(1, (bytes + arch.nocMaxBurstBytes - 1) / arch.nocMaxBurstBytes);
    return static_cast<Ticks>(packets + (bytes + width - 1) / width) * costs[perFlit];
  }
  bool isDram(Point at) const { return at.first == 0 || at.first == (costs.isBlackhole() ? 9 : 5); }
  static Ticks reserve(Server &server, Ticks ready, Ticks ticks) {
    return server.reserve({ready, ~uint32_t(0)}, ticks).time;
  }

  const hw::ArchDesc &arch;
  CostModel costs;
  ChipMap map;
  std::vector<TraceCore> &cores;
  std::vector<Server> links;
  std::map<std::pair<Point, int>, Server> outs, ins;
  std::map<Point, Server> banks;
  std::vector<BarrierEnd> ends;
};
} // namespace

Ticks TraceReplay::useLinks(Point from, Point to, int noc, Ticks ready, Ticks ticks) {
  map.forLinksBetween(from, to, noc,
                      [&](size_t link) { ready = reserve(links[link], ready, ticks); });
  return ready;
}

// Returns when the first and the last byte are at the bank.
std::pair<Ticks, Ticks> TraceReplay::bank(TraceCore &core, Point at, Ticks ready, uint64_t bytes,
                                          bool reads) {
  auto ticks = [&](TimeCost bytesPerCycle) {
    return static_cast<Ticks>(bytes) * hw::kTicksPerCycle * hw::kTicksPerCycle /
           costs[bytesPerCycle];
  };
  Ticks ofBank = ticks(reads ? TimeCost::BankReadBytes : TimeCost::BankWriteBytes);
  Ticks ofStream =
      std::max(ofBank, ticks(reads ? TimeCost::StreamBytes : TimeCost::StreamWriteBytes));
  ready = reserve(core.streams[at], ready, ofStream);
  Ticks begin = reserve(banks[at], ready, ofBank);
  return {begin, begin + (reads ? ofStream : ofBank)};
}

void TraceReplay::read(TraceCore &core, const TraceEvent &event) {
  Ticks rate = flits(event.bytes, TimeCost::ReadStream);
  Ticks request = core.now + latency(core.at, event.to, event.noc), first, last = 0;
  if (isDram(event.to)) {
    std::tie(first, last) = bank(core, event.to, request, event.bytes, true);
    first += costs[TimeCost::DramRead];
    last += costs[TimeCost::DramRead];
  } else {
    first = reserve(outs[{event.to, event.noc}], request, rate) + costs[TimeCost::L1Read];
  }
  first = useLinks(event.to, core.at, event.noc, first, rate);
  Ticks back = latency(event.to, core.at, event.noc);
  Ticks end = reserve(ins[{core.at, event.noc}], first + back, rate) + rate;
  core.reads = std::max({core.reads, end, last + back});
}

void TraceReplay::write(TraceCore &core, const TraceEvent &event) {
  Ticks rate = flits(event.bytes, TimeCost::WriteFlit);
  Ticks begin = reserve(outs[{core.at, event.noc}], core.now, rate);
  begin = useLinks(core.at, event.to, event.noc, begin, rate);
  Ticks first = begin + latency(core.at, event.to, event.noc);
  bool toDram = isDram(event.to);
  Ticks end = toDram
                  ? std::max(bank(core, event.to, first, event.bytes, false).second, first + rate)
                  : reserve(ins[{event.to, event.noc}], first, rate) + rate;
  end += costs[toDram ? TimeCost::DramWrite : TimeCost::L1Write];
  core.writes = std::max(core.writes, end + latency(event.last, core.at, event.noc));
}

// Returns when the next event of a core happens.
Ticks TraceReplay::timeOf(const TraceCore &core) const {
  const TraceEvent &event = core.events[core.next];
  auto ticks = [](double cycles) { return static_cast<Ticks>(cycles * hw::kTicksPerCycle); };
  if (event.isBarrierEnd()) {
    Ticks done = event.type.starts_with("READ") ? core.reads : core.writes;
    return std::max(core.now + costs[TimeCost::BarrierCall], done + costs[TimeCost::BarrierEnd]);
  }
  if (core.next == 0)
    return ticks(event.timestamp.value_or(0));
  if (event.dt)
    return core.now + ticks(*event.dt);
  return core.now + ticks(*event.timestamp - *core.events[core.next - 1].timestamp);
}

void TraceReplay::execute(TraceCore &core, const TraceEvent &event) {
  if (isRead(event))
    return read(core, event);
  if (isWrite(event))
    return write(core, event);
  if (event.isBarrierEnd())
    ends.push_back({&core, event.type, static_cast<double>(core.before) / hw::kTicksPerCycle,
                    static_cast<double>(core.now) / hw::kTicksPerCycle, event.timestamp});
}

std::vector<BarrierEnd> TraceReplay::run() {
  using Entry = std::pair<Ticks, size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  auto push = [&](size_t i) {
    if (cores[i].next < cores[i].events.size())
      ready.push({timeOf(cores[i]), i});
  };
  for (size_t i = 0; i < cores.size(); ++i)
    push(i);
  while (!ready.empty()) {
    auto [time, i] = ready.top();
    ready.pop();
    cores[i].before = cores[i].now;
    cores[i].now = time;
    execute(cores[i], cores[i].events[cores[i].next]);
    ++cores[i].next;
    push(i);
  }
  return std::move(ends);
}

static std::string asJson(const std::vector<BarrierEnd> &ends) {
  llvm::json::Array array;
  for (const BarrierEnd &end : ends) {
    llvm::json::Object object{{"proc", end.core->proc},    {"sx", end.core->at.first},
                              {"sy", end.core->at.second}, {"type", llvm::StringRef(end.type)},
                              {"start", end.start},        {"predicted", end.predicted}};
    if (end.recorded)
      object["timestamp"] = *end.recorded;
    array.push_back(std::move(object));
  }
  return llvm::formatv("{0}\n", llvm::json::Value(std::move(array)));
}

static std::string asText(const std::vector<BarrierEnd> &ends) {
  std::string text = "barrier ends (cycles):\n  predicted   recorded     error\n";
  std::vector<double> errors;
  for (const BarrierEnd &end : ends) {
    std::string recorded = "         -         -";
    if (end.recorded && *end.recorded > 0) {
      double error = 100 * (end.predicted / *end.recorded - 1);
      errors.push_back(std::abs(error));
      recorded = fmt::format("{:>10.0f}  {:>+7.1f} %", *end.recorded, error);
    }
    text += fmt::format("  {:>9.0f} {}  {} of {} at ({}, {})\n", end.predicted, recorded, end.type,
                        end.core->proc, end.core->at.first, end.core->at.second);
  }
  if (ends.empty())
    return "the trace has no barriers\n";
  if (errors.empty())
    return text;
  std::ranges::sort(errors);
  return text + fmt::format("{} barriers, median error {:.1f} %, worst {:.1f} %\n", ends.size(),
                            errors[errors.size() / 2], errors.back());
}

TextOrMistake timing::predictTrace(const hw::ArchDesc &arch, const std::string &name,
                                   std::string_view json, bool isJson) {
  TraceReader reader(name, arch);
  if (std::string wrong = reader.read(json); !wrong.empty())
    return {"", wrong};
  std::vector<BarrierEnd> ends = TraceReplay(arch, reader.cores).run();
  if (isJson)
    return {asJson(ends), ""};
  std::string text = asText(ends);
  for (const auto &[type, count] : reader.unknown)
    text += fmt::format("not modelled: {} {} of type {}\n", count, count == 1 ? "event" : "events",
                        type);
  return {text, ""};
}
