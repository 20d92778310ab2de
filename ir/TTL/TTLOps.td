//===- TTLOps.td - all ops of ttl ------------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

include "ir/TTL/TTLStructureOps.td"
include "ir/TTL/TTLResourceOps.td"
include "ir/TTL/TTLBufferOps.td"
include "ir/TTL/TTLBlockOps.td"
include "ir/TTL/TTLComputeOps.td"
include "ir/TTL/TTLDSTOps.td"
include "ir/TTL/TTLReduceOps.td"
include "ir/TTL/TTLDataMovementOps.td"
include "ir/TTL/TTLPipeOps.td"
include "ir/TTL/TTLSemaphoreOps.td"
include "ir/TTL/TTLScalarOps.td"
include "ir/TTL/TTLHostOps.td"
include "ir/TTL/TTLRegionOps.td"
include "ir/TTL/TTLAliasOps.td"
