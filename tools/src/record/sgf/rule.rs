//! The rule of a game as a text, `RU`.

use kagetsu::game::RuleKind;

/// Names of Renju and of its opening rules.
const RENJU: [&str; 9] =
    ["renju", "rif", "sakata", "yamaguchi", "tarannikov", "jonsson", "soosorv", "soosyrv", "taraguchi"];

/// The rule that a text names, alone or as KataGomo does in `basicruleSTANDARDvcnruleNOVC…`.
pub fn by_name(text: &str) -> Option<RuleKind> {
    let lower = text.to_lowercase();
    if RENJU.iter().any(|name| lower.contains(name)) {
        return Some(RuleKind::Renju);
    }
    // Early versions, which state a komi, played caro under the same names.
    let basic = lower.strip_prefix("basicrule").filter(|rules| !rules.contains("komi"));
    let name = basic.and_then(|rules| rules.split("vcnrule").next()).unwrap_or(lower.trim());
    name.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules of KataGomo are those that its source writes for Gomoku, and for caro in a version of 2022.
    #[test]
    fn rules_by_name() {
        for (text, rule) in [
            (" Freestyle", Some(RuleKind::Freestyle)),
            ("Soosorv-8", Some(RuleKind::Renju)),
            ("Swap2", None),
            ("basicruleFREESTYLEvcnruleNOVCfirstpasswin0maxmoves0", Some(RuleKind::Freestyle)),
            ("basicruleSTANDARDvcnruleNOVCfirstpasswin0maxmoves0", Some(RuleKind::Standard)),
            ("basicruleRENJUvcnruleNOVCfirstpasswin0maxmoves0", Some(RuleKind::Renju)),
            ("basicruleSTANDARDvcnruleNOVCfirstpasswin0maxmoves0komi0", None),
        ] {
            assert_eq!(by_name(text), rule, "{text}");
        }
    }
}
