// Every transfer of the kernel starts as early as possible; buffers get enough blocks for it.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly})
      attributes {ttl.after_stage = "threads"} {
    %program = transform.structured.match ops{["ttl.program"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %0 = transform.ttl.schedule_pipeline %program {strategy = "aggressive"}
        : (!transform.any_op) -> !transform.any_op
    %buffers = transform.structured.match ops{["ttl.create_cb"]} in %program
        : (!transform.any_op) -> !transform.any_op
    %1 = transform.ttl.optimize_buffer_factor %buffers {max_factor = 6}
        : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
