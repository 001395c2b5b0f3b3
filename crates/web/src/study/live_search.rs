//! A live search: the best lines as they are found, for as long as somebody reads.

use std::time::{Duration, Instant};

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use contract::LogisticScale;
use engine::{Agent, Event, Explained, Explainer, Request};
use search::{Limits, Report};
use serde_json::{Value, json};
use shogi::{Move, Position};

use super::question::Question;
use super::scores::LineView;
use super::stream::{Attended, attended};
use crate::app::App;
use crate::body::Asked;
use crate::events::event;
use crate::players::USUAL;
use crate::refusal::Refusal;
use crate::visitor::Visitor;

/// At most so often is something told.
const PAUSE: Duration = Duration::from_millis(200);

/// The best lines of a position.
pub(super) async fn search(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Asked(question): Asked<Question>,
) -> Result<Response, Refusal> {
    let position = question.position()?;
    let player = if question.player.is_empty() { USUAL } else { &question.player };
    let spec = app.players.judge(player)?;
    let lines = question.lines();
    let nodes = (question.nodes > 0).then_some(question.nodes);
    let name = visitor.name.clone();
    attended(&app, &visitor, move |seats, attended| match seats.agent(&spec, &name) {
        Ok(agent) => look(agent, &position, Limits { lines, nodes, ..Limits::default() }, attended),
        Err(error) => attended.fail(&error),
    })
}

fn look(agent: &mut Agent, position: &Position, limits: Limits, attended: &Attended) {
    let scale = agent.scale();
    let explainer = agent.explainer();
    let mut told = Told { lines: Vec::new(), scale, position: position.clone(), explainer };
    if position.game_end(0).is_some() {
        return attended.finish("done", &json!({ "lines": [], "nodes": 0, "ms": 0, "nps": 0 }));
    }
    let mut last: Option<Instant> = None;
    let request = Request { analysis: true, ..Request::new(position, limits) };
    let result = agent.play(&request, &attended.control, &mut |happened| {
        let Event::Report(report) = happened else { return };
        told.take(report);
        if last.is_none_or(|last| last.elapsed() >= PAUSE) {
            last = Some(Instant::now());
            attended.feed.offer(event("lines", &told.view()));
        }
    });
    match result {
        Ok(answer) => {
            let mut view = told.view();
            view["choice"] = json!(answer.choice);
            attended.finish("done", &view);
        }
        Err(error) => attended.fail(&error),
    }
}

/// The latest word about each line.
struct Told {
    lines: Vec<Report>,
    scale: LogisticScale,
    position: Position,
    explainer: Option<Explainer>,
}

impl Told {
    /// A line that is the first of a new round leaves the others of the last one for the time being.
    fn take(&mut self, report: &Report) {
        match self.lines.iter_mut().find(|line| line.rank == report.rank) {
            Some(line) => line.clone_from(report),
            None => self.lines.push(report.clone()),
        }
    }

    fn view(&self) -> Value {
        let newest = self.lines.iter().max_by_key(|line| line.elapsed);
        let (nodes, ms) = newest.map_or((0, 0), |line| (line.nodes, line.elapsed.as_millis() as u64));
        // A move that climbed in this round still stands at its former place as well.
        let mut lines: Vec<&Report> = Vec::new();
        for line in &self.lines {
            let is_told = |other: &Report| {
                other.pv.first() == line.pv.first() && other.rank != line.rank && other.elapsed > line.elapsed
            };
            if !self.lines.iter().any(is_told) {
                lines.push(line);
            }
        }
        lines.sort_by_key(|line| line.rank);
        let views: Vec<LineView> =
            lines.iter().map(|line| LineView::of(line, &self.position, self.scale)).collect();
        let best = lines.first().and_then(|line| line.pv.first().copied());
        json!({
            "lines": views,
            "nodes": nodes,
            "ms": ms,
            "nps": nodes * 1000 / ms.max(1),
            "scale": self.scale.centipawns(),
            "explained": self.explained(best),
        })
    }

    /// By themes, what the position is worth and what the best move changes, where the evaluation can tell.
    fn explained(&self, best: Option<Move>) -> Option<Explained> {
        let mut explained = self.explainer.as_ref()?.explain(&self.position, best);
        explained.themes.iter_mut().for_each(|theme| theme.parts.clear());
        Some(explained)
    }
}
