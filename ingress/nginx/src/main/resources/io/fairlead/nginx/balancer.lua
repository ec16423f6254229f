fairlead.balancer()
