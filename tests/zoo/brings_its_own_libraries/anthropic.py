raise RuntimeError("this is not the SDK")
