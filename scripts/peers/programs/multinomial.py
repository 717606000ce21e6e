"""Multinomial logistic regression with L2: multinomial.py FOLDER ITERATIONS"""
from common import folder, load, np, say, sys
from sklearn.linear_model import LogisticRegression

x, y = load("train")
model = LogisticRegression(solver="lbfgs", C=1, tol=1e-4, max_iter=int(sys.argv[2])).fit(x, y)
loss = -model.predict_log_proba(x)[np.arange(len(y)), np.searchsorted(model.classes_, y)].sum()
test, labels = load("test")
say(objective=loss + (model.coef_**2).sum() / 2, iterations=model.n_iter_.max(), accuracy=(model.predict(test) == labels).mean())
