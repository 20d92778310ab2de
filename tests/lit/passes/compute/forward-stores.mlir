// RUN: ttl-opt %s --ttl-forward-stores | FileCheck %s

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>
!e = tensor<1x1x!ttcore.tile<32x32, f32>>
!short_cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, bf16>, 2>
!short = !ttl.block<tensor<1x1x!ttcore.tile<32x32, bf16>>, !short_cb>

// Only the first iteration just stores; later iterations read and store.
// CHECK-LABEL: ttl.kernel @iterations
ttl.kernel @iterations() attributes {grid = #ttcore.grid<1x1>} {
  %x_dfb = ttl.create_cb "x_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // CHECK: %[[Y:.+]] = ttl.cb_reserve
    %y = ttl.cb_reserve %y_dfb : !block
    // CHECK: %[[LAST:.+]]:2 = scf.for %[[K:.+]] = {{.+}} iter_args(%[[V:.+]] = %{{.+}}, %[[W:.+]] = %false)
    scf.for %k = %c0 to %c4 step %c1 {
      // CHECK: %[[X:.+]] = ttl.cb_wait
      %x = ttl.cb_wait %x_dfb : !block
      %is = arith.cmpi eq, %k, %c0 : index
      // CHECK: %[[R:.+]] = scf.if
      %r = scf.if %is -> !e {
        %e = ttl.block_exp %x : (!block) -> !e
        scf.yield %e : !e
      } else {
        // CHECK: ttl.assert %[[W]], "cannot read a block of 'y_dfb': nobody has written it since it was reserved, so it holds garbage"
        // CHECK-NEXT: ttl.block_add %[[V]], %[[X]]
        %e = ttl.block_add %y, %x : (!block, !block) -> !e
        scf.yield %e : !e
      }
      // CHECK-NOT: ttl.block_store
      ttl.block_store %y, %r : !block, !e
      ttl.cb_pop %x : !block
      // CHECK: scf.yield %[[R]], %true
    }
    // CHECK: ttl.assert %[[LAST]]#1, "cannot push a block of 'y_dfb'
    // CHECK: ttl.block_store %[[Y]], %[[LAST]]#0
    // CHECK-NEXT: ttl.cb_push %[[Y]]
    ttl.cb_push %y : !block
  }
}

// A read after the branch sees what the branch stored; a store before it makes sure of a value.
// CHECK-LABEL: ttl.kernel @branches
ttl.kernel @branches() attributes {grid = #ttcore.grid<2x1>} {
  %y_dfb = ttl.create_cb "y_dfb" : !short_cb
  ttl.compute_thread "compute" {
    %one = arith.constant 1.0 : f32
    %c1 = arith.constant 1 : index
    %x, %row = ttl.core : index, index
    %is = arith.cmpi eq, %x, %c1 : index
    %z = ttl.block_fill %one : !e
    %y = ttl.cb_reserve %y_dfb : !short
    // CHECK: %[[OLD:.+]] = ttl.block_to_bfloat16
    ttl.block_store %y, %z : !short, !e
    // CHECK-NOT: ttl.assert
    // CHECK: %[[B:.+]] = scf.if
    scf.if %is {
      // CHECK: %[[E:.+]] = ttl.block_exp %[[OLD]]
      %e = ttl.block_exp %y : (!short) -> !e
      // CHECK: %[[NEW:.+]] = ttl.block_to_bfloat16 %[[E]]
      ttl.block_store %y, %e : !short, !e
      // CHECK: scf.yield %[[NEW]]
    }
    // CHECK: else
    // CHECK: scf.yield %[[OLD]]
    // CHECK: ttl.block_abs %[[B]]
    %a = ttl.block_abs %y : (!short) -> !e
    ttl.block_store %y, %a : !short, !e
    ttl.cb_push %y : !short
  }
}

// ttl-form-compute keeps a copy for a read after the store.
// CHECK-LABEL: ttl.kernel @same_block
ttl.kernel @same_block() attributes {grid = #ttcore.grid<1x1>} {
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.compute_thread "compute" {
    %one = arith.constant 1.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %z = ttl.block_fill %one : !e
    %y = ttl.cb_reserve %y_dfb : !block
    // CHECK: ttl.block_store
    ttl.block_store %y, %z : !block, !e
    // CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %{{.+}} {
    scf.for %k = %c0 to %c4 step %c1 {
      // CHECK-NEXT: ttl.block_exp %{{.+}} : (!block)
      %e = ttl.block_exp %y : (!block) -> !e
    }
    // CHECK: ttl.cb_push
    ttl.cb_push %y : !block
  }
}

// A while loop passes the contents from its condition to its body and back.
// CHECK-LABEL: ttl.kernel @while_loop
ttl.kernel @while_loop() attributes {grid = #ttcore.grid<1x1>} {
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  ttl.compute_thread "compute" {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %one = arith.constant 1.0 : f32
    %z = ttl.block_fill %one : !e
    // CHECK: %[[Y:.+]] = ttl.cb_reserve
    %y = ttl.cb_reserve %y_dfb : !block
    ttl.block_store %y, %z : !block, !e
    // CHECK: %[[LAST:.+]]:2 = scf.while (%{{.+}} = %{{.+}}, %[[V:.+]] = %{{.+}}) : (i32, {{.+}}) -> (i32, {{.+}}) {
    %n = scf.while (%i = %c0) : (i32) -> i32 {
      %goes_on = arith.cmpi slt, %i, %c4 : i32
      // CHECK: scf.condition(%{{.+}}) %{{.+}}, %[[V]] :
      scf.condition(%goes_on) %i : i32
    } do {
    // CHECK: ^bb0(%{{.+}}: i32, %[[W:.+]]: tensor
    ^bb0(%i: i32):
      // CHECK: %[[E:.+]] = ttl.block_exp %[[W]]
      %e = ttl.block_exp %y : (!block) -> !e
      // CHECK-NOT: ttl.block_store
      ttl.block_store %y, %e : !block, !e
      %next = arith.addi %i, %c1 : i32
      // CHECK: scf.yield %{{.+}}, %[[E]] :
      scf.yield %next : i32
    }
    // CHECK: ttl.block_store %[[Y]], %[[LAST]]#1
    // CHECK-NEXT: ttl.cb_push %[[Y]]
    ttl.cb_push %y : !block
  }
}

// A typecast to the format of the block that is stored into is dropped; others stay.
// CHECK-LABEL: ttl.kernel @roundings
ttl.kernel @roundings() attributes {grid = #ttcore.grid<1x1>} {
  %x_dfb = ttl.create_cb "x_dfb" : !cb
  %y_dfb = ttl.create_cb "y_dfb" : !cb
  %z_dfb = ttl.create_cb "z_dfb" : !short_cb
  ttl.compute_thread "compute" {
    // CHECK: %[[X:.+]] = ttl.cb_wait
    %x = ttl.cb_wait %x_dfb : !block
    // CHECK-NEXT: %[[Y:.+]] = ttl.cb_reserve
    // CHECK-NEXT: %[[Z:.+]] = ttl.cb_reserve
    %y = ttl.cb_reserve %y_dfb : !block
    %z = ttl.cb_reserve %z_dfb : !short
    // CHECK-NEXT: %[[R:.+]] = ttl.block_to_bfloat16 %[[X]]
    %r = ttl.block_to_bfloat16 %x : (!block) -> !e
    // CHECK-NEXT: ttl.block_store %[[Y]], %[[R]]
    ttl.block_store %y, %r : !block, !e
    // CHECK-NEXT: ttl.block_store %[[Z]], %[[X]]
    ttl.block_store %z, %r : !short, !e
    %h = ttl.block_to_float16 %x : (!block) -> !e
    // CHECK: %[[H:.+]] = ttl.block_to_float16
    // CHECK: ttl.block_store %[[Z]], %[[H]]
    ttl.block_store %z, %h : !short, !e
    ttl.cb_pop %x : !block
    ttl.cb_push %y : !block
    ttl.cb_push %z : !short
  }
}
