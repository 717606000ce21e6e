# Estimators of scikit-learn as methods of methods-sklearn.yaml, methods-lasso.yaml, agreement.yaml and suite-external.yaml: the first argument
# says which.
import os
import sys

from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, RFECV, SelectFromModel, SelectKBest, chi2, f_classif, mutual_info_classif
from sklearn.linear_model import Lasso, LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.svm import LinearSVC

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "adapters", "python"))
from tenfold_method import serve_sklearn

ESTIMATORS = {
    "lasso": lambda alpha: Lasso(alpha=alpha, tol=1e-12, max_iter=100000),
    "logistic": lambda c2: LogisticRegression(C=1 / c2, tol=1e-6, max_iter=10000),
    "bayes": lambda smooth: MultinomialNB(alpha=smooth),
    "chi2": lambda columns: SelectKBest(chi2, k=columns),
    "f": lambda columns: SelectKBest(f_classif, k=columns),
    "mutual": lambda columns: SelectKBest(lambda x, y: mutual_info_classif(x, y, random_state=0), k=columns),
    "rfecv": lambda c2, step: RFECV(LogisticRegression(C=1 / c2, max_iter=1000), step=step, cv=3),
    "svm": lambda c: LinearSVC(C=c, dual=False),
    "elimination": lambda columns, c: RFE(LinearSVC(C=c, dual=False), n_features_to_select=columns, step=0.2),
    "forest": lambda columns, trees: SelectFromModel(RandomForestClassifier(trees), max_features=columns, threshold=-1.0),
}
serve_sklearn(ESTIMATORS[sys.argv.pop(1)])
