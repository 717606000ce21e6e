# cv.glmnet for classes, as a method of suite-external.yaml: the lasso whose penalty inner folds choose by their deviance. What it needs here:
#
# - Folds that know of classes. Those that cv.glmnet draws are blind to them, and where one leaves a class a single row, glmnet refuses to fit
#   ("one multinomial or binomial class has 1 or 0 observations"), and the whole call fails. So the rows of each class are dealt out over
#   the folds: ten, as by default, or as many as the smallest class has rows, three at least, which is the fewest that cv.glmnet takes.
# - A dense matrix. The spread of a column of a sparse one is the mean of its squares less the square of its mean, which for a column that
#   is constant within an inner fold can come out below 0: then all penalties are NaN.
source("../adapters/r/tenfold_method.R")
suppressPackageStartupMessages(library(glmnet))

serve(function(x, y, request) {
  folds <- max(3, min(10, table(y)))
  foldid <- integer(length(y))
  dealt <- 0 # the next class goes on where the one before ended, so that folds are of equal size
  for (rows in split(seq_along(y), y)) {
    foldid[rows[sample.int(length(rows))]] <- (dealt + seq_along(rows)) %% folds + 1
    dealt <- dealt + length(rows)
  }
  two <- nlevels(y) == 2
  model <- suppressWarnings(cv.glmnet(as.matrix(x), y, family = if (two) "binomial" else "multinomial", foldid = foldid))
  b <- coef(model, s = "lambda.min")
  b <- if (two) as.matrix(b) else do.call(cbind, lapply(b, as.matrix))
  list(coef = b[-1, , drop = FALSE], intercept = b[1, ], facts = list("inner folds" = folds))
})
