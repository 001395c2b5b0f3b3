//! A mate, sought for a while.

use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use mate::{Answer, Effort, Length, Solver};
use serde_json::json;

use super::question::Question;
use super::stream::attended;
use crate::app::App;
use crate::body::Asked;
use crate::position_view::MoveName;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

/// Megabytes of the solver's table.
const HASH: usize = 64;
/// How long it is sought.
const PATIENCE: Duration = Duration::from_secs(30);

/// Whether the side to move mates.
pub(super) async fn mate(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Asked(question): Asked<Question>,
) -> Result<Response, Refusal> {
    let position = question.problem()?;
    attended(&app, &visitor, move |_, attended| {
        let Some(mut solver) = Solver::new(HASH) else {
            return attended.fail("there is no memory for the mate solver");
        };
        let began = Instant::now();
        let control = &attended.control;
        let effort = Effort { nodes: None, length: Length::Shortened };
        let solution =
            solver.solve(&position, &effort, &mut |_| control.is_stopped() || began.elapsed() > PATIENCE);
        let (answer, line, is_shortest) = match &solution.answer {
            Answer::Mate(mate) => ("mate", mate.line.as_slice(), mate.is_shortest),
            Answer::NoMate => ("no-mate", &[][..], false),
            Answer::Unknown => ("unknown", &[][..], false),
        };
        attended.finish(
            "done",
            &json!({
                "answer": answer,
                "moves": MoveName::line(line, &position),
                "is_shortest": is_shortest,
                "nodes": solution.nodes,
                "ms": began.elapsed().as_millis() as u64,
            }),
        );
    })
}
