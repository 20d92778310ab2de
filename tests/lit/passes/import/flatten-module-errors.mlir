// RUN: ttl-opt %s --ttir-flatten-module --split-input-file --verify-diagnostics

func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{cannot call @outside: it needs a function of this module with one block}}
  %0 = call @outside(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{calls @main, which calls itself: calls are inlined, so recursion is not supported}}
  %0 = call @main(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @weights(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{has other types than @weights: '(tensor<4xf32>) -> tensor<4xf32>'}}
  %0 = ttcore.load_cached(@weights, [%a]) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func private @main(tensor<4xf32>) -> tensor<4xf32>
ttcore.device_module {
  builtin.module {
    // expected-error @+1 {{has the name of another function of the module: @main}}
    func.func private @main(tensor<4xf32>) -> tensor<4xf32>
  }
}
