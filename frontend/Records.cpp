//===- Records.cpp - compiler and device data for Python ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/Records.h"

#include "hw/facts/Microcores.h"

#include <pybind11/stl.h>

namespace py = pybind11;
using namespace pybind11::literals;

namespace ttjit::frontend {

//===--------------------------------------------------------------------------===//
// Diagnostics and faults
//===--------------------------------------------------------------------------===//

py::tuple locationRecord(const hw::SourceLocation &location) {
  return py::make_tuple(location.file, location.line, location.column, location.endLine,
                        location.endColumn);
}

template <typename Notes> static py::list listOf(const Notes &notes) {
  py::list records;
  for (const auto &note : notes)
    records.append(py::make_tuple(note.message, locationRecord(note.location)));
  return records;
}

py::list noteRecords(const std::vector<hw::FaultNote> &notes) { return listOf(notes); }

py::list diagnosticRecords(const std::vector<diagnostics::CompileDiagnostic> &diagnostics) {
  static constexpr const char *kSeverities[] = {"error", "warning", "remark"};
  py::list records;
  for (const diagnostics::CompileDiagnostic &diagnostic : diagnostics)
    records.append(py::make_tuple(kSeverities[static_cast<int>(diagnostic.severity)],
                                  diagnostic.message, locationRecord(diagnostic.location),
                                  listOf(diagnostic.notes), pythonClassOf(diagnostic.kind).str()));
  return records;
}

// The name of the kind in the table FAULTS of frontend/python/ttl/_errors.py.
static const char *nameOf(hw::FaultKind kind) {
  switch (kind) {
  case hw::FaultKind::Runtime:
    return "Runtime";
  case hw::FaultKind::Deadlock:
    return "Deadlock";
  case hw::FaultKind::OutOfBounds:
    return "OutOfBounds";
  case hw::FaultKind::DataRace:
    return "DataRace";
  case hw::FaultKind::Protocol:
    return "Protocol";
  case hw::FaultKind::UninitializedRead:
    return "UninitializedRead";
  case hw::FaultKind::Resource:
    return "Resource";
  case hw::FaultKind::MeshAccess:
    return "MeshAccess";
  }
  return "Runtime";
}

py::object faultRecord(const std::optional<hw::Fault> &fault) {
  if (!fault)
    return py::none();
  return py::make_tuple(nameOf(fault->kind), fault->message, locationRecord(fault->location),
                        py::make_tuple(fault->node.x, fault->node.y, fault->node.device),
                        fault->thread, listOf(fault->notes));
}

//===--------------------------------------------------------------------------===//
// Compiled kernels
//===--------------------------------------------------------------------------===//

py::dict statsRecord(const hw::RunStats &stats) {
  py::dict record;
  record["blocks_pushed"] = stats.blocksPushed;
  record["blocks_popped"] = stats.blocksPopped;
  record["bytes_read"] = stats.bytesRead;
  record["bytes_written"] = stats.bytesWritten;
  record["bytes_sent"] = stats.bytesSent;
  record["bytes_received"] = stats.bytesReceived;
  record["transfers"] = stats.transfers;
  record["most_transfers_in_flight"] = stats.mostOutstanding;
  record["context_switches"] = stats.contextSwitches;
  record["steps"] = stats.steps;
  if (stats.devices.empty())
    return record;
  py::list devices;
  for (const hw::DeviceStats &device : stats.devices)
    devices.append(py::dict("bytes_read"_a = device.bytesRead,
                            "bytes_written"_a = device.bytesWritten,
                            "bytes_sent"_a = device.bytesSent));
  py::dict links;
  for (const auto &[ends, link] : stats.links)
    links[py::make_tuple(ends.first, ends.second)] =
        py::dict("bytes"_a = link.bytes, "blocks"_a = link.blocks, "signals"_a = link.signals);
  record["devices"] = devices;
  record["links"] = links;
  return record;
}

py::dict reportRecord(const KernelReport &report) {
  py::dict engines, processors, timings, record;
  for (const ThreadReport &thread : report.threads) {
    engines[py::str(thread.name)] = thread.engine;
    processors[py::str(thread.name)] =
        hw::hintedMicrocore(static_cast<unsigned>(thread.processor)).name;
  }
  for (const StageTime &stage : report.compile)
    timings[py::str(stage.stage)] = stage.milliseconds;
  record["engines"] = engines;
  record["processors"] = processors;
  record["timings"] = timings;
  record["notes"] = report.notes;
  record["launches"] = report.launches;
  record["first_ms"] = report.firstMilliseconds;
  record["best_ms"] = report.bestMilliseconds;
  record["total_ms"] = report.totalMilliseconds;
  record["stats"] = statsRecord(report.run);
  return record;
}

// Returns the names of the threads that release the buffer by `kind`.
static py::list threadsOf(const hw::Program &program, int buffer, hw::Release::Kind kind) {
  py::list names;
  if (!program.releases)
    return names;
  for (const hw::Release &release : *program.releases)
    for (const hw::ThreadConfig &thread : program.threads)
      if (release.kind == kind && release.object == uint32_t(buffer) &&
          thread.processor == release.processor)
        names.append(thread.name);
  return names;
}

py::list bufferRecords(const hw::Program &program) {
  py::list records;
  for (const hw::BufferConfig &buffer : program.buffers) {
    py::dict record;
    record["name"] = buffer.name;
    record["index"] = buffer.index;
    record["address"] = buffer.address;
    record["page_bytes"] = buffer.pageBytes;
    record["num_pages"] = buffer.numPages;
    record["pages_per_block"] = buffer.pagesPerBlock;
    record["format"] = std::string(hw::formatName(buffer.format));
    record["location"] = locationRecord(buffer.location);
    record["producers"] = threadsOf(program, buffer.index, hw::Release::Kind::Push);
    record["consumers"] = threadsOf(program, buffer.index, hw::Release::Kind::Pop);
    records.append(record);
  }
  return records;
}

} // namespace ttjit::frontend
