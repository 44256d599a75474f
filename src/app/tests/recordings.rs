//! Tests of the recording of the screens: how the seller starts, ends and marks it.

use super::*;
use crate::app::store::recording::{RecordCommand, RecordingNews};
use crate::app::ui::Role;

fn screen_text(app: &App) -> String {
    let page = chrome::page(&app.model, app.model.size);
    format!("{:?}", page.items)
}

#[test]
fn palette_starts_and_ends_a_recording() {
    let mut app = App::logged_in();
    let start = Effect::Record(RecordCommand::Start);
    assert_eq!(app.run_command(Command::Record(true)), [start]);
    assert!(!screen_text(&app).contains("GRAVANDO"), "no news yet");
    let file = Untrusted::from("tela.balcao");
    for (news, is_told, is_running) in [
        (RecordingNews::Begun(file.clone()), true, true),
        (RecordingNews::Saved(file.clone()), true, false),
        (RecordingNews::GoesOn(file.clone()), false, true),
        (RecordingNews::Full(file.clone()), true, false),
        (RecordingNews::Begun(file.clone()), true, true),
        (RecordingNews::Failed("disk full".into()), true, false),
    ] {
        app.model.notice = None;
        app.deliver(Msg::Recording(news.clone()));
        let notice = Notice::Recording(news.clone());
        assert_eq!(app.model.notice, is_told.then_some(notice));
        let badge = screen_text(&app).contains("GRAVANDO");
        assert_eq!(badge, is_running, "{news:?}");
    }
    app.deliver(Msg::Recording(RecordingNews::Begun(file)));
    let stop = Effect::Record(RecordCommand::Stop);
    assert_eq!(app.run_command(Command::Record(false)), [stop]);
}

#[test]
fn problem_is_marked_on_any_screen_but_not_in_a_kiosk() {
    let mut app = App::logged_in();
    assert_eq!(app.press("F9"), [], "nothing is recorded");
    let hint = Notice::WithKey("said-nothing-recorded", Action::Palette);
    assert_eq!(app.model.notice, Some(hint));
    app.model.recording = Some("tela.balcao".into());
    let mark = [Effect::Record(RecordCommand::Mark)];
    assert_eq!(app.press("F9"), mark);
    let marked = Notice::Plain(Role::Good, "said-moment-marked");
    assert_eq!(app.model.notice, Some(marked));
    app.press("3 n Tab");
    assert_eq!(app.press("F9"), mark, "in a text field");
    app.model.setup.demo = Some(DemoSetup {
        kiosk: Some(Kiosk { for_room: false }),
        ..DemoSetup::default()
    });
    assert_eq!(app.press("F9"), []);
}
