//! The accumulators along the line that is being searched.
//!
//! A move only notes what it changed; sums are computed when a value is asked for, from the last ply that has
//! them. Each perspective goes its own way, because a king move may start only one of them afresh.

use shogi::{Color, Delta, Position};

use super::lines::Line;
use super::net::Net;
use super::refresh::RefreshCache;

/// Plies for which there is room from the start.
const RESERVED_PLIES: usize = 192;

/// One ply: how it was reached and which perspectives have their sums.
#[derive(Clone, Copy)]
struct Ply {
    /// `None` at the root.
    delta: Option<Delta>,
    /// `[perspective]`
    computed: [bool; 2],
}

/// The stack of accumulators of one thread.
pub(crate) struct Accumulators {
    plies: Vec<Ply>,
    top: usize,
    /// `[ply][perspective][line]`
    sums: Vec<Line>,
    /// Lines of one perspective.
    lines: usize,
    cache: RefreshCache,
}

impl Accumulators {
    /// Room for a search; `reset` must come before anything else.
    pub(crate) fn new(net: &Net) -> Accumulators {
        let lines = net.bias().len();
        Accumulators {
            plies: vec![Ply { delta: None, computed: [false; 2] }; RESERVED_PLIES],
            top: 0,
            sums: vec![Line::ZERO; RESERVED_PLIES * 2 * lines],
            lines,
            cache: RefreshCache::new(net),
        }
    }

    /// Starts at a position.
    pub(crate) fn reset(&mut self, net: &Net, position: &Position) {
        self.top = 0;
        self.plies[0] = Ply { delta: None, computed: [false; 2] };
        for perspective in Color::ALL {
            self.refresh(net, position, perspective);
        }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, delta: &Delta) {
        self.top += 1;
        if self.top == self.plies.len() {
            self.grow();
        }
        self.plies[self.top] = Ply { delta: Some(*delta), computed: [false; 2] };
    }

    #[cold]
    fn grow(&mut self) {
        let plies = 2 * self.plies.len();
        self.plies.resize(plies, Ply { delta: None, computed: [false; 2] });
        self.sums.resize(plies * 2 * self.lines, Line::ZERO);
    }

    /// # Panics
    /// If there was no push before.
    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        self.top = self.top.checked_sub(1).expect("a pop for every push");
    }

    /// The sums of the perspective at the top, computed now if need be; `position` is that of the top.
    #[inline(always)]
    pub(crate) fn ensure(&mut self, net: &Net, position: &Position, perspective: Color) {
        if self.plies[self.top].computed[perspective.index()] {
            return;
        }
        match self.last_computed(net, perspective) {
            Some(ply) => self.catch_up(net, position, perspective, ply),
            None => self.refresh(net, position, perspective),
        }
    }

    /// The sums at the top, which `ensure` has computed.
    #[inline(always)]
    pub(crate) fn top(&self, perspective: Color) -> &[Line] {
        &self.sums[(2 * self.top + perspective.index()) * self.lines..][..self.lines]
    }

    /// The nearest ply below whose sums can be carried on; `None` if the own king changed the view since.
    #[inline(always)]
    fn last_computed(&self, net: &Net, perspective: Color) -> Option<usize> {
        let features = net.architecture().features;
        for ply in (0..=self.top).rev() {
            let Ply { delta, computed } = &self.plies[ply];
            if computed[perspective.index()] {
                return Some(ply);
            }
            if delta.as_ref().is_none_or(|delta| features.changes_view(delta, perspective)) {
                return None;
            }
        }
        None
    }

    /// Carries the sums on from `ply` to the top, ply by ply, so that siblings find them.
    #[inline(always)]
    fn catch_up(&mut self, net: &Net, position: &Position, perspective: Color, ply: usize) {
        let features = net.architecture().features;
        let view = features.view(position, perspective);
        let (size, offset) = (2 * self.lines, perspective.index() * self.lines);
        for ply in ply + 1..=self.top {
            let Some(delta) = &self.plies[ply].delta else { continue };
            let exchange = features.exchange(delta, &view);
            let (below, here) = self.sums.split_at_mut(ply * size);
            let source = &below[(ply - 1) * size + offset..][..self.lines];
            let target = &mut here[offset..][..self.lines];
            net.kernels().exchange(net.rows(), source, target, exchange.added(), exchange.removed());
            self.plies[ply].computed[perspective.index()] = true;
        }
    }

    fn refresh(&mut self, net: &Net, position: &Position, perspective: Color) {
        let sums = self.cache.refresh(net, position, perspective);
        self.sums[(2 * self.top + perspective.index()) * self.lines..][..self.lines].copy_from_slice(sums);
        self.plies[self.top].computed[perspective.index()] = true;
    }
}
