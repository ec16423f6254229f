require("counts").tell()
