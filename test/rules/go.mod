module github.com/toolcontract/operator/test/rules

go 1.26.0
