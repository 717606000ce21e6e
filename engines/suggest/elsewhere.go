package suggest

import (
	"slices"
	"strings"
)

// elsewhere is what scikit-learn, caret, yardstick, mlr3 and people call things that have another name here: the first of the names that
// there is. Keys are in lower case, without the module before (sklearn.svm., classif.), neg_, cv_ and the CV behind.
var elsewhere = map[string][]string{
	// engines
	"logisticregression": {"logistic"}, "logit": {"logistic"}, "ridgeclassifier": {"logistic"}, "sgdclassifier": {"logistic"},
	"linearregression": {"ols"}, "sgdregressor": {"ridge"}, "lassolars": {"lars"}, "elasticnet": {"elastic-net"}, "glmnet": {"elastic-net"},
	"multitasklasso": {"multitask-lasso"}, "orthogonalmatchingpursuit": {"forward-stepwise"}, "sequentialfeatureselector": {"forward-stepwise"},
	"svc": {"svm"}, "linearsvc": {"linear-svm", "svm"}, "libsvm": {"svm"}, "multinomialnb": {"naive-bayes"}, "bernoullinb": {"naive-bayes"}, "complementnb": {"naive-bayes"},
	"dummyclassifier": {"majority"}, "dummyregressor": {"mean"},
	"randomforest": {"forest"}, "randomforestclassifier": {"forest"}, "randomforestregressor": {"forest"}, "extratreesclassifier": {"forest"}, "ranger": {"forest"}, "rf": {"forest"},
	"xgboost": {"boosted-trees"}, "xgb": {"boosted-trees"}, "xgbclassifier": {"boosted-trees"}, "xgbregressor": {"boosted-trees"}, "lightgbm": {"boosted-trees"}, "gbm": {"boosted-trees"},
	"gradientboosting": {"boosted-trees"}, "gradientboostingclassifier": {"boosted-trees"}, "gradientboostingregressor": {"boosted-trees"},
	"histgradientboostingclassifier": {"boosted-trees"}, "histgradientboostingregressor": {"boosted-trees"},
	"coxph": {"cox"}, "coxnet": {"cox"}, "coxphsurvivalanalysis": {"cox"}, "stepaic": {"forward-stepwise"}, "regsubsets": {"forward-stepwise"},
	"f_classif": {"anova"}, "f_regression": {"anova"}, "selectkbest": {"anova"}, "selectpercentile": {"anova"}, "genericunivariateselect": {"anova"},
	"mutual_info_classif": {"mutual-information"}, "selectfdr": {"fdr"}, "selectfpr": {"fdr"}, "selectfwe": {"fdr"},
	"sfs": {"forward-stepwise"}, "sffs": {"forward-stepwise"}, "forward": {"forward-stepwise"}, "stepwise": {"forward-stepwise"}, "exhaustive": {"l0"}, "bestsubset": {"l0"},
	"glm": {"logistic"}, "logreg": {"logistic"}, "multinom": {"logistic"}, "lm": {"ols"}, "nb": {"naive-bayes"}, "svmradial": {"svm"}, "svmpoly": {"svm"}, "ksvm": {"svm"},
	"svmlinear": {"linear-svm", "svm"}, "liblinear": {"linear-svm", "logistic"}, "featureless": {"majority"}, "ncvreg": {"mcp"}, "grpreg": {"group-lasso"}, "grplasso": {"group-lasso"},
	"informationgain": {"filter", "mutual-information"}, "gainratio": {"filter"}, "symuncert": {"filter"}, "symmetricaluncertainty": {"filter"}, "kruskaltest": {"filter"}, "kruskal": {"filter"},
	"relief": {"relieff"}, "rrelieff": {"relieff"}, "multisurf": {"relieff"}, "surf": {"relieff"}, "cfssubset": {"cfs"}, "cfssubseteval": {"cfs"}, "fastcorrelationbasedfilter": {"fcbf"}, "anovaf": {"anova"}, "ttest": {"anova"}, "limma": {"anova"},
	"variancethreshold": {"variance"}, "mid": {"mrmr"}, "miq": {"mrmr"}, "fcd": {"mrmr"}, "fcq": {"mrmr"}, "mrmr_classif": {"mrmr"}, "mrmr_regression": {"mrmr"},
	// metrics
	"auc": {"roc_auc"}, "roc_auc_score": {"roc_auc"}, "average_precision": {"pr_auc"}, "average_precision_score": {"pr_auc"},
	"f1_macro": {"macro_f1"}, "f1_micro": {"micro_f1"}, "f1_score": {"f1"}, "accuracy_score": {"accuracy"}, "acc": {"accuracy"}, "logloss": {"log_loss"}, "cross_entropy": {"log_loss"},
	"brier_score_loss": {"brier_score"}, "expected_calibration_error": {"ece"}, "calibration_error": {"ece"},
	"r2": {"test_r2"}, "r2_score": {"test_r2"}, "mean_squared_error": {"test_mse"}, "root_mean_squared_error": {"rmse"}, "mean_absolute_error": {"mae"},
	"matthews_corrcoef": {"mcc"}, "recall_macro": {"balanced_accuracy"}, "balanced_accuracy_score": {"balanced_accuracy"}, "zero_one_loss": {"error"}, "brier": {"brier_score"},
	"sensitivity": {"recall"}, "sens": {"recall"}, "tpr": {"recall"}, "truepositiverate": {"recall"}, "hitrate": {"recall"}, "spec": {"specificity"}, "tnr": {"specificity"},
	"truenegativerate": {"specificity"}, "ppv": {"precision"}, "pospredvalue": {"precision"}, "negpredvalue": {"npv"}, "prec": {"precision"},
	"balaccuracy": {"balanced_accuracy"}, "bacc": {"balanced_accuracy"}, "balacc": {"balanced_accuracy"}, "pinball": {"quantile:0.5"}, "meanpinballloss": {"quantile:0.5"}, "quadraticweightedkappa": {"kappa:quadratic"}, "qwk": {"kappa:quadratic"}, "kap": {"kappa"}, "cohenkappa": {"kappa"}, "cohenkappascore": {"kappa"},
	"mnlogloss": {"log_loss"}, "mlogloss": {"log_loss"}, "ce": {"error"}, "mmce": {"error"}, "errorrate": {"error"}, "fmeas": {"f1"}, "fmeasure": {"f1"}, "fscore": {"f1"}, "fbeta": {"f1"},
	"rsq": {"test_r2"}, "rsquared": {"test_r2"}, "mbrier": {"brier_score"}, "bbrier": {"brier_score"}, "mauc": {"auc_hand_till"}, "rocaucovo": {"auc_hand_till"},
	"cindex": {"concordance"}, "harrell": {"concordance"}, "harrellc": {"concordance"}, "concordanceindex": {"concordance"}, "concordanceindexcensored": {"concordance"}, "concordancesurvival": {"concordance"},
	"unoc": {"uno_concordance"}, "cuno": {"uno_concordance"}, "concordanceindexipcw": {"uno_concordance"}, "ibs": {"integrated_brier"}, "graf": {"integrated_brier"}, "integratedbrierscore": {"integrated_brier"},
	"jaccard": {"stability"}, "nogueira": {"stability"}, "nfeatures": {"selected"}, "numfeatures": {"selected"},
	"precision_score": {"precision"}, "recall_score": {"recall"}, "fbeta_score": {"f1"}, "auroc": {"roc_auc"}, "auprc": {"pr_auc"},
	"roc_auc_ovo": {"auc_hand_till"}, "roc_auc_ovr": {"auc_ovr"}, "hand_till": {"auc_hand_till"}, "multiclass_roc": {"auc_hand_till"},
	// folds
	"stratifiedkfold": {"stratified"}, "groupkfold": {"grouped"}, "stratifiedgroupkfold": {"grouped"}, "repeatedkfold": {"repeated"}, "repeatedstratifiedkfold": {"repeated"},
	"shufflesplit": {"holdout"}, "stratifiedshufflesplit": {"holdout"}, "groupshufflesplit": {"holdout"}, "train_test_split": {"holdout"},
	"timeseriessplit": {"time"}, "predefinedsplit": {"given"}, "leaveoneout": {"kfold"},
	// keys
	"n_splits": {"k"}, "cv": {"k", "folds"}, "folds": {"k"}, "n_repeats": {"repeats"}, "test_size": {"test"}, "groups": {"by", "group"}, "random_state": {"seed"},
	"scoring": {"metric", "metrics"}, "param_grid": {"grid"}, "estimator": {"engine"}, "n_jobs": {"jobs"},
	"k": {"features"}, "top": {"features"}, "nfeat": {"features"}, "filter.nfeat": {"features"}, "mtry": {"columns"}, "maxiter": {"max_iter"}, "maxit": {"max_iter"}, "fitintercept": {"bias"}, "intercept": {"bias"},
	"n_estimators": {"trees"}, "ntree": {"trees"}, "num_trees": {"trees"}, "learning_rate": {"shrinkage"}, "eta": {"shrinkage"}, "min_samples_leaf": {"min_leaf"},
	"ngram_range": {"ngrams"}, "n_grams": {"ngrams"}, "min_df": {"cutoff"}, "min_count": {"cutoff"}, "lowercase": {"lower"}, "analyzer": {"tokens"}, "tokenizer": {"tokens"},
	"vectorizer": {"values"}, "weighting": {"values"}, "sublinear_tf": {"values"}, "use_idf": {"values"}, "smooth_idf": {"idf"}, "norm": {"normalize"}, "min_word_length": {"min_length"},
	"text": {"columns"}, "text_column": {"columns", "text"}, "texts": {"text"}, "label_column": {"target"}, "label": {"target"}, "labels": {"target"}, "multilabel": {"separator"}, "sep": {"separator", "delimiter"},
	"l1_ratio": {"alpha"}, "alpha": {"lambda", "smooth"}, "n_features_to_select": {"features"}, "features": {"point", "selected"}, "n_features": {"features", "point", "selected", "hash"}, "size": {"point", "selected"}, "max_features": {"features"},
}

// advice says what to do in place of keys from elsewhere that no key here has the meaning of.
var advice = map[string]string{
	"c":                    "scikit-learn's C is here its inverse: c2 = 1/C for an L2 penalty, c1 = 1/C for L1",
	"scale_pos_weight":     "classes are weighed beside the engine: class_weight: balanced, or {LEVEL: 5}",
	"classwt":              "classes are weighed beside the engine: class_weight: balanced, or {LEVEL: 5}",
	"sample_weight":        "weights of rows are a column of the data: columns: {weight: w}",
	"top_k_accuracy":       "no metric looks at the second likeliest class: log_loss and brier_score look at the probabilities of all",
	"top_k_accuracy_score": "no metric looks at the second likeliest class: log_loss and brier_score look at the probabilities of all",
	"penalty":              "the penalty is the engine: logistic and ridge have L2, l1 and lasso L1, elastic-net both",
	"solver":               "an engine has one solver, and stops by tol or max_iter",
	"cost_matrix":          "costs are a metric of the file: metrics: [{name: cost, matrix: {yes: {no: 5}, no: {yes: 1}}}], and decide: cost beside an engine",

	"fpr": "it is 1 − specificity", "fnr": "it is 1 − recall", "fdr": "it is 1 − precision", "j_index": "Youden's J is 2 · balanced_accuracy − 1 for two classes",
	"mape": "no metric is relative to the truth; mae and rmse are in its units", "msle": "no metric is of logarithms: take the logarithm of the target", "smape": "no metric is relative to the truth; mae and rmse are in its units",

	"rfe":         "recursive elimination goes around an engine that ranks: rfe: {size: 10} beside engine:",
	"rfecv":       "recursive elimination goes around an engine that ranks: rfe: {step: 0.2} beside engine:, with tune: {rfe.size: [5, 10, 20]}",
	"sequential":  "sequential selection goes around an engine: sequential: {size: 10} beside engine:",
	"sfs":         "sequential selection goes around an engine: sequential: {size: 10} beside engine:",
	"stability":   "stability selection goes around an engine with a path: stability: {q: 10, pfer: 1} beside engine:",
	"stabs":       "stability selection goes around an engine with a path: stability: {q: 10, pfer: 1} beside engine:",
	"knockoffs":   "knockoffs go around an engine that ranks: knockoffs: {} beside engine:",
	"permutation": "importance by permutation goes around an engine: permutation: {features: 10} beside engine:; a forest's own is a parameter: params: {importance: permutation}",
	"cfs":         "correlation-based selection is not here; mrmr and jmi weigh relevance against redundancy",
	"relief":      "the Relief family is not here; filters of one column are anova and mutual-information, of interactions jmi and cmim",
	"relieff":     "the Relief family is not here; filters of one column are anova and mutual-information, of interactions jmi and cmim",
	"knn":         "no engine goes by neighbours; a method of your own can: docs/methods.md",
	"lda":         "discriminant analysis is not here; logistic is the linear classifier with probabilities",
	"rpart":       "there is no single tree; forest and boosted-trees have many",
	"shap":        "no engine explains another; forest and boosted-trees have importances",
	"stop_words":  "words to leave out are in a file: files: {stop: stop-words.txt}",
	"stopwords":   "words to leave out are in a file: files: {stop: stop-words.txt}",
	"max_df":      "no key leaves out what many texts have; idf: plain gives what all texts have the weight 0, and files: {stop: stop-words.txt} leaves words out",
	"vocabulary":  "columns are what the training rows of a fold have, cutoff: 2 those of two rows or more",
}

// translated returns the first of the names that one from elsewhere means, "" where none does. What stands in brackets goes first:
// SelectKBest(chi2).
func translated(name string, names []string) string {
	name = strings.ToLower(name)
	if outer, inner, called := strings.Cut(strings.TrimSuffix(name, ")"), "("); called {
		for _, part := range append(strings.FieldsFunc(inner, func(r rune) bool { return strings.ContainsRune(" ,=", r) }), outer) {
			if slices.Contains(names, part) {
				return part
			}
			if n := translated(part, names); n != "" {
				return n
			}
		}
		return ""
	}
	name = name[strings.LastIndexByte(name, '.')+1:]
	if name = strings.TrimPrefix(strings.TrimPrefix(name, "neg_"), "cv_"); name != "cv" {
		name = strings.TrimSuffix(name, "cv")
	}
	joined := strings.NewReplacer(" ", "", "_", "", "-", "").Replace(name) // random forest, random_forest
	for _, n := range slices.Concat([]string{name}, elsewhere[name], elsewhere[joined]) {
		if slices.Contains(names, n) {
			return n
		}
	}
	return ""
}
