//===- Records.h - compiler and device data for Python --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Converts results of the compiler and of the device to Python tuples, lists and dicts. The
// caller must hold the GIL.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_RECORDS_H
#define TTJIT_FRONTEND_RECORDS_H

#include "frontend/launcher/Launcher.h"

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

/// (file, line, column, end line, end column), as in ttl._location.Location.
pybind11::tuple locationRecord(const hw::SourceLocation &location);

/// [(message, location)].
pybind11::list noteRecords(const std::vector<hw::FaultNote> &notes);

/// [(severity, message, location, notes)], for ttl._report.settle().
pybind11::list diagnosticRecords(const std::vector<diagnostics::CompileDiagnostic> &diagnostics);

/// (kind, message, location, node, thread, notes), for ttl._report.fault(); None if there is no
/// fault.
pybind11::object faultRecord(const std::optional<hw::Fault> &fault);

/// The counts of one or more launches, by name.
pybind11::dict statsRecord(const hw::RunStats &stats);

/// The engines, times and counts of a kernel. Times are in milliseconds.
pybind11::dict reportRecord(const KernelReport &report);

/// One dict for each circular buffer: name, index, address, page_bytes, num_pages,
/// pages_per_block, format, location, and the names of its threads: producers, consumers. Addresses
/// and sizes are in bytes.
pybind11::list bufferRecords(const hw::Program &program);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_RECORDS_H
