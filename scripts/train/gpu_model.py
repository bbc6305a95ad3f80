"""The net in floating point and its optimizer.

kagetsu-train has them in src/model.rs, src/policy.rs and src/optimizer.rs.
"""

import jax
import jax.numpy as jnp
import numpy as np

# By default JAX multiplies matrices on recent GPUs in TF32, which has 10 bits of a fraction instead of 23. The
# training must compute as precisely as kagetsu-train, and --check must compare the arithmetic of the training.
jax.config.update("jax_default_matmul_precision", "highest")

NO_MOVE = 0xFFFF


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
        """Returns the vectors of points: the sum of the rows of both codes.

        With one table the second colour's halves are exchanged.
        """
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

        `chosen` are the positions, `weight` is 1 for each and 0 for those that only fill up the batch, `symmetry` is
        how each is seen, and `longest` the most cells of a position.
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
        """Returns the state after a step along the mean gradient.

        `inputs` is the mean of the first layers' inputs.
        """
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
