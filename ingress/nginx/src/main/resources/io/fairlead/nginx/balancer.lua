require("choice").make()
