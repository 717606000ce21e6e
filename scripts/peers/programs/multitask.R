# A group lasso over all responses, its penalty by 5-fold cross-validation: Rscript multitask.R FOLDER RESPONSES PENALTIES SHARE
source(file.path(dirname(sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))), "common.R"))
responses <- seq_len(as.integer(arguments[2]))
train <- table.of("train.csv"); test <- table.of("test.csv")
set.seed(1); glmnet.control(fdev = 0)
model <- cv.glmnet(train[, -responses], train[, responses], family = "mgaussian", nfolds = 5,
                   nlambda = as.integer(arguments[3]), lambda.min.ratio = as.numeric(arguments[4]))
predicted <- predict(model, test[, -responses], s = "lambda.min")[, , 1]
b <- coef(model, s = "lambda.min")[[1]][-1, 1]
say(penalties = length(model$lambda), selected = sum(b != 0), test_mse = mean((test[, responses] - predicted)^2))
