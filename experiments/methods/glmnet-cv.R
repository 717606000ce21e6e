# cv.glmnet for classes, as a method of suite-external.yaml: the lasso whose penalty ten inner folds choose.
source("../adapters/r/tenfold_method.R")
suppressPackageStartupMessages(library(glmnet))

serve(function(x, y, request) {
  y <- droplevels(y)
  two <- nlevels(y) == 2
  model <- suppressWarnings(cv.glmnet(as(x, "CsparseMatrix"), y, family = if (two) "binomial" else "multinomial"))
  b <- coef(model, s = "lambda.min")
  b <- if (two) as.matrix(b) else do.call(cbind, lapply(b, as.matrix))
  colnames(b) <- if (two) levels(y)[2] else levels(y)
  if (two) colnames(b) <- NULL
  list(coef = b[-1, , drop = FALSE], intercept = b[1, ])
})
