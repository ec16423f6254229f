fairlead.worker_ends()
