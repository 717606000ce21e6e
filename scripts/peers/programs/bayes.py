"""Multinomial naive Bayes: bayes.py FOLDER"""
from common import load, say
from sklearn.naive_bayes import MultinomialNB

model = MultinomialNB().fit(*load("train"))
test, labels = load("test")
say(accuracy=(model.predict_log_proba(test).argmax(axis=1) == labels).mean())
