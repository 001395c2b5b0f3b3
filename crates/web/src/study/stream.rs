//! A study and its reader: how long it waits, and that it ends when nobody reads any more.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::response::Response;
use search::Control;
use serde_json::json;

use crate::app::App;
use crate::events::{self, Feed, KEEP_ALIVE, event};
use crate::refusal::Refusal;
use crate::thinkers::{Seats, Urgency};
use crate::visitor::Visitor;

/// Studies that one visitor may have at once: two to compare, in two windows, and two for a moment while the next begin.
const AT_ONCE: usize = 6;
/// The longest study.
const LONGEST: Duration = Duration::from_secs(900);
/// How long one may look on while others wait.
const COURTESY: Duration = Duration::from_secs(15);
const GLANCE: Duration = Duration::from_millis(250);

/// How many studies each visitor has.
#[derive(Clone, Default)]
pub(crate) struct Visits(Arc<Mutex<HashMap<String, usize>>>);

/// One of a visitor's studies, as long as it is kept.
struct Visit {
    visits: Visits,
    name: String,
}

impl Visits {
    fn begin(&self, name: &str) -> Result<Visit, Refusal> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = all.entry(name.to_owned()).or_default();
        if *count >= AT_ONCE {
            return Err(Refusal::busy("you have several searches already; close a page or wait a moment"));
        }
        *count += 1;
        Ok(Visit { visits: self.clone(), name: name.to_owned() })
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        let mut all = self.visits.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = all.get_mut(&self.name) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.name);
            }
        }
    }
}

/// What a study is given: whom to tell, and what ends it.
pub(crate) struct Attended {
    pub(crate) feed: Feed,
    pub(crate) control: Arc<Control>,
    began: Arc<AtomicBool>,
    is_done: Arc<AtomicBool>,
}

impl Attended {
    /// Tells the last word.
    pub(crate) fn finish(&self, name: &str, data: &impl serde::Serialize) {
        self.feed.send_blocking(event(name, data));
    }

    /// Tells that the study came to nothing.
    pub(crate) fn fail(&self, message: &(impl ToString + ?Sized)) {
        self.finish("failed", &json!({ "message": message.to_string() }));
    }
}

impl Drop for Attended {
    fn drop(&mut self) {
        self.is_done.store(true, Ordering::Relaxed);
    }
}

/// Queues a study and returns the stream of what it tells. It is stopped when its reader goes away, when it took too long,
/// or when others wait and it had its share.
pub(crate) fn attended(
    app: &App,
    visitor: &Visitor,
    study: impl FnOnce(&mut Seats, &Attended) + Send + 'static,
) -> Result<Response, Refusal> {
    let visit = app.visits.begin(&visitor.name)?;
    let (feed, response) = events::stream();
    let control = Arc::new(Control::new());
    let [began, is_done] = [false; 2].map(|flag| Arc::new(AtomicBool::new(flag)));
    let attended = Attended {
        feed: feed.clone(),
        control: Arc::clone(&control),
        began: Arc::clone(&began),
        is_done: Arc::clone(&is_done),
    };
    let place = app.thinkers.ask(Urgency::Study, move |seats| {
        attended.began.store(true, Ordering::Relaxed);
        if !attended.feed.is_closed() && !attended.control.is_stopped() {
            study(seats, &attended);
        }
    });
    let place = place.map_err(|_| Refusal::busy("too many searches are waiting already; try again later"))?;
    let app = app.clone();
    tokio::spawn(async move {
        let _visit = visit;
        let (mut since, mut spoken, mut ahead) = (Instant::now(), Instant::now(), None);
        while !is_done.load(Ordering::Relaxed) {
            tokio::select! {
                () = feed.closed() => break,
                () = tokio::time::sleep(GLANCE) => {}
            }
            if !began.load(Ordering::Relaxed) {
                since = Instant::now();
                let now = app.thinkers.ahead(place);
                if now != ahead {
                    feed.offer(event("waiting", &json!({ "ahead": now })));
                    ahead = now;
                }
            }
            let had_share = since.elapsed() > COURTESY && app.thinkers.are_wanted();
            if had_share || since.elapsed() > LONGEST || app.thinkers.is_closed() {
                control.stop();
            }
            if spoken.elapsed() > KEEP_ALIVE {
                spoken = Instant::now();
                if !feed.keep_alive().await {
                    break;
                }
            }
        }
        control.stop();
    });
    Ok(response)
}
