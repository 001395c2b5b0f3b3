//! Games small enough to know everything about, for tests.

use super::game::{End, Game};
use contract::score::Value;

/// One heap of matches; a move takes one, two or three, and whoever takes the last one wins. The side to move loses if and
/// only if the heap is a multiple of four. The evaluation knows nothing.
#[derive(Clone)]
pub(crate) struct Nim {
    left: u16,
    taken: Vec<u16>,
    nodes: u64,
}

impl Nim {
    pub(crate) fn new(left: u16) -> Nim {
        Nim { left, taken: Vec::new(), nodes: 0 }
    }

    pub(crate) fn left(&self) -> u16 {
        self.left
    }
}

impl Game for Nim {
    type Move = u16;

    fn pack(m: u16) -> u16 {
        m
    }

    fn unpack(bits: u16) -> u16 {
        bits
    }

    fn moves(&mut self, list: &mut Vec<u16>) {
        list.clear();
        list.extend(1..=self.left.min(3));
    }

    fn play(&mut self, m: u16) {
        self.left -= m;
        self.taken.push(m);
        self.nodes += 1;
    }

    fn undo(&mut self) {
        self.left += self.taken.pop().expect("a move to take back");
    }

    fn end(&mut self, _: usize) -> Option<End> {
        (self.left == 0).then_some(End::Loss(0))
    }

    fn no_moves(&self) -> End {
        End::Loss(0)
    }

    fn evaluate(&mut self, _: Value) -> Value {
        0
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// A tree whose branches and values are drawn from a seed: every position has two to six moves and some value, lines
/// end after `height` plies, and some end before.
#[derive(Clone)]
pub(crate) struct RandomTree {
    height: usize,
    /// A hash of the path, for each ply.
    path: Vec<u64>,
    nodes: u64,
}

impl RandomTree {
    pub(crate) fn new(seed: u64, height: usize) -> RandomTree {
        RandomTree { height, path: vec![contract::Rng::new(seed).draw()], nodes: 0 }
    }

    fn here(&self) -> u64 {
        *self.path.last().expect("the root is always there")
    }
}

impl Game for RandomTree {
    type Move = u16;

    fn pack(m: u16) -> u16 {
        m
    }

    fn unpack(bits: u16) -> u16 {
        bits
    }

    fn moves(&mut self, list: &mut Vec<u16>) {
        list.clear();
        list.extend(0..2 + (self.here() >> 40) as u16 % 5);
    }

    fn play(&mut self, m: u16) {
        let next = contract::Rng::new(self.here() ^ (u64::from(m) + 1) << 17).draw();
        self.path.push(next);
        self.nodes += 1;
    }

    fn undo(&mut self) {
        self.path.pop();
    }

    fn end(&mut self, _: usize) -> Option<End> {
        let early = self.path.len() > 2 && (self.here() >> 20).is_multiple_of(16);
        (early || self.path.len() > self.height).then(|| End::Value((self.here() % 601) as Value - 300))
    }

    fn no_moves(&self) -> End {
        End::Loss(0)
    }

    fn evaluate(&mut self, _: Value) -> Value {
        ((self.here() >> 8) % 601) as Value - 300
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// A game with many moves, all but two of which end it at once: nodes take long to be refreshed, and threads often meet.
#[derive(Clone)]
pub(crate) struct Comb {
    width: u16,
    height: usize,
    path: Vec<u16>,
    nodes: u64,
}

impl Comb {
    pub(crate) fn new(width: u16, height: usize) -> Comb {
        Comb { width, height, path: Vec::new(), nodes: 0 }
    }
}

impl Game for Comb {
    type Move = u16;

    fn pack(m: u16) -> u16 {
        m
    }

    fn unpack(bits: u16) -> u16 {
        bits
    }

    fn moves(&mut self, list: &mut Vec<u16>) {
        list.clear();
        list.extend(0..self.width);
    }

    fn play(&mut self, m: u16) {
        self.path.push(m);
        self.nodes += 1;
    }

    fn undo(&mut self) {
        self.path.pop();
    }

    fn end(&mut self, _: usize) -> Option<End> {
        let is_over = self.path.len() >= self.height || self.path.last().is_some_and(|&m| m > 1);
        is_over.then_some(End::Value(0))
    }

    fn no_moves(&self) -> End {
        End::Loss(0)
    }

    fn evaluate(&mut self, _: Value) -> Value {
        0
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// A game of which one thread's copy breaks after some moves, and the other's has nothing else to do but wait for it.
#[derive(Clone)]
pub(crate) struct Fragile {
    breaks: bool,
    path: Vec<u16>,
    nodes: u64,
}

impl Fragile {
    pub(crate) fn new(breaks: bool) -> Fragile {
        Fragile { breaks, path: Vec::new(), nodes: 0 }
    }
}

impl Game for Fragile {
    type Move = u16;

    fn pack(m: u16) -> u16 {
        m
    }

    fn unpack(bits: u16) -> u16 {
        bits
    }

    fn moves(&mut self, list: &mut Vec<u16>) {
        list.clear();
        list.extend(0..3);
    }

    fn play(&mut self, m: u16) {
        self.path.push(m);
        self.nodes += 1;
    }

    fn undo(&mut self) {
        self.path.pop();
    }

    fn end(&mut self, _: usize) -> Option<End> {
        assert!(!self.breaks || self.path.len() < 3, "this copy of the game breaks, as it shall");
        (self.path.len() > 200).then_some(End::Value(0))
    }

    fn no_moves(&self) -> End {
        End::Loss(0)
    }

    fn evaluate(&mut self, _: Value) -> Value {
        0
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
