"""The Messages API's contract, as pure functions of a request."""
