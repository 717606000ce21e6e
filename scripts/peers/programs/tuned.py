"""A penalty chosen on inner folds of a dense table, 1 where there are none, and the model on all rows: tuned.py FOLDER l2|lasso ROWS RESPONSE FOLDS"""
import sys
import time

import numpy as np
from sklearn.linear_model import LassoCV, LogisticRegression, LogisticRegressionCV
from sklearn.metrics import log_loss
from sklearn.model_selection import KFold

folder, name = sys.argv[1:3]
x, y = (np.load(f"{folder}/{part}.npy") for part in sys.argv[3:5])
folds = int(sys.argv[5])
divided = KFold(folds, shuffle=True, random_state=1) if folds else None
begun = time.process_time()
if name == "lasso":
    deviation = x.std(axis=0)
    model = LassoCV(n_alphas=100, cv=divided).fit(x / deviation, y)
elif folds:
    model = LogisticRegressionCV(Cs=np.logspace(-4, 4, 10), cv=divided, scoring="neg_log_loss").fit(x, y)
else:
    model = LogisticRegression(C=1).fit(x, y)
print(f"quality seconds_of_fits {time.process_time() - begun:.10g}")
if name == "lasso":
    print(f"quality test_mse {((model.predict(x / deviation) - y) ** 2).mean():.10g}")
else:
    print(f"quality log_loss {log_loss(y, model.predict_proba(x)):.10g}")
