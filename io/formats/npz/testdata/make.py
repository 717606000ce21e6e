"""Writes the fixtures of TestNumPy: python3 make.py, with NumPy 1.24 and SciPy 1.10."""
import numpy as np
import scipy.sparse as sp

dense = np.array([[1, 0, -2.5, 0], [0, 0, 0, 0], [0, 3, 0, 100]])
for dtype in ["<i1", "<i2", ">i2", ">i4", ">i8", "<f2", ">f2", ">f4", ">f8"]:
    np.save(f"x-{dtype[0].replace('<', 'little').replace('>', 'big')}-{dtype[1:]}.npy", dense.astype(dtype))
for dtype in ["<u1", "<u2", ">u2", "<u4", ">u4", "<u8", ">u8"]:
    np.save(f"x-{dtype[0].replace('<', 'little').replace('>', 'big')}-{dtype[1:]}.npy", abs(dense).astype(dtype))
coo = sp.coo_matrix(([2, 3, 100, -2.5, -1], ([0, 2, 2, 0, 0], [0, 1, 3, 2, 0])), shape=(3, 4))  # row 0, column 0 twice
sp.save_npz("x-coo.npz", coo)
sp.save_npz("x-coo-packed.npz", coo, compressed=False)
np.save("y-U.npy", np.array(["spam", "ham", "spam"]))
np.save("y-bigU.npy", np.array(["späm", "ham", "späm"]).astype(">U4"))
np.save("y-S.npy", np.array([b"spam", b"ham", b"spam"]))
np.savez("all.npz", X=dense, y=np.array(["spam", "ham", "spam"]), names=np.array(["a", "b", "c", "d"]), patient=np.array(["p", "q", "p"]))
