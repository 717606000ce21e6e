# A group lasso over all responses, its penalty by 5-fold cross-validation among 100: Rscript multitask.R FOLDER TRAIN TEST
source(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), "common.R"))
n <- as.integer(arguments[2]); m <- as.integer(arguments[3])
x <- dense("train.X.f64", n); y <- dense("train.Y.f64", n)
set.seed(1); glmnet.control(fdev = 0)
model <- cv.glmnet(x, y, family = "mgaussian", nfolds = 5, nlambda = 100, lambda.min.ratio = 0.05)
test <- predict(model, dense("test.X.f64", m), s = "lambda.min")[, , 1]
b <- coef(model, s = "lambda.min")[[1]][-1, 1]
say(penalties = length(model$lambda), selected = sum(b != 0), test_mse = mean((dense("test.Y.f64", m) - test)^2))
