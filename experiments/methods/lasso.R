# glmnet's lasso with our lambda, which is the number of rows times glmnet's, at the end of a short path.
source("../adapters/r/tenfold_method.R")
suppressPackageStartupMessages(library(glmnet))

serve(function(x, y, request) {
  lambda <- request$params$lambda / request$rows
  model <- glmnet(x, y, lambda = lambda * c(100, 30, 10, 3, 1), standardize = request$params$standardize, thresh = 1e-20, maxit = 1e7)
  b <- coef(model, s = lambda)
  list(coef = b[-1, , drop = FALSE], intercept = b[1, 1], iterations = model$npasses)
})
