//===- EmbeddedPython.cpp - runs scripts in an embedded CPython ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Starts CPython and calls _ttl_run.py, which runs the script.
//===--------------------------------------------------------------------------===//

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "tools/ttl-jit/EmbeddedPython.h"

#include <filesystem>

/// Returns the folder of the Python packages: PREFIX/python in a build tree; a deeper
/// one if cmake --install put this program into PREFIX/bin.
static std::string packageFolder() {
  std::error_code error;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  std::filesystem::path prefix = self.parent_path().parent_path();
  std::filesystem::path installed = prefix / TTJIT_INSTALLED_PACKAGES;
  return (std::filesystem::is_directory(installed, error) ? installed : prefix / "python").string();
}

static PyStatus initialize(const std::string &file, const std::vector<std::string> &arguments) {
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.parse_argv = 0;
  // Use the interpreter for which the extension was built, with its standard library
  // and site packages, whatever PATH or a virtual environment say.
  PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, TTJIT_PYTHON);
  std::vector<const char *> argv = {file.c_str()};
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  if (!PyStatus_Exception(status))
    status = PyConfig_SetBytesArgv(&config, argv.size(), const_cast<char **>(argv.data()));
  if (!PyStatus_Exception(status))
    status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  return status;
}

/// Calls `_ttl_run.run(packages, file)`, or `_ttl_run.interact(packages)` if there is no file.
/// Returns the exit status, or -1 with an exception set.
static long runScript(const std::string &packages, const std::string &file) {
  PyObject *path = PySys_GetObject("path"); // a borrowed reference
  PyObject *folder = PyUnicode_DecodeFSDefault(packages.c_str());
  if (!path || !folder || PyList_Insert(path, 0, folder) < 0)
    return -1;
  PyObject *runner = PyImport_ImportModule("_ttl_run");
  PyObject *name = PyUnicode_DecodeFSDefault(file.c_str());
  if (!runner || !name)
    return -1;
  PyObject *status = file.empty() ? PyObject_CallMethod(runner, "interact", "O", folder)
                                  : PyObject_CallMethod(runner, "run", "OO", folder, name);
  return status ? PyLong_AsLong(status) : -1;
}

int runPython(const std::string &file, const std::vector<std::string> &arguments) {
  PyStatus status = initialize(file, arguments);
  if (PyStatus_Exception(status))
    Py_ExitStatusException(status);
  long result = runScript(packageFolder(), file);
  if (PyErr_Occurred()) {
    PyErr_Print();
    result = 1;
  }
  if (Py_FinalizeEx() < 0 && result == 0)
    result = 120; // python3 uses this status when it cannot flush its output
  return int(result);
}
