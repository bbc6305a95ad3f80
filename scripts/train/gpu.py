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

This file has the course of a training; gpu_model.py has the net and its optimizer, gpu_files.py the files.
"""

import argparse
import contextlib
import os
import pathlib
import signal
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

from gpu_files import Checkpoint, Positions, Refused, lock, read_object
from gpu_model import Model, Optimizer

VERSION = 1
# Largest relative difference of losses and gradients that rounding explains.
TOLERANCE = 1e-4


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
