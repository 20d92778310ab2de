# ===- _semaphores.py - the semaphores of kernels -----------------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
#   s = Semaphore(0)                          makes a ttl.Semaphore: one value on each node
#   s.set(v), s.inc(v)                        change the value of this node
#   s.set(v, core=[row, column])              changes that of another node
#   s.inc(v, core=.., mcast=[rows, columns])  changes those of a rectangle, one after the other
#   s.wait(v, reset=r)                        waits until the own value is v, then sets it to r
# ===--------------------------------------------------------------------------=== #

import ast

from ttl._pykernel_tree import assigned, parsed

_KEYWORDS = {"set": ("core", "mcast"), "inc": ("core", "mcast"), "wait": ("reset",)}


class Semaphores:
    """The semaphores that a kernel makes: `made` has the initial value of each by its name."""

    def __init__(self, translator):
        self.translator = translator
        self.made = {}

    def make(self, statement):
        """Translates `s = Semaphore(value)`. Returns False if the statement is another one."""
        call = statement.value
        if not isinstance(call, ast.Call) or getattr(call.func, "id", None) != "Semaphore":
            return False
        name, fail = assigned(statement), self.translator.fail
        is_new = name is not None and name not in {*self.made, *self.translator.types, *self.translator.layouts}
        if not is_new or self.translator.depth > 1:
            fail(statement, ValueError, "a semaphore is made once, outside of loops and branches: s = Semaphore(0)")
        initial = self.translator.value(call.args[0])[1].value if len(call.args) == 1 and not call.keywords else None
        if initial is None:
            fail(call, ValueError, "Semaphore() takes its initial value, an integer that is known before the kernel "
                                   "runs")
        self.made[name] = initial
        return True

    def statements(self, call):
        """Returns the translated statements for a method call of a semaphore, None for any other call."""
        function = call.func
        owner = getattr(getattr(function, "value", None), "id", None)
        if owner not in self.made:
            return None
        if function.attr not in _KEYWORDS:
            self.translator.unknown(call, AttributeError, "method of a semaphore", function.attr, [*_KEYWORDS])
        known = {keyword.arg: keyword.value for keyword in call.keywords}
        others = known.keys() - set(_KEYWORDS[function.attr])
        if len(call.args) != 1 or others or "mcast" in known and "core" not in known:
            words = {"wait": "reset="}.get(function.attr, "core=[row, column] and with it mcast=[rows, columns]")
            self.translator.fail(call, TypeError, f"{function.attr}() of a semaphore takes a value, and {words}")
        value = self._text(call.args[0])
        texts = (self._wait(owner, value, known) if function.attr == "wait" else
                 [self._signal(call, f"{function.attr}({value})", owner, known)])
        return [parsed(text, call) for text in texts]

    def _text(self, node):
        return ast.unparse(self.translator.integer(node))

    def _wait(self, owner, value, known):
        reset = [f"{owner}.set({self._text(known['reset'])})"] if "reset" in known else []
        return [f"{owner}.wait_eq({value})", *reset]

    def _signal(self, call, action, owner, known):
        if "core" not in known:
            self.translator.calls.used.add("node")
            return f"{owner}.get_remote(__node(dims=2)).{action}"
        row, column = self._pair(known["core"], "core")
        if "mcast" not in known:
            return f"{owner}.get_remote(({column}, {row})).{action}"
        rows, columns = self._pair(known["mcast"], "mcast")
        return (f"for __row in __range({rows}):\n for __column in __range({columns}):\n"
                f"  {owner}.get_remote(({column} + __column, {row} + __row)).{action}")

    def _pair(self, node, keyword):
        if not isinstance(node, (ast.List, ast.Tuple)) or len(node.elts) != 2:
            self.translator.fail(node, ValueError, f"{keyword}= of a semaphore has two integers, rows first")
        return [f"({self._text(each)})" for each in node.elts]
