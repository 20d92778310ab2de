//===- ttjit_module.cpp - the Python extension _ttjit -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What `import ttl` needs: tensors, and the wrappers of public functions. The extension
// _ttjit_compiler adds the other functions and classes to this module. It is loaded when a program
// uses the first of them.
//===--------------------------------------------------------------------------===//

#include "frontend/tensor/TensorBindings.h"
#include "hw/facts/Numerics.h"
#include "hw/facts/TileFunctions.h"
#include "hw/facts/Words.h"
#include "hw/link/OpenMpi.h"
#include "hw/link/Ranks.h"
#include "tools/python-extension/compiler_loader.h"
#include "tools/python-extension/public_functions.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <unistd.h>

namespace py = pybind11;
using namespace ttjit;

// The threads that import the compiler now: while they do, they ask which names this module has.
// Only code that holds the GIL reads or changes the list. A thread_local would wait for the dynamic
// loader's lock, which the thread of compiler_loader.h holds.
static std::vector<std::thread::id> importing;

static bool isImporting() {
  return std::ranges::find(importing, std::this_thread::get_id()) != importing.end();
}

static void importCompiler() {
  {
    py::gil_scoped_release release;
    waitForCompiler();
  }
  struct Importing {
    Importing() { importing.push_back(std::this_thread::get_id()); }
    ~Importing() { importing.erase(std::ranges::find(importing, std::this_thread::get_id())); }
  } scope;
  py::module_::import("_ttl_load").attr("load")("_ttjit_compiler");
}

// The module's __getattr__: Python calls it for names that the module does not have yet.
static py::object compilerAttribute(const std::string &name) {
  py::dict names = py::module_::import("_ttjit").attr("__dict__");
  // Python's own machinery asks for names such as __path__.
  if (!name.starts_with("__") && !isImporting())
    importCompiler();
  if (!names.contains(name))
    throw py::attribute_error("module '_ttjit' has no attribute '" + name + "'");
  return names[name.c_str()];
}

// Returns whether a variable TTL_* may hold an option. `import ttl` must then report wrong values,
// and some options, such as --stats, act when the process ends.
static bool hasOptions() {
  for (char **variable = environ; variable && *variable; ++variable) {
    std::string_view text = *variable;
    if (text.starts_with("TTL_") && !text.starts_with("TTL_TTNN=") && !text.ends_with("="))
      return true;
  }
  return false;
}

// Returns the functions of blocks that are rows of the table of tile operations, as tuples (name,
// number of operands, numbers, summary). A number is a tuple (name, value in a call that leaves it
// out). The value is a number, "reciprocal", or None if each call must give the number.
static py::list tileFunctions() {
  py::list functions;
  for (const hw::TileFunction &function : hw::kTileFunctions) {
    const hw::TileOpFacts &facts = hw::factsOf(function.op);
    py::list numbers;
    for (const hw::TileNumber &number : function.numbers())
      numbers.append(py::make_tuple(number.name, number.isReciprocal
                                                     ? py::object(py::str("reciprocal"))
                                                     : py::cast(number.otherwise)));
    functions.append(
        py::make_tuple(facts.name, facts.operands, py::tuple(numbers), function.summary));
  }
  return functions;
}

// Repeated launches call these functions; in Python they would take a tenth of a launch's time.
static bool isVariableSet(const char *name) {
  const char *value = std::getenv(name);
  return value && *value && std::strcmp(value, "0") != 0;
}

static bool areUnchanged(const py::list &variables, const py::object &missing) {
  return std::all_of(variables.begin(), variables.end(), [&](py::handle each) {
    py::handle scope = PyTuple_GET_ITEM(each.ptr(), 0), name = PyTuple_GET_ITEM(each.ptr(), 1);
    PyObject *found = PyDict_GetItemWithError(scope.ptr(), name.ptr());
    return (found ? found : missing.ptr()) == PyTuple_GET_ITEM(each.ptr(), 2);
  });
}

// Returns, for each tile operation, whether device numerics compute the card's bits.
static py::dict deviceClaims() {
  py::dict claims;
  for (const hw::TileOpFacts &facts : hw::kTileOps)
    claims[facts.name] = hw::isModelled(facts.op) ? "modelled" : "not modelled";
  for (const char *name : {"matmul", "reduce_sum", "reduce_max", "broadcast", "transpose"})
    claims[name] = "modelled"; // on floats
  return claims;
}

// The processes of mpirun (hw/link/Ranks.h).
static void registerRanks(py::module_ &m) {
  m.def(
      "join_ranks",
      [] {
        if (std::string why = hw::joinMpi(); !why.empty())
          throw std::runtime_error(why);
        hw::Link *link = hw::ranksOfProcess().link;
        return link ? link->rank() : 0;
      },
      "Makes the processes of mpirun the ranks of this one. Returns the number of this rank.");
  m.def("leave_ranks", &hw::leaveMpi, "Waits until all ranks are about to end.");
  m.def(
      "has_ranks", [] { return hw::ranksOfProcess().link != nullptr; },
      "Returns whether other processes run a part of the devices of each mesh.");
  m.def(
      "num_ranks",
      [] {
        hw::Link *link = hw::ranksOfProcess().link;
        return link ? link->numRanks() : 1;
      },
      "Returns the number of ranks, this one among them.");
  m.def("compare_ranks", &hw::compareCalls, py::arg("what"),
        "Raises a RuntimeError if another rank does something else now. `what` says what this rank "
        "does, as in \"launches 'add' at a.py:12\".");
  m.def(
      "note_data",
      [](const std::string &what, const py::bytes &bytes) {
        std::string_view data = bytes;
        hw::noteData(what, data.data(), data.size());
      },
      py::arg("what"), py::arg("bytes"), "Notes bytes that must be equal on all ranks.");
  m.def(
      "use_ranks_in_process",
      [](int count, uint64_t seed) {
        hw::ranksOfProcess().inProcess = count;
        hw::ranksOfProcess().seed = seed;
      },
      py::arg("count"), py::arg("seed"),
      "For tests: runs programs of a mesh on this number of host threads, which send each other "
      "messages as processes of mpirun do, with random delays from the seed. 0 ends this.");
}

PYBIND11_MODULE(_ttjit, m) {
  startLoadingCompiler();
  frontend::registerTensorBindings(m);
  registerPublicFunctions(m);
  registerRanks(m);
  m.def(
      "plural", [](int64_t count, const std::string &noun) { return hw::plural(count, noun); },
      "Returns \"1 page\" or \"2 pages\" for the noun \"page\"");
  m.def("is_variable_set", &isVariableSet, py::arg("name"),
        "Returns whether a variable of the environment has a value other than '' and '0'.");
  m.def(
      "are_unchanged", &areUnchanged, py::arg("variables"), py::arg("missing"),
      "Returns whether, for each (dict, name, object) of the list, the dict has this object under "
      "the name; the object is `missing` for a name that the dict lacks.");
  m.def(
      "device_claims", deviceClaims,
      "Returns {name: \"modelled\" or \"not modelled\"} of the tile operations in device numerics");
  m.def("tile_functions", tileFunctions,
        "Returns (name, operands, numbers, summary) of each function that is one tile operation; "
        "numbers are pairs (name, default, None or \"reciprocal\": 1 / the number before).");
  m.def(
      "finish_import",
      [] {
        if (hasOptions() || lacksLibrary())
          importCompiler();
      },
      "Imports the compiler if `import ttl` shall report wrong options or missing libraries.");
  // Define it last: def() would call it to ask whether the module has the name.
  m.def("__getattr__", compilerAttribute);
}
