// RUN: ttl-opt %s --ttir-flatten-module | FileCheck %s

// CHECK-NOT: ttcore.device_module
// CHECK: func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>)
// CHECK-NEXT: "ttir.neg"(%arg1)
// CHECK-NEXT: "ttir.exp"
// CHECK-NEXT: "ttir.add"
// CHECK-NEXT: return
// CHECK-NOT: const_eval_0
// CHECK: func.func @again
// CHECK-NEXT: "ttir.neg"
// CHECK-NEXT: "ttir.exp"
// CHECK-NEXT: "ttir.add"
// CHECK-NOT: ttcore.cpu_module
module {
  ttcore.device_module {
    builtin.module {
      func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
        %0 = ttcore.load_cached(@const_eval_0, [%b]) : (tensor<4xf32>) -> tensor<4xf32>
        %1 = "ttir.add"(%a, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        return %1 : tensor<4xf32>
      }
      func.func @const_eval_0(%b: tensor<4xf32>) -> tensor<4xf32> attributes {const_eval} {
        %0 = "ttir.neg"(%b) : (tensor<4xf32>) -> tensor<4xf32>
        %1 = "ttir.exp"(%0) : (tensor<4xf32>) -> tensor<4xf32>
        return %1 : tensor<4xf32>
      }
      func.func @again(%a: tensor<4xf32>) -> tensor<4xf32> {
        %0 = call @main(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
        return %0 : tensor<4xf32>
      }
    }
  }
  ttcore.cpu_module {
    builtin.module {
    }
  }
}
