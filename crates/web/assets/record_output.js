// Records go out: the game with its branches and comments, and what a review found better as further branches.

import { GameTree } from "./game_tree.js";
import { SIGNS, percent } from "./lines.js";
import { download, fetchFile, say } from "./page.js";

/** The tree with the review in it; the tree itself stays as it is. */
function withReview(tree, review) {
  const whole = GameTree.ofData(tree.toData());
  const main = whole.main();
  for (const move of review?.moves ?? []) {
    const node = main[move.ply];
    node.value = move.value;
    if (!move.class) continue;
    const verdict = `${SIGNS[move.class]} ${say(move.class)}: ${percent(move.loss)} ${say("lost")}`;
    node.comment = node.comment ? `${node.comment}\n${verdict}` : verdict;
    whole.addLine(main[move.ply - 1], move.better ?? []);
  }
  return whole;
}

/** Keeps the game as a file of a format. */
export async function save(format, { tree, players, outcome, review }) {
  const { start, played, root } = tree;
  const moves = withReview(tree, review).toMoves();
  const wanted = { start, players, comment: root.comment, moves, played, outcome };
  download(await fetchFile(`/api/records/${format}`, wanted), `yomi.${format}`);
}
