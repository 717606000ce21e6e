# SciPy 1.10.1, NumPy 1.24.2: python3 fixture.py > scipy.json
import json
import numpy as np
from scipy import stats

rng = np.random.default_rng(52)
out = []
for kind in ["kruskal", "wilcoxon", "spearman", "levene", "pearson"]:
    n = 25
    x = np.round(rng.standard_normal((n, 4)) * 2, 0)
    x[:, 0] = rng.standard_normal(n).round(3)
    y = rng.integers(0, 2 if kind == "wilcoxon" else 3, n).astype(float)
    if kind in ("spearman", "pearson"):
        y = (x[:, 0] + rng.standard_normal(n)).round(1)
    x[:, 1] += y.round()
    scores, p = [], []
    for j in range(4):
        groups = [x[y == c, j] for c in np.unique(y)]
        if kind == "kruskal":
            s, q = stats.kruskal(*groups)
        elif kind == "wilcoxon":
            h, q = stats.mannwhitneyu(*groups, use_continuity=False, method="asymptotic")
            s = abs(stats.norm.isf(q / 2))
        elif kind == "levene":
            s, q = stats.levene(*groups, center="median")
        else:
            s, q = (stats.spearmanr if kind == "spearman" else stats.pearsonr)(x[:, j], y)
            s = abs(s)
        scores.append(float(s))
        p.append(float(q))
    out.append({"score": kind, "x": x.tolist(), "y": y.tolist(), "real": kind in ("spearman", "pearson"), "scores": scores, "p": p})
print(json.dumps({"source": "scipy 1.10.1 (fixture.py)", "cases": out}))
