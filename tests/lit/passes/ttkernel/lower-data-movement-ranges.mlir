// RUN: ttl-opt %s --ttl-lower-data-movement | FileCheck %s

// A slice's start gets a check unless its bounds are known: these are found through loops and branches.

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!tensor = tensor<256x32xf32, #ttl.tensor_encoding<dram, #ttl.layout<interleaved, tile = 32x32>>>
!slice = !ttl.tensor_slice<[1, 1], !tensor>
!accessor = !ttl.accessor<!tensor>

ttl.program @p(%t: !tensor) attributes {grid = #ttcore.grid<4x4>} {
  %a = ttl.create_cb "a" {buffer_index = 0 : i32} : !cb
  ttl.thread @inside on riscv_1 (%a, %t) : !cb, !tensor
  ttl.thread @outside on riscv_0 (%a, %t) : !cb, !tensor
}

// CHECK-LABEL: func.func @inside
// CHECK-NOT: ttl.check_index
// CHECK: return
func.func @inside(%a: !cb, %t: !tensor) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %two = arith.constant 2 : i32
  %x, %y = ttl.core : index, index
  %cond = arith.cmpi eq, %x, %y : index
  %acc = ttl.tensor_accessor %t : !tensor -> !accessor
  // Two nested loops; the inner loop's bound is a number of the outer loop: 4 + 3.
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      %sum = arith.addi %i, %c4 : index
      %s = ttl.index_accessor %acc[%sum, %c0] : !accessor -> !slice
      %s1 = ttl.index_accessor %acc[%j, %c0] : !accessor -> !slice
    }
  }
  // A branch in a loop selects the number.
  scf.for %i = %c0 to %c4 step %c1 {
    %either = scf.if %cond -> (index) {
      %next = arith.addi %i, %x : index
      scf.yield %next : index
    } else {
      scf.yield %c7 : index
    }
    %s = ttl.index_accessor %acc[%either, %c0] : !accessor -> !slice
  }
  // A loop in a branch carries the number without a change.
  %kept = scf.if %cond -> (index) {
    %same = scf.for %i = %c0 to %c4 step %c1 iter_args(%k = %x) -> (index) {
      scf.yield %k : index
    }
    scf.yield %same : index
  } else {
    scf.yield %c0 : index
  }
  %s = ttl.index_accessor %acc[%kept, %c0] : !accessor -> !slice
  // The user's arithmetic on it: 2 * 3 + 1.
  %k32 = arith.index_cast %kept : index to i32
  %one = arith.constant 1 : i32
  %twice = ttl.int_mul %k32, %two
  %odd = ttl.int_add %twice, %one
  %row = arith.index_cast %odd : i32 to index
  %s2 = ttl.index_accessor %acc[%row, %c0] : !accessor -> !slice
  return
}

// Counters that loops carry have no known bound; the analysis must end.
// CHECK-LABEL: func.func @outside
func.func @outside(%a: !cb, %t: !tensor) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %x, %y = ttl.core : index, index
  %acc = ttl.tensor_accessor %t : !tensor -> !accessor
  // CHECK: scf.while
  // CHECK: ttl.check_index
  %n = scf.while (%k = %zero) : (i32) -> i32 {
    %row = arith.index_cast %k : i32 to index
    %s = ttl.index_accessor %acc[%row, %c0] : !accessor -> !slice
    %more = arith.cmpi slt, %row, %x : index
    scf.condition(%more) %k : i32
  } do {
  ^bb0(%k: i32):
    %next = ttl.int_add %k, %one
    %doubled = ttl.int_mul %next, %two
    scf.yield %doubled : i32
  }
  // The number goes through two loops and a branch.
  // CHECK: scf.for
  // CHECK: scf.for
  // CHECK: ttl.check_index
  %m = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %zero) -> (i32) {
    %inner = scf.for %j = %c0 to %c4 step %c1 iter_args(%q = %p) -> (i32) {
      %row = arith.index_cast %q : i32 to index
      %s = ttl.index_accessor %acc[%row, %c0] : !accessor -> !slice
      %cond = arith.cmpi eq, %row, %x : index
      %next = scf.if %cond -> (i32) {
        %more = ttl.int_add %q, %one
        scf.yield %more : i32
      } else {
        %less = ttl.int_sub %q, %one
        scf.yield %less : i32
      }
      scf.yield %next : i32
    }
    scf.yield %inner : i32
  }
  return
}
