"""Reads problems as SciPy and NumPy do, and prints what an answer is worth."""
import sys

import numpy as np
import scipy.sparse as sp

folder = sys.argv[1]


def load(part):
    return sp.load_npz(f"{folder}/{part}.npz").tocsr(), np.load(f"{folder}/{part}.y.npy")


def say(**values):
    for name, value in values.items():
        print(f"quality {name} {value:.10g}")
