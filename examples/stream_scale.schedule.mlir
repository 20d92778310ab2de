// The reader's inner loop takes four tiles at a time: it issues their four reads before
// it waits for the first one. The buffer grows to hold four tiles.
//
//   ttl-jit run examples/stream_scale.py --stats --schedule-file=examples/stream_scale.schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %reader = transform.structured.match ops{["ttl.datamovement_thread"]}
        attributes {name = "reader"} in %module : (!transform.any_op) -> !transform.any_op
    %copy = transform.structured.match ops{["ttl.copy"]} in %reader
        : (!transform.any_op) -> !transform.any_op
    %loop = transform.get_parent_op %copy {op_name = "scf.for"}
        : (!transform.any_op) -> !transform.any_op
    %groups, %rest = transform.ttl.insert_prefetch %loop {distance = 4}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
