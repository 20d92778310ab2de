# SPDX-License-Identifier: Apache-2.0
"""The journal of a campaign: a file whose first line of JSON identifies the campaign, and whose other lines
have one answer each."""

import hashlib
import json
import os

import ttl

_TITLE = "ttl-jit campaign"


class Journal:
    """Opens or creates a journal. Raises a ValueError if the file is no journal or belongs to another
    campaign."""

    def __init__(self, path, facts):
        self.path = path
        self.known = {}  # {key of a job: (value, failure)}
        text = json.dumps([ttl.__version__, facts], sort_keys=True)
        self.title = {_TITLE: hashlib.sha256(text.encode()).hexdigest()}
        if os.path.exists(path) and not os.path.isfile(path):  # reading a device may never end
            raise ValueError(f"--journal={path}: expected a file, found a folder or device")
        size = self._read() if os.path.exists(path) else 0
        self.stream = open(path, "r+b" if size else "wb")
        self.stream.truncate(size)  # drops an incomplete last line of an interrupted campaign
        self.stream.seek(size)
        if not size:
            self._write(self.title)

    def note(self, job, answer):
        self._write([job.key, *answer])

    def _write(self, line):
        self.stream.write(json.dumps(line).encode() + b"\n")
        self.stream.flush()

    def _read(self):
        """Reads the answers into `known`. Returns the size in bytes of all complete lines."""
        with open(self.path, "rb") as stream:
            content = stream.read()
        if not content:
            return 0
        *lines, _ = content.split(b"\n")
        try:
            title, *answers = [json.loads(line) for line in lines]
            if _TITLE not in title:
                raise ValueError
            self.known = {key: (value, failure) for key, value, failure in answers}
        except (ValueError, TypeError):
            raise ValueError(f"{self.path} is no journal of a campaign") from None
        if title != self.title:
            raise ValueError(f"{self.path} is the journal of a campaign with other options, files or another version "
                             "of ttl-jit: repeat the options, or name another file")
        return sum(len(line) + 1 for line in lines)
