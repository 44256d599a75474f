//! Settings that protect the memory of this process from other programs.

/// Forbids core dumps, because they would contain credentials.
///
/// On Linux this also keeps other programs of the same user from reading this process's memory.
/// Ignores errors, because the program also works without this protection.
pub fn forbid_core_dumps() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    // Change only the soft limit, because a browser started by this process inherits the hard
    // limit.
    let maximum = getrlimit(Resource::Core).maximum;
    let _ = setrlimit(
        Resource::Core,
        Rlimit {
            current: Some(0),
            maximum,
        },
    );
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        // The kernel ignores the limit above if it pipes core dumps to a collector program. This
        // setting prevents those dumps too.
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
