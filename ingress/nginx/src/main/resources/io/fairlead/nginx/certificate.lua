require("certificates").choose()
