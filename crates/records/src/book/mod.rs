//! Opening books.
