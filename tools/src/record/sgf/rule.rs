//! The rule of a game as a text, `RU`.

use kagetsu::game::RuleKind;

/// Names of Renju and of its opening rules.
const RENJU: [&str; 9] =
    ["renju", "rif", "sakata", "yamaguchi", "tarannikov", "jonsson", "soosorv", "soosyrv", "taraguchi"];

/// The rule that a text names: alone, by a word for Renju among others, or as KataGomo does in
/// `basicruleSTANDARDvcnruleNOVC…`.
pub fn by_name(text: &str) -> Option<RuleKind> {
    let lower = text.to_lowercase();
    // Chinese characters have no lower case: like digits they end a word, as there may be no blank before them.
    let mut words = lower.split(|c: char| !c.is_lowercase());
    let katagomo = lower.strip_prefix("basicrule");
    if words.any(|word| RENJU.contains(&word)) || katagomo.is_some_and(|rules| rules.starts_with("renju")) {
        return Some(RuleKind::Renju);
    }
    // Early versions, which state a komi, played caro under the names of the other rules.
    let basic = katagomo.filter(|rules| !rules.contains("komi"));
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
            ("Taraguchi10", Some(RuleKind::Renju)),
            ("swap-renju:D13", Some(RuleKind::Renju)),
            ("The rules of the RIF, 1998", Some(RuleKind::Renju)),
            ("五子棋RIF规则", Some(RuleKind::Renju)),
            ("Swap2", None),
            ("a terrific game", None),
            ("Sheriff", None),
            ("shérif", None),
            ("basicruleFREESTYLEvcnruleNOVCfirstpasswin0maxmoves0", Some(RuleKind::Freestyle)),
            ("basicruleSTANDARDvcnruleNOVCfirstpasswin0maxmoves0", Some(RuleKind::Standard)),
            ("basicruleRENJUvcnruleNOVCfirstpasswin0maxmoves0", Some(RuleKind::Renju)),
            ("basicruleSTANDARDvcnruleNOVCfirstpasswin0maxmoves0komi0", None),
            ("basicruleRENJUkomi0", Some(RuleKind::Renju)),
        ] {
            assert_eq!(by_name(text), rule, "{text}");
        }
    }
}
