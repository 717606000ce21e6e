"""Counts the rows and columns of the files of trials with pandas and SciPy: python3 accounts.py FOLDER > accounts.txt

The counts are those of whole tables, before anything is dropped; of a matrix those of its columns alone; of an experiment file those of
the tables it names. Parquet files were counted with hyparquet (npm), which stands here as numbers.
"""
import os, re, sys
import numpy as np, pandas as pd, scipy.io

folder = sys.argv[1]
table = lambda path, **how: pd.read_csv(path, keep_default_na=False, **{"sep": ",", **how}).shape
tabs = lambda path, **how: table(path, sep="\t", **how)

def arff(path):
    text = re.sub(r"\{[^}]*\}", lambda m: m.group().replace("\n", " "), open(path).read())
    lines = [l for l in text.split("\n") if l.strip() and l[0] != "%"]
    at = next(k for k, l in enumerate(lines) if l.lower().startswith("@data"))
    return len(lines) - at - 1, sum(l.lower().startswith("@attribute") for l in lines)

def svmlight(path):
    lines = [l.split("#")[0].split() for l in open(path, encoding="utf-8-sig") if l.strip()]
    return len(lines), max(int(re.match(r"\d+", p).group()) for l in lines for p in l[1:] if not p.startswith("qid"))

def across(path, sep=",", **how):
    n, m = table(path, sep=sep, **how)
    return m - 1, n + 1  # its first column has the names, its first row the ids

def both(*shapes):
    return shapes[0][0], sum(columns for _, columns in shapes)

of = {  # how a file is read where its name does not say it
    "data/M01-its-format-is-not-clear/utf16.csv": lambda p: table(p, encoding="utf-16"),
    "data/M01-its-format-is-not-clear/v13.gct": lambda p: tuple(n - 1 for n in across(p, sep="\t", skiprows=2)),  # but for descriptions, and no ids
    "data/M02-R-is-not-to-blame/sep.csv": lambda p: table(p, sep=";", skiprows=1),
    "data/M02-R-is-not-to-blame/trail.csv": lambda p: table(p, index_col=False),
    "data/M05-tabs-and-semicolons-in-csv/comma.csv": lambda p: table(p, sep=";", header=None),
    "data/M05-tabs-and-semicolons-in-csv/head.csv": lambda p: table(p, sep=";"),
    "data/M05-tabs-and-semicolons-in-csv/tabs.csv": tabs,
    "data/R01-columns-divided-by-blanks/housing.data": lambda p: table(p, sep=r"\s+", header=None),
    "data/R05-a-quote-in-a-cell/pipes.tsv": lambda p: tabs(p, quoting=3),
    "data/R07-init-and-other-encodings/latin.csv": lambda p: table(p, encoding="latin-1"),
    "data/R07-init-and-other-encodings/name.csv": lambda p: table(p, encoding="latin-1"),
    "data/R10-cells-annotated-by-barcode/barcodes.tsv": lambda p: tabs(p, header=None),
    "data/W03-first-row-of-a-headless-table/flowers.data": lambda p: table(p, header=None),
    "data/W06-comment-lines-before-the-header/clinical.txt": lambda p: tabs(p, comment="#"),
    "data/W11-rows-swallowed-by-quotes/genes.tsv": lambda p: tabs(p, quoting=3),
    "tables/headerless/hl.csv": lambda p: table(p, header=None),
    "data/C05-sparse-logical-of-matlab/t.mat": lambda p: scipy.io.loadmat(p)["X"].shape,
    "data/M03-object-arrays-are-not-seen/a.npz": lambda p: np.load(p, allow_pickle=True)["X"].shape,
    "data/R08-NaN-in-arrays/a.npz": lambda p: np.load(p)["X"].shape,
    "data/R10-cells-annotated-by-barcode/matrix.mtx": lambda p: scipy.io.mmread(p).shape[::-1],  # genes are its rows
    "data/C04-parquet-truth-values-as-target/t.parquet": lambda p: (200, 3),
    "data/R03-decimals-of-arrow/t.parquet": lambda p: (200, 3),
    "data/R11-one-nested-column/t.parquet": lambda p: (200, 6),
    "data/W01-parquet-lz4-read-as-zeros/lz4.parquet": lambda p: (200, 4),
    "data/W08-parquet-ids-become-negative/t.parquet": lambda p: (90, 7),
    "data/W10-times-of-parquet/t.parquet": lambda p: (200, 4),
    "data/W12-index-of-pandas-is-a-feature/t.parquet": lambda p: (200, 4),
    # experiment files
    "data/R02-annotations-in-a-table-on-its-side/a.yaml": lambda p: both(across(p + "/otu.txt", sep="\t"), tabs(p + "/map.txt")),
    "data/R03-decimals-of-arrow/a.yaml": lambda p: (200, 3),
    "data/R04-carriage-returns-end-lines/a.yaml": lambda p: table(p + "/mac.csv"),
    "data/R09-joined-files-of-two-delimiters/a.yaml": lambda p: both(table(p + "/x.csv"), tabs(p + "/r.tsv")),
    "data/W07-labels-that-look-like-numbers-merge/t.yaml": lambda p: table(p + "/tissue.csv"),
    "data/W08-parquet-ids-become-negative/p.yaml": lambda p: (90, 7),
    "tables/categorical-missing/cm.yaml": lambda p: table(p + "/cm.csv"),
    "tables/gene-by-sample/e.yaml": lambda p: both(across(p + "/expr.csv"), table(p + "/clin.csv")),
    "tables/interval-of-repeats/e.yaml": lambda p: table(p + "/d.csv"),
    "tables/keep-lambda-max/e.yaml": lambda p: table(p + "/d.csv"),
    "tables/kept-in-stability/e.yaml": lambda p: table(p + "/d.csv"),
    "tables/missing-level/e.yaml": lambda p: table(p + "/d.csv"),
    "tables/multiclass-metrics/x.yaml": lambda p: table(p + "/d.csv"),
    "tables/serve-stability/e.yaml": lambda p: table(p + "/d.csv"),
    "tables/text-csv/x.yaml": lambda p: table(p + "/texts.csv"),
}
by_ending = {".csv": table, ".tsv": tabs, ".txt": tabs, ".arff": arff, ".svm": svmlight}
refused = {  # words that say why
    "data/M01-its-format-is-not-clear/nan.svm": "expected a finite number",
    "data/M01-its-format-is-not-clear/nul.csv": "it has a zero byte",
    "data/M01-its-format-is-not-clear/v13.gct": "name it with --labels",
    "data/M03-object-arrays-are-not-seen/a.npz": "Python objects",
    "data/M06-nothing-left-and-no-reason/sales.csv": "no column is left",
    "data/M06-nothing-left-and-no-reason/tweets.csv": "no column is left",
    "data/R02-annotations-in-a-table-on-its-side/a.yaml": "join: file is missing",
    "data/R02-annotations-in-a-table-on-its-side/map.txt": "no column is left",
    "data/R02-annotations-in-a-table-on-its-side/otu.txt": "its rows seem to be features",
    "data/R09-joined-files-of-two-delimiters/a.yaml": 'unknown role "responses"',
    "data/R09-joined-files-of-two-delimiters/r.tsv": "no column is left",
    "data/R10-cells-annotated-by-barcode/annot.csv": "no column is left",
    "data/R10-cells-annotated-by-barcode/barcodes.tsv": "what divides the cells?",
    "data/R10-cells-annotated-by-barcode/matrix.mtx": "name it with --labels",
    "data/W01-parquet-lz4-read-as-zeros/lz4.parquet": "packed with LZ4_RAW",
    "data/W08-parquet-ids-become-negative/p.yaml": "it needs two levels",
    "tables/gene-by-sample/e.yaml": "join: file is missing",
    "tables/gene-by-sample/expr.csv": "its rows seem to be features",
    "tables/multiclass-metrics/x.yaml": "is of two classes",
    "tables/missing-level/new.csv": "too few to test on some and train on others",
    "tables/text-csv/x.yaml": "expected a finite number",
}

print("# What other programs see in files of trials, and why tenfold refuses some: file, rows, columns, words of the refusal. By accounts.py.")
for path, _, files in sorted(os.walk(folder)):
    for name in sorted(files):
        full = os.path.join(path, name)
        file = os.path.relpath(full, folder).replace(os.sep, "/")
        ending = os.path.splitext(name)[1]
        if not file.startswith(("data/", "tables/")) or file not in of and ending not in by_ending:
            continue
        rows, columns = of[file](path if ending == ".yaml" else full) if file in of else by_ending[ending](full)
        print(file, rows, columns, refused.get(file, ""), sep="\t")
