"""Predictions of scikit-learn's HistGradientBoosting on the rows that TestSklearn makes: python3 boosted.py > sklearn.json"""
import json
import numpy as np
import sklearn
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor

state = 1


def draw(n):
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return (state >> 33) % n


x, score = [], []
for _ in range(600):
    row = [draw(50) for _ in range(6)]
    x.append(row)
    score.append(row[0] - row[1] + row[2] * row[3] % 17 + draw(9))
x, score = np.array(x, float), np.array(score, float)

common = dict(max_iter=30, learning_rate=0.2, max_leaf_nodes=None, early_stopping=False)
out = {"version": sklearn.__version__, "rows": 20}
m = HistGradientBoostingRegressor(max_depth=4, min_samples_leaf=20, l2_regularization=1, **common).fit(x, score)
out["numbers"] = m.predict(x[:20]).tolist()
m = HistGradientBoostingClassifier(max_depth=3, min_samples_leaf=1, l2_regularization=2, **common).fit(x, score > 12)
out["two"] = m.decision_function(x[:20]).tolist()
m = HistGradientBoostingClassifier(max_depth=2, min_samples_leaf=1, l2_regularization=1, **common).fit(x, np.digitize(score, [0, 20]))
out["three"] = m.predict_proba(x[:20]).tolist()
print(json.dumps(out))
