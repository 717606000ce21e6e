"""Python functions and scikit-learn estimators as methods of tenfold (docs/methods.md). NumPy and SciPy are all that it needs.

    from tenfold_method import serve

    def fit(x, y, request):
        model = ...
        return {"selected": [3, 0], "predict": model.predict}

    serve(fit)

x is a NumPy array or a scipy.sparse.csr_matrix, rows × columns; y a number a row, or the number of its level, from 0 (with several
responses a column each, NaN where one is not defined). Both are read-only: fits of one fold share them.

The answer is a dict, or an object with attributes:

    selected       columns in order of entry, from 0
    scores         of the selected columns
    coef           linear model, columns × outputs or columns: array or sparse matrix
    intercept      a number, or one an output
    predict        function of a matrix of rows: rows × outputs, or rows
    probabilities  whether these are probabilities
    baseline ({"time": ..., "hazard": ...}, of times: the cumulative hazard of a prediction of 0)
    iterations, stop, facts ({name: text}), notes ([text])

An output is a number, or one a level; of two levels it may be the second alone. Where another process predicts (style: calls, reuse:
fold, a model file) predict is pickled: a method of an object whose class stands at the top of a module, a functools.partial, but no lambda. Reading a pickle runs
what it says: predict from no model file of people whose programs you would not run.
"""

import base64
import inspect
import json
import os
import pickle
import sys
import warnings

import numpy as np
import scipy.io
import scipy.sparse

__all__ = ["Request", "serve", "serve_sklearn"]

ANSWERED_FIT, ANSWERED_PREDICT = "fitted", "predicted"
FEW = 1000  # coefficients that stand in the answer rather than in a file of their own, which takes longer to make
SHORT = 1 << 16  # characters of an answer that stands in the line that answers, rather than in fitted.json
KEYS = ("selected", "scores", "coef", "intercept", "predict", "probabilities", "baseline", "iterations", "stop", "facts", "notes")


def serve(fit):
    """Answers requests until they end. fit is a function of (x, y, request)."""
    arguments = sys.argv[1:]
    out = os.fdopen(os.dup(1), "w")  # for answers alone: what libraries print goes where errors go
    os.dup2(2, 1)

    def answer(line):
        sys.stdout.flush()
        out.write(line + "\n")
        out.flush()

    if len(arguments) == 3 and arguments[0] == "predict":
        _predict(_stored_model(arguments[1]), arguments[1], arguments[2])
        answer(ANSWERED_PREDICT)
        return
    shared = _Files()
    model, of = None, None  # of the last fit, and its folder
    if len(arguments) == 1:
        of = arguments[0]
        with open(os.path.join(of, "request.json"), encoding="utf-8") as f:
            asked = json.load(f)
        said, model = _fit(fit, Request(of, asked, shared))
        answer(said)
    elif arguments:
        raise SystemExit("usage: METHOD [FOLDER | predict FOLDER FILE]: tenfold runs this program, see docs/methods.md")
    for line in sys.stdin:
        verb, _, rest = line.rstrip("\n").partition(" ")
        if verb == "fit":
            asked = json.loads(rest)
            of = asked["folder"]
            said, model = _fit(fit, Request(of, asked, shared))
            answer(said)
        elif verb == "predict":
            name, _, folder = rest.partition(" ")
            if folder != of:
                model, of = _stored_model(folder), folder
            _predict(model, folder, name)
            answer(ANSWERED_PREDICT)
        else:
            raise SystemExit(f"line {line!r} on standard input, expected fit REQUEST or predict FILE FOLDER")


class Request:
    """What a fit is asked to do: params, seed (an integer of 64 bits), workers, limits, rows, columns, outputs, output (what the
    declaration names), levels (of a class, else None), target or targets (name, type, levels), weights, groups (None where there
    are none), events (of times: 1 where one ended in the event, 0 where it is censored; else None), test (of transductive methods, else None), and files that are read when asked for: features (names of columns),
    classes ({"names": [...], "of": [class of each column, -1 for none]}, or None)."""

    def __init__(self, folder, said, files):
        self.folder, self._names = folder, said["files"]
        self.params, self.seed, self.workers, self.limits = said["params"], int(said["seed"]), said["workers"], said["limits"]
        self.rows, self.columns, self.outputs, self.output = said["rows"], said["columns"], said["outputs"], said["output"]
        self.keeps_model = said.get("model", False)
        self.target = said.get("target")
        self.targets = said.get("targets") or [self.target]
        self.tasks = "targets" in said
        self.levels = None if self.tasks else self.target.get("levels")

        def read(name, shape=None):
            file = self._names.get(name)
            return None if file is None else files.read(os.path.join(folder, file), shape)

        self.x, self.y = read("train"), read("y", None if self.tasks else (-1,))
        if self.levels is not None and self.y.dtype != np.int64:  # Matrix Market has one type of number
            self.y = _fixed(self.y.astype(np.int64))
        self.weights, self.groups, self.test = read("weights", (-1,)), read("groups", (-1,)), read("test")
        self.events = read("events", (-1,))

    @property
    def features(self):
        with open(os.path.join(self.folder, self._names["features"]), encoding="utf-8", newline="\n") as f:
            return f.read().split("\n")[:-1]

    @property
    def classes(self):
        if "classes" not in self._names:
            return None
        with open(os.path.join(self.folder, self._names["classes"]), encoding="utf-8") as f:
            return json.load(f)


class _Files:
    """Arrays by the identity of their files: fits of one process have the same ones, which are read once."""

    def __init__(self):
        self.kept = {}

    def read(self, path, shape=None):
        s = os.stat(path)
        key = s.st_dev, s.st_ino, s.st_mtime_ns, s.st_size, shape
        if key not in self.kept:
            array = _read(path)
            self.kept[key] = _fixed(array if shape is None else array.reshape(shape))
        return self.kept[key]


def _read(path):
    if path.endswith(".npz"):
        return scipy.sparse.load_npz(path)
    if path.endswith(".npy"):
        return np.load(path)
    array = scipy.io.mmread(path)
    return array.tocsr() if scipy.sparse.issparse(array) else array


def _fixed(array):
    for part in (array.data, array.indices, array.indptr) if scipy.sparse.issparse(array) else (array,):
        part.flags.writeable = False
    return array


_json = json.JSONEncoder(allow_nan=False).encode


def _fit(fit, request):
    """Fits, and returns the line that answers, and what predicts."""
    folder = request.folder
    said = fit(request.x, request.y, request)
    if said is None:
        raise ValueError("fit returned nothing, expected a dict or an object with one of " + ", ".join(KEYS))
    if isinstance(said, dict):
        unknown = [key for key in said if key not in KEYS]
        if unknown:
            raise ValueError(f"fit returned {unknown[0]!r}, expected some of {', '.join(KEYS)}")
        said = said.get
    else:
        said = lambda key, of=said: getattr(of, key, None)
    predict = said("predict")
    if _predicts(request) and predict is None:
        raise ValueError("fit returned no function predict, and the declaration names predictions or probabilities as an output")
    wanted = {
        "selected": lambda v: [int(j) for j in v],
        "scores": lambda v: [float(s) for s in v],
        "intercept": lambda v: [float(b) for b in np.ravel(v)],
        "probabilities": bool,
        "baseline": lambda v: {key: [float(b) for b in np.ravel(v[key])] for key in ("time", "hazard")},
        "iterations": int,
        "stop": str,
        "facts": lambda v: {str(name): str(fact) for name, fact in v.items()},
        "notes": lambda v: [str(note) for note in v],
    }
    fitted = {key: turn(said(key)) for key, turn in wanted.items() if said(key) is not None}
    coef = said("coef")
    if coef is not None:
        fitted.setdefault("intercept", [0.0] * (np.shape(coef)[1] if np.ndim(coef) == 2 else 1))  # which says for how many outputs the list is
        _add_coefficients(fitted, coef, request)
    try:
        answer = _json(fitted)
    except ValueError:
        bad = next(key for key, v in fitted.items() if isinstance(v, list) and not np.all(np.isfinite(v)))
        raise ValueError(f"fit returned {bad} with numbers that are not finite") from None
    if request.keeps_model:
        os.makedirs(os.path.join(folder, "model"), exist_ok=True)
        with open(os.path.join(folder, "model", "predict.pickle"), "wb") as f:
            try:
                pickle.dump(predict, f, protocol=pickle.HIGHEST_PROTOCOL)
            except (pickle.PicklingError, AttributeError, TypeError) as e:
                raise TypeError(f"another process predicts (style: calls, reuse: fold, a model file), and predict cannot be pickled ({e}): expected a function at the top of the module, a functools.partial of one, or a method of an object whose class is there") from None
    if len(answer) <= SHORT:
        return f"{ANSWERED_FIT} {answer}", predict
    with open(os.path.join(folder, "fitted.json"), "w", encoding="utf-8") as f:
        f.write(answer)
    return ANSWERED_FIT, predict


def _predicts(request):
    return "predictions" in request.output or "probabilities" in request.output


def _add_coefficients(fitted, coef, request):
    """The entries that are not 0, each with column and output, or all of them, packed, or an array in a file of its own."""
    rows = np.shape(coef)[0] if np.ndim(coef) else 0
    if rows != request.columns:
        raise ValueError(f"fit returned coef of shape {np.shape(coef)}, expected {request.columns} columns × {request.outputs} outputs")
    if scipy.sparse.issparse(coef):
        entries = coef.tocoo()
        places, values = (entries.row, entries.col), entries.data
    else:
        coef = np.asarray(coef, dtype=np.float64)
        if coef.size <= FEW:
            fitted["coef"] = base64.b64encode(coef.astype("<f8", order="C", copy=False).tobytes()).decode("ascii")
            return
        at = np.flatnonzero(coef)
        if len(at) > FEW:
            np.save(os.path.join(request.folder, "coef.npy"), coef)
            return
        places, values = divmod(at, coef.size // rows), coef.ravel()[at]
    fitted["coefficients"] = [[j, k, v] for j, k, v in zip(places[0].tolist(), places[1].tolist(), values.tolist()) if v != 0]


def _stored_model(folder):
    with open(os.path.join(folder, "model", "predict.pickle"), "rb") as f:
        return pickle.load(f)


def _predict(predict, folder, name):
    predictions = np.asarray(predict(_fixed(_read(os.path.join(folder, name)))), dtype=np.float64)
    np.save(os.path.join(folder, "predictions.npy"), predictions)


def serve_sklearn(make_estimator, dense=False):
    """Serves a scikit-learn selector, classifier, regressor or pipeline: make_estimator is a class or a function, and gets the
    parameters of the method as keyword arguments. random_state, where the estimator has it and leaves it open, is the seed modulo
    2**32. dense hands over arrays where the estimator takes no sparse matrices.

    Selected are the columns that get_support names, that have coefficients, importances above 0, or rank 1, the best scores or
    importances first; through the steps of a pipeline. Predictions are predict_proba, decision_function, or else predict, which of
    classes is 1 for the level and 0 for others. A level that is not among the training rows has probability 0, or a score below
    that of all others."""
    serve(_Fitter(make_estimator, dense))


class _Fitter:
    def __init__(self, make, dense):
        self.make, self.dense = make, dense

    def __call__(self, x, y, request):
        estimator = self.make(**request.params)
        open_seeds = [name for name, v in estimator.get_params().items() if v is None and ("__" + name).endswith("__random_state")]
        estimator.set_params(**{name: request.seed % 2**32 for name in open_seeds})
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            estimator.fit(_taken(x, self.dense), _responses(y, request), **_weights(estimator, request.weights))
        warned = [w for w in told if not issubclass(w.category, (DeprecationWarning, FutureWarning, PendingDeprecationWarning))]
        notes = list(dict.fromkeys(str(w.message).partition("\n")[0] for w in warned))
        if any(w.category.__name__ == "ConvergenceWarning" for w in warned):
            notes.insert(0, "not converged")
        answer = {"notes": notes, "facts": _facts(estimator)}
        iterations = getattr(_last(estimator), "n_iter_", None)
        if iterations is not None:
            answer["iterations"] = np.max(iterations)
        linear = _linear(estimator, request) if "coefficients" in request.output or _predicts(request) else None
        columns, scores = _selected(estimator, request.columns) if linear is None or "selected" in request.output else (None, None)
        if linear is not None:
            answer["coef"], answer["intercept"] = linear
        if columns is not None:
            answer["selected"] = columns
            if scores is not None and np.all(np.isfinite(scores)):
                answer["scores"] = scores
        if linear is None and "coefficients" in request.output:
            raise ValueError(f"{estimator} has no coefficients on the columns as they are: declare predictions as its output")
        if columns is None and "selected" in request.output:
            raise ValueError(f"{estimator} does not tell which columns it selects: leave selected out of its output")
        if _predicts(request):
            answer["predict"] = _Predictor(estimator, request, self.dense)
            answer["probabilities"] = answer["predict"].gives_probabilities()
            if "probabilities" in request.output and not answer["probabilities"]:
                raise ValueError(f"{estimator} has no predict_proba: declare predictions as its output in place of probabilities, or wrap it in CalibratedClassifierCV")
        return answer


def _taken(x, dense):
    return x.toarray() if dense and scipy.sparse.issparse(x) else x


def _responses(y, request):
    if not request.tasks:
        return y
    if np.isnan(y).any():
        raise ValueError("responses that are not defined for all rows are not supported by scikit-learn")
    y = y.astype(np.int64) if all(t["type"] == "class" for t in request.targets) else y
    return y[:, 0] if y.shape[1] == 1 else y


def _steps(estimator):
    """The steps of a pipeline, with what a search has found in place of the search."""
    estimator = getattr(estimator, "best_estimator_", estimator)
    return [e for _, e in estimator.steps if e not in (None, "passthrough")] if hasattr(estimator, "steps") else [estimator]


def _last(estimator):
    last = _steps(estimator)[-1]
    return last if last is estimator or not (hasattr(last, "steps") or hasattr(last, "best_estimator_")) else _last(last)


def _weights(estimator, weights):
    if weights is None:
        return {}
    steps = getattr(estimator, "steps", None)
    at = steps[-1][1] if steps else estimator
    if "sample_weight" not in inspect.signature(at.fit).parameters:
        raise ValueError(f"weights of rows are not supported by {type(at).__name__}")
    return {(steps[-1][0] + "__sample_weight" if steps else "sample_weight"): weights}


def _facts(estimator):
    found = dict(getattr(estimator, "best_params_", {}))
    for name in ("alpha_", "C_", "l1_ratio_", "threshold_"):
        value = getattr(_last(estimator), name, None)
        if value is not None:
            found[name[:-1]] = np.asarray(value).tolist()
    return found


def _kept(step, columns):
    """Which columns a transforming step hands on, None where it makes others of them."""
    if hasattr(step, "get_support"):
        return columns[np.asarray(step.get_support(), dtype=bool)]
    try:
        names = step.get_feature_names_out(np.array([f"column {j}" for j in columns], dtype=object))
    except (AttributeError, ValueError):
        return None
    place = {f"column {j}": j for j in columns}
    kept = [place.get(str(name)) for name in names]
    return None if None in kept else np.array(kept, dtype=int)


def _reaching(estimator, columns):
    """The last step that is no step of another, and which columns reach it: None where that is not known."""
    of = np.arange(columns)
    while True:
        steps = _steps(estimator)
        for step in steps[:-1]:
            of = None if of is None else _kept(step, of)
        if steps[-1] is estimator or not (hasattr(steps[-1], "steps") or hasattr(steps[-1], "best_estimator_")):
            return steps[-1], of
        estimator = steps[-1]


def _selected(estimator, columns):
    """Selected columns and their scores; None where nothing tells, or a step makes other columns."""
    last, of = _reaching(estimator, columns)
    if of is None:
        return None, None
    scores = None
    if hasattr(last, "get_support"):
        chosen = np.asarray(last.get_support(), dtype=bool)
        scores = getattr(last, "scores_", None)
    elif getattr(last, "coef_", None) is not None:
        coef = last.coef_
        coef = coef.toarray() if scipy.sparse.issparse(coef) else np.asarray(coef)
        coef = coef.reshape(-1, coef.shape[-1])
        if coef.shape[1] != len(of):
            return None, None
        chosen = np.any(coef != 0, axis=0)
    elif hasattr(last, "feature_importances_"):
        scores = last.feature_importances_
        chosen = scores > 0
    elif hasattr(last, "ranking_"):
        chosen = np.asarray(last.ranking_) == 1
    elif len(of) < columns:
        chosen = np.ones(len(of), dtype=bool)
    else:
        return None, None
    at = np.flatnonzero(chosen)
    if scores is None or np.shape(scores) != (len(of),):
        return of[at], None
    scores = np.asarray(scores, dtype=np.float64)[at]
    order = np.argsort(-scores, kind="stable")
    return of[at][order], scores[order]


FAR_BELOW = 1e6  # how far the score of a level that is not among the training rows is below others, in a linear model


def _linear(estimator, request):
    """Coefficients, columns × outputs, and intercepts; None where the model is not linear in the columns as they are."""
    last, of = _reaching(estimator, request.columns)
    coef = getattr(last, "coef_", None)
    if coef is None or of is None or not _unchanged(estimator):
        return None
    coef = np.atleast_2d(coef.toarray() if scipy.sparse.issparse(coef) else np.asarray(coef, dtype=np.float64))
    intercept = np.atleast_1d(np.asarray(getattr(last, "intercept_", 0.0), dtype=np.float64))
    levels = getattr(last, "classes_", None)
    if request.levels is not None and levels is not None:
        if len(coef) == 1 and len(levels) == 2:
            coef, intercept = np.vstack([np.zeros_like(coef), coef]), np.concatenate([[0.0], intercept])
        one_against_one = len(levels) > 2 and hasattr(last, "dual_coef_")  # a row for each pair of levels
        if len(coef) != len(levels) or one_against_one:
            return None
        placed = np.zeros((request.outputs, coef.shape[1])), np.full(request.outputs, np.min(intercept) - FAR_BELOW)
        placed[0][levels], placed[1][levels] = coef, intercept
        coef, intercept = placed
    if coef.shape != (request.outputs, len(of)) or intercept.size not in (1, request.outputs):
        return None
    all_columns = np.zeros((request.columns, request.outputs))
    all_columns[of] = coef.T
    return all_columns, np.broadcast_to(intercept, (request.outputs,))


def _unchanged(estimator):
    """Whether the steps before the last only select, so that coefficients are those of the columns themselves."""
    steps = _steps(estimator)
    inner = steps[-1] is not estimator and (hasattr(steps[-1], "steps") or hasattr(steps[-1], "best_estimator_"))
    return all(hasattr(step, "get_support") for step in steps[:-1]) and (not inner or _unchanged(steps[-1]))


class _Predictor:
    """Predictions of a fitted estimator, rows × outputs."""

    def __init__(self, estimator, request, dense):
        self.estimator, self.dense, self.outputs = estimator, dense, request.outputs
        self.levels = [len(t["levels"]) if t["type"] == "class" else 0 for t in request.targets]
        self.tasks = request.tasks
        if any(self.levels) and not all(self.levels):
            raise ValueError("responses of both types, numbers and classes, are not supported: scikit-learn has no such estimators")

    def gives_probabilities(self):
        return any(self.levels) and hasattr(self.estimator, "predict_proba")

    def __call__(self, x):
        x, e = _taken(x, self.dense), self.estimator
        if x.shape[0] == 0:  # of which scikit-learn makes an error
            return np.zeros((0, self.outputs))
        if not any(self.levels):
            return np.reshape(e.predict(x), (x.shape[0], self.outputs))
        if hasattr(e, "predict_proba"):
            shares = e.predict_proba(x)
            shares = [np.asarray(s, dtype=np.float64) for s in (shares if isinstance(shares, list) else [shares])]
            return self._by_level([s / np.sum(s, axis=1, keepdims=True) for s in shares], lambda given: 0.0)  # of 32 bits the sum is less exact
        if hasattr(e, "decision_function") and not self.tasks and not self._one_against_one():
            scores = np.asarray(e.decision_function(x), dtype=np.float64)
            if scores.ndim == 1 or scores.shape[1] == 1:
                scores = np.column_stack([-np.ravel(scores) / 2, np.ravel(scores) / 2])
            return self._by_level([scores], lambda given: np.min(given, axis=1) - 1)
        predicted = np.asarray(e.predict(x)).astype(int).reshape(x.shape[0], -1)
        return np.hstack([(column[:, None] == np.arange(n)).astype(np.float64) for column, n in zip(predicted.T, self.levels)])

    def _one_against_one(self):
        return any(("__" + name).endswith("__decision_function_shape") and v == "ovo" for name, v in self.estimator.get_params().items())

    def _by_level(self, given, absent):
        """One block a target: columns at the levels that the estimator knows, and what is said of the others."""
        known = self.estimator.classes_
        known = known if isinstance(known, list) else [known]
        out = []
        for block, levels, n in zip(given, known, self.levels):
            block = np.asarray(block, dtype=np.float64)
            all_levels = np.empty((len(block), n))
            all_levels[:] = np.reshape(absent(block), (-1, 1))
            all_levels[:, np.asarray(levels, dtype=int)] = block
            out.append(all_levels)
        return np.hstack(out)
