//! The nets in use: the learned ones in the program, until a net from a file takes a rule's place.

use std::path::Path;
use std::sync::OnceLock;

use super::hand;
use super::net::{Info, Net, NetError, file};
use crate::game::RuleKind;

static NETS: [OnceLock<Net>; RuleKind::ALL.len()] = [const { OnceLock::new() }; RuleKind::ALL.len()];

/// The net that was learned for a rule from the engine's own games, see `scripts/train`.
fn learned(rule: RuleKind) -> &'static [u8] {
    match rule {
        RuleKind::Freestyle => include_bytes!("nets/freestyle.net"),
        RuleKind::Standard => include_bytes!("nets/standard.net"),
        RuleKind::Renju => include_bytes!("nets/renju.net"),
        RuleKind::Caro => include_bytes!("nets/caro.net"),
        RuleKind::Caro6 => include_bytes!("nets/caro6.net"),
    }
}

/// The net of a rule: one that was installed, else the program's own.
pub fn net(rule: RuleKind) -> &'static Net {
    NETS[rule as usize].get_or_init(|| built_in(rule))
}

/// How the program's own net of a rule was made.
///
/// # Errors
/// If it is damaged.
pub fn built_in_info(rule: RuleKind) -> Result<Info, NetError> {
    Info::from_bytes(learned(rule))
}

/// The program's own net of a rule.
fn built_in(rule: RuleKind) -> Net {
    // A test reads what is in the program; the weights set by hand serve every rule.
    Net::from_bytes(learned(rule)).unwrap_or_else(|error| {
        log::error!("the program's own net for {rule}: {error}; playing with the weights set by hand");
        hand::net(rule)
    })
}

/// Why a net cannot be installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// The file cannot be read.
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// Its content is refused.
    #[error("{0}: {1}")]
    Net(String, NetError),
    /// The rule's net is in use.
    #[error("{0}: there is a net for {1} already; expected one net for each rule, before the first search")]
    Twice(String, RuleKind),
}

/// Puts the net of a file in the place of the program's own of its rule; `hand` stands for the nets made by
/// hand, of all rules. To be called before the first search.
///
/// # Errors
/// If the file cannot be read or is damaged, or its rule has a net already.
pub fn install(path: &Path) -> Result<(), InstallError> {
    let name = || path.display().to_string();
    let put =
        |rule: RuleKind, net| NETS[rule as usize].set(net).map_err(|_| InstallError::Twice(name(), rule));
    if path == Path::new("hand") {
        return RuleKind::ALL.into_iter().try_for_each(|rule| put(rule, hand::net(rule)));
    }
    let bytes = file::read(path).map_err(|e| InstallError::Io(name(), e))?;
    let net = Net::from_bytes(&bytes).map_err(|e| InstallError::Net(name(), e))?;
    let rule = net.info.rule.parse().map_err(|e| InstallError::Net(name(), NetError::Info(e)))?;
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
        }
    }
}
