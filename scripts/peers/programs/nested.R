# The lasso on five outer folds, its penalty by 10-fold cross-validation on each: Rscript nested.R FOLDER ROWS PENALTIES SHARE FAMILY
source(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), "common.R"))
n <- as.integer(arguments[2]); penalties <- as.integer(arguments[3]); share <- as.numeric(arguments[4]); family <- arguments[5]
x <- dense("all.X.f64", n); y <- numbers(if (family == "binomial") "sign.f64" else "all.y.f64")
set.seed(1); glmnet.control(fdev = 0, devmax = 0.999999)
fold <- (seq_len(n) - 1) %% 5; least <- penalties; loss <- numeric(5)
for (k in 0:4) {
  held <- fold == k
  model <- cv.glmnet(x[!held, ], y[!held], family = family, nfolds = 10, nlambda = penalties, lambda.min.ratio = share)
  least <- min(least, length(model$lambda))
  p <- predict(model, x[held, ], s = "lambda.min", type = "response")
  loss[k + 1] <- if (family == "binomial") -mean(log(ifelse(y[held] > 0, p, 1 - p))) else mean((y[held] - p)^2)
}
if (family == "binomial") say(penalties = least, log_loss = mean(loss)) else say(penalties = least, test_mse = mean(loss))
