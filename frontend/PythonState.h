//===- PythonState.h - the interpreter's state before a crash -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_PYTHONSTATE_H
#define TTJIT_FRONTEND_PYTHONSTATE_H

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

/// Keeps what the interpreter knows of this thread's frames, and the GIL. After a jump out of code
/// that called Python, restore() makes the interpreter forget the frames that the jump lost.
class PythonState {
public:
  /// The caller must hold the GIL.
  PythonState();

  /// Takes the GIL if the lost code had released it. Clears an exception of that code.
  void restore() const;

private:
  PyThreadState *thread;
  PyThreadState fields;
#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030D0000
  struct _PyInterpreterFrame *frame;
#endif
};

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_PYTHONSTATE_H
