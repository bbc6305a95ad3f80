#!/usr/bin/env python3
"""Trains a net on a GPU: the same model, losses and optimizer as kagetsu-train, in JAX.

    kagetsu-train --out new.net --expand positions GAMES...   # writes positions and new.net.checkpoint
    scripts/train/gpu.py positions new.net.checkpoint         # trains, and writes the checkpoint after each epoch
    kagetsu-train --out new.net GAMES...                      # makes new.net of the finished checkpoint

The options of the training, such as --epochs and --from, are those of kagetsu-train; give the first and the third command the
same. Stop the second at any time: given again, it goes on after the last finished epoch. It needs Python 3 with NumPy and JAX
(with CUDA for a GPU), and holds all positions in the memory of the device, some 1.5 kB each.

    scripts/train/gpu.py --check positions new.net.checkpoint

compares the losses and the gradient of the first positions, and a step of the optimizer, with those that kagetsu-train has
computed. It trains nothing, and fails if they differ by more than a ten-thousandth.

The files are described in src/flat.rs. Only the order of the positions and the symmetries under which they are seen are drawn
otherwise than by kagetsu-train, so the nets differ as those of two seeds do.
"""

import argparse
import contextlib
import errno
import fcntl
import json
import os
import pathlib
import signal
import sys
import time
import zlib

import jax
import jax.numpy as jnp
import numpy as np

# By default JAX multiplies matrices on recent GPUs in TF32, which has 10 bits of a fraction instead of 23. The training must
# compute as precisely as kagetsu-train, and --check must compare the arithmetic of the training.
jax.config.update("jax_default_matmul_precision", "highest")

SAMPLE = np.dtype([("target", "<f4"), ("result", "<f4"), ("cells", "<u2"), ("best", "<u2"), ("head", "u1"), ("", "u1", 3)])
CELL = np.dtype([("codes", "<u2", 2), ("relations", "u1", 2), ("region", "u1"), ("points", "u1"), ("candidates", "u1"), ("", "u1")])
NO_MOVE = 0xFFFF
VERSION = 1
# Largest relative difference of losses and gradients that rounding explains.
TOLERANCE = 1e-4


class Refused(Exception):
    """What was given cannot be used; the text says why and what is expected."""


def printable(text):
    """Returns text from outside as it may reach a terminal: everything but printable ASCII is escaped."""
    return ascii(str(text))[1:-1]


def tell(line):
    """Prints a line of progress. The training goes on if nobody reads it."""
    try:
        print(line, flush=True)
    except BrokenPipeError:
        # The line is still in the buffer, which is written once more at the end of the program.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


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
    """Locks the log beside a checkpoint, as kagetsu-train does, and returns it: only one training at a time may write the net."""
    # The log is made beside the checkpoint: another file must be refused before that.
    if path.suffix != ".checkpoint" or not path.is_file():
        raise Refused(f"{path}: expected a file NET.checkpoint of kagetsu-train")
    log = path.with_suffix(".log").open("a")
    try:
        fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Refused(f"{log.name}: another training is writing it; expected a checkpoint that no other program trains") from error
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
            **{name: jnp.asarray(np.ascontiguousarray(cells[name])) for name in ("codes", "relations", "region", "points", "candidates")},
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


def bounded(x, low, high, outside):
    """`x` between two bounds. Beyond them its slope is `outside`, so that every neuron can still learn."""
    inside = (x > low) & (x < high)
    # The value is that of the clip, the slope that of the second term.
    slope = jnp.where(inside, x, outside * x)
    return jnp.clip(jax.lax.stop_gradient(x), low, high) + slope - jax.lax.stop_gradient(slope)


class Model:
    """The net in floating point, as in src/model.rs and src/policy.rs."""

    def __init__(self, plan):
        self.plan, self.sizes, self.offsets, self.numbers = plan, plan["sizes"], plan["offsets"], plan["model"]
        self.heads = plan["heads"]
        self.turned = jnp.asarray(self.numbers["symmetries"])

    def parts(self, weights):
        """Returns the parts of the weights by name, in their shapes."""
        s, heads = self.sizes, self.heads
        shapes = {
            "embedding": (heads, s["codes"], s["channels"]),
            "linear": (heads, 2, s["codes"]),
            "moves": (heads, 2, s["codes"]),
            "policy": (heads, s["codes"], s["policy_channels"]),
            "policy_w1": (heads, s["policy_hidden"], s["inputs"]),
            "policy_b1": (heads, s["policy_hidden"]),
            "policy_w2": (heads, s["policy_outputs"], s["policy_hidden"]),
            "policy_b2": (heads, s["policy_outputs"]),
            "w1": (heads, s["hidden"], s["inputs"]),
            "b1": (heads, s["hidden"]),
            "w2": (heads, s["hidden"], s["second"]),
            "b2": (heads, s["hidden"]),
            "w3": (heads, s["hidden"]),
            "b3": (heads,),
            "mean": (s["inputs"],),
        }
        return {
            name: weights[self.offsets[name] : self.offsets[name] + int(np.prod(shape))].reshape(shape)
            for name, shape in shapes.items()
        }

    def vectors(self, table, codes, limit):
        """Returns the vectors of points: the sum of the rows of both codes. With one table the second colour's halves are exchanged."""
        first = table[0][codes[..., 0]]
        if self.heads == 2:
            return bounded(first + table[1][codes[..., 1]], 0, limit, 0)
        half = table.shape[-1] // 2
        return bounded(first + jnp.roll(table[0], half, axis=-1)[codes[..., 1]], 0, limit, 0)

    def linear(self, table, head, codes):
        """Returns the sum of the linear weights of both codes of each point."""
        head = head[:, None]
        return table[head, 0, codes[..., 0]] + table[head, 1, codes[..., 1]]

    def losses(self, weights, data, chosen, weight, symmetry, longest):
        """Returns the loss to descend, summed over positions, with the sums for the log and those of the inputs.

        `chosen` are the positions, `weight` is 1 for each and 0 for those that only fill up the batch, `symmetry` is how each is
        seen, and `longest` the most cells of a position.
        """
        numbers, relations = self.numbers, self.sizes["policy_channels"] + self.sizes["regions"]
        part = self.parts(weights)
        place = jnp.arange(longest)
        there = place < data["cells"][chosen][:, None]
        at = jnp.where(there, data["first"][chosen][:, None] + place, 0)
        codes = data["codes"][at].astype(jnp.int32)
        points = jnp.where(there, data["points"][at], 0).astype(jnp.float32)
        candidates = jnp.where(there, data["candidates"][at], 0).astype(jnp.float32)
        region = self.turned[symmetry[:, None], data["region"][at]]
        head, target, result, best = (data[name][chosen] for name in ("head", "target", "result", "best"))

        vectors = self.vectors(part["embedding"], codes, numbers["limit"])
        in_region = jax.nn.one_hot(region, self.sizes["regions"]) * points[..., None]
        regions = jnp.einsum("blr,blc->brc", in_region, vectors)
        total = regions.sum(axis=1, keepdims=True) / numbers["total_scale"]
        raw = jnp.concatenate([total, regions], axis=1).reshape(len(chosen), -1)
        inputs = raw - jax.lax.stop_gradient(part["mean"])
        z = jnp.einsum("bi,bji->bj", inputs, part["w1"][head]) + part["b1"][head]
        hidden = jnp.concatenate([bounded(z, 0, 1, numbers["outside"]), bounded(z, -1, 1, 0) ** 2], axis=1)
        z = jnp.einsum("bi,bji->bj", hidden, part["w2"][head]) + part["b2"][head]
        second = bounded(z, 0, 1, numbers["outside"])
        linear = (points * self.linear(part["linear"], head, codes)).sum(axis=1)
        logit = (second * part["w3"][head]).sum(axis=1) + part["b3"][head] + linear

        def cross_entropy(target):
            return jnp.maximum(logit, 0) - logit * target + jnp.log1p(jnp.exp(-jnp.abs(logit)))

        value = cross_entropy(target) * weight
        known = (result >= 0) * weight

        # The policy's gradient stops at the inputs: the value's vectors are the value's alone.
        inputs = jax.lax.stop_gradient(inputs)
        z = jnp.einsum("bi,bji->bj", inputs, part["policy_w1"][head]) + part["policy_b1"][head]
        hidden = bounded(z, 0, 1, numbers["outside"])
        outputs = jnp.einsum("bi,bji->bj", hidden, part["policy_w2"][head]) + part["policy_b2"][head]
        channels = self.sizes["policy_channels"]
        vectors = self.vectors(part["policy"], codes, numbers["policy_limit"])
        last, before = (data["relations"][at][..., i].astype(jnp.int32) for i in range(2))
        logits = (
            jnp.einsum("blc,bc->bl", vectors, outputs[:, :channels])
            + jnp.take_along_axis(outputs, channels + region, axis=1)
            + jnp.take_along_axis(outputs, relations + last, axis=1)
            + jnp.take_along_axis(outputs, relations + self.sizes["relations"] + before, axis=1)
            + self.linear(part["moves"], head, codes)
        )
        logits = jnp.where(candidates > 0, logits, -jnp.inf)
        learned = (best != NO_MOVE) * weight
        # Positions without a move to learn get harmless numbers, for what is not a number would spoil the gradient.
        logits = jnp.where(learned[:, None] > 0, logits, jnp.where(place == 0, 0.0, -jnp.inf))
        candidates = jnp.where(learned[:, None] > 0, candidates, 1.0)
        most = jax.lax.stop_gradient(logits.max(axis=1))
        all_moves = jnp.log((candidates * jnp.exp(logits - most[:, None])).sum(axis=1)) + most
        of_best = jnp.take_along_axis(logits, jnp.where(learned > 0, best, 0)[:, None], axis=1)[:, 0]
        moves = (all_moves - of_best + numbers["level"] * all_moves**2) * learned

        sums = {
            "value": value.sum(),
            "count": weight.sum(),
            "result": (cross_entropy(result) * known).sum(),
            "results": known.sum(),
            "moves": moves.sum(),
            "hits": ((of_best >= most) * learned).sum(),
            "move_count": learned.sum(),
        }
        return value.sum() + moves.sum(), (sums, (raw * weight[:, None]).sum(axis=0))


class Optimizer:
    """AdamW with warm-up and cosine decay, as in src/optimizer.rs."""

    def __init__(self, plan):
        self.numbers, at = plan["optimizer"], plan["offsets"]
        n, self.mean = self.numbers, at["mean"]
        rates, most = np.zeros(self.mean, np.float32), np.full(self.mean, n["largest"], np.float32)
        for start, end, rate in [
            (0, at["linear"], "embedding"),
            (at["linear"], at["moves"], "linear"),
            (at["moves"], at["policy"], "moves"),
            (at["policy"], at["policy_w1"], "embedding"),
            (at["policy_w1"], self.mean, "layers"),
        ]:
            rates[start:end] = n[rate]
        most[at["policy"] : at["policy_w1"]] = plan["model"]["policy_limit"]
        most[at["policy_w1"] :] = n["largest_in_layers"]
        self.rates, self.most = jnp.asarray(rates), jnp.asarray(most)
        # A batch updates only the codes that occur in it, but always the layers.
        self.layers = jnp.arange(self.mean) >= at["policy_w1"]

    def schedule(self, part):
        """Returns the share of the learning rates at this part, 0 to 1, of the training."""
        n = self.numbers
        rest = jnp.minimum((part - n["warm_up"]) / (1 - n["warm_up"]), 1)
        falling = n["last"] + (1 - n["last"]) * 0.5 * (1 + jnp.cos(jnp.pi * rest))
        return jnp.where(part < n["warm_up"], part / n["warm_up"], falling)

    def apply(self, state, gradient, inputs, part):
        """Returns the state after a step along the mean gradient, where `inputs` is the mean of the first layers' inputs."""
        n, end = self.numbers, self.mean
        weights, mean, square, steps = (x[:end] for x in state)
        g = gradient[:end]
        moved = (g != 0) | self.layers
        mean = jnp.where(moved, mean + (1 - n["beta1"]) * (g - mean), mean)
        square = jnp.where(moved, square + (1 - n["beta2"]) * (g * g - square), square)
        steps = jnp.where(moved, steps + 1, steps)
        taken = jnp.maximum(steps, 1)
        length = (mean / (1 - n["beta1"] ** taken)) / (jnp.sqrt(square / (1 - n["beta2"] ** taken)) + n["epsilon"])
        new = weights - self.schedule(part) * self.rates * (length + n["decay"] * weights)
        weights = jnp.clip(jnp.where(moved, new, weights), -self.most, self.most)
        means = state[0][end:] + n["mean_rate"] * (inputs - state[0][end:])
        rest = [x[end:] for x in state[1:]]
        return [jnp.concatenate(pair) for pair in zip((weights, mean, square, steps), [means, *rest])]


def add(sums, more):
    """Adds the sums of a batch to those before it, in double precision."""
    return {name: sums.get(name, 0.0) + float(x) for name, x in more.items()}


class Training:
    """A training between two epochs."""

    def __init__(self, folder, path):
        path_of_plan = folder / "plan.json"
        plan = read_object(path_of_plan, path_of_plan.read_bytes(), "a plan of kagetsu-train --expand")
        if plan.get("format") != "kagetsu positions" or plan.get("version") != VERSION:
            raise Refused(f"{path_of_plan}: expected the format 'kagetsu positions' of version {VERSION}")
        self.plan, self.folder = plan, folder
        self.checkpoint = Checkpoint(path, plan)
        self.training = Positions(folder, "training", plan["training"])
        self.validation = Positions(folder, "validation", plan["validation"])
        self.model, self.optimizer = Model(plan), Optimizer(plan)

    def learn(self, state, data, chosen, weight, symmetry, part):
        """Returns the state after one batch, and the sums of its losses."""
        gradient, (sums, inputs) = jax.grad(self.model.losses, has_aux=True)(
            state[0], data, chosen, weight, symmetry, self.training.longest
        )
        count = weight.sum()
        return self.optimizer.apply(state, gradient / count, inputs / count, part), sums

    def batches(self, order, size):
        """Returns the batches of an order of positions, the last one filled up, with the weights of their positions."""
        for start in range(0, len(order), size):
            chosen = order[start : start + size]
            fill = size - len(chosen)
            yield start, np.pad(chosen, (0, fill)), np.pad(np.ones(len(chosen), np.float32), (0, fill))

    def judge(self):
        """Returns the sums of losses of the positions held back."""
        data, size = self.validation, self.plan["batch"]
        losses = jax.jit(self.model.losses, static_argnums=5)
        symmetry, sums = jnp.zeros(size, jnp.int32), {}
        for _, chosen, weight in self.batches(np.arange(data.count), size):
            sums = add(sums, losses(self.checkpoint.state[0], data.arrays, chosen, weight, symmetry, data.longest)[1][0])
        return sums

    def run(self):
        """Trains the epochs that are left, and saves the checkpoint after each."""
        progress, plan = self.checkpoint.progress, self.plan
        if progress["batch"] != 0:
            raise Refused(f"{self.checkpoint.path}: stopped within an epoch; expected one that kagetsu-train has not gone on with")
        learn = jax.jit(self.learn, donate_argnums=0)
        every, began, done = plan["training"]["positions"], time.monotonic(), 0
        while progress["epoch"] < plan["epochs"]:
            epoch = progress["epoch"]
            random = np.random.default_rng([plan["seed"], epoch])
            sums = []
            for start, chosen, weight in self.batches(random.permutation(every), plan["batch"]):
                part = np.float32((epoch * every + start) / (plan["epochs"] * every))
                symmetry = random.integers(8, size=len(chosen))
                self.checkpoint.state, of_batch = learn(
                    self.checkpoint.state, self.training.arrays, chosen, weight, symmetry, part
                )
                sums.append(of_batch)
                done += int(weight.sum())
            learned = {}
            for of_batch in sums:
                learned = add(learned, of_batch)
            judged = self.judge()

            def mean(sums, name, count):
                return round(sums[name] / max(sums[count], 1.0), 6)

            entry = {
                "epoch": epoch + 1,
                "training": mean(learned, "value", "count"),
                "validation": mean(judged, "value", "count"),
                "result": mean(judged, "result", "results"),
                "moves": mean(judged, "moves", "move_count"),
                "hits": mean(judged, "hits", "move_count"),
            }
            if not all(np.isfinite(x) for x in entry.values()):
                raise Refused(f"the loss of epoch {epoch + 1} is not finite: the learning rates are too high")
            progress["log"].append(entry)
            progress["epoch"] = epoch + 1
            progress["step"] += len(sums)
            self.checkpoint.save()
            speed = done / (time.monotonic() - began)
            left = (plan["epochs"] - epoch - 1) * every / speed
            tell(
                f"epoch {epoch + 1}: value {entry['training']:.4f}, held back {entry['validation']:.4f} (results "
                f"{entry['result']:.4f}); moves {entry['moves']:.4f}, best found {100 * entry['hits']:.1f} %; "
                f"{speed:,.0f} positions a second, {left:.0f} s left"
            )

    def check(self):
        """Compares the first positions with what kagetsu-train has computed; returns whether they agree."""
        if self.checkpoint.progress["step"] != 0:
            raise Refused(f"{self.checkpoint.path}: a training that has begun; expected one before its first step")
        expected = self.plan["parity"]
        count = int(expected["positions"])
        expected_gradient = np.fromfile(self.folder / "parity.gradient", "<f4")
        gradient, (sums, inputs) = jax.jit(jax.grad(self.model.losses, has_aux=True), static_argnums=5)(
            self.checkpoint.state[0],
            self.training.arrays,
            np.arange(count),
            np.ones(count, np.float32),
            np.arange(count) % 8,
            self.training.longest,
        )
        end = self.optimizer.mean
        gradient = np.concatenate([np.asarray(gradient)[:end], np.asarray(inputs)]) / count
        # Along the expected gradient: the first step has the same length for the smallest gradient, so that of another sign,
        # by rounding, would count in full.
        weights = self.checkpoint.state[0]
        state = [weights, *(jnp.zeros_like(weights) for _ in range(3))]
        step = self.optimizer.apply(state, expected_gradient, expected_gradient[end:], expected["part"])[0] - weights
        expected_step = np.fromfile(self.folder / "parity.weights", "<f4") - weights
        agree = True
        for name in ("value", "result", "moves", "hits"):
            found, wanted = float(sums[name]), expected[name]
            off = abs(found - wanted) / max(abs(wanted), 1e-9)
            agree &= off <= TOLERANCE
            print(f"{name:10} {found:14.6f}, expected {wanted:14.6f}, off by {off:.1e}")
        # The names in the order of their places.
        bounds = sorted(self.plan["offsets"].items(), key=lambda item: item[1])
        for (name, start), (_, end) in zip(bounds, bounds[1:]):
            for what, found, wanted in (("gradient", gradient, expected_gradient), ("step", step, expected_step)):
                found, wanted = np.asarray(found[start:end]), np.asarray(wanted[start:end])
                off = np.linalg.norm(found - wanted) / max(np.linalg.norm(wanted), 1e-12)
                agree &= bool(off <= TOLERANCE)
                print(f"{printable(name):10} {what:8} of length {np.linalg.norm(wanted):.3e}, off by {off:.1e}")
        return agree


def stop(number, _frame):
    """Ends the program by an exception, so that no draft of a checkpoint stays; further signals must not interrupt that."""
    signal.signal(number, signal.SIG_IGN)
    # sys.stderr cannot be used: the signal may have come while it was written to.
    with contextlib.suppress(OSError):
        os.write(2, b"gpu.py: stopped; run the same command to continue\n")
    sys.exit(128 + number)


def main():
    """Reads the command line and does what it says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", type=pathlib.Path, help="folder of kagetsu-train --expand")
    parser.add_argument("checkpoint", type=pathlib.Path, help="checkpoint that kagetsu-train --expand has written")
    parser.add_argument("--check", action="store_true", help="compare losses and gradient with kagetsu-train, and train nothing")
    args = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # nohup has a signal ignored.
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        if args.check:
            return 0 if Training(args.positions, args.checkpoint).check() else 1
        # The lock comes first: another training may still be writing the checkpoint.
        with lock(args.checkpoint):
            Training(args.positions, args.checkpoint).run()
        tell("finished; next: the command of kagetsu-train without --expand, which makes the net")
        return 0
    except KeyError as error:
        text = f"no key {error} in plan.json or the checkpoint; expected files of this version"
        print(f"gpu.py: {printable(text)}", file=sys.stderr)
        return 1
    except (Refused, OSError) as error:
        print(f"gpu.py: {printable(error)}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
