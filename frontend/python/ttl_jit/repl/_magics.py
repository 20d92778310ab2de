# ===- _magics.py - the commands of the session as magics of IPython ----------=== #
# SPDX-License-Identifier: Apache-2.0
# ===--------------------------------------------------------------------------=== #

from IPython.core.error import UsageError

from ttl_jit.repl import _calls, _commands, _shell

# Commands that a notebook has in another way.
_WITHOUT = ("quit", "save", "replay", "mlir")


def load(ipython):
    """Adds the magic %ttl."""
    shell = _shell.Shell(ipython.user_ns)

    def ttl(line):
        """%ttl COMMAND: the commands of ttl-jit's session, as in `%ttl ir dst`; `%ttl help` lists
        them."""
        line = line.strip() or "help"
        if line.split()[0].removeprefix(":") in _WITHOUT:
            raise UsageError(f"%ttl {line.split()[0]} is a command of ttl-jit's own session")
        try:
            shell.commands.run(":" + line.removeprefix(":"))
        except (_calls.NothingToShow, _commands.WrongCommand) as error:
            raise UsageError(str(error)) from None

    ipython.register_magic_function(ttl, "line", "ttl")
    ipython.push({"_ttl_shell": shell}, interactive=False)
