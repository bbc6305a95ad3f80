//! The process that has started this one: an engine ends when its manager has died.
//!
//! The end of its input does not always show that. A manager that starts two engines may give each of them the ends of
//! the other's pipes, as Piskvork does. When it is killed, the engines keep each other's input open for ever.
//!
//! An engine that its manager has suspended does not end, because it cannot run. On Windows a job object,
//! whose only handle is in the manager's process, would end it too, but a manager that closes a stale handle
//! would then end the engine in mid-game.

use std::io;
use std::thread;
use std::time::Duration;

/// Launchers such as `start` and `nohup` in a script end within this time after they have started this process.
const LAUNCH: Duration = Duration::from_secs(2);

/// Calls `then`, on its own thread, when the process that has started this one ends. It never does if that process is
/// unknown, or ended within two seconds: then it was a launcher.
///
/// # Errors
/// If the system grants no thread.
pub fn on_end(then: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let Some(parent) = system::Parent::find() else { return Ok(()) };
    let watch = move || {
        if !parent.ends_within(LAUNCH) {
            parent.wait();
            then();
        }
    };
    thread::Builder::new().name("parent".to_owned()).stack_size(64 << 10).spawn(watch).map(drop)
}

#[cfg(unix)]
mod system {
    use std::thread;
    use std::time::Duration;

    use rustix::process::{Pid, getppid};

    /// Time between two checks. The systems have no common way to be notified.
    const PAUSE: Duration = Duration::from_millis(500);

    /// The parent process.
    pub struct Parent(Pid);

    impl Parent {
        /// Returns the process that has started this one; `None` if that process may be gone already.
        pub fn find() -> Option<Parent> {
            getppid().filter(|pid| !pid.is_init()).map(Parent)
        }

        /// Returns whether the parent has ended: the system then gives this process another parent.
        fn has_ended(&self) -> bool {
            getppid() != Some(self.0)
        }

        /// Waits at most `time` for the parent to end. Returns whether it has ended.
        pub fn ends_within(&self, time: Duration) -> bool {
            thread::sleep(time);
            self.has_ended()
        }

        /// Waits for its end.
        pub fn wait(&self) {
            while !self.has_ended() {
                thread::sleep(PAUSE);
            }
        }
    }
}

#[cfg(windows)]
mod system {
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
    use std::time::Duration;

    use windows_sys::Win32::Foundation::{FILETIME, HANDLE, INVALID_HANDLE_VALUE, WAIT_OBJECT_0};
    use windows_sys::Win32::System::Diagnostics::ToolHelp::{
        CreateToolhelp32Snapshot, PROCESSENTRY32, Process32First, Process32Next, TH32CS_SNAPPROCESS,
    };
    use windows_sys::Win32::System::Threading::{
        GetCurrentProcess, GetCurrentProcessId, GetProcessTimes, INFINITE, OpenProcess,
        PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_SYNCHRONIZE, WaitForSingleObject,
    };

    /// The parent process.
    pub struct Parent(OwnedHandle);

    impl Parent {
        /// The process that has started this one; `None` if it is gone.
        pub fn find() -> Option<Parent> {
            let access = PROCESS_SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION;
            // SAFETY: takes numbers and gives a handle that nobody else closes, or none.
            let parent = unsafe { owned(OpenProcess(access, 0, parent_id()?)) }?;
            // The process number may belong to a later process by now. SAFETY: gives a constant.
            let own = started(unsafe { GetCurrentProcess() })?;
            (started(parent.as_raw_handle())? <= own).then_some(Parent(parent))
        }

        /// Waits at most `time` for the parent to end. Returns whether it has ended.
        pub fn ends_within(&self, time: Duration) -> bool {
            self.wait_for(u32::try_from(time.as_millis()).unwrap_or(INFINITE - 1))
        }

        /// Waits for its end.
        pub fn wait(&self) {
            self.wait_for(INFINITE);
        }

        fn wait_for(&self, milliseconds: u32) -> bool {
            // SAFETY: the handle is open as long as `self` lives.
            unsafe { WaitForSingleObject(self.0.as_raw_handle(), milliseconds) == WAIT_OBJECT_0 }
        }
    }

    /// Takes a handle over.
    ///
    /// # Safety
    /// It must be open or invalid, and nobody else may close it.
    // SAFETY: required of the caller, as said above.
    unsafe fn owned(handle: HANDLE) -> Option<OwnedHandle> {
        let valid = !handle.is_null() && handle != INVALID_HANDLE_VALUE;
        // SAFETY: as the caller promises.
        valid.then(|| unsafe { OwnedHandle::from_raw_handle(handle) })
    }

    /// Returns the time at which a process was started, in the system's own count.
    fn started(process: HANDLE) -> Option<u64> {
        let [mut start, mut end, mut kernel, mut user] = [FILETIME::default(); 4];
        // SAFETY: all that is written to outlives the call.
        let known = unsafe {
            GetProcessTimes(process, &raw mut start, &raw mut end, &raw mut kernel, &raw mut user) != 0
        };
        known.then(|| u64::from(start.dwHighDateTime) << 32 | u64::from(start.dwLowDateTime))
    }

    /// The number of the process that has started this one.
    fn parent_id() -> Option<u32> {
        // SAFETY: takes numbers and gives a handle that nobody else closes, or none.
        let snapshot = unsafe { owned(CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0)) }?;
        // SAFETY: gives a number.
        let own = unsafe { GetCurrentProcessId() };
        let mut entry =
            PROCESSENTRY32 { dwSize: size_of::<PROCESSENTRY32>() as u32, ..PROCESSENTRY32::default() };
        // SAFETY: the entry has the size that it says, and outlives the call.
        let mut found = unsafe { Process32First(snapshot.as_raw_handle(), &raw mut entry) };
        while found != 0 {
            if entry.th32ProcessID == own {
                return Some(entry.th32ParentProcessID);
            }
            // SAFETY: as above.
            found = unsafe { Process32Next(snapshot.as_raw_handle(), &raw mut entry) };
        }
        None
    }
}

#[cfg(not(any(unix, windows)))]
mod system {
    use std::time::Duration;

    /// The parent process, which is not known on this system.
    pub enum Parent {}

    impl Parent {
        pub fn find() -> Option<Parent> {
            None
        }

        pub fn ends_within(&self, _: Duration) -> bool {
            match *self {}
        }

        pub fn wait(&self) {
            match *self {}
        }
    }
}
