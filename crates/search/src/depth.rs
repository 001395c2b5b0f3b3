//! Depth in fractions of a ply, so that kinds of moves can cost more or less than one.

use std::fmt;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// A depth in 64ths of a ply.
///
/// ```
/// use search::Depth;
/// let left = Depth::plies(3) - Depth::of(0.75);
/// assert_eq!((left.whole(), left.to_string().as_str()), (2, "2.25"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Depth(i32);

/// Parts of a ply.
pub(crate) const UNIT: i32 = 64;

impl Depth {
    /// No depth at all.
    pub const ZERO: Depth = Depth(0);

    /// So many whole plies.
    #[must_use]
    pub const fn plies(plies: i32) -> Depth {
        Depth(plies * UNIT)
    }

    /// So many 64ths of a ply.
    #[must_use]
    pub const fn units(units: i32) -> Depth {
        Depth(units)
    }

    /// How many 64ths of a ply.
    #[must_use]
    pub const fn in_units(self) -> i32 {
        self.0
    }

    /// A share of it, in percent.
    #[must_use]
    pub const fn percent(self, percent: i32) -> Depth {
        Depth(self.0 * percent / 100)
    }

    /// The nearest depth to a number of plies.
    #[must_use]
    pub fn of(plies: f32) -> Depth {
        Depth((plies * UNIT as f32).round() as i32)
    }

    /// The whole plies in it, rounded down.
    #[must_use]
    pub const fn whole(self) -> i32 {
        self.0.div_euclid(UNIT)
    }

    /// The nearest number of whole plies, none for less than none: how a table by depth is read.
    #[must_use]
    pub const fn nearest(self) -> usize {
        if self.0 <= 0 { 0 } else { ((self.0 + UNIT / 2) / UNIT) as usize }
    }
}

impl Add for Depth {
    type Output = Depth;

    fn add(self, other: Depth) -> Depth {
        Depth(self.0 + other.0)
    }
}

impl Sub for Depth {
    type Output = Depth;

    fn sub(self, other: Depth) -> Depth {
        Depth(self.0 - other.0)
    }
}

impl AddAssign for Depth {
    fn add_assign(&mut self, other: Depth) {
        *self = *self + other;
    }
}

impl SubAssign for Depth {
    fn sub_assign(&mut self, other: Depth) {
        *self = *self - other;
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", f64::from(self.0) / f64::from(UNIT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_add_up_exactly_and_round_down() {
        let mut depth = Depth::plies(2);
        for _ in 0..4 {
            depth -= Depth::of(0.5);
        }
        assert_eq!(depth, Depth::ZERO);
        depth += Depth::of(0.7);
        assert_eq!((depth.whole(), depth.nearest()), (0, 1));
        assert_eq!((Depth::ZERO - Depth::of(0.25)).whole(), -1);
        assert!(Depth::of(1.2) > Depth::plies(1));
    }
}
