"""L2 logistic regression of a dense table on the folds' training rows: table.py FOLDER"""
import sys

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

folder = sys.argv[1]
x, y, fold = (np.load(f"{folder}/{name}.npy") for name in ("all", "sign", "folds"))
losses, accuracies = [], []
for part in np.unique(fold):
    train, test = fold != part, fold == part
    model = LogisticRegression(C=1).fit(x[train], y[train])
    losses.append(log_loss(y[test], model.predict_proba(x[test])))
    accuracies.append((model.predict(x[test]) == y[test]).mean())
print(f"quality log_loss {np.mean(losses):.10g}")
print(f"quality accuracy {np.mean(accuracies):.10g}")
