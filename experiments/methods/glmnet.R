# glmnet's lasso with the penalty that its own cross-validation chooses.
source("../adapters/r/tenfold_method.R")
suppressPackageStartupMessages(library(glmnet))

serve(function(x, y, request) {
  model <- cv.glmnet(x, y, nfolds = request$params$folds, standardize = request$params$standardize)
  b <- coef(model, s = paste0("lambda.", request$params$choose))
  list(coef = b[-1, , drop = FALSE], intercept = b[1, 1], facts = list(lambda = request$rows * model[[paste0("lambda.", request$params$choose)]]))
})
