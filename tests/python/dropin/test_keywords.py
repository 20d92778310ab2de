"""Keywords that the decorators of operations and of kernel functions accept."""
# feature: Options of operations; Thread functions

import pytest

import ttl
from adders import adder, run


def test_kinds_of_kernels():
    reader_kernel = ttl.Kernel(ttl.KernelKind.DATA_MOVEMENT)

    def operation(compute_kernel):
        @ttl.operation(grid=(1, 1))
        def nothing():
            @ttl.compute(kernel=compute_kernel)
            def math():
                pass

            @ttl.datamovement(kernel=reader_kernel)
            def reader():
                pass

        return nothing

    for kernel in (ttl.KernelKind.COMPUTE, ttl.Kernel(ttl.KernelKind.COMPUTE), ttl.Kernel("named")):
        operation(kernel)()
    assert 'compute_thread "named"' in operation(ttl.Kernel("named")).ir()
    for kernel, message in [
        (ttl.KernelKind.DATA_MOVEMENT, "a kernel of kind KernelKind.COMPUTE, found"),
        (reader_kernel, "a kernel of kind KernelKind.COMPUTE, found KernelKind.DATA_MOVEMENT"),
        ("named", "must get a ttl.Kernel"),
    ]:
        with pytest.raises(ttl.CompileError, match=message):
            operation(kernel)()


@pytest.mark.parametrize("decorator", [ttl.operation, ttl.kernel, ttl.atom])
def test_keywords_of_the_decorator(decorator):
    run(adder(fp32_dest_acc_en=True, dst_full_sync_en=False, math_fidelity="HiFi2",
              math_approx_mode=True, memory_space="DRAM", tiled=True, num_outs=1,
              indexing_maps=[lambda m, n: (m, n)], iterator_types=["parallel"] * 2,
              ttnn_interop=True))
    with pytest.raises(ValueError, match='memory_space must be "L1" or "DRAM", found \'SRAM\''):
        adder(memory_space="SRAM")
