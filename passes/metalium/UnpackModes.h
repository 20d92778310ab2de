//===- UnpackModes.h - which buffers are unpacked to DST ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The unpacker writes float32 tiles to SrcA as TF32, unless the buffer's id has the mode
// UnpackToDestFp32. With this mode the id cannot feed the matrix engine. A buffer that both
// copies and matrix operations read gets a second id over the same L1, which copies use.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_UNPACKMODES_H
#define TTJIT_PASSES_METALIUM_UNPACKMODES_H

#include "passes/metalium/DeviceProgram.h"

#include "mlir/Dialect/EmitC/IR/EmitC.h"

namespace ttjit {

/// Reads a program of stage ttkernel and chooses the modes and second ids of its buffers, and
/// whether DST is one section. Fails with a diagnostic if the program needs more circular buffers
/// than the chip has.
mlir::FailureOr<DeviceProgram> planDeviceProgram(mlir::tt::ttl::ProgramOp op);

namespace tometalium {

/// Makes copies of a buffer with two ids use the second id, repeats each wait, pop, reserve and
/// push for it, so that both ids count the same pages, and sets the format of SrcA at every change
/// between matrix operations and copies of float32.
void useUnpackModes(mlir::emitc::FuncOp function, const DeviceProgram &program);

} // namespace tometalium
} // namespace ttjit

#endif // TTJIT_PASSES_METALIUM_UNPACKMODES_H
