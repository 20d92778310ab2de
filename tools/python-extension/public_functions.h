//===- public_functions.h - functions that a program calls ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TOOLS_PYTHON_EXTENSION_PUBLIC_FUNCTIONS_H
#define TTJIT_TOOLS_PYTHON_EXTENSION_PUBLIC_FUNCTIONS_H

#include <pybind11/pybind11.h>

/// Adds to the module:
///   public(function)       returns the public form of a function
///   public_methods(class)  replaces the methods of a class by their public forms, and sets the
///                          signature of the class, which public forms do not show
/// Programs call the public forms. The traceback of an exception that leaves a public
/// function ends in the program's own call: it has no frames of the packages `ttl` and
/// `ttnn`, nor of libraries that these called. Frames of the program that the packages
/// called stay.
void registerPublicFunctions(pybind11::module_ &module);

#endif // TTJIT_TOOLS_PYTHON_EXTENSION_PUBLIC_FUNCTIONS_H
