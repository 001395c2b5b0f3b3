//! Memory for nodes: blocks of siblings in chunks that are taken when first needed, up to a hard limit.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::node::{Node, NodeId};

/// Nodes of a chunk; no block reaches over its end.
const CHUNK: usize = 1 << 15;
/// Blocks come in multiples of this, so that one that was freed fits most others: two cache lines.
const GRAIN: usize = 4;
/// The most children that a block can have.
pub(crate) const LARGEST_BLOCK: usize = 640;
/// The smallest arena.
const LEAST_NODES: usize = CHUNK;

/// Blocks of nodes. Reading nodes takes no lock; taking and returning blocks does, once per expansion.
pub(crate) struct Arena {
    chunks: Box<[OnceLock<Box<[Node]>>]>,
    space: Mutex<Space>,
}

/// Which nodes are in use.
struct Space {
    /// The first node that was never used.
    fresh: usize,
    limit: usize,
    /// `[grains - 1]`: where free blocks of that size begin.
    free: Vec<Vec<u32>>,
    used: usize,
}

fn grains(count: usize) -> usize {
    count.div_ceil(GRAIN)
}

impl Arena {
    /// Room for so many megabytes of nodes, none of which is taken yet but that of the root.
    pub(crate) fn new(megabytes: usize) -> Arena {
        let limit = ((megabytes << 20) / Node::BYTES).clamp(LEAST_NODES, u32::MAX as usize / 2);
        let chunks = (0..limit.div_ceil(CHUNK)).map(|_| OnceLock::new()).collect();
        let space = Space { fresh: 0, limit, free: vec![Vec::new(); LARGEST_BLOCK / GRAIN], used: 0 };
        let arena = Arena { chunks, space: Mutex::new(space) };
        arena.clear();
        arena
    }

    /// Returns every block; the root's remains.
    pub(crate) fn clear(&self) {
        let mut space = self.space();
        space.fresh = 0;
        space.used = 0;
        space.free.iter_mut().for_each(Vec::clear);
        let root = space.take(1);
        drop(space);
        debug_assert_eq!(root, Some(0));
        self.node(NodeId::ROOT).init(0, 0.0);
    }

    fn space(&self) -> MutexGuard<'_, Space> {
        self.space.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn chunk(&self, id: NodeId) -> &[Node] {
        let chunk = &self.chunks[id.0 as usize / CHUNK];
        chunk.get_or_init(|| (0..CHUNK).map(|_| Node::default()).collect())
    }

    #[inline(always)]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.chunk(id)[id.0 as usize % CHUNK]
    }

    /// The nodes of a block.
    #[inline(always)]
    pub(crate) fn block(&self, first: NodeId, count: usize) -> &[Node] {
        &self.chunk(first)[first.0 as usize % CHUNK..][..count]
    }

    /// A block of so many nodes; `None` if the arena is full.
    pub(crate) fn take(&self, count: usize) -> Option<NodeId> {
        self.space().take(count).map(|first| NodeId(first as u32))
    }

    /// Returns a block that nobody refers to any more.
    pub(crate) fn give_back(&self, first: NodeId, count: usize) {
        self.space().give_back(first.0 as usize, grains(count));
    }

    /// Nodes in use, with what is lost to the sizes of blocks.
    pub(crate) fn used(&self) -> usize {
        self.space().used
    }

    /// Nodes that there is room for.
    pub(crate) fn limit(&self) -> usize {
        self.space().limit
    }
}

impl Space {
    fn take(&mut self, count: usize) -> Option<usize> {
        let size = grains(count);
        let first =
            self.take_free(size).or_else(|| self.take_fresh(size)).or_else(|| self.take_part(size)).or_else(
                || {
                    self.coalesce();
                    self.take_part(size)
                },
            )?;
        self.used += size * GRAIN;
        Some(first)
    }

    fn take_free(&mut self, size: usize) -> Option<usize> {
        self.free[size - 1].pop().map(|first| first as usize)
    }

    /// From the part that was never used. What is left of a chunk becomes a free block.
    fn take_fresh(&mut self, size: usize) -> Option<usize> {
        let left = CHUNK - self.fresh % CHUNK;
        if left < size * GRAIN {
            if self.fresh + left >= self.limit {
                return None;
            }
            self.free[left / GRAIN - 1].push(self.fresh as u32);
            self.fresh += left;
        }
        let first = self.fresh;
        if first + size * GRAIN > self.limit {
            return None;
        }
        self.fresh += size * GRAIN;
        Some(first)
    }

    /// From the smallest free block that is large enough.
    fn take_part(&mut self, size: usize) -> Option<usize> {
        let larger = (size..=self.free.len()).find(|&larger| !self.free[larger - 1].is_empty())?;
        let first = self.take_free(larger)?;
        if larger > size {
            self.free[larger - size - 1].push((first + size * GRAIN) as u32);
        }
        Some(first)
    }

    fn give_back(&mut self, first: usize, size: usize) {
        self.free[size - 1].push(first as u32);
        self.used -= size * GRAIN;
    }

    /// Joins free blocks that lie side by side.
    fn coalesce(&mut self) {
        let mut blocks: Vec<(usize, usize)> = Vec::new();
        for (i, list) in self.free.iter_mut().enumerate() {
            blocks.extend(list.drain(..).map(|first| (first as usize, i + 1)));
        }
        blocks.sort_unstable();
        let mut joined: Vec<(usize, usize)> = Vec::new();
        for (first, size) in blocks {
            match joined.last_mut() {
                Some((start, length))
                    if *start + *length * GRAIN == first
                        && first % CHUNK != 0
                        && *length + size <= LARGEST_BLOCK / GRAIN =>
                {
                    *length += size;
                }
                _ => joined.push((first, size)),
            }
        }
        for (first, size) in joined {
            self.free[size - 1].push(first as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::Rng;

    #[test]
    fn blocks_never_overlap_and_the_limit_holds() {
        let arena = Arena::new(1);
        let mut rng = Rng::new(3);
        let mut held: Vec<(NodeId, usize)> = Vec::new();
        let mut refused = 0;
        for _ in 0..20_000 {
            let count = 1 + (rng.draw() % 300) as usize;
            match arena.take(count) {
                Some(first) => held.push((first, count)),
                None => {
                    refused += 1;
                    for _ in 0..50.min(held.len()) {
                        let (first, count) = held.swap_remove(rng.draw() as usize % held.len());
                        arena.give_back(first, count);
                    }
                }
            }
            assert!(arena.used() <= arena.limit());
        }
        assert!(refused > 10 && held.len() > 100);
        let mut ranges: Vec<_> = held.iter().map(|&(first, count)| (first.0, count as u32)).collect();
        ranges.sort_unstable();
        assert!(ranges.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0));
        assert!(ranges[0].0 >= 4, "the root is nobody else's");
    }

    #[test]
    fn small_blocks_that_were_freed_serve_large_ones() {
        let arena = Arena::new(1);
        let blocks: Vec<NodeId> = std::iter::from_fn(|| arena.take(4)).collect();
        assert!(arena.take(400).is_none());
        blocks.iter().for_each(|&first| arena.give_back(first, 4));
        assert!(arena.take(400).is_some());
    }
}
