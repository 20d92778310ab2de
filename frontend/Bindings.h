//===- Bindings.h - the frontend in the _ttjit module ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_FRONTEND_BINDINGS_H
#define TTJIT_FRONTEND_BINDINGS_H

#include "frontend/launcher/Launcher.h"

#include <memory>

#include <pybind11/pybind11.h>

namespace ttjit::frontend {

/// Makes the context that registerBindings() needs, which takes long. Any host thread may call it
/// before that, without the GIL.
void prepare();

/// Adds the frontend's functions and classes to the extension module `_ttjit`, which the Python
/// packages `ttl` and `ttnn` use. The module has the bindings of tensors already.
void registerBindings(pybind11::module_ &module, std::shared_ptr<Launcher> launcher);

} // namespace ttjit::frontend

#endif // TTJIT_FRONTEND_BINDINGS_H
