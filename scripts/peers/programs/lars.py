"""The lasso path by least angles of a dense table on the folds' training rows, to its end: lars.py FOLDER"""
import sys

import numpy as np
from sklearn.linear_model import lars_path

folder = sys.argv[1]
x, y, fold = (np.load(f"{folder}/{name}.npy") for name in ("all", "all.y", "folds"))
errors = []
for part in np.unique(fold):
    train, test = fold != part, fold == part
    mean, deviation, middle = x[train].mean(axis=0), x[train].std(axis=0), y[train].mean()
    _, _, path = lars_path((x[train] - mean) / deviation, y[train] - middle, method="lasso")
    errors.append((((x[test] - mean) / deviation @ path[:, -1] + middle - y[test]) ** 2).mean())
print(f"quality test_mse {np.mean(errors):.10g}")
