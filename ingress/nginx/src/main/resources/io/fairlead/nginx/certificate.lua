fairlead.certificate()
