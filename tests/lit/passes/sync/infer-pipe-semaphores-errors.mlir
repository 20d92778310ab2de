// RUN: ttl-opt %s --ttl-infer-pipe-semaphores --split-input-file --verify-diagnostics

// Wrong numbers of semaphores, and copies that no op waits for.

ttl.kernel @twice() attributes {grid = #ttcore.grid<2>} {
  %a = ttl.create_semaphore "a" {semaphore_id = 3 : i32} : !ttl.semaphore
  // expected-error @+1 {{semaphore number 3 is already used, or is not less than the chip's number of semaphores, 16}}
  %b = ttl.create_semaphore "b" {semaphore_id = 3 : i32} : !ttl.semaphore
}

// -----

ttl.kernel @beyond() attributes {grid = #ttcore.grid<2>} {
  // expected-error @+1 {{semaphore number 16 is already used, or is not less than the chip's number of semaphores, 16}}
  %a = ttl.create_semaphore "a" {semaphore_id = 16 : i32} : !ttl.semaphore
}

// -----

// Words of the page start with the value 0.

ttl.kernel @starts_elsewhere() attributes {grid = #ttcore.grid<2>} {
  %s0 = ttl.create_semaphore "s0" {initial_value = 1 : i32} : !ttl.semaphore
  %s1 = ttl.create_semaphore "s1" {initial_value = 1 : i32} : !ttl.semaphore
  %s2 = ttl.create_semaphore "s2" {initial_value = 1 : i32} : !ttl.semaphore
  %s3 = ttl.create_semaphore "s3" {initial_value = 1 : i32} : !ttl.semaphore
  %s4 = ttl.create_semaphore "s4" {initial_value = 1 : i32} : !ttl.semaphore
  %s5 = ttl.create_semaphore "s5" {initial_value = 1 : i32} : !ttl.semaphore
  %s6 = ttl.create_semaphore "s6" {initial_value = 1 : i32} : !ttl.semaphore
  %s7 = ttl.create_semaphore "s7" {initial_value = 1 : i32} : !ttl.semaphore
  %s8 = ttl.create_semaphore "s8" {initial_value = 1 : i32} : !ttl.semaphore
  %s9 = ttl.create_semaphore "s9" {initial_value = 1 : i32} : !ttl.semaphore
  %s10 = ttl.create_semaphore "s10" {initial_value = 1 : i32} : !ttl.semaphore
  %s11 = ttl.create_semaphore "s11" {initial_value = 1 : i32} : !ttl.semaphore
  %s12 = ttl.create_semaphore "s12" {initial_value = 1 : i32} : !ttl.semaphore
  %s13 = ttl.create_semaphore "s13" {initial_value = 1 : i32} : !ttl.semaphore
  %s14 = ttl.create_semaphore "s14" {initial_value = 1 : i32} : !ttl.semaphore
  %s15 = ttl.create_semaphore "s15" {initial_value = 1 : i32} : !ttl.semaphore
  // expected-error @+1 {{this semaphore starts at 7, but all 16 semaphores of the chip are used: start it at 0, and set it in a thread}}
  %s16 = ttl.create_semaphore "s16" {initial_value = 7 : i32} : !ttl.semaphore
}

// -----

!cb = !ttl.cb<[1, 1], !ttcore.tile<32x32, f32>, 2>
!block = !ttl.block<tensor<1x1x!ttcore.tile<32x32, f32>>, !cb>

ttl.kernel @never_waited_for() attributes {grid = #ttcore.grid<2>} {
  %out_cb = ttl.create_cb "out" : !cb
  %in_cb = ttl.create_cb "in" : !cb
  %p = ttl.create_pipe src = [0], dst = [1] : !ttl.pipe
  %net = ttl.create_pipenet "net" %p : !ttl.pipe -> !ttl.pipenet
  ttl.datamovement_thread "dm" {
    %out = ttl.cb_wait %out_cb : !block
    ttl.if_pipe_src %net {
    ^bb0(%pipe: !ttl.pipe):
      // expected-warning @+1 {{this copy is never waited for; it is completed at the end of the callback: write wait() where the data is needed}}
      %sent = ttl.copy %out, %pipe : !block, !ttl.pipe
    }
    ttl.cb_pop %out : !block
    ttl.if_pipe_dst %net {
    ^bb0(%pipe: !ttl.pipe):
      %in = ttl.cb_reserve %in_cb : !block
      // expected-warning-re @+1 {{this copy is never waited for; it is completed before a block of 'in' is released in line {{[0-9]+}}: write wait() where the data is needed}}
      %received = ttl.copy %pipe, %in : !ttl.pipe, !block
      ttl.cb_push %in : !block
    }
  }
}
