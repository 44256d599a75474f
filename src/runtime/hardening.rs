//! Rights that the process gives up at its start, to keep its memory to itself.

/// Forbids core dumps: they would hold credentials, in a forgotten file.
///
/// On Linux this also keeps other programs of the same user from reading this one's memory. A
/// platform that does not allow it is no error: the program works the same.
pub fn forbid_core_dumps() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    // The hard limit stays, for the browser that is started from here.
    let maximum = getrlimit(Resource::Core).maximum;
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum });
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        // The limit does not hold where dumps are piped into a collector; this does.
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn no_core_is_dumped() {
        use rustix::process::{DumpableBehavior, Resource, dumpable_behavior, getrlimit};
        forbid_core_dumps();
        assert_eq!(getrlimit(Resource::Core).current, Some(0));
        assert_eq!(dumpable_behavior().unwrap(), DumpableBehavior::NotDumpable);
    }
}
