# SPDX-License-Identifier: Apache-2.0
"""Writes the stubs of ttl and ttnn, which editors read: names, signatures and docstrings.

    PYTHONPATH=BUILD/python python3 stubs.py FOLDER

The extension makes the functions of these packages when the packages are imported, so editors cannot
find these functions in the source. The docstrings are the texts that help() shows.
"""

import enum
import inspect
import pathlib
import sys
import textwrap
import types

_HEAD = '''\
# Written by tools/packages/stubs.py.
"""{doc}"""

from typing import Any

'''

# Members of blocks, buffers and handles, which exist only in kernels.
_MEMBERS = {
    "TensorBlock": """\
shape: tuple[int, ...]
dtype: DataType
def store(self, value: TensorBlock, acc: bool = False) -> None: ...
def push(self) -> None: ...
def pop(self) -> None: ...
def __enter__(self) -> TensorBlock: ...
def __exit__(self, *_: Any) -> None: ...
""" + "".join(f"def __{name}__(self, other: Any) -> TensorBlock: ...\n" for name in (
        "add radd sub rsub mul rmul truediv rtruediv floordiv mod pow matmul lt le gt ge iadd isub "
        "imul itruediv").split()) + "def __neg__(self) -> TensorBlock: ...\n",
    "DataflowBuffer": """\
shape: tuple[int, ...]
block_count: int
dtype: DataType
def reserve(self) -> TensorBlock: ...
def wait(self) -> TensorBlock: ...
def push(self) -> None: ...
def pop(self) -> None: ...
""",
    "CopyTransferHandler": "def wait(self) -> None: ...\n",
    "ReadyReceive": "def index(self) -> int: ...\n",
    "Pipe": "src: Any\ndst: Any\ndef has_current_core(self) -> bool: ...\n",
    "PipeNet": "".join(f"def {name}(self, function: Any) -> None: ...\n" for name in ("if_src", "if_dst"))
    + "".join(f"def {name}(self) -> bool: ...\n" for name in ("is_src", "is_dst", "is_active"))
    + "def destination_count(self) -> int: ...\n",
    "Semaphore": "".join(f"def {name}(self, value: int) -> None: ...\n" for name in "wait_eq wait_ge set inc".split())
    + "def get_remote(self, core: Any) -> Any: ...\n"
    + "def get_remote_multicast(self, core_range: Any = None) -> Any: ...\n",
}
_RESULTS = {"copy": "CopyTransferHandler", "wait_any": "ReadyReceive", "core_in_pipe": "bool",
            "make_dfb": "DataflowBuffer", "make_dataflow_buffer_like": "DataflowBuffer",
            "make_circular_buffer_like": "DataflowBuffer", "make_tensor_backed_dfb": "DataflowBuffer",
            "raw_element_read": "float", "read_index": "int", "load": "CompiledKernel",
            "compile_mlir": "MlirKernel"}
# Modules of ttnn whose functions return tensors.
_OF_TENSORS = "binary conversion creation matrices normalization reductions shapes unary".split()


def _parameters(signature):
    """Returns the parameters as text. Writes `...` for defaults, because their repr may not be valid Python."""
    found = []
    for each in signature.parameters.values():
        default = each.empty if each.default is each.empty else ...
        found.append(each.replace(default=default, annotation=each.empty))
    text = str(signature.replace(parameters=found, return_annotation=signature.empty))
    return text.replace("Ellipsis", "...")


def _quoted(text):
    end = "\n" if text.endswith('"') else ""
    return '"""' + text.replace("\\", "\\\\").replace('"""', "'''") + end + '"""'


def _documented(opening, doc, members=""):
    """Returns a definition with a docstring."""
    body = (textwrap.indent(_quoted(doc), "    ") + "\n" if doc else "") + textwrap.indent(members, "    ")
    return f"{opening}\n{body or '    ...' + chr(10)}"


def _signature_text(function):
    try:
        return _parameters(inspect.signature(function))
    except (TypeError, ValueError):
        return "(*args, **kwargs)"


def _function(name, function, result):
    doc = inspect.getdoc(function) or ""
    if hasattr(function, "key"):  # a function of kernels: its docstring begins with its signature
        doc = doc.partition("\n\n")[2]
    return _documented(f"def {name}{_signature_text(function)} -> {result}:", doc)


def _method(name, member):
    if isinstance(member, property):
        return _documented(f"@property\ndef {name}(self) -> Any:", inspect.getdoc(member) or "")
    text = _signature_text(member)
    text = text if text.startswith("(self") else f"(self, {text[1:]}".replace("(self, )", "(self)")
    is_made = name == "__init__"
    doc = "" if is_made else inspect.getdoc(member) or ""
    return _documented(f"def {name}{text} -> {'None' if is_made else 'Any'}:", doc)


def _members(cls, known):
    """Returns the text of the public members of a class, without those in `known`."""
    if issubclass(cls, enum.Enum):
        return "".join(f"{name}: {cls.__name__}\n" for name in cls.__members__)
    parts = []
    for name, member in vars(cls).items():
        is_public = not name.startswith("_") or name == "__init__"
        if not is_public or f"def {name}(" in known or f"{name}: " in known:
            continue
        if isinstance(member, cls):  # a value of an enumeration of the extension
            parts.append(f"{name}: {cls.__name__}\n")
        elif callable(member) or isinstance(member, property):
            parts.append(_method(name, member))
    return "".join(parts)


def _class(name, cls, extra=""):
    base = next((each.__name__ for each in cls.__mro__[1:] if each.__module__ == "ttl"), "")
    base = base or next((each.__name__ for each in cls.__mro__[1:] if issubclass(each, (Exception, Warning))), "")
    known = _MEMBERS.get(name, "") + extra
    return _documented(f"class {name}{f'({base})' if base else ''}:", inspect.getdoc(cls) or "",
                       known + _members(cls, known))


def _entry(name, value, result):
    if inspect.isclass(value):
        if value.__name__ != name and value.__module__.startswith("ttl"):
            return f"{name} = {value.__name__}\n"
        return _class(name, value)
    if isinstance(value, types.ModuleType):
        return f"from . import {name} as {name}\n"
    if callable(value):
        return _function(name, value, result)
    return f"{name}: {type(value).__name__}\n"


def _block_methods(functions):
    """Returns the stubs of TensorBlock's methods: each function of blocks is also a method."""
    return "".join(f"def {name}(self, *args: Any, **kwargs: Any) -> TensorBlock: ...\n" for name in functions)


def _result_of_ttl(name, functions):
    return "TensorBlock" if name in functions else _RESULTS.get(name, "Any")


def ttl_stub():
    import ttl

    functions = ttl.math.__all__
    parts = [_HEAD.format(doc=ttl.__doc__) + "from ttnn import DataType\n\n__version__: str\n"]
    names = [name for name in dir(ttl) if not name.startswith("_")]
    # Write each class before its aliases, which name it: `Alias = Class`.
    names.sort(key=lambda name: getattr(getattr(ttl, name), "__name__", name) != name)
    for name in names:
        value = getattr(ttl, name)
        if name == "ttnn":
            parts.append("import ttnn as ttnn\n")
        elif name == "TensorBlock":
            parts.append(_class(name, value, _block_methods(functions)))
        else:
            parts.append(_entry(name, value, _result_of_ttl(name, functions)))
    return "\n".join(parts)


def math_stub():
    import ttl

    names = "".join(f"from ttl import {name} as {name}\n" for name in ttl.math.__all__)
    return f'# Written by tools/packages/stubs.py.\n"""{ttl.math.__doc__}"""\n\n{names}'


def ttnn_stub():
    import ttnn

    parts = [_HEAD.format(doc=ttnn.__doc__)]
    for name in ttnn.__all__:
        value = getattr(ttnn, name)
        module = getattr(value, "__module__", "").rpartition(".")[2] if callable(value) else ""
        parts.append(_entry(name, value, "Tensor" if module in _OF_TENSORS else "Any"))
    return "\n".join(parts)


def write(folder):
    """Writes the stubs into the packages ttl and ttnn of a folder."""
    for name, text in (("ttl/__init__.pyi", ttl_stub()), ("ttl/math.pyi", math_stub()),
                       ("ttl/block.pyi", math_stub()), ("ttnn/__init__.pyi", ttnn_stub())):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    for package in ("ttl", "ttnn"):
        (folder / package / "py.typed").touch()


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]))
