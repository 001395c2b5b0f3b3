//! Our own file for millions of games.
