require("route").take(true)
