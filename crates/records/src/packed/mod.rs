//! Positions in 32 bytes, as training data of other programs stores them.
