"""Two classes of a dense table, on the folds' training rows: table.py FOLDER l2|l1|hinge|rbf"""
import sys
import warnings

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.svm import SVC, LinearSVC

warnings.filterwarnings("ignore")  # LinearSVC ends at 1,000 passes
models = {
    "l2": lambda: LogisticRegression(C=1),
    "l1": lambda: LogisticRegression(C=1, penalty="l1", solver="liblinear"),
    "hinge": lambda: LinearSVC(C=1, loss="hinge"),
    "rbf": lambda: SVC(C=1),
}
folder, name = sys.argv[1:3]
x, y, fold = (np.load(f"{folder}/{part}.npy") for part in ("all", "sign", "folds"))
losses, accuracies = [], []
for part in np.unique(fold):
    train, test = fold != part, fold == part
    model = models[name]().fit(x[train], y[train])
    if name in ("l1", "l2"):
        losses.append(log_loss(y[test], model.predict_proba(x[test])))
    accuracies.append((model.predict(x[test]) == y[test]).mean())
if losses:
    print(f"quality log_loss {np.mean(losses):.10g}")
print(f"quality accuracy {np.mean(accuracies):.10g}")
