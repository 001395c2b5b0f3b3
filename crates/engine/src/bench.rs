//! A fixed amount of thinking, for speed and as a signature of the search.

use std::time::{Duration, Instant};

use contract::Effort;
use search::Control;
use shogi::Position;

use crate::agent::{Agent, Request, SearchFailed};
use crate::spec::MethodSpec;

/// Openings, middle games, endgames, checks, full hands: the positions of the bench.
pub const POSITIONS: [&str; 16] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgkgsnl/1r7/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5",
    "ln2kg1nl/1rs1gs1b1/p1p2pppp/1p1pp4/8P/P1PPP4/BP3PPP1/2S1R4/LN1GKGSNL w - 18",
    "ln1gk2nl/1r1sg2s1/pp1p1p1pb/2p1p1p1p/5P3/2P3PP1/PP1PP1N1P/1B1SGR3/LN1GK1S1L w - 18",
    "l3k2n1/1r1sgs1bl/2n1pp2p/pp4pp1/3pP1P2/1Pp2G1PP/PS1P1P3/4GS1R1/LN1GK2NL w bp 34",
    "Bn1gg2nl/l3k2s1/prpps4/1p2bpppp/4p4/PPP3P1P/L1SPPPNPL/3GGS1R1/1N2K4 w - 34",
    "ln2g2nl/1r2gk3/p3s2pp/2sppbp2/P1p2p2P/1P1PPPPP1/2S5N/4RGS2/LNB1GK2L w Pp 44",
    "ln1gk2nl/1r1g1s1b1/3pp1ppp/5s3/p1p1PN3/n2P1PP2/+pp2R2PP/3SKS3/3G1G2L b bl3p 55",
    "ln2gkS1+P/1P7/p3sg1pp/2spp1pb1/P4P2P/1g1PP1P2/2N1K1S1N/2+r6/L1N1G3L b RLPb3p 75",
    "Bn1g4l/l2gk4/p1p1s1s2/3pp3p/2P2p1p1/P2BPS2P/L1+pP1P2L/4GgS2/1+r5K1 b Nr2n4p 75",
    "2s1g3+P/6p1R/2+N1ppk1N/pp6p/3pP4/1P3G2P/P2P1P3/2SGGS2B/+b3K1LN+r w SNL4P2l 80",
    "l3g1k1+P/1P7/psn2g1pp/2sppspb1/P7P/B2+rPLP2/3g2SnN/5GR2/L4K2L b Pn5p 95",
    "1n1g4+B/l+r1g5/p1pksS3/3pp2Kp/1PP6/Pp2P1+b1P/L2P+r1P1+n/1L4S2/9 w NLP2gsn4p 110",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "l3g2+P1/6kS1/p+Pn4pp/3ppgp2/Ps6P/1p2P1P2/3g1pSKN/+r4G2R/3+b4L b 2Nbs2l4p 125",
    "4k4/9/4P4/9/9/9/9/9/4K4 b 2G2S2N2Lrb2g2s2n2l16p 1",
];

/// How far a method looks at each position by default: a depth, but nodes where depth is an expectation that may
/// never be reached.
#[must_use]
pub fn usual_effort(method: &MethodSpec) -> Effort {
    if method.keeps_tree() { Effort::Nodes(100_000) } else { Effort::Depth(12) }
}

/// What a bench came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Positions visited. Depends on search and evaluator only, so it is their signature.
    pub nodes: u64,
    /// How long it took.
    pub elapsed: Duration,
}

impl Outcome {
    /// Positions visited per second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)) as u64
    }
}

/// Thinks about every position; `each` hears the number of the position and its nodes. Ends early
/// if `is_stopped` says so.
pub fn run(
    agent: &mut Agent,
    effort: Effort,
    is_stopped: &dyn Fn() -> bool,
    each: &mut dyn FnMut(usize, u64),
) -> Result<Outcome, SearchFailed> {
    let started = Instant::now();
    let mut nodes = 0;
    agent.new_game();
    for (number, sfen) in (1..).zip(POSITIONS) {
        if is_stopped() {
            break;
        }
        let position: Position = sfen.parse().expect("the bench's positions are legal");
        let request = Request { analysis: true, ..Request::new(&position, effort.limits()) };
        let control = Control::new();
        effort.start_clock(&control);
        let searched = agent.play(&request, &control, &mut |_| {})?.nodes.unwrap_or(0);
        nodes += searched;
        each(number, searched);
    }
    Ok(Outcome { nodes, elapsed: started.elapsed() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Nets;
    use crate::spec::{Defaults, OwnSpec};

    #[test]
    fn every_position_is_legal_and_has_moves() {
        for sfen in POSITIONS {
            let position: Position = sfen.parse().unwrap_or_else(|error| panic!("{sfen}: {error}"));
            assert!(position.has_legal_move(), "{sfen}");
        }
        let in_check = POSITIONS.iter().filter(|sfen| sfen.parse::<Position>().unwrap().in_check());
        assert!(in_check.count() >= 2);
    }

    #[test]
    fn the_signature_is_the_same_every_time() {
        let spec: OwnSpec = "alphabeta(hash=4)".parse().unwrap();
        let mut agent = Agent::new(&spec.resolve(&Defaults::default()), &mut Nets::default()).unwrap();
        let mut bench = || run(&mut agent, Effort::Depth(3), &|| false, &mut |_, _| {}).unwrap().nodes;
        let first = bench();
        assert!(first > 100);
        assert_eq!(first, bench());
    }
}
