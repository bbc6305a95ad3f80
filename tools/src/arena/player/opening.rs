//! Questions about an opening, which an engine may not know.

use std::time::Duration;

use super::{Player, cut, stray_move};
use crate::arena::asking::Question;
use crate::arena::fault::{Fault, FaultKind, Stop};
use crate::arena::pause::Halt;
use crate::arena::reply::{Named, Reply};
use crate::arena::request::Ask;
use crate::arena::time::GameClock;
use kagetsu::clock::Clock;

/// Time for the answer to ABOUT, during which complaints about settings come.
const ABOUT_PATIENCE: Duration = Duration::from_secs(2);
/// Time for that answer of an engine that has not answered ABOUT before.
const SHORT_PATIENCE: Duration = Duration::from_millis(300);

impl Player {
    /// Asks for a decision about an opening, and returns it with the time it took. With `may_refuse`, a first line of
    /// ERROR or UNKNOWN is the answer, and what the engine says about its settings is read before. Without it the answer
    /// may still come, because such a line may refer to a setting.
    ///
    /// # Errors
    /// If no answer comes in time, or the game must stop. If the engine does not know the command, the fault is
    /// [`FaultKind::OpeningRefused`]: the engine answers ERROR or UNKNOWN or, with `may_refuse`, nothing at all, and then
    /// answers ABOUT.
    pub fn open(
        &mut self,
        question: &Question,
        may_refuse: bool,
        clock: &GameClock,
        halt: Halt<'_>,
    ) -> Result<(Named, Duration), Stop> {
        let mut request = self.times(clock);
        if may_refuse {
            self.settle(&std::mem::take(&mut request), halt)?;
        }
        request += &Ask::Opening(&question.text).text(self.size);
        let (mut refusal, mut is_silent) = (None, true);
        let answer = self.exchange(&request, clock.allowed(), halt, |line| {
            is_silent = false;
            // The line may refer to one of the INFO lines before, and the answer may still come.
            if refusal.is_none() && matches!(Reply::parse(line), Reply::Error | Reply::Unknown) {
                refusal = Some(cut(line));
            }
            if may_refuse && refusal.is_some() { Some(None) } else { Named::parse(line).map(Some) }
        });
        // Some engines ignore commands that they do not know.
        if let Err(Stop::Fault(Fault { kind: FaultKind::Silence, .. })) = answer
            && may_refuse
            && is_silent
            && self.answers_about
        {
            let is_late = self.settle("", halt)?;
            if self.answers_about && !is_late {
                let detail = format!("{} was not answered, but ABOUT was", question.word);
                return Err(Fault::new(FaultKind::OpeningRefused, detail).into());
            }
        }
        let refused = |line| {
            let detail = format!("{} answered by '{line}'", question.word);
            Err(Fault::new(FaultKind::OpeningRefused, detail).into())
        };
        match (answer, refusal) {
            (Ok((Some(answer), elapsed)), _) => Ok((answer, elapsed)),
            (Ok((None, _)), line) => refused(line.unwrap_or_default()),
            (Err(Stop::Fault(Fault { kind: FaultKind::NoMove, .. })), Some(line)) => refused(line),
            (Err(stop), _) => Err(stop),
        }
    }

    /// Sends settings and ABOUT, and reads up to its answer: complaints about settings come before it. Some
    /// engines do not answer ABOUT. They get a time in which their complaints should have come. Returns
    /// whether the lines contain a late answer to a question about the opening.
    fn settle(&mut self, settings: &str, halt: Halt<'_>) -> Result<bool, Stop> {
        self.wait_until_ready();
        self.process.resume();
        self.send(&format!("{settings}ABOUT\n"))?;
        let patience = if self.answers_about { ABOUT_PATIENCE } else { SHORT_PATIENCE };
        let deadline = self.clock.now() + patience;
        let mut is_late = false;
        while let Some((_, text)) = self.receive(deadline, halt)? {
            match Reply::parse(&text) {
                Reply::Note(_) => {}
                Reply::Other if text.to_ascii_lowercase().contains("name") => {
                    self.answers_about = true;
                    return Ok(is_late);
                }
                Reply::Move(..) => return Err(stray_move(&text).into()),
                _ => {
                    is_late |= Named::parse(&text).is_some();
                    self.warnings.add(format!("stray line '{}'", cut(&text)));
                }
            }
        }
        self.answers_about = false;
        Ok(is_late)
    }
}
