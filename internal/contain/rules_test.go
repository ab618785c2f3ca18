package contain
var rulePairs []struct{narrow, wide string}
