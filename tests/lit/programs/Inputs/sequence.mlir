// A schedule whose sequence has no name, as the design documents write it.
transform.sequence failures(propagate) {
^bb0(%module: !transform.any_op):
  %compute = transform.structured.match ops{["ttl.compute"]} in %module
      : (!transform.any_op) -> !transform.any_op
  %tiles, %loop = transform.structured.tile_using_for %compute tile_sizes [0, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
}
