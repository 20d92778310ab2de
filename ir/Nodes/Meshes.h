//===- Meshes.h - the mesh of a kernel ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_NODES_MESHES_H
#define TTJIT_IR_NODES_MESHES_H

#include "llvm/ADT/StringRef.h"

namespace ttjit {

/// On a ttl.kernel or ttl.program for several devices: the extents of their mesh.
inline constexpr llvm::StringLiteral kMeshAttr = "ttl.mesh";

} // namespace ttjit

#endif // TTJIT_IR_NODES_MESHES_H
