//===- TTCoreAttributes.td - every attribute of ttcore ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The parser of the dialect is one function for all of them.
//===--------------------------------------------------------------------------===//

include "ir/TTCore/TTCore.td"
include "ir/TTCore/TTCoreLayouts.td"
