//! Who takes part in a match, and what would go wrong in its first game.

use std::fmt;
use std::path::Path;

use engine::{Defaults, ExternalSpec, PlayerSpec};
use runs::cores;

use super::conditions::Conditions;
use super::run::MatchError;
use crate::seat::{take_seat, threads};

/// Somebody who takes part.
#[derive(Clone, Debug)]
pub struct Entrant {
    /// What it is called in tables and records.
    pub name: String,
    /// What sits at the board.
    pub spec: PlayerSpec,
}

impl Entrant {
    /// The players with their names: their specs, and a number where two are the same. With a `program`, a copy of Yomi,
    /// players of ours are processes of it.
    #[must_use]
    pub fn of_specs(specs: &[PlayerSpec], program: Option<&Path>) -> Vec<Entrant> {
        let named = |(place, spec): (usize, &PlayerSpec)| {
            let same = specs[..place].iter().filter(|known| *known == spec).count();
            let name = if same == 0 { spec.to_string() } else { format!("{spec} #{}", same + 1) };
            Entrant { name, spec: seated(spec, program) }
        };
        specs.iter().enumerate().map(named).collect()
    }

    /// The same who thinks on the opponent's time, which only another program can.
    #[must_use]
    pub fn pondering(mut self) -> Entrant {
        if let PlayerSpec::External(program) = &mut self.spec
            && !program.options.iter().any(|(name, _)| name.eq_ignore_ascii_case("USI_Ponder"))
        {
            program.options.push(("USI_Ponder".to_owned(), "true".to_owned()));
        }
        self
    }
}

fn seated(spec: &PlayerSpec, program: Option<&Path>) -> PlayerSpec {
    match (spec, program) {
        (PlayerSpec::Own(inner), Some(program)) => {
            let player = inner.resolve(&Defaults::matches()).to_string();
            let options = vec![("Player".to_owned(), player)];
            PlayerSpec::External(ExternalSpec { path: program.to_owned(), options })
        }
        _ => spec.clone(),
    }
}

/// Why times may not be fair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Crowding {
    /// More threads than cores.
    Threads {
        /// Threads that think at once.
        needed: usize,
        /// Cores.
        available: usize,
    },
    /// Others work on this machine, too.
    Load {
        /// How many threads of the machine wanted to run.
        load: f64,
        /// Cores.
        available: usize,
    },
}

impl fmt::Display for Crowding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Crowding::Threads { needed, available } => write!(
                f,
                "{needed} threads will share {available} cores: times will not be fair; a smaller --concurrency would be"
            ),
            Crowding::Load { load, available } => write!(
                f,
                "this machine is busy (a load of {load:.1} on {available} cores): answers may come late through no fault of the players"
            ),
        }
    }
}

/// What is known before the first game.
#[derive(Clone, Debug, PartialEq)]
pub struct Preflight {
    /// The cores of each worker; empty for no pinning.
    pub cores: Vec<Vec<usize>>,
    /// Why times may not be fair, if they may not.
    pub crowding: Option<Crowding>,
}

/// Lets every player sit down once, and shares out the cores among so many games at a time.
pub fn preflight(
    entrants: &[Entrant],
    conditions: &Conditions,
    concurrency: usize,
) -> Result<Preflight, MatchError> {
    for Entrant { name, spec } in entrants {
        take_seat(spec, conditions.rules())
            .map_err(|error| MatchError::Seat { name: name.clone(), error })?;
    }
    let most = entrants.iter().map(|entrant| threads(&entrant.spec)).max().unwrap_or(1);
    // Who ponders needs cores while the other thinks.
    let most = if conditions.ponder { 2 * most } else { most };
    let is_timed = conditions.is_timed();
    Ok(share_out(&cores::available(), cores::count(), cores::load(), concurrency, most, is_timed))
}

fn share_out(
    cores: &[usize],
    available: usize,
    load: Option<f64>,
    workers: usize,
    threads: usize,
    is_timed: bool,
) -> Preflight {
    let needed = workers * threads;
    let unpinned = |crowding| Preflight { cores: Vec::new(), crowding };
    if needed > available {
        return unpinned(Some(Crowding::Threads { needed, available }));
    }
    // Others' work counts too: a player pinned to a busy core would wait there while another is idle.
    if let Some(load) = load.filter(|load| load + needed as f64 > available as f64 + 0.5) {
        return unpinned(is_timed.then_some(Crowding::Load { load, available }));
    }
    Preflight { cores: cores::share_out(cores, workers, threads).unwrap_or_default(), crowding: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_player_twice_gets_a_number() {
        let specs = ["alphabeta", "uct", "alphabeta", "alphabeta(hash=2)", " alphabeta "];
        let specs = specs.map(|text| text.parse().unwrap());
        let names = Entrant::of_specs(&specs, None).into_iter().map(|entrant| entrant.name);
        assert!(names.eq(["alphabeta", "uct", "alphabeta #2", "alphabeta(hash=2)", "alphabeta #3"]));
    }

    #[test]
    fn a_player_in_a_process_is_the_player_in_a_match() {
        let specs = ["alphabeta(hash=2)", "usi:./other"].map(|text| text.parse::<PlayerSpec>().unwrap());
        let entrants = Entrant::of_specs(&specs, Some(Path::new("./yomi")));
        let PlayerSpec::External(program) = &entrants[0].spec else { panic!("a process") };
        assert_eq!(program.path, Path::new("./yomi"));
        let resolved = specs[0].resolved_text(&Defaults::matches());
        assert_eq!(program.options, [("Player".to_owned(), resolved)]);
        assert_eq!(entrants[1].spec, specs[1]);
        assert_eq!(entrants[0].name, "alphabeta(hash=2)");
    }

    #[test]
    fn crowded_machines_are_seen_and_nobody_is_pinned_there() {
        let cores = [0, 1, 2, 3];
        let of =
            |load, workers, threads, is_timed| share_out(&cores, 4, Some(load), workers, threads, is_timed);
        assert_eq!(of(0.2, 2, 2, true).cores, [[0, 1], [2, 3]]);
        let many = of(0.2, 3, 2, true);
        assert_eq!(many.crowding, Some(Crowding::Threads { needed: 6, available: 4 }));
        assert!(many.cores.is_empty());
        let busy = of(3.0, 2, 1, true);
        assert_eq!(busy.crowding, Some(Crowding::Load { load: 3.0, available: 4 }));
        assert_eq!(of(3.0, 2, 1, false), Preflight { cores: Vec::new(), crowding: None });
    }
}
