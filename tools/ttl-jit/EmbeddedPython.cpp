//===- EmbeddedPython.cpp - runs scripts in an embedded CPython ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Starts CPython and calls _ttl_run.py, which runs the script.
//===--------------------------------------------------------------------------===//

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "tools/ttl-jit/EmbeddedPython.h"
#include "tools/ttl-jit/Signals.h"

#include <cstdio>
#include <filesystem>
#include <optional>

// Returns PREFIX/python in a build tree; if cmake --install put this program into PREFIX/bin, the
// installed folder below PREFIX/lib.
std::string packageFolder() {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  std::filesystem::path prefix = self.parent_path().parent_path();
  std::filesystem::path installed = prefix / TTJIT_INSTALLED_PACKAGES;
  return (std::filesystem::is_directory(installed, error) ? installed : prefix / "python").string();
}

static PyStatus initialize(const PythonRun &run) {
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.parse_argv = 0;
  // Use the interpreter for which the extension was built, with its standard library and site
  // packages, and ignore PATH and virtual environments.
  PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, TTJIT_PYTHON);
  std::vector<const char *> argv = {run.file.c_str()};
  for (const std::string &argument : run.arguments)
    argv.push_back(argument.c_str());
  if (!PyStatus_Exception(status))
    status = PyConfig_SetBytesArgv(&config, argv.size(), const_cast<char **>(argv.data()));
  if (!PyStatus_Exception(status))
    status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  return status;
}

// Returns whether Ctrl-C raised the current exception before a function of _ttl_run.py could handle
// it. If so, clears the exception.
static bool wasInterrupted() {
  if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
    return false;
  PyErr_Clear();
  std::fputs("interrupted\n", stderr);
  return true;
}

// Calls the function of _ttl_run.py with the folder of the packages and, if there is one, a
// file. Returns the exit status, or -1 with an exception set.
static long callRunner(const PythonRun &run) {
  std::string packages = packageFolder();
  PyObject *path = PySys_GetObject("path"); // a borrowed reference
  PyObject *folder = PyUnicode_DecodeFSDefault(packages.c_str());
  if (!path || !folder || PyList_Insert(path, 0, folder) < 0)
    return -1;
  PyObject *runner = PyImport_ImportModule("_ttl_run");
  PyObject *name = PyUnicode_DecodeFSDefault(run.file.c_str());
  if (!runner || !name)
    return -1;
  const char *function = run.function.c_str();
  PyObject *status = run.file.empty() ? PyObject_CallMethod(runner, function, "O", folder)
                                      : PyObject_CallMethod(runner, function, "OO", folder, name);
  return status ? PyLong_AsLong(status) : -1;
}

int runPython(const PythonRun &run) {
  std::optional<DefaultActions> actions(std::in_place);
  PyStatus status = initialize(run);
  if (PyStatus_Exception(status))
    Py_ExitStatusException(status);
  actions.reset();
  long result = callRunner(run);
  if (PyErr_Occurred() && wasInterrupted()) {
    result = 130;
  } else if (PyErr_Occurred()) {
    PyErr_Print();
    result = 1;
  }
  if (Py_FinalizeEx() < 0 && result == 0)
    result = 120; // python3 uses this status when it cannot flush its output
  return int(result);
}
