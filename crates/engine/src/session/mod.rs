//! Playing by USI messages.
//!
//! Two threads. The caller's thread hands lines to a [`Session`], which never blocks: it acts at once on what
//! must reach a running search (`stop`, `ponderhit`, `gameover`, `quit`) and queues everything else. The worker's
//! thread works the queue off in order, so that a `setoption` or an `isready` waits for the end of the search
//! before it. Each `go` is a [`SearchTask`] from the moment its line is read; a `stop` ends every task that began before it, even one
//! still in the queue, and each ends in exactly one answer.

mod keep_alive;
mod mate_command;
mod messages;
mod reports;
mod search_task;
mod thinking;
mod worker;

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use protocol::usi::{EngineMessage, GuiMessage, SyntaxError};

use crate::Options;
use search_task::SearchTask;
use worker::EngineWorker;

/// Where messages go. Called from several threads, a whole message each time.
pub type Sink = Arc<dyn Fn(EngineMessage) + Send + Sync>;

/// Whether the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// There may be more.
    Continue,
    /// It is over.
    Quit,
}

/// A conversation with a board.
pub struct Session {
    jobs: Sender<Job>,
    tasks: Vec<Arc<SearchTask>>,
    /// The worker has worked off everything.
    finished: Receiver<()>,
}

/// Something for the worker to do.
enum Job {
    Message(GuiMessage),
    Go(Arc<SearchTask>),
    Nonsense(SyntaxError),
}

/// How long the end waits for work that cannot be interrupted.
const GRACE: Duration = Duration::from_secs(2);

impl Session {
    /// Begins a conversation; `options` are those before any `setoption`.
    #[must_use]
    pub fn new(options: Options, sink: Sink) -> Session {
        let (jobs, queue) = mpsc::channel::<Job>();
        let (done, finished) = mpsc::channel();
        std::thread::spawn(move || {
            let mut worker = EngineWorker::new(options, sink);
            for job in queue {
                match job {
                    Job::Message(message) => worker.handle(message),
                    Job::Go(task) => worker.go(&task),
                    Job::Nonsense(error) => worker.info_string(format!("error: {error}")),
                }
            }
            // Nobody may be listening any more.
            let _ = done.send(());
        });
        Session { jobs, tasks: Vec::new(), finished }
    }

    /// Takes a line. Does not block.
    pub fn line(&mut self, line: &str) -> Flow {
        match GuiMessage::parse(line) {
            None => Flow::Continue,
            Some(Ok(message)) => self.message(message),
            Some(Err(error)) => self.queue(Job::Nonsense(error)),
        }
    }

    /// Takes a message. Does not block.
    pub fn message(&mut self, message: GuiMessage) -> Flow {
        self.tasks.retain(|task| !task.is_over());
        match message {
            GuiMessage::Quit => return Flow::Quit,
            GuiMessage::Stop | GuiMessage::GameOver(_) => self.stop(),
            GuiMessage::PonderHit(clock) => {
                if let Some(task) = self.tasks.last() {
                    task.ponder_hit(clock);
                }
            }
            GuiMessage::Go(go) => return self.launch(SearchTask::new(*go)),
            GuiMessage::Bench(_) => {
                // Interruptible like a search.
                return self.launch(SearchTask::bench(message));
            }
            message => return self.queue(Job::Message(message)),
        }
        Flow::Continue
    }

    fn launch(&mut self, task: SearchTask) -> Flow {
        let task = Arc::new(task);
        self.tasks.push(Arc::clone(&task));
        self.queue(Job::Go(task))
    }

    fn stop(&self) {
        self.tasks.iter().for_each(|task| task.stop());
    }

    /// A worker that is gone means the end.
    fn queue(&self, job: Job) -> Flow {
        if self.jobs.send(job).is_ok() { Flow::Continue } else { Flow::Quit }
    }

    /// Stops whatever goes on, lets the worker finish what was asked before, and returns; work that
    /// cannot be interrupted is left behind.
    pub fn end(self) {
        self.stop();
        drop(self.jobs);
        // Either everything is finished or the grace is over; both mean the end.
        let _ = self.finished.recv_timeout(GRACE);
    }
}
