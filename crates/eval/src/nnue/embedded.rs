//! The net inside the program. Where it comes from is told in `nets/README.md`.

use std::path::Path;
use std::sync::Arc;

use super::file::NetError;
use super::net::{Net, NetOptions};

const BYTES: &[u8] = include_bytes!("../../../../nets/yomi.nn.bin");
/// Stands for the file in messages.
const NAME: &str = "inside the program";

impl Net {
    /// The net inside the program. Only a wrong divisor can be an error.
    pub fn embedded(options: &NetOptions) -> Result<Arc<Net>, NetError> {
        Net::from_bytes(BYTES, Path::new(NAME), options)
    }

    /// The file of the net inside the program.
    #[must_use]
    pub fn embedded_file() -> &'static [u8] {
        BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Evaluator, Nnue};
    use shogi::Position;

    #[test]
    fn the_net_inside_knows_the_worth_of_pieces() {
        let mut nnue = Nnue::new(Net::embedded(&NetOptions::default()).unwrap());
        let mut value = |sfen: &str| {
            let position: Position = sfen.parse().unwrap();
            nnue.reset(&position);
            nnue.evaluate(&position)
        };
        let even = value("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
        assert!(even.abs() < 150, "{even}");
        let rook = value("lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1");
        let pawn = value("lnsgkgsnl/1r5b1/pppp1pppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b P 1");
        assert!(even < pawn && pawn + 300 < rook, "even {even}, a pawn more {pawn}, a rook more {rook}");
    }

    #[test]
    fn a_wrong_divisor_is_refused() {
        let options = NetOptions { fv_scale: Some(0), ..NetOptions::default() };
        assert!(Net::embedded(&options).is_err());
    }
}
