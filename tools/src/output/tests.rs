//! Every kind of thing that a path can name, against every permit.

use super::*;
use kagetsu::disk::faults::{self, Fault};
use std::path::MAIN_SEPARATOR;

/// A folder with a file of each kind; the file `old` has eight bytes.
fn folder_of_all() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in ["old", "linked"] {
        fs::write(dir.path().join(name), b"the old!").unwrap();
    }
    fs::hard_link(dir.path().join("linked"), dir.path().join("other")).unwrap();
    fs::create_dir(dir.path().join("folder")).unwrap();
    dir
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Returns the outcome of writing, in a word, and the content of the file.
fn outcome(path: &Path, permit: Permit) -> (String, String) {
    let said = match write(path, b"new", permit) {
        Ok(written) => format!("{written:?}"),
        Err(error) => error.to_string(),
    };
    (said, fs::read_to_string(path).unwrap_or_default())
}

#[test]
fn only_what_is_permitted_is_replaced() {
    let same = Permit::Unchanged(Stamp::of(b"the old!"));
    let other = Permit::Unchanged(Stamp::of(b"the 0ld!"));
    let (exists, changed) = ("it exists already", "it exists already, and was changed since it was written");
    let links = "it exists already, and has 2 names (hard links)";
    for (name, permit, said, left) in [
        ("fresh", Permit::New, "Whole", "new"),
        ("fresh", same, "Whole", "new"),
        ("fresh", Permit::Force, "Whole", "new"),
        ("old", Permit::New, exists, "the old!"),
        ("old", same, "Whole", "new"),
        ("old", other, changed, "the old!"),
        ("old", Permit::Own, "Whole", "new"),
        ("old", Permit::Force, "Whole", "new"),
        ("linked", Permit::New, links, "the old!"),
        ("linked", same, links, "the old!"),
        ("linked", Permit::Own, "Whole", "new"),
        ("linked", Permit::Force, "InPlace", "new"),
        ("folder", Permit::Force, "it is a directory", ""),
        ("no/file", Permit::Force, "the folder no does not exist", ""),
    ] {
        let dir = folder_of_all();
        let before = names(dir.path());
        let (told, content) = outcome(&dir.path().join(name), permit);
        let told = told.replace(&format!("{}{MAIN_SEPARATOR}", dir.path().display()), "");
        assert_eq!((told.as_str(), content.as_str()), (said, left), "{name} {permit:?}");
        let mut after = names(dir.path());
        after.retain(|name| name != "fresh");
        assert_eq!(after, before, "nothing else appears");
        let pair = ["linked", "other"].map(|name| fs::read_to_string(dir.path().join(name)).unwrap());
        if permit == Permit::Own {
            assert_eq!(pair[1], "the old!", "the other name is somebody's backup");
        } else {
            assert_eq!(pair[0], pair[1], "the names of one file stay one file's");
        }
    }
}

#[cfg(unix)]
#[test]
fn modes_stay_and_links_are_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let dir = folder_of_all();
    let (old, link) = (dir.path().join("old"), dir.path().join("link"));
    for mode in [0o600, 0o640, 0o444, 0o755] {
        fs::set_permissions(&old, fs::Permissions::from_mode(mode)).unwrap();
        write(&old, b"new", Permit::Force).unwrap();
        assert_eq!(fs::metadata(&old).unwrap().permissions().mode() & 0o7777, mode);
    }
    symlink("old", &link).unwrap();
    assert!(matches!(write(&link, b"newer", Permit::New), Err(Error::Exists)));
    write(&link, b"newer", Permit::Force).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read(&old).unwrap(), b"newer");
    let to_nothing = dir.path().join("to-nothing");
    symlink("fresh", &to_nothing).unwrap();
    write(&to_nothing, b"x", Permit::New).unwrap();
    assert_eq!(fs::read(dir.path().join("fresh")).unwrap(), b"x");
    let (a, b) = (dir.path().join("a"), dir.path().join("b"));
    symlink(&a, &b).unwrap();
    symlink(&b, &a).unwrap();
    assert!(write(&a, b"x", Permit::Force).is_err(), "a circle of links");
    assert_eq!(write(Path::new("/dev/null"), b"x", Permit::New).unwrap(), Written::Stream);
}

/// The decision is made before the work, and holds at its end.
#[test]
fn a_file_made_during_the_work_stays() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    let mut draft = Target::new(&path, Permit::New).unwrap().draft().unwrap();
    draft.file().write_all(b"ours").unwrap();
    fs::write(&path, "theirs").unwrap();
    assert!(matches!(draft.finish(), Err(Error::Exists)));
    assert_eq!((fs::read(&path).unwrap(), names(dir.path())), (b"theirs".to_vec(), vec!["file".to_owned()]));

    let permit = Permit::Unchanged(Stamp::of(b"theirs"));
    let mut draft = Target::new(&path, permit).unwrap().draft().unwrap();
    draft.file().write_all(b"ours").unwrap();
    fs::write(&path, "edited").unwrap();
    assert!(matches!(draft.finish(), Err(Error::Changed)));
    assert_eq!(fs::read(&path).unwrap(), b"edited");
}

/// The result of long work is not lost if somebody removes, makes or links the file meanwhile, as long as the
/// file may be replaced.
#[test]
fn permission_to_replace_is_decided_again_at_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let [path, other] = ["file", "other"].map(|name| dir.path().join(name));
    let draft = || {
        let mut draft = Target::new(&path, Permit::Force).unwrap().draft().unwrap();
        draft.file().write_all(b"ours").unwrap();
        draft
    };
    fs::write(&path, "theirs").unwrap();
    let begun = draft();
    fs::remove_file(&path).unwrap();
    assert_eq!(
        (begun.finish().unwrap(), fs::read(&path).unwrap()),
        (Written::Whole, b"ours".to_vec()),
        "removed"
    );
    fs::remove_file(&path).unwrap();
    let begun = draft();
    fs::write(&path, "theirs").unwrap();
    assert_eq!(
        (begun.finish().unwrap(), fs::read(&path).unwrap()),
        (Written::Whole, b"ours".to_vec()),
        "made"
    );
    fs::write(&path, "theirs").unwrap();
    let begun = draft();
    fs::hard_link(&path, &other).unwrap();
    assert_eq!(begun.finish().unwrap(), Written::InPlace, "linked");
    assert_eq!([&path, &other].map(|path| fs::read(path).unwrap()), [b"ours"; 2]);
    assert_eq!(names(dir.path()), ["file", "other"]);
    fs::remove_file(&other).unwrap();
    for permit in [Permit::Own, Permit::Unchanged(Stamp::of(b"ours"))] {
        let mut draft = Target::new(&path, permit).unwrap().draft().unwrap();
        draft.file().write_all(b"new!").unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!((draft.finish().unwrap(), fs::read(&path).unwrap()), (Written::Whole, b"new!".to_vec()));
        fs::write(&path, "ours").unwrap();
    }
}

/// If any step fails, the old file or the new one is there, and nothing beside it.
#[test]
fn every_step_may_fail() {
    for fault in [Fault::Once, Fault::Lasting, Fault::Torn] {
        for name in ["fresh", "old"] {
            for step in 1.. {
                let dir = folder_of_all();
                let path = dir.path().join(name);
                let old = fs::read(&path).ok();
                let before = names(dir.path());
                faults::arm(step, fault);
                let written = write(&path, b"new", Permit::Force);
                let taken = faults::disarm();
                let new = fs::read(&path).ok();
                match &written {
                    Ok(_) => assert_eq!(new.as_deref(), Some(&b"new"[..])),
                    Err(_) => {
                        assert!(new == old || new.as_deref() == Some(b"new"), "{fault:?} {step}: {new:?}")
                    }
                }
                let mut after = names(dir.path());
                after.retain(|name| name != "fresh" || before.contains(name));
                assert_eq!(after, before, "{fault:?} {step}");
                if step > taken {
                    assert!(written.is_ok() && taken > 3, "a write takes more than {taken} steps");
                    break;
                }
            }
        }
    }
}

#[test]
fn drafts_without_an_end_leave_nothing() {
    let dir = folder_of_all();
    let before = names(dir.path());
    let mut draft = Target::new(&dir.path().join("fresh"), Permit::New).unwrap().draft().unwrap();
    draft.file().write_all(b"half").unwrap();
    if cfg!(target_os = "linux") {
        assert_eq!(names(dir.path()), before, "a draft has no name");
    }
    remove_named_drafts();
    drop(draft);
    assert_eq!(names(dir.path()), before);
}

/// Nobody, not even root, can make a file in `/proc`.
#[cfg(target_os = "linux")]
#[test]
fn an_error_does_not_name_the_draft() {
    let (said, _) = outcome(Path::new("/proc/a.png"), Permit::New);
    assert_eq!(said, "No such file or directory (os error 2)");
}

/// Code that ends the process early asks `is_named` whether a file would be left.
#[test]
fn a_draft_is_named_if_it_is_visible() {
    let dir = tempfile::tempdir().unwrap();
    let draft = Target::new(&dir.path().join("new"), Permit::New).unwrap().draft().unwrap();
    assert_eq!(draft.is_named(), !names(dir.path()).is_empty());
}
