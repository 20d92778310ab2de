# SPDX-License-Identifier: Apache-2.0
"""Commands of gdb for a process that ttl-jit runs with --gdb:

ttl where         the kernel thread that is stopped, and its node
ttl buffers       the dataflow buffers of that node: shapes, pointers, pages in use
ttl block NAME    the elements of a block, by its name or by that of its buffer
"""

import gdb


def _text(function, argument="", kind="void"):
    """Calls a function of hw/device/DebuggerCalls.h and returns its text."""
    call = f"((const char *(*)({kind})){function})({argument})"
    try:
        return gdb.parse_and_eval(call).string().rstrip("\n")
    except gdb.error as error:
        raise gdb.GdbError(f"ttl: is a kernel running? {error}") from None


def _variable(name):
    """Returns the number in a variable of the kernel, or None."""
    try:
        return int(gdb.selected_frame().read_var(name))
    except (ValueError, gdb.error):
        return None


class _Ttl(gdb.Command):
    """Shows the emulated device: ttl where, ttl buffers, ttl block NAME."""

    def __init__(self):
        super().__init__("ttl", gdb.COMMAND_DATA, prefix=True)


class _Where(gdb.Command):
    """Shows the kernel thread that is stopped, and its node."""

    def __init__(self):
        super().__init__("ttl where", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        print(_text("ttl_debug_where"))


class _Buffers(gdb.Command):
    """Shows the dataflow buffers of the node: shapes, pointers, pages in use."""

    def __init__(self):
        super().__init__("ttl buffers", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        print(_text("ttl_debug_buffers"))


class _Block(gdb.Command):
    """Shows the elements of a block. NAME is the variable of the block, or the buffer whose block is
    reserved or waited for."""

    def __init__(self):
        super().__init__("ttl block", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        if not argument:
            raise gdb.GdbError("ttl block: expected the name of a block or a buffer, such as a_dfb")
        quoted = argument.replace("\\", "\\\\").replace('"', '\\"')
        text = _text("ttl_debug_block", f'"{quoted}"', "const char *")
        if text.startswith("there is no buffer"):
            address = _variable(argument)
            if address is None:
                raise gdb.GdbError(f"there is no block or buffer '{argument}': see `info locals` and "
                                   "`ttl buffers`")
            if address == 0:
                raise gdb.GdbError(f"'{argument}' has no address yet: a block gets one at its first "
                                   "use; name its buffer, or go on by a line")
            text = _text("ttl_debug_block_at", str(address), "unsigned")
        print(text)


for _command in (_Ttl, _Where, _Buffers, _Block):
    _command()
