//===- SessionLock.cpp - one Python thread at a time uses a session -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/SessionLock.h"

#include <pybind11/pybind11.h>

namespace py = pybind11;

namespace ttjit::frontend {

void SessionMutex::lock() {
  if (isMine()) {
    PyErr_SetString(PyExc_RuntimeError,
                    "an operation cannot be called from a host function that a running kernel "
                    "calls: call it after the kernel has finished");
    throw py::error_already_set();
  }
  py::gil_scoped_release release;
  mutex.lock();
  owner = std::this_thread::get_id();
}

void SessionMutex::unlock() {
  owner = std::thread::id();
  mutex.unlock();
}

void SessionMutex::beginFork() {
  bool takes = !isMine();
  if (takes)
    lock();
  forks = takes;
}

void SessionMutex::endFork() {
  if (forks)
    unlock();
}

void lockAtFork(std::shared_ptr<SessionMutex> mutex) {
  py::object endFork = py::cpp_function([mutex] { mutex->endFork(); });
  py::module_::import("os").attr("register_at_fork")(
      py::arg("before") = py::cpp_function([mutex] { mutex->beginFork(); }),
      py::arg("after_in_parent") = endFork, py::arg("after_in_child") = endFork);
}

} // namespace ttjit::frontend
