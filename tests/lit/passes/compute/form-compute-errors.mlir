// RUN: ttl-opt %s --ttl-form-compute --split-input-file --verify-diagnostics

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @written_in_a_branch() attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.compute_thread "compute" {
    %true = arith.constant true
    %one = arith.constant 1.0 : f32
    %z = ttl.block_fill %one : !e
    %y = ttl.cb_reserve %dfb : !block
    scf.if %true {
      ttl.block_store %y, %z : !block, !e
    }
    // expected-error @+1 {{cannot read back a block that this thread reserved if its contents come from another branch or iteration: keep the expression in a variable}}
    %e = ttl.block_exp %y : (!block) -> !e
    ttl.cb_push %y : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @written_in_an_iteration() attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %one = arith.constant 1.0 : f32
    %z = ttl.block_fill %one : !e
    %y = ttl.cb_reserve %dfb : !block
    ttl.block_store %y, %z : !block, !e
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-error @+1 {{cannot read back a block that this thread reserved if its contents come from another branch or iteration: keep the expression in a variable}}
      %e = ttl.block_exp %y : (!block) -> !e
      ttl.block_store %y, %e : !block, !e
    }
    ttl.cb_push %y : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @stores_into_waited() attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.compute_thread "compute" {
    %a = ttl.cb_wait %dfb : !block
    %e = ttl.block_exp %a : (!block) -> !e
    // expected-error @+1 {{cannot store into a block that this thread waited for: a compute thread can only store into blocks that it reserved}}
    ttl.block_store %a, %e : !block, !e
    ttl.cb_pop %a : !block
  }
}

// -----

!e = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @condition() attributes {grid = #ttcore.grid<1x1>} {
  ttl.compute_thread "compute" {
    %true = arith.constant true
    %one = arith.constant 1.0 : f32
    %z = ttl.block_fill %one : !e
    // expected-error @+1 {{the condition of a while loop cannot compute on blocks: compute the value in the loop's body}}
    %r = scf.while (%v = %z) : (!e) -> !e {
      %w = ttl.block_exp %v : (!e) -> !e
      scf.condition(%true) %w : !e
    } do {
    ^bb0(%v: !e):
      scf.yield %v : !e
    }
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @cast() attributes {grid = #ttcore.grid<1x1>} {
  %cb = ttl.create_cb "y" : !cb
  ttl.compute_thread "compute" {
    %f = arith.constant 1.0 : f32
    %y = ttl.cb_reserve %cb : !block
    %v = builtin.unrealized_conversion_cast %f : f32 to !e
    // expected-error @+1 {{'ttl.block_store' op cannot take a block expression that 'builtin.unrealized_conversion_cast' makes: expected an operation on blocks}}
    ttl.block_store %y, %v : !block, !e
    ttl.cb_push %y : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @abbreviation() attributes {grid = #ttcore.grid<1x1>} {
  %a_cb = ttl.create_cb "a" : !cb
  %y_cb = ttl.create_cb "y" : !cb
  ttl.compute_thread "compute" {
    // expected-error @+1 {{op is an abbreviation of other ops: run ttl-canonicalize first}}
    %a = ttl.cb_wait %a_cb : <[1, 1], !ttcore.tile<32x32, f32>, 2> -> !e
    %v = ttl.block_exp %a : (!e) -> !e
    %y = ttl.cb_reserve %y_cb : !block
    ttl.block_store %y, %v : !block, !e
    ttl.cb_push %y : !block
  }
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>

ttl.kernel @region() attributes {grid = #ttcore.grid<1x1>} {
  %dfb = ttl.create_cb "dfb" : !cb
  ttl.compute_thread "compute" {
    %a = ttl.cb_wait %dfb : !block
    // expected-error @+1 {{'ttl.block_compute' op is a region of block expressions: run ttl-canonicalize first}}
    %v = ttl.block_compute {
      %0 = ttl.block_exp %a : (!block) -> !e
      ttl.yield %0 : !e
    } -> !e
    ttl.cb_pop %a : !block
  }
}
