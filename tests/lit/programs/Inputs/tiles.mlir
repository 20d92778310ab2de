// Two tiles at a time, each of which is computed separately.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %compute = transform.structured.match ops{["ttl.compute"]} in %module
        : (!transform.any_op) -> !transform.any_op
    %low, %none = transform.ttl.multisize_split %compute {dimension = 1, target_size = 2}
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %tiles, %loop = transform.structured.tile_using_for %low tile_sizes [0, 1]
        : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
