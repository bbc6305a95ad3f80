"""The files of a training on a GPU: positions and checkpoints of kagetsu-train, as src/flat.rs describes them."""

import errno
import fcntl
import json
import os
import zlib

import jax.numpy as jnp
import numpy as np

SAMPLE = np.dtype(
    [("target", "<f4"), ("result", "<f4"), ("cells", "<u2"), ("best", "<u2"), ("head", "u1"), ("", "u1", 3)]
)
OF_CELLS = [("codes", "<u2", 2), ("relations", "u1", 2), ("region", "u1"), ("points", "u1"), ("candidates", "u1")]
CELL = np.dtype([*OF_CELLS, ("", "u1")])


class Refused(Exception):
    """What was given cannot be used; the text says why and what is expected."""


def read_object(path, text, expected):
    """Returns the JSON object that the text of a file is."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refused(f"{path}: {error}; expected {expected}") from error
    if not isinstance(found, dict):
        raise Refused(f"{path}: no object of JSON; expected {expected}")
    return found


def read_records(path, kind, count):
    """Returns the records of a file, which must be this many."""
    if path.stat().st_size != count * kind.itemsize:
        raise Refused(f"{path}: {path.stat().st_size} bytes; expected {count} records of {kind.itemsize}")
    return np.fromfile(path, kind)


def lock(path):
    """Locks the log beside a checkpoint, as kagetsu-train does, and returns it.

    Only one training at a time may write the net.
    """
    # The log is made beside the checkpoint: another file must be refused before that.
    if path.suffix != ".checkpoint" or not path.is_file():
        raise Refused(f"{path}: expected a file NET.checkpoint of kagetsu-train")
    log = path.with_suffix(".log").open("a")
    try:
        fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        expected = "expected a checkpoint that no other program trains"
        raise Refused(f"{log.name}: another training is writing it; {expected}") from error
    except OSError as error:
        # Some file systems of clusters know no locks.
        if error.errno not in (errno.EOPNOTSUPP, errno.ENOSYS):
            raise
    return log


class Positions:
    """The positions of a set, in the memory of the device."""

    def __init__(self, folder, name, size):
        samples = read_records(folder / f"{name}.samples", SAMPLE, size["positions"])
        cells = read_records(folder / f"{name}.cells", CELL, size["cells"])
        counts = samples["cells"].astype(np.int64)
        if counts.sum() != len(cells):
            raise Refused(f"{folder / name}.samples: {counts.sum()} cells; expected {len(cells)}")
        if len(cells) >= 2**31:
            raise Refused(f"{folder / name}.cells: {len(cells)} cells; expected fewer than 2^31")
        self.count = len(samples)
        self.longest = int(counts.max())
        self.arrays = {
            "first": jnp.asarray((np.cumsum(counts) - counts).astype(np.int32)),
            "cells": jnp.asarray(samples["cells"].astype(np.int32)),
            "target": jnp.asarray(samples["target"]),
            "result": jnp.asarray(samples["result"]),
            "best": jnp.asarray(samples["best"].astype(np.int32)),
            "head": jnp.asarray(samples["head"].astype(np.int32)),
            # A field at a time, so that the copies in the memory of the machine are small.
            **{name: jnp.asarray(np.ascontiguousarray(cells[name])) for name, *_ in OF_CELLS},
        }


class Checkpoint:
    """The state of a training, as kagetsu-train keeps it: a line of JSON, then weights, means, squares and steps."""

    def __init__(self, path, plan):
        self.path = path
        data = path.read_bytes()
        line, _, body = data.partition(b"\n")
        self.progress = read_object(path, line, "a checkpoint of kagetsu-train, which begins with a line of JSON")
        length = plan["offsets"]["end"]
        if self.progress["order"] != plan["order"]:
            raise Refused(f"{path}: of another training ({self.progress['order']}); expected {plan['order']}")
        if len(body) != 16 * length:
            raise Refused(f"{path}: cut off or damaged: {len(body)} bytes of weights; expected {16 * length}")
        # Earlier versions kept no checksum.
        if self.progress.get("crc") not in (None, zlib.crc32(body)):
            raise Refused(f"{path}: damaged: the checksum of its weights is wrong; expected a sound copy of it")
        self.state = [jnp.asarray(part) for part in np.frombuffer(body, "<f4").reshape(4, length)]

    def save(self):
        """Puts the state in the place of the file, whole or not at all."""
        body = b"".join(np.asarray(part, "<f4").tobytes() for part in self.state)
        self.progress["crc"] = zlib.crc32(body)
        line = json.dumps(self.progress, separators=(",", ":")).encode() + b"\n"
        # Its name is known before the file is there, so that an interruption at any point leaves none.
        draft = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        # A kill may have left the draft of an earlier process of this number: in a container all have the same.
        draft.unlink(missing_ok=True)
        try:
            with draft.open("xb") as file:
                file.write(line + body)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, self.path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
