"""The best 1,000 columns by a score, and naive Bayes on them: selection.py FOLDER chi2|mutual-information"""
from common import load, say, sys
from sklearn.feature_selection import SelectKBest, chi2, mutual_info_classif
from sklearn.naive_bayes import MultinomialNB


def information(x, y):
    return mutual_info_classif(x, y, discrete_features=True)


x, y = load("train")
keep = SelectKBest({"chi2": chi2, "mutual-information": information}[sys.argv[2]], k=1000).fit(x, y)
model = MultinomialNB().fit(keep.transform(x), y)
test, labels = load("test")
say(accuracy=(model.predict(keep.transform(test)) == labels).mean(), selected=keep.get_support().sum())
