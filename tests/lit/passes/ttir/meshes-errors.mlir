// RUN: ttl-opt %s --ttir-to-ttl --split-input-file --verify-diagnostics

func.func @f(%a: tensor<8x8xf32>) -> tensor<16x8xf32> {
  // expected-error @+1 {{needs a function on its mesh, such as ttl-lower-redistribute makes of one with a !ttl.dist_tensor}}
  %b = ttl.collective "all_gather" %a axis 0 of [2] dims 0 to -1 sends 256 : tensor<8x8xf32> -> tensor<16x8xf32>
  return %b : tensor<16x8xf32>
}

// -----

func.func @f(%a: tensor<8x8xf32>) -> tensor<16x8xf32> attributes {ttl.mesh = array<i64: 4>} {
  // expected-error @+1 {{needs a function on its mesh}}
  %b = ttl.collective "all_gather" %a axis 0 of [2] dims 0 to -1 sends 256 : tensor<8x8xf32> -> tensor<16x8xf32>
  return %b : tensor<16x8xf32>
}

// -----

// expected-error @+1 {{result 0 of a function on a mesh needs ttl.dist, the type of the whole tensor: return a !ttl.dist_tensor}}
func.func @f(%a: tensor<8x8xf32>) -> tensor<16x8xf32> attributes {ttl.mesh = array<i64: 2>} {
  %b = ttl.collective "all_gather" %a axis 0 of [2] dims 0 to -1 sends 256 : tensor<8x8xf32> -> tensor<16x8xf32>
  return %b : tensor<16x8xf32>
}

// -----

// expected-error @+1 {{ttl.dist must be the type of a tensor on the mesh [2] whose parts are 'tensor<8x8xf32>', found 3 : i64}}
func.func @f(%a: tensor<8x8xf32> {ttl.dist = 3}) attributes {ttl.mesh = array<i64: 2>} {
  %b = "ttir.exp"(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

// expected-error @+1 {{whose parts are 'tensor<8x8xf32>', found !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2], dims = [0]>>}}
func.func @f(%a: tensor<8x8xf32> {ttl.dist = !ttl.dist_tensor<8x8xf32, #ttl.placement<mesh = [2], dims = [0]>>}) attributes {ttl.mesh = array<i64: 2>} {
  %b = "ttir.exp"(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @f(%a: tensor<8x8xf64>) attributes {ttl.mesh = array<i64: 2>} {
  // expected-error @+1 {{cannot exchange elements that the device does not have: 'f64'}}
  %b = ttl.collective "all_gather" %a axis 0 of [2] dims 0 to -1 sends 512 : tensor<8x8xf64> -> tensor<16x8xf64>
  return
}
