//===- TTLInterfaces.td - interfaces of ttl --------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_IR_TTL_INTERFACES_TD
#define TTJIT_IR_TTL_INTERFACES_TD

include "mlir/IR/OpBase.td"

def TTL_SynchronizationInterface : OpInterface<"TTLSynchronizationInterface"> {
  let cppNamespace = "::mlir::tt::ttl";
  let description = "An op at which a thread waits for another thread, or for the NoC.";
  let methods = [
    InterfaceMethod<"The kind of event that the op waits for; nothing if there are several kinds or it is unknown.",
                    "std::optional<::mlir::tt::ttl::BarrierType>", "getBarrierType">,
    InterfaceMethod<"Whether the op waits for all events of that kind that the thread started.",
                    "bool", "isGlobalBarrier", (ins), [{}], /*defaultImplementation=*/[{
      return false;
    }]>
  ];
}

#endif // TTJIT_IR_TTL_INTERFACES_TD
