//! Playing by USI messages.
//!
//! Two threads. The caller's thread hands lines to a [`Session`], which never blocks: it acts at once on what
//! must reach a running search (`stop`, `ponderhit`, `gameover`, `quit`), answers at once what needs no player (`usi`, `setoption`,
//! `getoption`, `help`, and whatever it does not understand), and queues everything else. The worker's
//! thread works the queue off in order, so that an option that was set during a search holds after it. An `isready` during a search that
//! nobody stopped is answered at once too, since all it can ask is whether somebody is there. Each `go` is a [`SearchTask`] from the moment its line is read;
//! a `stop` ends every task that began before it, even one still in the queue, and each ends in exactly one answer, or in an error
//! that says that the `go` was refused.

mod direct_answers;
mod keep_alive;
mod mate_command;
mod messages;
mod outlet;
mod reports;
mod search_task;
mod thinking;
mod worker;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;

use protocol::usi::{EngineMessage, GuiMessage};

use crate::Options;
use outlet::{Speaker, TrafficLog};
use search_task::{ReadyAnswer, ReadyTicket, SearchTask};
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
    /// As they were before any `setoption`: what `usi` declares as defaults.
    initial: Options,
    /// As they are set; the worker's follow when it comes to them.
    options: Options,
    sink: Sink,
    log: TrafficLog,
    /// To be said at the first `isready`: before, boards listen to nothing but the introduction.
    remarks: Vec<String>,
    jobs: Sender<Job>,
    tasks: Vec<Arc<SearchTask>>,
    /// The worker has worked off everything.
    finished: Receiver<()>,
}

/// Something for the worker to do.
enum Job {
    Message(GuiMessage),
    Go(Arc<SearchTask>),
    /// An `isready` that a task may have answered.
    Ready(ReadyTicket),
    /// What an `isready` that has been answered leaves to do.
    Refresh,
}

/// How long the end waits for work that cannot be interrupted.
const GRACE: Duration = Duration::from_secs(2);

impl Session {
    /// Begins a conversation; `options` are those before any `setoption`.
    #[must_use]
    pub fn new(options: Options, sink: Sink) -> Session {
        let (jobs, queue) = mpsc::channel::<Job>();
        let (done, finished) = mpsc::channel();
        let log = TrafficLog::closed();
        let sink = outlet::logged(sink, log.clone());
        let mut worker = EngineWorker::new(options.clone(), Sink::clone(&sink));
        std::thread::spawn(move || {
            for job in queue {
                match job {
                    Job::Message(message) => worker.handle(message),
                    Job::Go(task) => worker.go(&task),
                    Job::Ready(answered) if !answered.load(Ordering::Acquire) => {
                        worker.handle(GuiMessage::IsReady);
                    }
                    Job::Ready(_) | Job::Refresh => worker.refresh(),
                }
            }
            // Nobody may be listening any more.
            let _ = done.send(());
        });
        let (initial, remarks, tasks) = (options.clone(), Vec::new(), Vec::new());
        let session = Session { initial, options, sink, log, remarks, jobs, tasks, finished };
        session.continue_log();
        session
    }

    /// Takes a line. Does not block.
    pub fn line(&mut self, line: &str) -> Flow {
        self.log.note(Speaker::Board, &line.trim_end());
        match GuiMessage::parse(line) {
            None => Flow::Continue,
            Some(Ok(message)) => self.message(message),
            Some(Err(error)) => self.say_error(&error),
        }
    }

    /// Takes a message. Does not block.
    pub fn message(&mut self, message: GuiMessage) -> Flow {
        self.tasks.retain(|task| !task.is_over());
        if message == GuiMessage::IsReady {
            std::mem::take(&mut self.remarks).into_iter().for_each(|remark| self.remark(remark));
        }
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
            GuiMessage::Usi => self.introduce(),
            GuiMessage::SetOption { name, value } => return self.set_option(name, value),
            GuiMessage::GetOption(name) => self.report_options(name.as_deref()),
            GuiMessage::Help => self.list_commands(),
            GuiMessage::Unknown(line) => {
                self.remark(format!("unknown command: {line}; help lists those known"));
            }
            GuiMessage::IsReady => return self.get_ready(),
            message => return self.queue(Job::Message(message)),
        }
        Flow::Continue
    }

    /// Waits its turn, but for no search: that may never end.
    fn get_ready(&self) -> Flow {
        let mut answers = self.tasks.iter().map(|task| task.ask_ready());
        match answers.find(|answer| !matches!(answer, ReadyAnswer::InTurn)).unwrap_or(ReadyAnswer::InTurn) {
            ReadyAnswer::Now => {
                (self.sink)(EngineMessage::ReadyOk);
                self.queue(Job::Refresh)
            }
            ReadyAnswer::ByTask(ticket) => self.queue(Job::Ready(ticket)),
            ReadyAnswer::InTurn => self.queue(Job::Message(GuiMessage::IsReady)),
        }
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

    /// Nothing more will be said to it: finishes all that comes to an end by itself, stops what would not, and returns then. Blocks.
    pub fn finish(self) {
        self.tasks.iter().for_each(|task| task.input_ended());
        drop(self.jobs);
        // The worker is gone or says that it is done; both mean the end.
        let _ = self.finished.recv();
    }
}
