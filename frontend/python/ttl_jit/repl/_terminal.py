# ===- _terminal.py - the session in a terminal -------------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# Editing, history, completion and colors come from prompt_toolkit and pygments. Without them,
# Python's own line editing serves.
# ===--------------------------------------------------------------------------=== #

import builtins
import keyword
import os
import re
import sys

PROMPT, MORE = "ttl> ", "...> "
_NAME = re.compile(r"[\w.]*$")


def run(shell):
    """Reads and runs statements until the user ends the session."""
    from ttl_jit.repl._shell import Quit

    shell.commands.colored = sys.stdout.isatty()
    read = _reader(shell)
    print("ttl-jit: Python statements, and commands with a colon; :help lists them, :quit ends")
    while True:
        try:
            shell.execute(read())
        except KeyboardInterrupt:
            print("", file=sys.stderr)  # Ctrl-C at the prompt drops the statement
        except EOFError:
            return 0
        except Quit as quit:
            return (quit.status or 0) & 0xFF


def candidates(shell, text):
    """Returns what may complete the text, and how many of its last characters they replace."""
    if text.lstrip().startswith(":"):
        text = text.lstrip()
        return shell.commands.completions(text), len(re.split("[: ]", text)[-1])
    name = _NAME.search(text)[0]
    owner, dot, start = name.rpartition(".")
    if dot:
        found = _members(shell.namespace, owner)
    else:
        found = {*shell.namespace, *keyword.kwlist, *vars(builtins)}
    return sorted(each for each in found if each.startswith(start)
                  and (start.startswith("_") or not each.startswith("_"))), len(start)


def _members(namespace, path):
    """Returns the attributes of an object that is reached by names alone."""
    first, *rest = path.split(".")
    if first not in namespace:
        return ()
    value = namespace[first]
    for name in rest:
        value = getattr(value, name, None)
    return dir(value)


def _reader(shell):
    try:
        return _rich_reader(shell)
    except ImportError:
        return _plain_reader(shell)


def _history_file():
    folder = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    os.makedirs(os.path.join(folder, "ttl-jit"), exist_ok=True)
    return os.path.join(folder, "ttl-jit", "history")


def _rich_reader(shell):
    import prompt_toolkit
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.history import FileHistory
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.lexers import PygmentsLexer
    from pygments.lexers.python import PythonLexer

    class Names(Completer):
        def get_completions(self, document, event):
            found, replaced = candidates(shell, document.text_before_cursor)
            for each in found:
                yield Completion(each, -replaced)

    keys = KeyBindings()

    def is_whole():
        text = session.default_buffer.text
        last = text.split("\n")[-1]
        return shell.is_complete(text) and ("\n" not in text or not last.strip())

    @keys.add("enter", filter=Condition(lambda: not is_whole()))
    def _(event):
        last = event.current_buffer.document.current_line_before_cursor
        indent = last[: len(last) - len(last.lstrip())]
        event.current_buffer.insert_text("\n" + indent + ("    " if last.rstrip().endswith(":") else ""))

    session = prompt_toolkit.PromptSession(
        history=FileHistory(_history_file()), completer=Names(), lexer=PygmentsLexer(PythonLexer),
        multiline=Condition(lambda: not is_whole()), key_bindings=keys, complete_while_typing=False,
        prompt_continuation=MORE,
    )
    return lambda: session.prompt(PROMPT)


def _plain_reader(shell):
    import readline

    def complete(text, state):
        line = readline.get_line_buffer()[: readline.get_endidx()]
        found, replaced = candidates(shell, line)
        start = text[: len(text) - replaced] if replaced <= len(text) else ""
        return (start + found[state]) if state < len(found) else None

    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")

    def read():
        text = input(PROMPT)
        while not shell.is_complete(text):
            line = input(MORE)
            text += "\n" + line
            if not line.strip():
                text += "\n"
        return text

    return read
