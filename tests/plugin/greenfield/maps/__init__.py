"""Maps: the files beside this one."""
