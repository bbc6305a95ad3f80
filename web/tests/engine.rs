//! The protocol engine does not depend on the web board: none of the packages that serve pages is among its
//! dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The packages of the lock file, each with its dependencies.
fn packages(lock: &str) -> BTreeMap<String, Vec<String>> {
    let quoted = |line: &str| line.split('"').nth(1).unwrap_or_default().to_owned();
    let mut found = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let name = package.lines().find(|line| line.starts_with("name = ")).map(quoted).unwrap();
        let listed = package.split_once("dependencies = [").map_or("", |(_, rest)| rest);
        let listed = listed.split(']').next().unwrap();
        // A name may be followed by a version.
        let names = listed.lines().filter(|line| line.contains('"')).map(quoted);
        let names = names.map(|name| name.split(' ').next().unwrap().to_owned());
        found.entry(name).or_insert_with(Vec::new).extend(names);
    }
    found
}

#[test]
fn the_engine_depends_on_no_package_of_the_server() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    let packages = packages(&std::fs::read_to_string(path).unwrap());
    let needed = |from: &str| {
        let mut seen = BTreeSet::new();
        let mut open = vec![from.to_owned()];
        while let Some(name) = open.pop() {
            if seen.insert(name.clone()) {
                open.extend(packages.get(&name).into_iter().flatten().cloned());
            }
        }
        seen
    };
    let server = ["axum", "hyper", "tokio", "tungstenite", "kagetsu-web"];
    assert!(server.iter().all(|name| needed("kagetsu-cli").contains(*name)), "the command line serves");
    let engine = needed("kagetsu");
    assert!(engine.contains("serde_json") && !server.iter().any(|name| engine.contains(*name)), "{engine:?}");
}
