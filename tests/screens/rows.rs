//! Tests that each row of a list shows enough to identify its item. If some rows are hidden, arrows
//! at the edge of the list must show this.

use balcao::app::screens::Layer;
use balcao::app::ui::input::Size;
use balcao::app::ui::{Area, geometry};
use balcao::app::{Model, Pane, next_deadline};
use balcao::trade::{CheckoutDomain, DomainChoice, LinksTotal, Money, RecentTotals};
use balcao::words::{Catalogue, Lang};

use crate::models::{NOW, OFFSET, all_models, buffer, find_model, press, text};
use crate::models_money::{payments, withdrawals};

/// Returns the rows of the list, without the details beside the list.
fn list_rows(model: &Model, columns: u16, rows: u16) -> Vec<String> {
    let details_area = geometry::details(Area {
        width: columns,
        ..Area::default()
    });
    let end = details_area.map_or(columns, |details_area| details_area.x);
    let screen = text(&buffer(model, columns, rows));
    let list_part = |line: &str| line.chars().take(end.into()).collect::<String>();
    screen
        .lines()
        .map(|line| list_part(line).trim_end().to_owned())
        .collect()
}

#[test]
fn withdrawal_rows_name_destination_at_every_size() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let model = withdrawals::recent_withdrawals(lang);
        for (columns, rows) in [(80, 24), (100, 30), (110, 34), (120, 40), (200, 60)] {
            let lines = list_rows(&model, columns, rows);
            let context = format!("{columns}x{rows}, {}:\n{}", lang.tag(), lines.join("\n"));
            let count_rows_with =
                |text: &str| lines.iter().filter(|line| line.contains(text)).count();
            for (kind, count) in [
                ("cpf", 1),
                ("cnpj", 2),
                ("phone", 1),
                ("email", 1),
                ("random", 1),
            ] {
                // Compare only the first letters of the Pix key's kind, because the name of the
                // kind may be cut off.
                let name = words.text(&format!("pix-kind-{kind}"));
                let kind_start: String = name.chars().take(4).collect();
                // The row shows only the Pix key if there is no room for both the key and the name
                // of its kind.
                let without_kind = match kind {
                    "cnpj" => count_rows_with("  11.222.333/0001-81"),
                    "phone" => count_rows_with("  +55 11 98765-4321"),
                    "email" => count_rows_with("  contador@"),
                    "random" => count_rows_with("  123e4567-"),
                    _ => 0,
                };
                assert_eq!(
                    count_rows_with(&format!("  {kind_start}")) + without_kind,
                    count,
                    "{name} at {context}"
                );
            }
            // The state of a withdrawal must never be cut off.
            assert_eq!(
                count_rows_with(&words.text("state-accepted")),
                5,
                "{context}"
            );
            // There is less room for the Pix key in English, because the name of the state is
            // longer.
            let is_roomy = columns != 100 && (columns != 110 || lang == Lang::Pt);
            for key in ["+55 11 98765-4321", "529.982.247-25", "11.222.333/0001-81"] {
                // The Pix key may lose its last two characters at 120 columns, because the details
                // beside the list need room.
                let key = if columns == 120 {
                    &key[..key.len() - 2]
                } else {
                    key
                };
                assert!(!is_roomy || count_rows_with(key) > 0, "{key} at {context}");
            }
            assert!(
                count_rows_with("contador@contas-certas.example") > 0 || columns < 200,
                "{context}"
            );
        }
    }
}

#[test]
fn nickname_is_beside_key_if_time_makes_room() {
    for (lang, with_year) in [(Lang::Pt, "19/11/2026"), (Lang::En, "19 Nov 2026")] {
        let mut model = withdrawals::recent_withdrawals(lang);
        let mut withdrawals = model.withdrawals.list.page.rows.to_vec();
        withdrawals[2].agreement.amount = withdrawals[1].agreement.amount;
        model.withdrawals.list.page.rows = withdrawals.into();
        for (columns, rows) in [(80, 24), (200, 60)] {
            let lines = list_rows(&model, columns, rows);
            let list = lines.join("\n");
            let key = "11.222.333/0001-81 · Con";
            assert_eq!(
                lines.iter().filter(|line| line.contains(key)).count(),
                2,
                "{list}"
            );
            assert_eq!(list.contains(with_year), columns > 80, "{list}");
        }
        // Remove the nicknames, and the row with a long e-mail address. The other rows have room
        // for the year.
        let mut without_nicknames = model;
        without_nicknames.nicknames = Default::default();
        let short_rows = without_nicknames
            .withdrawals
            .list
            .page
            .rows
            .iter()
            .take(4)
            .cloned();
        without_nicknames.withdrawals.list.page.rows = short_rows.collect();
        let lines = list_rows(&without_nicknames, 80, 24).join("\n");
        assert!(lines.contains(with_year), "{lines}");
    }
}

#[test]
fn nickname_takes_precedence_over_key_kind() {
    for lang in Lang::ALL {
        let model = withdrawals::recent_withdrawals(lang);
        for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
            let list = list_rows(&model, columns, rows).join("\n");
            // The nickname may be cut off at 120 columns, because the details beside the list need
            // room.
            let nickname = match (columns, lang) {
                (120, Lang::Pt) => "11.222.333/0001-81 · Conta",
                (120, Lang::En) => "11.222.333/0001-81",
                _ => "11.222.333/0001-81 · Conta PJ",
            };
            let rows_with_nickname = list.lines().filter(|line| line.contains(nickname));
            assert_eq!(rows_with_nickname.count(), 2, "{list}");
        }
    }
}

/// Returns the texts for all states of payment links and direct payments.
fn sale_state_texts(lang: Lang) -> Vec<String> {
    let states = [
        "links-marked",
        "links-paid",
        "links-not-saved",
        "links-unknown",
        "links-refused",
        "links-not-sent",
        "charges-created",
        "charges-odd-code",
        "charges-expired",
        "charges-refused",
        "charges-not-sent",
    ];
    states.map(|id| Catalogue::of(lang).text(id)).into()
}

#[test]
fn expired_charge_is_marked_and_wakes_the_pane() {
    for lang in Lang::ALL {
        let expired_label = Catalogue::of(lang).text("charges-expired");
        let find = |name: &str| find_model(lang, name);
        for (name, is_expired) in [("charge-expired", true), ("charge-running-out", false)] {
            let mut model = find(name);
            let Some(Layer::Charge(charge)) = model.layers.pop() else {
                panic!("{name}")
            };
            model.charges.list.page.rows = vec![charge.0].into();
            model.size = Size {
                columns: 80,
                rows: 24,
            };
            let rows = list_rows(&model, 80, 24).join("\n");
            assert_eq!(rows.contains(&expired_label), is_expired, "{name}:\n{rows}");
            assert_eq!(next_deadline(&model).is_some(), !is_expired, "{name}");
        }
    }
}

#[test]
fn a_state_is_whole_before_a_description_is() {
    let mut checked = 0;
    for lang in Lang::ALL {
        let states = sale_state_texts(lang);
        for (name, model) in all_models(lang) {
            if !model.layers.is_empty() || ![Pane::Links, Pane::Charges].contains(&model.pane) {
                continue;
            }
            for (columns, rows) in [(60, 18), (80, 24), (100, 34), (120, 40), (200, 60)] {
                for line in list_rows(&model, columns, rows) {
                    let row_end = line.rsplit("  ").next().unwrap_or_default();
                    checked += usize::from(states.iter().any(|state| state == row_end));
                    let Some(state_start) =
                        row_end.strip_suffix('…').filter(|start| start.len() > 3)
                    else {
                        continue;
                    };
                    let cut_state = states.iter().find(|state| state.starts_with(state_start));
                    assert_eq!(
                        cut_state,
                        None,
                        "{name} at {columns}x{rows}, {}:\n{line}",
                        lang.tag()
                    );
                }
            }
        }
    }
    assert!(checked > 100, "{checked}");
}

/// Returns the links pane. All totals in it show this amount.
fn links_pane_with_totals(lang: Lang, centavos: i64) -> Model {
    let mut model = payments::links_pane(lang, payments::URL);
    let mut figures = RecentTotals::on(NOW, OFFSET).unwrap();
    for is_paid in [true, false] {
        let sum = Money::from_centavos(centavos);
        figures
            .add_links(figures.today, is_paid, LinksTotal { count: 120, sum })
            .unwrap();
    }
    model.links.last_totals.as_mut().unwrap().figures = Some(Box::new(figures));
    model
}

#[test]
fn totals_strip_has_all_its_columns() {
    for lang in Lang::ALL {
        let headings = ["strip-links", "strip-sum", "strip-marked", "strip-others"];
        let headings = headings.map(|id| Catalogue::of(lang).text(id));
        for (columns, rows) in [(100, 34), (110, 36), (120, 40), (200, 60)] {
            for sum in [5_000_000, 99_999_999, 999_999_999_999] {
                let lines = list_rows(&links_pane_with_totals(lang, sum), columns, rows);
                let context = format!("{columns}x{rows}, {}:\n{}", lang.tag(), lines.join("\n"));
                let heading_row = lines
                    .iter()
                    .find(|line| line.contains(&headings[0]) && line.contains(&headings[1]));
                let heading_row = heading_row.unwrap_or_else(|| panic!("{context}"));
                let has_all = headings
                    .iter()
                    .all(|heading| heading_row.contains(heading.as_str()));
                assert!(has_all, "{context}");
                let figure = Money::from_centavos(sum).format_number();
                let count = lines
                    .iter()
                    .filter(|line| line.matches(&figure).count() == 2)
                    .count();
                assert_eq!(count, 3, "{context}");
            }
        }
    }
}

/// The totals are those of all links, so they are not shown above the links of a search or filter.
#[test]
fn link_totals_are_hidden_above_some_links() {
    for lang in Lang::ALL {
        let heading = Catalogue::of(lang).text("strip-marked");
        let mut model = links_pane_with_totals(lang, 10_000);
        model.links.list.page = Default::default();
        let without_links = list_rows(&model, 120, 40);
        assert!(
            !without_links.iter().any(|line| line.contains(&heading)),
            "{without_links:?}"
        );
        // The title of an empty list is further up, because such a list has no row for totals.
        let title = Catalogue::of(lang).text("links-empty-title");
        assert!(
            without_links[6].contains(&title) || without_links[5].contains(&title),
            "{without_links:?}"
        );
        model.links.list.query = "zzz".into();
        let with_query = list_rows(&model, 120, 40);
        assert!(
            !with_query.iter().any(|line| line.contains(&heading)),
            "{with_query:?}"
        );
        model.links.list.query = "".into();
        model.links.filter.paid = Some(true);
        let with_filter = list_rows(&model, 120, 40);
        assert!(
            !with_filter.iter().any(|line| line.contains(&heading)),
            "{with_filter:?}"
        );
        let mut model = links_pane_with_totals(lang, 10_000);
        assert!(
            list_rows(&model, 120, 40)
                .iter()
                .any(|line| line.contains(&heading))
        );
        model.links.filter.paid = Some(true);
        let some = list_rows(&model, 120, 40);
        assert!(!some.iter().any(|line| line.contains(&heading)), "{some:?}");
    }
}

#[test]
fn list_with_hidden_rows_is_marked() {
    let mut checked = 0;
    for lang in Lang::ALL {
        let find = |name: &str| find_model(lang, name);
        let open = find("banner-unknown").withdrawals.open.clone();
        for (has_banner, cursor) in (0..13).flat_map(|row| [(false, row), (true, row)]) {
            let mut model = find("domains-listed");
            let mut domains = model.domains.listed.as_deref().unwrap().to_vec();
            let other = |n| CheckoutDomain {
                host: format!("loja-{n}").into(),
                ..domains[0].clone()
            };
            let others: Vec<_> = (0..8).map(other).collect();
            domains.splice(1..1, others);
            model.domains.listed = Some(domains.into());
            model.domains.cursor = cursor;
            if has_banner {
                model.withdrawals.open.clone_from(&open);
            }
            let lines = list_rows(&model, 60, 18);
            let rows = lines
                .iter()
                .skip(4)
                .filter(|line| line.contains(['○', '●', '↑', '↓']));
            let rows = rows.take_while(|line| !line.contains("PgDn"));
            let rows = rows.cloned().collect::<Vec<_>>().join("\n");
            let context = format!(
                "{} with the cursor on {cursor}:\n{}",
                lang.tag(),
                lines.join("\n")
            );
            let hidden = [
                ("↑", !rows.contains("auto")),
                ("↓", !rows.contains("velha")),
            ];
            for (arrow, hidden) in hidden {
                assert!(!hidden || rows.contains(arrow), "no {arrow} in {context}");
                assert!(hidden || !rows.contains(arrow), "{arrow} in {context}");
            }
            checked += usize::from(hidden[0].1 || hidden[1].1);
        }
        // An arrow must mark hidden rows of the list of known Pix keys in the withdrawal form.
        let lines = list_rows(&find("withdraw-centavo-known"), 80, 21);
        let visible_count = lines.iter().filter(|line| line.contains('•')).count();
        let has_arrow = lines
            .iter()
            .any(|line| line.trim_start().starts_with(['↑', '↓']));
        assert!(has_arrow, "{visible_count} shown:\n{}", lines.join("\n"));
    }
    assert!(checked > 15, "{checked}");
}

#[test]
fn domain_details_are_beside_list_in_wide_terminal() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let find = |name: &str| find_model(lang, name);
        for (columns, rows) in [(120, 40), (200, 60)] {
            let mut model = find("domains-listed");
            model.domains.cursor = 3;
            let screen = text(&buffer(&model, columns, rows));
            let lines: Vec<_> = screen.lines().collect();
            let row = lines
                .iter()
                .position(|line| line.contains("○ ") && line.contains("auto"));
            let details_text = lines[row.unwrap()].rsplit("│ ").next().unwrap();
            assert_eq!(details_text, "nova.localhost", "{screen}");
            assert!(lines[row.unwrap() + 1].contains("pending_dns"), "{screen}");
            // The list must show the complete state of each domain. The details must show what the
            // selected domain still lacks.
            let list = list_rows(&model, columns, rows).join("\n");
            assert!(!list.contains('…'), "{list}");
            assert!(
                screen.contains(&words.text("domain-lacks")[..20]),
                "{screen}"
            );
            // Enter must select the domain, and must not open its details.
            press(&mut model, "Enter");
            assert!(model.layers.is_empty());
            assert_eq!(
                model.domains.choice,
                DomainChoice::Named("nova.localhost".into())
            );
        }
    }
}

/// The column at which a text ends in a row of the screen.
fn end_of(line: &str, text: &str) -> Option<usize> {
    let (before, _) = line.split_once(text)?;
    Some(before.chars().count() + text.chars().count())
}

/// In a list of links, the sum of a day ends where the amounts end, the number of links begins
/// where the descriptions begin, and the paid part is at the right edge.
#[test]
fn day_heads_are_aligned_with_rows_at_every_width() {
    for (lang, heads) in [
        (Lang::Pt, [("hoje", "4 criados"), ("ontem", "3 criados")]),
        (
            Lang::En,
            [("today", "4 created"), ("yesterday", "3 created")],
        ),
    ] {
        let mut model = find_model(lang, "links").clone();
        let totals = model.links.last_totals.as_mut().unwrap();
        totals.days[1].sum = Money::from_centavos(123_456_789);
        for columns in 60..=200 {
            model.size = Size { columns, rows: 24 };
            let lines = list_rows(&model, columns, 24);
            let context = format!("{columns} {}:\n{}", lang.tag(), lines.join("\n"));
            let line_of = |text: &str| {
                let mut found = lines.iter().filter(|line| line.contains(text));
                found
                    .next()
                    .unwrap_or_else(|| panic!("no {text} at {context}"))
            };
            let row = line_of("R$ 49,90");
            let amount_end = end_of(row, "R$ 49,90").unwrap();
            let description = row.chars().skip(amount_end).position(|c| c != ' ');
            let description_start = amount_end + description.unwrap();
            let mut ends = vec![];
            for ((name, count), sum) in heads.into_iter().zip(["R$ 329,60", "R$ 1.234.567,89"]) {
                let head = line_of(count);
                assert!(
                    head.starts_with(&format!(" {name}  ")),
                    "{head} at {context}"
                );
                assert_eq!(end_of(head, sum), Some(amount_end), "{head} at {context}");
                let count_start = end_of(head, count).unwrap() - count.chars().count();
                assert_eq!(count_start, description_start, "{head} at {context}");
                // The rule between list and details is not part of the list.
                let head = head.trim_end_matches('│').trim_end();
                ends.push(head.chars().count());
            }
            let list_width = geometry::details(Area {
                width: columns,
                height: 20,
                ..Area::default()
            });
            let list_end = list_width.map_or(columns, |details| details.x - 1) - 1;
            assert_eq!(ends, [usize::from(list_end); 2], "{context}");
        }
    }
}
