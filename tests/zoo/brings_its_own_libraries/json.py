raise RuntimeError("this is not the json of the standard library")
