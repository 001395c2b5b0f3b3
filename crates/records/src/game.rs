//! One game, whatever file it came from.
