//===- CommandBinding.cpp - the Python extension _ttl_command -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// For the script ttl-jit of a wheel, and for the program (LoadedCommand.h). It is not part of
// _ttjit, which reads the options when it is imported.
//===--------------------------------------------------------------------------===//

#include "tools/ttl-jit/LoadedCommand.h"
#include "tools/ttl-jit/Signals.h"

#include <csignal>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;

static py::tuple run(std::vector<std::string> words) {
  endOnSignal(SIGINT); // main() has set the default action for this call
  endOnSignal(SIGTERM);
  CommandResult result = runCommand(std::move(words));
  py::object python = py::none();
  if (result.python)
    python = py::make_tuple(result.python->function, result.python->file, result.python->arguments);
  return py::make_tuple(finalStatus(result.status), python, result.environment);
}

extern "C" __attribute__((visibility("default"))) void
ttjit_run_command(const std::vector<std::string> &words, CommandResult &result) {
  result = runCommand(words);
}

PYBIND11_MODULE(_ttl_command, module) {
  module.def(
      "run", run,
      "Runs a command of ttl-jit: [program, argument, ...]. Returns the exit status, what is "
      "to be run in Python (None, or a function of _ttl_run, its file, and the arguments), and the "
      "variables that the command set, as (name, value)");
}
