"""Writes the fixtures beside it with SciPy: python3 make.py. The numbers are made up here."""
import numpy as np
import scipy.sparse as sp
from scipy.io import savemat

X = np.array([[1, 0, -2.5], [0, 3, 0], [4, 0, 1e-3], [0, 0, 7]])
cells = np.array([["gene a"], ["gène b"], ["遺伝子"]], dtype=object)
texts = np.array([["yes"], ["no"], ["no"], ["yes"]], dtype=object)
everything = {
    "X": X, "S": sp.csc_matrix(X), "T": X.T.copy(), "whole": X.astype(np.int16), "small": X.astype(np.uint8), "single": X.astype(np.float32),
    "long": np.array([[2**40], [-3], [0], [1]], dtype=np.int64), "B": X > 0, "SB": sp.csc_matrix(X > 0), "Y": np.array([[1.0], [2], [1], [3]]), "row": np.array([1, 2, 1, 3], dtype=np.uint8),
    "yes": np.array([[True], [False], [False], [True]]), "names": cells, "labels": texts, "chars": np.array(["ab", "c", "d", "ab"]), "two": np.array([[1, 5], [2, 6], [1, 7], [3, 8]]),
    "C": X + 1j, "struct": {"a": 1}, "empty": np.zeros((0, 0)),
}
savemat("plain.mat", everything)
savemat("compressed.mat", everything, do_compression=True)
savemat("version4.mat", {"X": X}, format="4")

rows = np.arange(24)
tall = np.column_stack([rows * rows % 11, rows % 3 + 0.5])
savemat("tall.mat", {"X": tall, "Y": (rows % 2 * 2 - 1).reshape(-1, 1), "names": np.array([["a"], ["b"]], dtype=object)}, do_compression=True)
savemat("across.mat", {"data": tall.T, "label": rows % 2}, do_compression=True)
