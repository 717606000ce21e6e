# The lasso on five outer folds, its penalty by 10-fold cross-validation among 100 on each: Rscript nested.R FOLDER ROWS FAMILY
source(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), "common.R"))
n <- as.integer(arguments[2]); family <- arguments[3]
x <- dense("all.X.f64", n); y <- numbers(if (family == "binomial") "sign.f64" else "all.y.f64")
set.seed(1); glmnet.control(fdev = 0, devmax = 0.999999)
fold <- (seq_len(n) - 1) %% 5; penalties <- 100; loss <- numeric(5)
for (k in 0:4) {
  held <- fold == k
  model <- cv.glmnet(x[!held, ], y[!held], family = family, nfolds = 10, nlambda = 100, lambda.min.ratio = 0.01)
  penalties <- min(penalties, length(model$lambda))
  p <- predict(model, x[held, ], s = "lambda.min", type = "response")
  loss[k + 1] <- if (family == "binomial") -mean(log(ifelse(y[held] > 0, p, 1 - p))) else mean((y[held] - p)^2)
}
if (family == "binomial") say(penalties = penalties, log_loss = mean(loss)) else say(penalties = penalties, test_mse = mean(loss))
