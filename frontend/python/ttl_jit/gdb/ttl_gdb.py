# SPDX-License-Identifier: Apache-2.0
"""Commands of gdb for a process that ttl-jit runs with --gdb:

ttl where         the kernel thread that is stopped, and its node
ttl buffers       the dataflow buffers of that node: shapes, pointers, pages in use
ttl block NAME    the elements of the block that is reserved or waited for
"""

import gdb


def _call(function, argument=None):
    """Calls a function of hw/device/DebuggerCalls.h and prints its text."""
    parameters, arguments = ("void", "") if argument is None else ("const char *", argument)
    call = f"((const char *(*)({parameters})){function})({arguments})"
    try:
        print(gdb.parse_and_eval(call).string().rstrip("\n"))
    except gdb.error as error:
        raise gdb.GdbError(f"ttl: is a kernel running? {error}") from None


class _Ttl(gdb.Command):
    """Shows the emulated device: ttl where, ttl buffers, ttl block NAME."""

    def __init__(self):
        super().__init__("ttl", gdb.COMMAND_DATA, prefix=True)


class _Where(gdb.Command):
    """Shows the kernel thread that is stopped, and its node."""

    def __init__(self):
        super().__init__("ttl where", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        _call("ttl_debug_where")


class _Buffers(gdb.Command):
    """Shows the dataflow buffers of the node: shapes, pointers, pages in use."""

    def __init__(self):
        super().__init__("ttl buffers", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        _call("ttl_debug_buffers")


class _Block(gdb.Command):
    """Shows the elements of the block of a buffer that is reserved or waited for."""

    def __init__(self):
        super().__init__("ttl block", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        if not argument:
            raise gdb.GdbError("ttl block: expected the name of a buffer, such as a_dfb")
        quoted = argument.replace("\\", "\\\\").replace('"', '\\"')
        _call("ttl_debug_block", f'"{quoted}"')


for _command in (_Ttl, _Where, _Buffers, _Block):
    _command()
