require("answers").headers()
