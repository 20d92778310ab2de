//===- Linalg.h - the part of linalg that d2m modules have ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_MODULES_LINALG_LINALG_H
#define TTJIT_IR_MODULES_LINALG_LINALG_H

#include "ir/TTL/TTL.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include "ir/modules/Linalg/LinalgDialect.h.inc"

#define GET_OP_CLASSES
#include "ir/modules/Linalg/LinalgOps.h.inc"

#endif // TTJIT_IR_MODULES_LINALG_LINALG_H
