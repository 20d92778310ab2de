// What a .mlir program prints, and the error of a failed expectation. All expectations
// are checked, also after one has failed.
// RUN: not ttl-jit run %s >%t.out 2>%t.err
// RUN: FileCheck %s <%t.out
// RUN: FileCheck %s --check-prefix=ERR --implicit-check-not=error: <%t.err

func.func @main() {
  %small = ttltest.constant dense<[[1.0, -2.5], [0.0, 1.0e-3]]> : tensor<2x2xf32> -> tensor<2x2xf32>
  // CHECK: tensor<2x2xf32>
  // CHECK-NEXT: 1 -2.5
  // CHECK-NEXT: 0 0.00100000005
  ttltest.print %small : tensor<2x2xf32>
  %ints = ttltest.iota {start = -1.0} : tensor<3xi32>
  // CHECK: tensor<3xi32>
  // CHECK-NEXT: -1 0 1
  ttltest.print %ints : tensor<3xi32>
  %words = ttltest.full 65535.0 : tensor<2xui16>
  // CHECK: 65535 65535
  ttltest.print %words : tensor<2xui16>
  %half = ttltest.full 1.00390625 : tensor<2xbf16>
  // Halfway between 1 and 1.0078125: rounded to the nearest even number, 1.
  // CHECK: tensor<2xbf16>
  // CHECK-NEXT: 1 1
  ttltest.print %half : tensor<2xbf16>

  %random = ttltest.random 42 : tensor<64xf32>
  %again = ttltest.random 42 : tensor<64xf32>
  ttltest.expect_eq %random, %again : tensor<64xf32>, tensor<64xf32>
  ttltest.expect_hash %ints, "1193857e8e6c10e0" : tensor<3xi32>

  %other = ttltest.constant dense<[[1.0, -2.5], [-0.0, 1.0e-3]]> : tensor<2x2xf32> -> tensor<2x2xf32>
  ttltest.expect_close %small, %other ulp 1 : tensor<2x2xf32>, tensor<2x2xf32>
  // ERR: error: 1 of 4 elements differ; first at [1, 0]: found 0 (0x00000000), expected -0 (0x80000000)
  // ERR-NEXT: at {{.*}}expectations.mlir:[[@LINE+1]]:3
  ttltest.expect_eq %small, %other : tensor<2x2xf32>, tensor<2x2xf32>
  // ERR: error: hash is {{[0-9a-f]+}}, expected 0123456789abcdef
  ttltest.expect_hash %small, "0123456789abcdef" : tensor<2x2xf32>
  %seed43 = ttltest.random 43 : tensor<64xf32>
  // ERR: error: 64 of 64 elements differ
  ttltest.expect_close %random, %seed43 ulp 1 : tensor<64xf32>, tensor<64xf32>
  return
}
