//! Tests of lists that are written to files: their rows and formats, and the files themselves.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use super::*;
use crate::app::store::list_export::{
    ExportFault, ExportedFile, ExportedRows, FileFormat, ListExport, StateFacts,
};
use crate::journal::history::History;
use crate::journal::money::samples::open;
use crate::trade::{
    Account, ChargeOutcome, CreatedCharge, CreatedLink, LinkFilter, LinkOutcome, Money, Nickname,
    Sale,
};
use crate::words::Lang;

fn account() -> Account {
    Account {
        origin: Origin("https://pay.example".into()),
        identity: "ana".into(),
    }
}

/// Stores the links `link 0` to `link 6`, oldest first. Link 1 is marked as paid, link 2 is put
/// away, and link 3 has a note.
fn store_links(dir: &Path) {
    let mut history = History::open(dir, Wall(0)).unwrap().0;
    for n in 0..7 {
        let request = LinkRequest {
            account: account(),
            amount: Money::from_centavos(12_345),
            description: format!("link {n} de 529.982.247-25"),
            domain: None,
        };
        let id = history.begin(&request, Wall(n)).unwrap();
        let url = format!("https://loja.example/{n}").into();
        let outcome = LinkOutcome::Created(CreatedLink { url });
        let link = history.settle::<LinkRequest>(id, &outcome).unwrap();
        match n {
            1 => drop(history.mark_paid(&Sale::Link(link), Some(Wall(9))).unwrap()),
            2 => drop(history.put_away(&link, Some(Wall(9))).unwrap()),
            3 => drop(history.set_note(&link, Some("=Bia Souza")).unwrap()),
            _ => {}
        }
    }
}

fn csv_of(rows: ExportedRows) -> ListExport {
    ListExport {
        ticket: Ticket(7),
        rows,
        format: FileFormat::Csv,
        is_masked: true,
        name: "links-2026-11-30".into(),
        lang: Lang::Pt,
    }
}

fn json_of(rows: ExportedRows, is_masked: bool) -> ListExport {
    ListExport {
        format: FileFormat::Json,
        is_masked,
        ..csv_of(rows)
    }
}

async fn export(dir: &Path, export: ListExport) -> Result<ExportedFile, ExportFault> {
    let (mut world, mut inbox) = world(dir);
    world.perform(Effect::ExportList(Box::new(export)));
    loop {
        if let Some(Msg::ListExported { ticket, result }) = inbox.recv().await {
            assert_eq!(ticket, Ticket(7));
            return result;
        }
    }
}

fn read(file: &ExportedFile) -> String {
    fs::read_to_string(file.path.shown()).unwrap()
}

fn objects(file: &ExportedFile) -> Vec<Value> {
    let text = read(file);
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The first seven letters of the descriptions, such as `link 6`.
fn links(objects: &[Value]) -> Vec<&str> {
    let texts = objects.iter().map(|row| row["description"].as_str());
    texts.map(|text| &text.unwrap()[..6]).collect()
}

/// Each object has the names that its schema has, and no others.
fn assert_schema(name: &str, objects: &[Value]) {
    let path = format!("{}/assets/schema/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let described: BTreeSet<_> = schema["properties"].as_object().unwrap().keys().collect();
    for object in objects {
        let names: BTreeSet<_> = object.as_object().unwrap().keys().collect();
        assert_eq!(names, described);
        assert_eq!(object["format"], 1);
    }
}

#[tokio::test]
async fn links_of_a_filter_are_written_newest_first() {
    let dir = tempfile::tempdir().unwrap();
    store_links(dir.path());
    let all = json_of(ExportedRows::Links(Search::default()), false);
    let file = export(dir.path(), all).await.unwrap();
    let rows = objects(&file);
    assert_schema("link", &rows);
    let expected = ["link 6", "link 5", "link 4", "link 3", "link 1", "link 0"];
    assert_eq!(links(&rows), expected);
    assert_eq!((file.rows, file.put_away), (6, 1));
    assert_eq!(rows[3]["note"], "=Bia Souza");

    let search = |text: &str, filter| {
        ExportedRows::Links(Search {
            filter,
            ..Search::from(text)
        })
    };
    let unpaid = LinkFilter {
        paid: Some(false),
        ..LinkFilter::default()
    };
    let put_away = LinkFilter {
        put_away: true,
        ..LinkFilter::default()
    };
    for (rows, expected, left_out) in [
        (search("/3", LinkFilter::default()), &["link 3"][..], 0),
        (search("/2", LinkFilter::default()), &[], 1),
        (search("", put_away), &["link 2"], 0),
        (
            search("link", unpaid),
            &["link 6", "link 5", "link 4", "link 3", "link 0"],
            1,
        ),
    ] {
        let file = export(dir.path(), json_of(rows, false)).await.unwrap();
        assert_eq!(links(&objects(&file)), expected);
        assert_eq!(file.put_away, left_out);
    }
}

#[tokio::test]
async fn csv_is_private_masked_and_never_replaces_a_file() {
    let dir = tempfile::tempdir().unwrap();
    store_links(dir.path());
    let taken = dir.path().join("links-2026-11-30.csv");
    fs::write(&taken, "mine").unwrap();
    let list = csv_of(ExportedRows::Links(Search::default()));
    let file = export(dir.path(), list.clone()).await.unwrap();
    assert_eq!(
        file.path.shown(),
        dir.path().join("links-2026-11-30-2.csv").to_str().unwrap()
    );
    assert_eq!(fs::read_to_string(&taken).unwrap(), "mine");
    let mode = fs::metadata(file.path.shown())
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = read(&file);
    assert!(
        text.starts_with("\u{feff}criado em;conta;valor (R$)"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 7);
    assert!(
        text.contains("01/01/1970 00:00:00;a•••;123,45;link 6 de •••;"),
        "{text}"
    );
    assert!(!text.contains("Bia") && !text.contains("529"), "{text}");

    let whole = ListExport {
        is_masked: false,
        ..list
    };
    let text = read(&export(dir.path(), whole).await.unwrap());
    assert!(
        text.contains(";'=Bia Souza;") && text.contains("529.982.247-25"),
        "{text}"
    );
}

#[tokio::test]
async fn charges_are_masked_unless_the_seller_asks() {
    let dir = tempfile::tempdir().unwrap();
    let mut history = History::open(dir.path(), Wall(0)).unwrap().0;
    let request = ChargeRequest {
        account: account(),
        amount: Money::from_centavos(100),
        description: "Bolo".into(),
        customer: Some("Bia Souza".into()),
        buyer: [("document".to_owned(), "52998224725".to_owned())].into(),
    };
    let id = history.begin(&request, Wall(0)).unwrap();
    let outcome = ChargeOutcome::Created(CreatedCharge {
        id: Some("c-1".into()),
        status: Some("PENDING".into()),
        pix_code: Some("00020126".into()),
        expires: None,
    });
    history.settle::<ChargeRequest>(id, &outcome).unwrap();
    drop(history);
    let rows = || ExportedRows::Charges(Search::default());
    let file = export(dir.path(), json_of(rows(), false)).await.unwrap();
    let whole = objects(&file);
    assert_schema("charge", &whole);
    assert_eq!(whole[0]["customer"], "Bia Souza");
    for list in [json_of(rows(), true), csv_of(rows())] {
        let file = export(dir.path(), list).await.unwrap();
        let text = read(&file);
        assert!(text.contains("B•••") && text.contains("00020126"), "{text}");
        assert!(
            !text.contains("Souza") && !text.contains("529982"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn withdrawals_are_in_the_order_of_the_list() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = open(dir.path());
    for n in 1..=5 {
        journal
            .prepare(agreement(n, 10_000 + n as i64), None)
            .unwrap();
    }
    drop(journal);
    let mut history = History::open(dir.path(), Wall(0)).unwrap().0;
    let sample = agreement(1, 10_000);
    let name = Nickname::parse("Maria");
    let destination = sample.destination.unwrap();
    history
        .set_nickname(&sample.account, &destination, name.as_ref(), Wall(0))
        .unwrap();
    drop(history);
    let facts = StateFacts {
        now: clocks(60),
        window: WINDOW,
        in_flight: vec![key(2)],
    };
    let rows = |query: &str| ExportedRows::Withdrawals(Search::from(query), facts.clone());
    let file = export(dir.path(), json_of(rows(""), false)).await.unwrap();
    let listed = objects(&file);
    assert_schema("withdrawal", &listed);
    let keys = [5, 4, 3, 2, 1].map(|n| key(n).to_string());
    assert_eq!(
        listed.iter().map(|row| &row["key"]).collect::<Vec<_>>(),
        keys.each_ref()
    );
    assert_eq!(listed[0]["state"], "prepared");
    assert_eq!(listed[0]["nickname"], "Maria");
    assert_eq!(listed[0]["destination"], destination.as_str());

    let file = export(dir.path(), json_of(rows(&key(3).to_string()), true))
        .await
        .unwrap();
    let found = objects(&file);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["nickname"], "M•••");
    assert_eq!(found[0]["destination"], destination.masked());
    let file = export(dir.path(), json_of(rows("maria"), true))
        .await
        .unwrap();
    assert_eq!(file.rows, 5, "found by the nickname");
}

#[tokio::test]
async fn journal_or_directory_may_be_missing() {
    let dir = tempfile::tempdir().unwrap();
    let facts = StateFacts {
        now: clocks(60),
        window: WINDOW,
        in_flight: vec![],
    };
    let list = csv_of(ExportedRows::Withdrawals(Search::default(), facts));
    let file = export(dir.path(), list.clone()).await.unwrap();
    assert_eq!((file.rows, read(&file).lines().count()), (0, 1));

    let builder = WorldBuilder {
        receipts_dir: dir.path().join("none"),
        ..builder(dir.path(), VaultHandle::memory())
    };
    let (mut world, mut inbox) = build(builder);
    world.perform(Effect::ExportList(Box::new(list)));
    let result = loop {
        if let Some(Msg::ListExported { result, .. }) = inbox.recv().await {
            break result;
        }
    };
    assert!(matches!(result, Err(ExportFault::File(_))), "{result:?}");
}
