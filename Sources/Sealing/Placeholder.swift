// Replaced by the first code.
