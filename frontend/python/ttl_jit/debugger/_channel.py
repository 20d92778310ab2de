# ===- _channel.py - messages of the Debug Adapter Protocol -------------------=== #
# SPDX-License-Identifier: Apache-2.0
#
# A message is a head, "Content-Length: N", and N bytes of JSON. A body that is no valid request is
# answered with an error, and the next message is read. After an invalid head it is unknown where the
# next message begins, so the session ends.
# ===--------------------------------------------------------------------------=== #

import hmac
import json
import os
import secrets
import socket
import sys
import threading
import time

_MOST_BYTES = 1 << 26  # the largest body of a message
_LONGEST_LINE = 1 << 12  # bytes of a line of a head
_MOST_LINES = 64  # of a head


class Closed(Exception):
    """The editor closed the connection, or sent an invalid head, so that no more messages can be read."""


class Refused(Exception):
    """A request that cannot be answered. The exception's text says why."""


class Channel:
    """Reads and writes messages. If `token` is not None, a launch request must contain the same token."""

    def __init__(self, reader, writer, token=None):
        self._reader, self._writer = reader, writer
        self._lock, self._count = threading.Lock(), 0
        self.token = token

    def read(self):
        """Returns the next request: a dict with "seq", "command" and "arguments"."""
        while True:
            text = self._body(self._size())
            try:
                return _request(text)
            except Refused as refused:
                number, command, message = refused.args
                self.write("response", success=False, message=message, request_seq=number, command=command)

    def _size(self):
        """Reads a head, and returns its Content-Length: the number of bytes of the body."""
        size = None
        for _ in range(_MOST_LINES):
            try:
                line = self._reader.readline(_LONGEST_LINE)
            except (OSError, ValueError) as error:
                raise Closed(str(error)) from None
            if not line:
                raise Closed("the editor has gone")
            name, _, value = line.decode("ascii", "replace").partition(":")
            if not line.strip():
                if size is not None:
                    return size
            elif name.strip().lower() == "content-length":
                size = _length(value.strip())
        raise Closed("expected a line Content-Length: N in the head of a message")

    def _body(self, size):
        parts, left = [], size
        while left:
            try:
                part = self._reader.read(left)
            except (OSError, ValueError) as error:
                raise Closed(str(error)) from None
            if not part:
                raise Closed(f"a message ends after {size - left} of its {size} bytes")
            parts.append(part)
            left -= len(part)
        return b"".join(parts)

    def check(self, token):
        """Raises Refused for a launch without the token of this channel."""
        if self.token is None:
            return
        if not isinstance(token, str) or not hmac.compare_digest(token.encode(), self.token.encode()):
            raise Refused("the argument token= of launch must be the token that ttl-jit dap printed")

    def write(self, kind, **fields):
        with self._lock:
            self._count += 1
            body = json.dumps({"seq": self._count, "type": kind, **fields}, default=str).encode()
            try:
                self._writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
                self._writer.flush()
            except (OSError, ValueError):
                pass  # the editor has gone

    def event(self, name, **body):
        self.write("event", event=name, body=body)


def _length(text):
    if not text.isascii() or not text.isdigit() or len(text) > 12 or int(text) > _MOST_BYTES:
        raise Closed(f"Content-Length must be a number up to {_MOST_BYTES}, found '{text[:40]}'")
    return int(text)


def _request(text):
    """Returns the request in the body of a message. Raises Refused(number of the request, command,
    reason)."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused(0, "", f"a message is not JSON: {error}") from None
    if not isinstance(message, dict):
        raise Refused(0, "", f"a message must be an object, found {type(message).__name__}")
    number, command = message.get("seq"), message.get("command")
    if type(number) is not int:
        raise Refused(0, "", f"a message must have a number seq, found {number!r:.40}")
    if message.get("type") != "request" or not isinstance(command, str):
        raise Refused(number, "", "a message must have the type request and a command")
    arguments = message.get("arguments")
    if arguments is None:
        arguments = {}
    if not isinstance(arguments, dict):
        raise Refused(number, command, "the arguments must be an object, found "
                      f"{type(arguments).__name__}")
    return {"seq": number, "command": command, "arguments": arguments}


# ===--- How editors connect --------------------------------------------------=== #


def standard():
    """Returns a channel on standard input and output. From now on, what the script prints to file descriptor
    1 goes to standard error, and the script's standard input is empty."""
    reader, writer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # the script must not read the editor's messages
    os.close(nothing)
    os.dup2(2, 1)
    return Channel(reader, writer)


def on_port(port):
    """Waits for one connection to a port of this host, and returns its channel. Prints a token that the
    launch request must contain: other users of the host can connect too, and a session can run any
    program."""
    token = os.environ.pop("TTL_DAP_TOKEN", "") or secrets.token_hex(16)
    with socket.create_server(("127.0.0.1", port)) as server:
        print(f"listening on 127.0.0.1:{server.getsockname()[1]}, token {token}", file=sys.stderr, flush=True)
        connection, _ = server.accept()
    stream = connection.makefile("rwb")
    return Channel(stream, stream, token)


def when_parent_ends(call):
    """Calls a function in another thread when the process that started this one has ended."""
    parent = os.getppid()

    def wait():
        while os.getppid() == parent:
            time.sleep(1)
        call()

    threading.Thread(target=wait, daemon=True).start()
