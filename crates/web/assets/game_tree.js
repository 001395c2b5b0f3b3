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
    this.isMain = parent ? parent.isMain && parent.children.length === 0 : true;
    /** What the rules say, once the server told. */
    this.view = null;
  }
}

export class GameTree {
  constructor(start) {
    this.start = start;
    this.root = new Node(null, null, new Position(start));
    this.nodes = new Map([[this.root.id, this.root]]);
  }

  /** The tree of a record as the server sends it. */
  static ofRecord(record) {
    const tree = new GameTree(record.start);
    tree.root.comment = record.comment;
    let node = tree.root;
    for (const move of record.moves) {
      node = tree.add(node, move);
      Object.assign(node, { comment: move.comment, value: move.value, ms: move.ms });
    }
    return tree;
  }

  /** The node after a move: one that is there, or a new branch. */
  add(parent, { usi, en, ja }) {
    const known = parent.children.find((child) => child.move.usi === usi);
    if (known) return known;
    const node = new Node(parent, { usi, en, ja }, parent.position.after(usi));
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
    const plain = (node) => [node.move, node.children.map(plain)];
    return { start: this.start, children: this.root.children.map(plain) };
  }

  static ofData({ start, children }) {
    const tree = new GameTree(start);
    const grow = (parent, [move, below]) => {
      const node = tree.add(parent, move);
      below.forEach((child) => grow(node, child));
    };
    children.forEach((child) => grow(tree.root, child));
    return tree;
  }
}
