//===- D2MOps.td - every op of d2m with a class of its own -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

include "ir/modules/D2M/D2MBlockOps.td"
