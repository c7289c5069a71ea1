//! A session: what commands do, and in which order.
//!
//! One thread owns everything and never waits for a search: it takes events, lines of input and the ends of searches, one
//! by one. Commands that need the engine at rest (`setoption`, `go`, ...) queue up during a search and run in their order
//! after it; a queued `go` ends the search before it.

use std::collections::VecDeque;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use super::arguments::Arguments;
use super::board::Board;
use super::command::{self, Command, PositionRequest};
use super::go::GoRequest;
use super::host::Host;
use super::input;
use super::output::Output;
use super::reporter::{LineReporter, Style};
use super::skill::Skill;
use crate::cpu::Detection;
use crate::engine::{Game, GameCopy, Job, Limits, MAX_PLY, Report, RootLine, Shared, score};
use crate::options::{DEFINITIONS, OptionDefinition, OptionId, Options};
use crate::position::{move_text, resolve_move};
use crate::shared::pool::Finished;
use crate::shared::time::{Clock, GoTimes, NodeBank, TimeOptions};
use crate::tools::{bench, compiler, display, explain, help, perft};

/// Nobody lives to see the end of this depth.
const DEEPEST_PERFT: u32 = 64;

/// What a session hears.
pub enum Event {
    /// A line of input and when it came.
    Line(String, Instant),
    /// The end of input.
    End,
    /// The search has ended.
    Searched(Finished),
    /// The count has ended: leaves below each move.
    Counted(Vec<(u16, u64)>),
}

/// What waits for the engine to be at rest.
enum Queued {
    Command(Command, Instant),
    /// Commands behind this one do not end a search before it.
    Rest,
    End,
}

/// What runs now.
struct Running {
    work: Work,
    /// The answer is held until `stop`.
    infinite: bool,
    /// The answer is held until `stop` or `ponderhit`.
    pondering: bool,
    /// Ends by itself.
    bounded: bool,
}

enum Work {
    Search(Box<Search>),
    /// A root without moves and the score that it has: nothing is searched, but the answer may be held.
    NoMove(&'static str),
    Perft {
        stop: Arc<AtomicBool>,
        began: Instant,
    },
}

struct Search {
    job: Arc<Job>,
    reporter: Arc<LineReporter>,
    skill: Option<Skill>,
    /// There once the search has ended.
    finished: Option<Finished>,
}

/// A session from its first command to its end.
pub struct Session {
    output: Arc<Output>,
    events: Receiver<Event>,
    sender: Sender<Event>,
    detection: Detection,
    host: Host,
    options: Options,
    board: Board,
    queue: VecDeque<Queued>,
    running: Option<Running>,
    quitting: bool,
    /// Nodes of the last search or count.
    last_nodes: u64,
    /// What `nodestime` leaves of the game's nodes.
    bank: NodeBank,
}

/// Runs a session: the commands of the command line, or standard input to its end.
pub fn run(arguments: &Arguments, detection: Detection) -> ExitCode {
    let Some(game) = detection.choice.target.copy.game(arguments.game) else {
        eprintln!("this build does not play {}", arguments.game.name());
        return ExitCode::from(2);
    };
    let mut session = Session::new(arguments.game, game, detection);
    if arguments.commands.is_empty() {
        if let Err(problem) = input::start(session.sender.clone(), session.output.clone()) {
            eprintln!("no thread for input: {problem}");
            return ExitCode::FAILURE;
        }
    } else {
        session.queue_arguments(&arguments.commands);
    }
    session.serve();
    ExitCode::SUCCESS
}

impl Session {
    fn new(game: Game, copy: &'static GameCopy, detection: Detection) -> Session {
        let (sender, events) = channel();
        Session {
            output: Arc::default(),
            events,
            sender,
            host: Host::new(detection.choice.target.copy),
            options: Options {
                game,
                ..Options::default()
            },
            board: Board::new(copy, game, false),
            queue: VecDeque::new(),
            running: None,
            quitting: false,
            last_nodes: 0,
            bank: NodeBank::default(),
            detection,
        }
    }

    /// Commands of the command line run one after another, each to its end.
    fn queue_arguments(&mut self, commands: &[String]) {
        for line in commands {
            if let Some(command) = self.parse(line) {
                self.queue.push_back(Queued::Command(command, Instant::now()));
                self.queue.push_back(Queued::Rest);
            }
        }
        self.queue.push_back(Queued::End);
    }

    /// Takes events until the end.
    fn serve(&mut self) {
        self.advance();
        while !(self.quitting && self.running.is_none()) {
            let Ok(event) = self.events.recv() else { return };
            self.handle(event);
            self.advance();
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Line(line, at) => {
                if let Some(command) = self.parse(&line) {
                    self.take(command, at);
                }
            }
            Event::End => self.queue.push_back(Queued::End),
            Event::Searched(finished) => self.search_ended(finished),
            Event::Counted(counts) => self.count_ended(&counts),
        }
    }

    /// Reads a line and tells what is wrong with it.
    fn parse(&self, line: &str) -> Option<Command> {
        match command::parse(line) {
            Ok(parsed) => {
                parsed
                    .faults
                    .iter()
                    .for_each(|fault| self.output.note(fault.to_string()));
                Some(parsed.command)
            }
            Err(error) => {
                self.output.note(error.to_string());
                None
            }
        }
    }

    /// Does at once what can be done at once, and queues the rest.
    fn take(&mut self, command: Command, at: Instant) {
        if self.quitting {
            return;
        }
        let waiting_go = self
            .queue
            .iter()
            .any(|q| matches!(q, Queued::Command(Command::Go(_), _)));
        match command {
            Command::Quit => self.quit(),
            Command::IsReady if self.running.is_some() => self.output.say("readyok"),
            Command::Stop | Command::PonderHit => {
                // Meant for the search that will run when this is read, if the one before is just being ended.
                if waiting_go {
                    self.queue.push_back(Queued::Command(command, at));
                } else {
                    self.execute(command, at);
                }
            }
            _ => self.queue.push_back(Queued::Command(command, at)),
        }
    }

    /// Runs what is queued, as far as it can run now.
    fn advance(&mut self) {
        while let Some(front) = self.queue.front() {
            if self.running.is_some() && front.needs_rest() {
                self.hasten();
                return;
            }
            match self.queue.pop_front() {
                Some(Queued::Command(command, at)) => self.execute(command, at),
                Some(Queued::End) => self.quitting = true,
                Some(Queued::Rest) | None => {}
            }
        }
    }

    /// Ends what runs if something queued wants it so.
    fn hasten(&mut self) {
        let unbounded = self.running.as_ref().is_some_and(|r| !r.bounded);
        let mut until_rest = self.queue.iter().take_while(|q| !matches!(q, Queued::Rest));
        let replaced = until_rest.any(|q| matches!(q, Queued::Command(Command::Go(_) | Command::Bench(_), _)));
        let awaited = self.queue.iter().any(|q| matches!(q, Queued::End | Queued::Rest));
        if replaced || (awaited && unbounded) {
            self.stop();
        }
    }

    fn execute(&mut self, command: Command, at: Instant) {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => {
                if self.running.is_none() {
                    self.prepare();
                }
                self.output.say("readyok");
            }
            Command::NewGame => self.new_game(),
            Command::Position(request) => self.set_position(&request),
            Command::Go(request) => self.go(&request, at),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => self.quit(),
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Display => self.output.say(&display::draw(
                &self.board.placement(),
                &self.board.inspect(&self.options.policy()),
            )),
            Command::Eval => {
                let policy = self.options.policy();
                self.output.say(&explain::table(
                    (self.board.copy().explain)(self.board.line(), &policy).as_ref(),
                ));
            }
            Command::Flip => {
                if let Err(error) = self.board.flip() {
                    self.output.note(error.to_string());
                }
            }
            Command::Compiler => self
                .output
                .say(&compiler::report(&self.detection, self.host.table_pages())),
            Command::Bench(words) => self.bench(&words),
            Command::Help => self.output.say(help::HELP),
            Command::License => self.output.say(help::LICENSE),
            Command::Tune => self.output.say(&help::spsa_inputs()),
            Command::Nothing => {}
        }
    }

    fn introduce(&self) {
        let mut text = format!("id name {}\nid author the Baize developers\n", help::NAME_AND_VERSION);
        for definition in DEFINITIONS {
            let line = definition.to_string();
            // The start value may come from the command line.
            let line = match definition.id {
                OptionId::Game => line.replace("default chess", &format!("default {}", self.options.game.name())),
                _ => line,
            };
            text.push_str(&format!("\n{line}"));
        }
        #[cfg(feature = "tune")]
        for p in crate::tune::PARAMS {
            text.push_str(&format!(
                "\noption name {} type spin default {} min {} max {}",
                p.name, p.default, p.min, p.max
            ));
        }
        self.output.say(&(text + "\nuciok"));
    }

    /// Makes threads and memory as the options want them.
    fn prepare(&mut self) {
        for complaint in self.host.prepare(&mut self.options) {
            self.output.note(complaint);
        }
    }

    fn new_game(&mut self) {
        self.prepare();
        self.host.clear();
        self.bank.reset();
    }

    fn set_position(&mut self, request: &PositionRequest) {
        match self.board.set(request) {
            Ok(warnings) => warnings
                .iter()
                .for_each(|warning| self.output.note(warning.to_string())),
            Err(error) => self.output.note(error.to_string()),
        }
    }

    fn set_option(&mut self, name: &str, value: &str) {
        #[cfg(feature = "tune")]
        if let Some(param) = crate::tune::PARAMS.iter().find(|p| p.name.eq_ignore_ascii_case(name)) {
            match value.parse() {
                Ok(number) => param.set(number),
                Err(_) => self
                    .output
                    .note(format!("{name} keeps its value: '{value}' is not a whole number")),
            }
            return;
        }
        let before = self.options.clone();
        match self.options.set(name, value) {
            Ok(change) => {
                let shown = OptionDefinition::find(name).map_or("", |d| d.name);
                if let Some(bound) = change.clamped.filter(|_| change.id != OptionId::SkillLevel) {
                    self.output
                        .note(format!("{shown}: {value} is out of range, set to {bound}"));
                }
                self.apply(change.id, before);
            }
            Err(error) => self.output.note(error.to_string()),
        }
    }

    /// What follows from a changed option. Threads and memory follow later: when they are needed, or asked after.
    fn apply(&mut self, id: OptionId, before: Options) {
        match id {
            OptionId::ClearHash => self.host.clear_table(),
            OptionId::Chess960 => self.board.set_chess960(self.options.chess960),
            OptionId::SkillLevel => self
                .output
                .note(format!("Skill Level set to {}", self.options.skill_level)),
            OptionId::Game if self.options.game != before.game => {
                match self.detection.choice.target.copy.game(self.options.game) {
                    Some(copy) => self.board = Board::new(copy, self.options.game, self.options.chess960),
                    None => self.options.game = before.game,
                }
            }
            OptionId::DebugLogFile => {
                if let Err(problem) = self.output.log_to(&self.options.debug_log_file) {
                    self.output
                        .note(format!("Debug Log File {}: {problem}", self.options.debug_log_file));
                    self.options.debug_log_file = before.debug_log_file;
                }
            }
            _ => {}
        }
    }

    fn go(&mut self, request: &GoRequest, at: Instant) {
        if let Some(depth) = request.perft {
            return self.perft(depth);
        }
        if self.board.is_refused() {
            return self.output.say("bestmove (none)");
        }
        let legal = self.board.legal_moves();
        self.prepare();
        let times = self
            .bank
            .convert(&request.times, self.side_to_move(), &self.time_options());
        let work = match (self.host.shared().cloned(), legal.is_empty()) {
            (_, true) => Work::NoMove(self.score_without_moves()),
            (None, false) => {
                self.output
                    .note("no memory to search with: the first legal move is played");
                return self.output.say(&format!("bestmove {}", self.text(legal[0])));
            }
            (Some(shared), false) => Work::Search(Box::new(self.start_search(request, legal, shared, (at, times)))),
        };
        let no_move = matches!(work, Work::NoMove(_));
        self.running = Some(Running {
            work,
            infinite: request.infinite,
            pondering: request.times.ponder,
            bounded: request.is_bounded(),
        });
        if no_move {
            self.answer_if_due();
        }
    }

    /// Mated, or stalemate where that draws.
    fn score_without_moves(&self) -> &'static str {
        let drawn = self
            .board
            .inspect(&self.options.policy())
            .verdict
            .is_some_and(|(gain, _)| gain == 0);
        if drawn { "cp 0" } else { "mate 0" }
    }

    fn start_search(
        &self,
        request: &GoRequest,
        legal: Vec<u16>,
        shared: Arc<Shared>,
        (at, times): (Instant, GoTimes),
    ) -> Search {
        let skill = Skill::of(&self.options);
        let root_moves = self.root_moves(&request.searchmoves, legal);
        let shown = self.options.multipv.min(root_moves.len());
        let reporter = Arc::new(LineReporter::new(self.output.clone(), self.style(shown)));
        let job = Arc::new(Job {
            line: self.board.line().clone(),
            limits: self.limits(request, skill),
            multipv: if skill.is_some_and(|skill| skill.scores_all_moves()) {
                root_moves.len()
            } else {
                shown
            },
            root_moves,
            switches: self.options.switches,
            policy: self.options.policy(),
            clock: Clock::new(at, &times, self.side_to_move(), &self.time_options()),
            shared: shared.clone(),
            reporter: reporter.clone(),
        });
        shared.pondering.store(request.times.ponder, Ordering::Relaxed);
        let sender = self.sender.clone();
        // Nobody listens any more when the session has ended.
        self.host.start(job.clone(), move |finished| {
            drop(sender.send(Event::Searched(finished)))
        });
        Search {
            job,
            reporter,
            skill,
            finished: None,
        }
    }

    /// The bounds of a search: at least one iteration, and no more than the skill allows.
    fn limits(&self, request: &GoRequest, skill: Option<Skill>) -> Limits {
        let mut limits = Limits::from(request.limits);
        limits.depth = limits.depth.map(|depth| depth.clamp(1, MAX_PLY as i32 - 1));
        skill.map_or(limits, |skill| skill.limit(limits))
    }

    /// The moves of `searchmoves` that are legal, or all of them.
    fn root_moves(&self, texts: &[String], legal: Vec<u16>) -> Vec<u16> {
        let mut chosen = Vec::new();
        for text in texts {
            // No pass: it cannot be searched.
            match resolve_move(self.options.game, text, &legal, self.options.chess960, true) {
                Ok(mv) if chosen.contains(&mv) => {}
                Ok(mv) => chosen.push(mv),
                Err(_) => self
                    .output
                    .note(format!("searchmoves: '{text}' is not legal and is dropped")),
            }
        }
        if chosen.is_empty() { legal } else { chosen }
    }

    fn style(&self, lines: usize) -> Style {
        Style {
            game: self.options.game,
            chess960: self.options.chess960,
            show_wdl: self.options.show_wdl,
            minimal: self.options.minimal_output,
            lines,
        }
    }

    fn time_options(&self) -> TimeOptions {
        TimeOptions {
            overhead: self.options.move_overhead_ms,
            slow_mover: self.options.slow_mover,
            max_move_time: self.options.max_move_time_ms,
            nodes_per_ms: self.options.nodestime,
        }
    }

    fn side_to_move(&self) -> usize {
        let line = self.board.line();
        (line.start.stm as usize + line.moves.len()) % 2
    }

    fn text(&self, mv: u16) -> String {
        move_text(self.options.game, mv, self.options.chess960)
    }

    fn perft(&mut self, depth: u32) {
        let depth = depth.min(DEEPEST_PERFT);
        let stop = Arc::new(AtomicBool::new(false));
        let (line, count) = (self.board.line().clone(), self.board.copy().perft);
        let (sender, flag) = (self.sender.clone(), stop.clone());
        let began = Instant::now();
        let work = move || {
            let counts = if depth == 0 {
                Vec::new()
            } else {
                count(&line, depth, &flag)
            };
            // Nobody listens any more when the session has ended.
            let _ = sender.send(Event::Counted(counts));
        };
        match std::thread::Builder::new().name("perft".to_string()).spawn(work) {
            Ok(_) => {
                let work = Work::Perft { stop, began };
                self.running = Some(Running {
                    work,
                    infinite: false,
                    pondering: false,
                    bounded: true,
                });
            }
            Err(problem) => self.output.note(format!("perft: {problem}")),
        }
    }

    fn count_ended(&mut self, counts: &[(u16, u64)]) {
        let Some(Running {
            work: Work::Perft { stop, began },
            ..
        }) = self.running.take()
        else {
            return;
        };
        if stop.load(Ordering::Relaxed) {
            return self.output.note("perft stopped");
        }
        self.last_nodes = if counts.is_empty() {
            1
        } else {
            counts.iter().map(|c| c.1).sum()
        };
        let lines = counts.iter().map(|&(mv, count)| (self.text(mv), count));
        self.output.say(&perft::report(lines, self.last_nodes, began.elapsed()));
    }

    /// Ends what runs; the answer comes when it has ended, or at once if it was held.
    fn stop(&mut self) {
        let Some(running) = &mut self.running else { return };
        running.infinite = false;
        running.pondering = false;
        match &running.work {
            Work::Search(search) => {
                let shared = &search.job.shared;
                shared.stop.store(true, Ordering::Relaxed);
                shared.pondering.store(false, Ordering::Relaxed);
            }
            Work::Perft { stop, .. } => stop.store(true, Ordering::Relaxed),
            Work::NoMove(_) => {}
        }
        self.answer_if_due();
    }

    fn ponder_hit(&mut self) {
        let Some(running) = self.running.as_mut().filter(|r| r.pondering) else {
            return;
        };
        running.pondering = false;
        // From now on it ends by itself if it has any limit, as `go` without `ponder` does.
        if let Work::Search(search) = &running.work {
            let limits = &search.job.limits;
            running.bounded = search.job.clock.timed() || limits.depth.is_some() || limits.nodes.is_some();
            search.job.clock.ponderhit();
            search.job.shared.pondering.store(false, Ordering::Relaxed);
        }
        self.answer_if_due();
    }

    fn quit(&mut self) {
        self.quitting = true;
        self.queue.clear();
        self.stop();
    }

    fn search_ended(&mut self, finished: Finished) {
        self.host.rest();
        if let Some(Running {
            work: Work::Search(search),
            ..
        }) = &mut self.running
        {
            search.finished = Some(finished);
        }
        self.answer_if_due();
    }

    /// Answers what runs if it has ended and nothing holds the answer.
    fn answer_if_due(&mut self) {
        let due = self.running.as_ref().is_some_and(|running| {
            let ended = match &running.work {
                Work::Search(search) => search.finished.is_some(),
                Work::NoMove(_) => true,
                Work::Perft { .. } => false,
            };
            ended && !running.infinite && !running.pondering
        });
        if !due {
            return;
        }
        match self.running.take().map(|running| running.work) {
            Some(Work::Search(mut search)) => {
                if let Some(finished) = search.finished.take() {
                    self.answer(&search, &finished);
                }
            }
            Some(Work::NoMove(score)) => {
                self.output.say(&format!("info depth 0 score {score}\nbestmove (none)"));
            }
            _ => {}
        }
    }

    fn answer(&mut self, search: &Search, finished: &Finished) {
        self.last_nodes = finished.nodes;
        self.bank.spend(finished.nodes);
        let Some(line) = self.line_to_play(search, finished) else {
            return;
        };
        search.reporter.finish(&Report {
            line,
            multipv: 1,
            nodes: finished.nodes,
            tb_hits: search
                .job
                .shared
                .counters
                .iter()
                .map(|c| c.tb_hits.load(Ordering::Relaxed))
                .sum(),
            time_ms: search.job.clock.elapsed_ms(),
            hashfull: search.job.shared.tt.hashfull(),
        });
        self.name_the_rule(&search.job, line);
        let best = line
            .pv
            .first()
            .map_or_else(|| "(none)".to_string(), |&mv| self.text(mv));
        let ponder = line
            .pv
            .get(1)
            .map_or_else(String::new, |&mv| format!(" ponder {}", self.text(mv)));
        self.output.say(&format!("bestmove {best}{ponder}"));
    }

    /// Says by which rule a decided line ends, unless by checkmate.
    fn name_the_rule(&self, job: &Job, line: &RootLine) {
        if line.score.abs() < score::RULE_BOUND {
            return;
        }
        let mut end = job.line.clone();
        end.moves.extend(&line.pv);
        let facts = (self.board.copy().inspect)(&end, &job.policy);
        match facts.verdict.or(facts.cycle) {
            Some((gain, rule)) if gain != 0 && rule != "checkmate" => self.output.note(format!("decided by {rule}")),
            _ => {}
        }
    }

    fn line_to_play<'a>(&self, search: &Search, finished: &'a Finished) -> Option<&'a RootLine> {
        let lines = &finished.outcomes.get(finished.winner)?.lines;
        match search.skill {
            Some(skill) => skill.choose(
                lines,
                (self.board.copy().inspect)(&search.job.line, &search.job.policy).key,
            ),
            None => lines.first(),
        }
    }

    fn bench(&mut self, words: &[String]) {
        let plan = match bench::Plan::parse(words, self.options.game, &self.board.placement().fen()) {
            Ok(plan) => plan,
            Err(problem) => return self.output.note(format!("bench: {problem}")),
        };
        let kept = (self.options.clone(), self.board.line().clone());
        self.options.hash_mib = plan.hash_mib;
        self.options.threads = plan.threads;
        self.new_game();
        let began = Instant::now();
        let mut nodes = 0;
        for (index, fen) in plan.fens.iter().enumerate() {
            eprintln!("\nPosition: {}/{} ({fen})", index + 1, plan.fens.len());
            for line in [format!("position fen {fen}"), plan.command.clone()] {
                if let Some(command) = self.parse(&line) {
                    self.execute(command, Instant::now());
                }
            }
            let ended = self.finish();
            nodes += std::mem::take(&mut self.last_nodes);
            if !ended {
                break;
            }
        }
        let summary = bench::Summary {
            nodes,
            elapsed: began.elapsed(),
        };
        eprintln!("{}", summary.for_people());
        self.output.say(&summary.for_programs());
        self.options = kept.0;
        self.board.restore(kept.1);
    }

    /// Waits for the end of what runs; false if `stop` or `quit` came.
    fn finish(&mut self) -> bool {
        let mut undisturbed = true;
        while self.running.is_some() {
            let Ok(event) = self.events.recv() else { return false };
            match event {
                Event::Line(line, at) => match self.parse(&line) {
                    Some(Command::Stop) => {
                        undisturbed = false;
                        self.stop();
                    }
                    Some(command) => self.take(command, at),
                    None => {}
                },
                other => self.handle(other),
            }
        }
        undisturbed && !self.quitting
    }
}

impl Queued {
    /// Whether it must wait for the end of what runs.
    fn needs_rest(&self) -> bool {
        match self {
            Queued::Rest | Queued::End => true,
            Queued::Command(command, _) => matches!(
                command,
                Command::NewGame | Command::Go(_) | Command::SetOption { .. } | Command::Bench(_) | Command::Tune
            ),
        }
    }
}
