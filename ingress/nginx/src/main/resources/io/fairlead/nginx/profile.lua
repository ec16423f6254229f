require("route").take(false)
