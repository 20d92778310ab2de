//===- PythonText.h - the text of Python objects --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_WALK_SYNTAX_PYTHONTEXT_H
#define TTJIT_FRONTEND_WALK_SYNTAX_PYTHONTEXT_H

#include <string>

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

/// Returns str(object) in UTF-8. Half of a surrogate pair, which Python's strings may have and
/// UTF-8 cannot express, becomes its escape: "\ud800".
inline std::string utf8Text(pybind11::handle object) {
  pybind11::str string(object);
  Py_ssize_t size = 0;
  if (const char *data = PyUnicode_AsUTF8AndSize(string.ptr(), &size))
    return {data, static_cast<size_t>(size)};
  PyErr_Clear();
  return pybind11::bytes(string.attr("encode")("utf-8", "backslashreplace"));
}

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_WALK_SYNTAX_PYTHONTEXT_H
