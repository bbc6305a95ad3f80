//! Nets in use: those built into the program, unless a file replaces a rule's net.

use std::path::Path;
use std::sync::OnceLock;

use super::hand;
use super::net::{Info, Net, NetError, file};
use crate::game::RuleKind;

static NETS: [OnceLock<Net>; RuleKind::ALL.len()] = [const { OnceLock::new() }; RuleKind::ALL.len()];
/// Names of the nets in use: each is a checksum of all weights.
static NAMES: [OnceLock<String>; RuleKind::ALL.len()] = [const { OnceLock::new() }; RuleKind::ALL.len()];

/// Returns the built-in net of a rule. It learned from the engine's own games, see `scripts/train`.
fn learned(rule: RuleKind) -> &'static [u8] {
    match rule {
        RuleKind::Freestyle => include_bytes!("nets/freestyle.net"),
        RuleKind::Standard => include_bytes!("nets/standard.net"),
        RuleKind::Renju => include_bytes!("nets/renju.net"),
        RuleKind::Caro => include_bytes!("nets/caro.net"),
        RuleKind::Caro6 => include_bytes!("nets/caro6.net"),
    }
}

/// Returns the net of a rule: the installed one, else the built-in one.
pub fn net(rule: RuleKind) -> &'static Net {
    NETS[rule as usize].get_or_init(|| built_in(rule))
}

/// Returns the name of the net of a rule: of the installed one, else of the built-in one.
pub fn name(rule: RuleKind) -> &'static str {
    NAMES[rule as usize].get_or_init(|| net(rule).name())
}

/// Returns the description of the built-in net of a rule.
///
/// # Errors
/// If it is damaged.
pub fn built_in_info(rule: RuleKind) -> Result<Info, NetError> {
    Info::from_bytes(learned(rule))
}

/// Loads the built-in net of a rule.
fn built_in(rule: RuleKind) -> Net {
    // A test reads all built-in nets, so a released program cannot fail here. If it did, the hand-set weights would
    // serve every rule.
    Net::from_bytes(learned(rule)).unwrap_or_else(|error| {
        log::error!("the program's own net for {rule}: {error}; playing with the weights set by hand");
        hand::net(rule)
    })
}

/// Reason why a net cannot be installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// The file cannot be read.
    #[error("cannot read {0}: {1}")]
    Io(String, std::io::Error),
    /// The content of the file is rejected.
    #[error("{0}: {1}")]
    Net(String, NetError),
    /// The net of the rule is already in use.
    #[error("{0}: there is a net for {1} already; expected one net for each rule, before the first search")]
    Twice(String, RuleKind),
}

/// Replaces the built-in net of a rule by that of a file; the name `hand` stands for the hand-set weights of all rules.
/// Call this before the first search.
///
/// # Errors
/// If the file cannot be read or is damaged, or if the net of its rule is already in use.
pub fn install(path: &Path) -> Result<(), InstallError> {
    let name = || path.display().to_string();
    let put =
        |rule: RuleKind, net| NETS[rule as usize].set(net).map_err(|_| InstallError::Twice(name(), rule));
    if path == Path::new("hand") {
        return RuleKind::ALL.into_iter().try_for_each(|rule| put(rule, hand::net(rule)));
    }
    let bytes = file::read(path).map_err(|e| InstallError::Io(name(), e))?;
    let net = Net::from_bytes(&bytes).map_err(|e| InstallError::Net(name(), e))?;
    let rule: Result<RuleKind, _> = net.info.rule.parse();
    let rule = rule.map_err(|e| InstallError::Net(name(), NetError::Info(e.into())))?;
    put(rule, net)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nets_in_the_program_are_whole_and_fit_their_rules() {
        for rule in RuleKind::ALL {
            assert!(Net::from_bytes(learned(rule)).unwrap().check_rule(rule).is_ok(), "{rule}");
            assert_ne!(built_in(rule).name(), hand::net(rule).name(), "{rule}");
            assert_eq!(name(rule), net(rule).name());
        }
    }
}
