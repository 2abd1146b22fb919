"""Runs programs of the attention on screen, and compares each variable with the tensor of its name.

    python3 program_numbers.py STATES.json

STATES.json is a list of {code, link, tensors: {name: {shape, data}}}. Prints {compared, gradients, worst, wrong}: how many
tensors, how many of them are gradients, the largest difference relative to a tensor's largest number, and what is further off than 1e-5.
"""

import contextlib
import io
import json
import sys

import numpy as np

TOLERANCE = 1e-5


def difference(ours, theirs):
    """Relative to the largest finite number; NaN and infinities must be at the same places."""
    if ours.shape != theirs.shape:
        return float("inf")
    special = ~np.isfinite(theirs)
    same = np.where(np.isnan(theirs), np.isnan(ours), ours == theirs)
    if not same[special].all():
        return float("inf")
    ours, theirs = ours[~special], theirs[~special]
    if theirs.size == 0:
        return 0.0
    return float(np.abs(ours - theirs).max() / max(np.abs(theirs).max(), 1e-2))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        states = json.load(file)
    compared, gradients, worst, wrong = 0, 0, 0.0, []
    for state in states:
        variables = {}
        said = io.StringIO()
        with contextlib.redirect_stdout(said), np.errstate(all="ignore"):
            exec(state["code"], variables)  # noqa: S102, a program of our own
        if "largest difference: " not in said.getvalue():
            wrong.append([state["link"], "does not say how far the output is"])
        for name, tensor in state["tensors"].items():
            if name not in variables:
                wrong.append([state["link"], name, "is missing"])
                continue
            theirs = np.array([float(number) for number in tensor["data"]]).reshape(tensor["shape"])
            ours = variables[name]
            ours = ours.detach().numpy() if hasattr(ours, "detach") else np.asarray(ours)
            off = difference(ours.astype(np.float64), theirs)
            compared += 1
            gradients += name.startswith("d_")
            worst = max(worst, off)
            if off > TOLERANCE and len(wrong) < 20:
                wrong.append([state["link"], name, off])
    print(json.dumps({"compared": compared, "gradients": gradients, "worst": worst, "wrong": wrong}))


if __name__ == "__main__":
    main()
