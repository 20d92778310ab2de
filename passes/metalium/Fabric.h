//===- Fabric.h - emits transfers between devices -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A program for several devices numbers the columns of nodes over all devices. Each device runs the
// same kernel; the number of its device is the run-time argument after those of its tables. A
// kernel that sends to other devices opens connections at its start, and closes them at its end.
// Which way a transfer takes is decided when it runs: FabricFunctions.cpp has the functions.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_FABRIC_H
#define TTJIT_PASSES_METALIUM_FABRIC_H

#include "passes/metalium/ThreadConverter.h"

namespace ttjit::tometalium {

/// Marks the writes of blocks that are counted right after them: both become one call.
void pairWithCounts(mlir::func::FuncOp function);

/// The first emits the number of the device and the connections, the second closes the connections.
void openFabric(mlir::func::FuncOp source, ThreadConverter &converter);
void closeFabric(mlir::func::FuncOp source, ThreadConverter &converter);

/// Emits MyLogicalXOp and ConvertLogicalXOp of a program for several devices.
mlir::LogicalResult emitColumn(mlir::Operation *op, ThreadConverter &converter);
mlir::LogicalResult emitColumnOnNoc(mlir::Operation *op, ThreadConverter &converter);

/// Emits a write, an increment or a set of a word that may go to another device. Returns nothing if
/// the thread sends to none.
std::optional<mlir::LogicalResult> emitOverFabric(mlir::Operation *op, ThreadConverter &converter);

} // namespace ttjit::tometalium

#endif // TTJIT_PASSES_METALIUM_FABRIC_H
