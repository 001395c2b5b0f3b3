// Where pieces stand: read from SFEN and moved as told. No rules: what is legal, the server says.

/** The kinds that a hand holds, the strongest first. */
export const HAND = ["R", "B", "G", "S", "N", "L", "P"];

/** Black's letters are capitals. */
export const isBlack = (piece) => piece === piece.toUpperCase();

/** The kind of a piece, `+P` for a promoted one, without its side. */
export const kindOf = (piece) => piece.toUpperCase();

/** A board with hands: `squares` by name, `hands.black.P` and so on. */
export class Position {
  constructor(sfen) {
    const [board, side, hands] = sfen.split(" ");
    this.side = side === "w" ? "white" : "black";
    this.squares = {};
    this.hands = { black: {}, white: {} };
    board.split("/").forEach((row, rank) => {
      let file = 9;
      for (const [, plus, letter, empty] of row.matchAll(/(\+?)([A-Za-z])|(\d)/g)) {
        if (empty) file -= Number(empty);
        else this.squares[name(file--, rank)] = plus + letter;
      }
    });
    for (const [, count, letter] of hands.matchAll(/(\d*)([A-Za-z])/g)) {
      this.hands[isBlack(letter) ? "black" : "white"][letter.toUpperCase()] = Number(count || 1);
    }
  }

  /** A copy after a move that USI writes. */
  after(usi) {
    const next = Object.create(Position.prototype);
    next.squares = { ...this.squares };
    next.hands = { black: { ...this.hands.black }, white: { ...this.hands.white } };
    next.side = this.side === "black" ? "white" : "black";
    const [from, to] = [usi.slice(0, 2), usi.slice(2, 4)];
    const own = next.hands[this.side];
    if (from[1] === "*") {
      own[from[0]] -= 1;
      next.squares[to] = this.side === "black" ? from[0] : from[0].toLowerCase();
      return next;
    }
    const taken = next.squares[to];
    if (taken) {
      const kind = taken.replace("+", "").toUpperCase();
      own[kind] = (own[kind] || 0) + 1;
    }
    next.squares[to] = (usi[4] === "+" ? "+" : "") + next.squares[from];
    delete next.squares[from];
    return next;
  }

  /** Whose piece stands on a square. */
  owner(square) {
    const piece = this.squares[square];
    return piece && (isBlack(piece) ? "black" : "white");
  }
}

/** The name of a square: file 1 to 9, rank 0 to 8. */
export const name = (file, rank) => `${file}${"abcdefghi"[rank]}`;

/** Where the squares of a move are: the one that was left, if any, and the one that was reached. */
export const ends = (usi) => ({ from: usi[1] === "*" ? null : usi.slice(0, 2), to: usi.slice(2, 4) });
