-- Counts of this worker go into shared memory now and then.
require("counts").start()
