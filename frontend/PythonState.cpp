//===- PythonState.cpp - the interpreter's state before a crash ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "frontend/PythonState.h"

namespace ttjit::frontend {

PythonState::PythonState() : thread(PyThreadState_Get()), fields(*thread) {
#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030D0000
  frame = thread->cframe->current_frame;
#endif
}

void PythonState::restore() const {
  if (!PyGILState_Check())
    PyEval_RestoreThread(thread);
  thread->exc_info = fields.exc_info;
#if PY_VERSION_HEX < 0x030B0000
  thread->frame = fields.frame;
  thread->recursion_depth = fields.recursion_depth;
#else
  thread->datastack_chunk = fields.datastack_chunk;
  thread->datastack_top = fields.datastack_top;
  thread->datastack_limit = fields.datastack_limit;
#endif
#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030D0000
  thread->cframe = fields.cframe;
  thread->cframe->current_frame = frame;
#elif PY_VERSION_HEX >= 0x030D0000
  thread->current_frame = fields.current_frame;
#endif
#if PY_VERSION_HEX >= 0x030C0000
  thread->py_recursion_remaining = fields.py_recursion_remaining;
#if PY_VERSION_HEX < 0x030E0000
  thread->c_recursion_remaining = fields.c_recursion_remaining;
#endif
#elif PY_VERSION_HEX >= 0x030B0000
  thread->recursion_remaining = fields.recursion_remaining;
#endif
  PyErr_Clear();
}

} // namespace ttjit::frontend
