// A board that can be looked at, clicked, dragged on and walked over by keys. It asks for moves only among those it is given.

import { draw, make, say } from "./page.js";
import { HAND, Position, ends, isBlack, kindOf, name } from "./position.js";

const DRAG = 4;
/** How long a piece takes to its square, in milliseconds; no time for those who want no motion. */
const GLIDE = 140;

/** A picture of a piece. */
export function pieceImage(piece, turned) {
  const set = document.documentElement.dataset.pieces;
  const kind = kindOf(piece);
  const id = piece === "k" ? "k" : kind;
  const image = draw("svg", { class: "piece-image", viewBox: "-22 -24.5 44 48", "aria-hidden": "true" });
  image.append(draw("use", { href: `#${set}-${id}`, x: -22, y: -24.5, width: 44, height: 48 }));
  if (turned) image.classList.add("turned");
  return image;
}

/** How a piece is read out. */
export const pieceName = (piece) => `${say(isBlack(piece) ? "black" : "white")} ${say(kindOf(piece))}`;

export class Board {
  /** `onMove(usi)` is called with a legal move that somebody made. */
  constructor(place, onMove) {
    this.onMove = onMove;
    this.flipped = false;
    this.state = { position: new Position("9/9/9/9/9/9/9/9/9 b -"), legal: [], last: null, check: null, arrows: [] };
    this.chosen = null;
    this.build(place);
    document.addEventListener("pieces", () => this.render());
  }

  build(place) {
    this.cells = {};
    this.grid = make("div", { class: "grid", role: "grid", "aria-label": say("board") });
    this.files = make("div", { class: "files", "aria-hidden": "true" });
    this.ranks = make("div", { class: "ranks", "aria-hidden": "true" });
    this.marks = draw("svg", { class: "arrows", viewBox: "0 0 9 9", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.frame = make("div", { class: "frame" }, this.files, this.grid, this.ranks);
    this.frame.append(this.marks);
    this.stands = {};
    for (const side of ["white", "black"]) {
      this.stands[side] = make("div", { class: `stand ${side}`, role: "group", "aria-label": say(`hand_${side}`) });
    }
    for (let rank = 0; rank < 9; rank++) {
      const row = make("div", { role: "row", class: "row" });
      for (let file = 9; file >= 1; file--) {
        const square = name(file, rank);
        const cell = make("button", { type: "button", role: "gridcell", class: "cell", "data-square": square, tabindex: "-1" });
        if ((file === 7 || file === 4) && (rank === 2 || rank === 5)) cell.classList.add("star");
        this.cells[square] = cell;
        row.append(cell);
      }
      this.grid.append(row);
    }
    this.focused = "5i";
    this.root = make("div", { class: "shogi" }, this.stands.white, this.frame, this.stands.black);
    place.replaceChildren(this.root);
    this.root.addEventListener("click", (event) => this.clicked(event));
    this.root.addEventListener("keydown", (event) => this.keyed(event));
    this.root.addEventListener("pointerdown", (event) => this.pressed(event));
    this.coordinates();
  }

  coordinates() {
    const files = [9, 8, 7, 6, 5, 4, 3, 2, 1];
    const ranks = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    if (this.flipped) [files, ranks].forEach((list) => list.reverse());
    this.files.replaceChildren(...files.map((file) => make("span", {}, String(file))));
    this.ranks.replaceChildren(...ranks.map((rank) => {
      const image = draw("svg", { viewBox: "-200 -200 400 400" });
      image.append(draw("use", { href: `#rank-${rank}`, x: -200, y: -200, width: 400, height: 400 }));
      return image;
    }));
  }

  /** Shows a state: position, legal moves, last move, the square of a king in check, arrows. */
  show(state) {
    const before = this.state;
    this.state = { legal: [], last: null, check: null, arrows: [], ...state };
    const stays = this.chosen && this.state.legal.some((move) => move.startsWith(this.chosen));
    if (!stays) this.chosen = null;
    this.closeChooser();
    this.render();
    this.glide(before);
  }

  /** Lets the piece of the last move come from where it was, unless it was carried there. */
  glide(before) {
    const { last, position } = this.state;
    const isNext = last && last !== before.last && before.position.side !== position.side;
    const isCarried = this.carried === last?.slice(0, 4);
    this.carried = null;
    if (!isNext || isCarried || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const { from, to } = ends(last);
    const mover = position.side === "black" ? "white" : "black";
    const held = (at) => at.hands[mover][last[0]] ?? 0;
    // A step back through the game moves nothing.
    if (!(from ? before.position.squares[from] : held(before.position) > held(position))) return;
    const [source, target] = [from ? this.cells[from] : this.stands[mover], this.cells[to]].map((element) => element.getBoundingClientRect());
    const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
    const [[a, b], [x, y]] = [middle(source), middle(target)];
    this.cells[to].firstChild?.animate([{ translate: `${a - x}px ${b - y}px` }, { translate: "0px 0px" }], { duration: GLIDE, easing: "ease-out" });
  }

  flip(flipped = !this.flipped) {
    if (flipped !== this.flipped) {
      const turned = (parent) => parent.append(...[...parent.children].reverse());
      [...this.grid.children].forEach(turned);
      turned(this.grid);
    }
    this.flipped = flipped;
    this.root.classList.toggle("flipped", flipped);
    this.coordinates();
    this.render();
  }

  targets() {
    return new Set(this.chosen ? this.state.legal.filter((move) => move.startsWith(this.chosen)).map((move) => move.slice(2, 4)) : []);
  }

  render() {
    const { position, last, check } = this.state;
    const targets = this.targets();
    const { from, to } = last ? ends(last) : {};
    for (const [square, cell] of Object.entries(this.cells)) {
      const piece = position.squares[square];
      cell.className = cell.classList.contains("star") ? "cell star" : "cell";
      const mark = (test, ...classes) => test && cell.classList.add(...classes);
      mark(square === to, "last");
      mark(square === from, "left");
      mark(square === check, "check");
      mark(square === this.chosen, "chosen");
      mark(targets.has(square), piece ? "capture" : "target");
      mark(this.state.legal.some((move) => move.startsWith(square)), "movable");
      cell.replaceChildren(...(piece ? [pieceImage(piece, isBlack(piece) === this.flipped)] : []));
      cell.tabIndex = square === this.focused ? 0 : -1;
      const said = [square, piece ? pieceName(piece) : say("empty")];
      if (square === check) said.push(say("in_check"));
      if (square === this.chosen) said.push(say("selected"));
      if (targets.has(square)) said.push(say("target"));
      cell.setAttribute("aria-label", said.join(", "));
    }
    for (const side of ["black", "white"]) this.renderStand(side);
    this.renderArrows();
  }

  renderStand(side) {
    const { position, legal } = this.state;
    const hand = position.hands[side];
    const stand = this.stands[side];
    // A button that is pressed while a new state comes in must be the same one when it is released: else it was no click.
    const known = Object.fromEntries([...stand.children].map((button) => [button.dataset.drop, button]));
    const held = HAND.filter((kind) => hand[kind] > 0).map((kind) => {
      const piece = side === "black" ? kind : kind.toLowerCase();
      const drop = `${kind}*`;
      const isMovable = position.side === side && legal.some((move) => move.startsWith(drop));
      const button = known[drop] ?? make("button", { type: "button", class: "held", "data-drop": drop, "data-side": side });
      button.setAttribute("aria-label", `${pieceName(piece)} ${hand[kind]}`);
      button.setAttribute("aria-pressed", String(isMovable && this.chosen === drop));
      button.classList.toggle("movable", isMovable);
      button.replaceChildren(pieceImage(piece, (side === "black") === this.flipped));
      if (hand[kind] > 1) button.append(make("span", { class: "count" }, String(hand[kind])));
      return button;
    });
    if (held.length !== stand.children.length || held.some((button, place) => button !== stand.children[place])) stand.replaceChildren(...held);
    stand.classList.toggle("turn", position.side === side);
  }

  /** Lines from square to square, the best first. */
  renderArrows() {
    const middle = (square) => {
      const [x, y] = [9 - Number(square[0]), "abcdefghi".indexOf(square[1])];
      return this.flipped ? [8.5 - x, 8.5 - y] : [x + 0.5, y + 0.5];
    };
    const arrows = this.state.arrows.map((usi, rank) => {
      const { from, to } = ends(usi);
      const [x, y] = middle(to);
      const group = draw("g", { class: `arrow rank-${rank + 1}` });
      if (!from) {
        group.append(draw("circle", { cx: x, cy: y, r: 0.42 }));
      } else {
        const [a, b] = middle(from);
        const length = Math.hypot(x - a, y - b);
        const [dx, dy] = [(x - a) / length, (y - b) / length];
        const [ex, ey] = [x - dx * 0.3, y - dy * 0.3];
        group.append(draw("line", { x1: a, y1: b, x2: ex, y2: ey }));
        const tip = [[x, y], [ex - dy * 0.17, ey + dx * 0.17], [ex + dy * 0.17, ey - dx * 0.17]];
        group.append(draw("polygon", { points: tip.map((point) => point.join(",")).join(" ") }));
      }
      group.append(draw("text", { x: x + 0.28, y: y - 0.22 }, String(rank + 1)));
      return group;
    });
    this.marks.replaceChildren(...arrows);
  }

  clicked(event) {
    if (this.suppressed) {
      this.suppressed = false;
      return;
    }
    const target = event.target.closest("[data-square], [data-drop]");
    if (!target || !this.root.contains(target)) return this.choose(null);
    const { square, drop, side } = target.dataset;
    if (square) {
      this.focused = square;
      if (this.chosen && this.chosen !== square && this.attempt(square)) return undefined;
      return this.choose(this.chosen === square ? null : square);
    }
    return this.choose(side === this.state.position.side && this.chosen !== drop ? drop : null);
  }

  /** Chooses what is to move, if it can. */
  choose(source) {
    const can = source && this.state.legal.some((move) => move.startsWith(source));
    this.chosen = can ? source : null;
    this.render();
    if (source && this.cells[source] && this.root.contains(document.activeElement)) this.cells[source].focus({ preventScroll: true });
  }

  /** Moves what is chosen to a square; whether that is a move. */
  attempt(square) {
    const moves = this.state.legal.filter((move) => move.startsWith(this.chosen) && move.slice(2, 4) === square);
    if (moves.length === 0) {
      this.root.dispatchEvent(new CustomEvent("refused", { bubbles: true }));
      return false;
    }
    if (moves.length === 1) this.make(moves[0]);
    else this.askPromotion(moves, square);
    return true;
  }

  make(move) {
    this.chosen = null;
    this.closeChooser();
    this.onMove(move);
  }

  /** Two faces over the target; a click elsewhere or Escape cancels. */
  askPromotion(moves, square) {
    const promoted = moves.find((move) => move.endsWith("+"));
    const plain = moves.find((move) => !move.endsWith("+"));
    const piece = this.state.position.squares[moves[0].slice(0, 2)];
    const turned = isBlack(piece) === this.flipped;
    const option = (move, face, word) => {
      const button = make("button", { type: "button", "aria-label": say(word), title: say(word) }, pieceImage(face, turned));
      button.addEventListener("click", (event) => {
        event.stopPropagation();
        this.make(move);
      });
      return button;
    };
    this.closeChooser();
    this.chooser = make("div", { class: "chooser", role: "dialog", "aria-label": say("promotion") },
      option(promoted, `+${piece}`, "promote"), option(plain, piece, "keep"));
    this.frame.append(this.chooser);
    const [cell, frame] = [this.cells[square], this.frame].map((element) => element.getBoundingClientRect());
    const width = cell.width * 2.1;
    const left = Math.max(0, Math.min(cell.left - frame.left + cell.width / 2 - width / 2, frame.width - width));
    this.chooser.style.left = `${left}px`;
    this.chooser.style.top = `${cell.top - frame.top}px`;
    this.chooser.firstChild.focus();
  }

  closeChooser() {
    this.chooser?.remove();
    this.chooser = null;
  }

  keyed(event) {
    if (event.key === "Escape") {
      this.closeChooser();
      this.choose(null);
      return;
    }
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    const square = event.target.dataset?.square;
    // Whoever clicked wants arrows to step through the game; whoever came by keys walks over the board.
    if (!step || !square || !event.target.matches(":focus-visible")) return;
    const turn = this.flipped ? -1 : 1;
    const file = Number(square[0]) - step[0] * turn;
    const rank = "abcdefghi".indexOf(square[1]) + step[1] * turn;
    event.preventDefault();
    event.stopPropagation();
    if (file < 1 || file > 9 || rank < 0 || rank > 8) return;
    this.cells[this.focused].tabIndex = -1;
    this.focused = name(file, rank);
    this.cells[this.focused].tabIndex = 0;
    this.cells[this.focused].focus();
  }

  pressed(event) {
    const target = event.target.closest(".movable");
    this.suppressed = false;
    if (!target || event.button !== 0 || (target.dataset.drop && target.dataset.side !== this.state.position.side)) return;
    const source = target.dataset.square ?? target.dataset.drop;
    const begin = [event.clientX, event.clientY];
    let ghost = null;
    const moved = (now) => {
      if (!ghost && Math.hypot(now.clientX - begin[0], now.clientY - begin[1]) < DRAG) return;
      if (!ghost) {
        this.chosen = source;
        this.render();
        ghost = this.ghost(source);
      }
      now.preventDefault();
      ghost.style.left = `${now.clientX}px`;
      ghost.style.top = `${now.clientY}px`;
    };
    const ended = (now) => {
      for (const [kind, listener] of listeners) window.removeEventListener(kind, listener);
      if (!ghost) return;
      ghost.remove();
      this.suppressed = now.type === "pointerup";
      setTimeout(() => (this.suppressed = false), 50);
      const square = document.elementFromPoint(now.clientX, now.clientY)?.closest("[data-square]")?.dataset.square;
      this.carried = `${source}${square}`;
      if (now.type !== "pointerup" || !square || square === source || !this.attempt(square)) this.choose(null);
    };
    const listeners = [["pointermove", moved], ["pointerup", ended], ["pointercancel", ended]];
    for (const [kind, listener] of listeners) window.addEventListener(kind, listener);
  }

  /** The piece under the finger. */
  ghost(source) {
    const piece = source[1] === "*"
      ? (this.state.position.side === "black" ? source[0] : source[0].toLowerCase())
      : this.state.position.squares[source];
    const size = this.cells["5e"].getBoundingClientRect();
    const ghost = make("div", { class: "ghost" }, pieceImage(piece, isBlack(piece) === this.flipped));
    ghost.style.width = `${size.width}px`;
    ghost.style.height = `${size.height}px`;
    document.body.append(ghost);
    return ghost;
  }
}
