//! Forced wins with their whole trees.

use std::time::Duration;

use anyhow::Result;

use crate::desk::{Job, Progress, Turn};
use crate::resources::Resources;
use crate::schema::{Tell, tell};
use kagetsu::solve::proof::{After, TurnId};
use kagetsu_tools::study::Means;
use kagetsu_tools::study::wins::{Found, VerifiedWin, WinQuestion, find};

/// Time to find a win and to have it verified.
const TIME: Duration = Duration::from_secs(20);
/// Largest number of turns of a proof that is sent to a page.
const TURNS: usize = 20_000;

/// A win to find.
pub struct SolveJob(pub WinQuestion);

impl Job for SolveJob {
    fn run(&mut self, resources: &mut Resources, turn: &Turn<'_>) -> Result<Progress> {
        let means = Means { time: Some(TIME), ..resources.means(turn.stop) };
        let (found, _) = find(&self.0, &means)?;
        turn.outlet.tell(Tell::Proof(proof_of(&found)));
        Ok(Progress::Ended)
    }
}

/// A proof as the page walks through it: turns in their order, the first one first.
fn proof_of(found: &Found) -> tell::Proof {
    let result = found.verdict.to_string();
    let Some(VerifiedWin { proof, .. }) = &found.win else {
        return tell::Proof { result, length: 0, turns: Vec::new(), cut: false };
    };
    let order = proof.order();
    let mut places = vec![u32::MAX; proof.root().index() + 1];
    for (place, turn) in (0..).zip(&order) {
        places[turn.index()] = place;
    }
    let kept = order.len().min(TURNS);
    let place = |turn: &TurnId| places[turn.index()];
    let is_kept = |place: &u32| (*place as usize) < kept;
    let turns = order[..kept].iter().map(|&id| {
        let turn = proof.turns().get(id);
        let (five, replies, otherwise, cut) = match &turn.after {
            After::Five => (true, Vec::new(), None, false),
            After::Replies { listed, otherwise } => {
                let answers = listed.iter().map(|(_, answer)| answer).chain(otherwise);
                let cut = !answers.map(place).all(|place| is_kept(&place));
                let replies = listed.iter().map(|(reply, answer)| (reply, place(answer)));
                let replies = replies.filter(|(_, answer)| is_kept(answer));
                let replies =
                    replies.map(|(reply, answer)| tell::TurnReply { turn: reply.to_string(), answer });
                (false, replies.collect(), otherwise.as_ref().map(place).filter(is_kept), cut)
            }
        };
        let length = turn.length() as u32;
        tell::Turn { turn: turn.point.to_string(), five, length, replies, otherwise, cut }
    });
    tell::Proof { result, length: proof.length() as u32, turns: turns.collect(), cut: kept < order.len() }
}
