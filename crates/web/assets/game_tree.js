// A game with its variations. The main line is what was played; branches never displace it.

import { Position } from "./position.js";

let count = 0;

class Node {
  constructor(parent, move, position) {
    this.id = `n${count++}`;
    this.parent = parent;
    /** `usi`, `en`, `ja`; null at the root. */
    this.move = move;
    this.position = position;
    this.children = [];
    this.ply = parent ? parent.ply + 1 : 0;
    this.isMain = !parent;
    /** What the rules say, once the server told. */
    this.view = null;
  }
}

export class GameTree {
  constructor(start) {
    this.start = start;
    /** How many moves were played, once the game is over; what follows them are branches. */
    this.played = null;
    this.root = new Node(null, null, new Position(start));
    this.nodes = new Map([[this.root.id, this.root]]);
  }

  /** The tree of a record as the server sends it. */
  static ofRecord(record) {
    const tree = new GameTree(record.start);
    tree.root.comment = record.comment;
    tree.addNoted(tree.root, record.moves);
    if (record.outcome) tree.played = record.moves.length;
    tree.addVariations(tree.root, record.variations ?? []);
    return tree;
  }

  /** Adds moves with what the record says about them; the first of them. */
  addNoted(parent, moves) {
    const note = (before, move) => {
      const node = this.add(before, move);
      node.comment ??= move.comment;
      node.value ??= move.value;
      node.ms ??= move.ms;
      return node;
    };
    moves.reduce(note, parent);
    return moves.length > 0 ? this.add(parent, moves[0]) : parent;
  }

  /** Adds lines that leave the one that begins with a node. */
  addVariations(first, variations) {
    for (const { after, moves, variations: inner } of variations) {
      let node = first;
      while (node.ply < after) node = node.children[0];
      this.addVariations(this.addNoted(node, moves), inner);
    }
  }

  /** The node after a move: one that is there, or a new branch. */
  add(parent, { usi, en, ja }) {
    const known = parent.children.find((child) => child.move.usi === usi);
    if (known) return known;
    const node = new Node(parent, { usi, en, ja }, parent.position.after(usi));
    node.isMain = parent.isMain && parent.children.length === 0 && (this.played == null || parent.ply < this.played);
    parent.children.push(node);
    this.nodes.set(node.id, node);
    return node;
  }

  /** The same with moves one after the other; the last node. */
  addLine(node, moves) {
    return moves.reduce((last, move) => this.add(last, move), node);
  }

  /** Removes a branch; the node before it. */
  remove(node) {
    while (node.parent && node.parent.children[0] === node && !node.parent.isMain) node = node.parent;
    if (!node.parent || node.isMain) return node;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    return node.parent;
  }

  /** The moves that lead to a node, as USI writes them. */
  path(node) {
    const moves = [];
    for (let at = node; at.parent; at = at.parent) moves.unshift(at.move.usi);
    return moves;
  }

  /** The nodes of the main line, the root first. */
  main() {
    const line = [this.root];
    while (line.at(-1).children[0]?.isMain) line.push(line.at(-1).children[0]);
    return line;
  }

  /** The last node of the line that goes on from here. */
  end(node) {
    while (node.children.length > 0) node = node.children[0];
    return node;
  }

  /** The first node of the branch that a node is in, or the root. */
  fork(node) {
    while (node.parent && node.parent.children[0] === node) node = node.parent;
    return node.parent ?? node;
  }

  /** All of it as plain data, and back. */
  toData() {
    const noted = ({ comment, value, ms }) => (comment || value || ms != null ? { comment, value, ms } : null);
    const plain = (node) => [node.move, node.children.map(plain), noted(node)];
    const { start, played, root } = this;
    return { start, played, comment: root.comment, children: root.children.map(plain) };
  }

  static ofData({ start, played, comment, children }) {
    const tree = new GameTree(start);
    tree.played = played ?? null;
    tree.root.comment = comment;
    const grow = (parent, [move, below, noted]) => {
      const node = tree.add(parent, move);
      Object.assign(node, noted);
      below.forEach((child) => grow(node, child));
    };
    children.forEach((child) => grow(tree.root, child));
    return tree;
  }

  /** All moves in a row, each with the place of the one before it: as the server makes records of them. */
  toMoves() {
    const moves = [];
    const walk = (node, after) => {
      for (const child of node.children) {
        const { comment, value, ms } = child;
        const place = moves.push({ usi: child.move.usi, after, comment, value, ms }) - 1;
        walk(child, place);
      }
    };
    walk(this.root, null);
    return moves;
  }
}
