//! Tests of the completions in real shells, and of the man pages in groff.

mod needs_tools {
    use std::fs;

    use crate::support::place::TestHome;
    use crate::support::run;
    use crate::support::tools::{has_tools, program_path};

    /// Runs a program, and returns its output. Fails if it reports a problem.
    fn run_program(home: &TestHome, name: &str, args: &[&str]) -> String {
        let output = run::output(&mut run::program(&program_path(name), home, args));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    fn shells_complete_commands_and_flags() {
        if !has_tools(&["bash", "zsh", "fish"]) {
            return;
        }
        let home = TestHome::new();
        for shell in ["bash", "zsh", "fish"] {
            let script = run::run(&home, &["completions", shell]).stdout;
            fs::write(home.home_dir().join(shell), script).unwrap();
            run_program(&home, shell, &["-n", shell]);
        }
        let in_bash = |words: &str| {
            let ask = format!(
                "source bash; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
                _balcao balcao \"${{COMP_WORDS[-1]}}\"; echo ${{COMPREPLY[@]}}"
            );
            run_program(&home, "bash", &["--norc", "-c", &ask])
        };
        assert_eq!(in_bash("balcao li"), "links\n");
        assert_eq!(in_bash("balcao links list --st"), "--state\n");
        let in_fish = |line: &str| {
            let ask = format!("source fish; complete -C '{line}'");
            run_program(&home, "fish", &["--no-config", "-c", &ask])
        };
        assert!(in_fish("balcao li").starts_with("links\t"));
        assert!(in_fish("balcao links list --st").starts_with("--state\t"));
    }

    #[test]
    fn man_pages_are_valid() {
        if !has_tools(&["groff"]) {
            return;
        }
        for lang in ["pt-BR", "en"] {
            let home = TestHome::new();
            run::run(&home, &["man", "pages", "--lang", lang]);
            let pages = fs::read_dir(home.home_dir().join("pages")).unwrap();
            let pages = pages.map(|page| page.unwrap().path().display().to_string());
            let pages: Vec<String> = pages.collect();
            let mut args = vec!["-K", "utf8", "-man", "-T", "utf8", "-ww", "-z"];
            args.extend(pages.iter().map(String::as_str));
            assert!(pages.len() > 40, "{}", pages.len());
            run_program(&home, "groff", &args);
        }
    }
}
