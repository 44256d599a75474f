//! Tests that each row of a list shows enough to identify its item. If some rows are hidden, arrows
//! at the edge of the list must show this.

use balcao::app::screens::Layer;
use balcao::app::ui::input::Size;
use balcao::app::ui::{Area, geometry};
use balcao::app::{Model, Pane, next_deadline};
use balcao::trade::{CheckoutDomain, DomainChoice, LinksTotal, Money, RecentTotals};
use balcao::words::{Catalogue, Lang};

use crate::models::{NOW, OFFSET, all, buffer, named, press, text};
use crate::models_money::{payments, withdrawals};

/// Returns the rows of the list. The details beside the list are cut off.
fn listed(model: &Model, columns: u16, rows: u16) -> Vec<String> {
    let aside = geometry::details(Area { width: columns, ..Area::default() });
    let end = aside.map_or(columns, |aside| aside.x);
    let screen = text(&buffer(model, columns, rows));
    let part = |line: &str| line.chars().take(end.into()).collect::<String>();
    screen.lines().map(|line| part(line).trim_end().to_owned()).collect()
}

#[test]
fn withdrawal_rows_name_destination_at_every_size() {
    for lang in Lang::ALL {
        let say = Catalogue::of(lang);
        let model = withdrawals::lately(lang);
        for (columns, rows) in [(80, 24), (100, 30), (110, 34), (120, 40), (200, 60)] {
            let lines = listed(&model, columns, rows);
            let at = format!("{columns}x{rows}, {}:\n{}", lang.tag(), lines.join("\n"));
            let has = |words: &str| lines.iter().filter(|line| line.contains(words)).count();
            for (kind, count) in
                [("cpf", 1), ("cnpj", 2), ("phone", 1), ("email", 1), ("random", 1)]
            {
                // Compare only the first letters of the Pix key's kind, because the name of the
                // kind may be cut off.
                let name = say.text(&format!("pix-kind-{kind}"));
                let begin: String = name.chars().take(4).collect();
                // The row shows only the Pix key if there is no room for both the key and the name
                // of its kind.
                let bare = match kind {
                    "cnpj" => has("  11.222.333/0001-81"),
                    "phone" => has("  +55 11 98765-4321"),
                    "email" => has("  contador@"),
                    "random" => has("  123e4567-"),
                    _ => 0,
                };
                assert_eq!(has(&format!("  {begin}")) + bare, count, "{name} at {at}");
            }
            // The state of a withdrawal must never be cut off.
            assert_eq!(has(&say.text("state-accepted")), 5, "{at}");
            // There is less room for the Pix key in English, because the name of the state is
            // longer.
            let is_roomy = columns != 100 && (columns != 110 || lang == Lang::Pt);
            for key in ["+55 11 98765-4321", "529.982.247-25", "11.222.333/0001-81"] {
                // The Pix key may lose its last two characters at 120 columns, because the details
                // beside the list need room.
                let key = if columns == 120 { &key[..key.len() - 2] } else { key };
                assert!(!is_roomy || has(key) > 0, "{key} at {at}");
            }
            assert!(has("contador@contas-certas.example") > 0 || columns < 200, "{at}");
        }
    }
}

#[test]
fn nickname_is_beside_key_if_time_makes_room() {
    for (lang, with_year) in [(Lang::Pt, "19/11/2026"), (Lang::En, "19 Nov 2026")] {
        let mut model = withdrawals::lately(lang);
        let mut shown = model.withdrawals.list.page.rows.to_vec();
        shown[2].agreement.amount = shown[1].agreement.amount;
        model.withdrawals.list.page.rows = shown.into();
        for (columns, rows) in [(80, 24), (200, 60)] {
            let lines = listed(&model, columns, rows);
            let at = lines.join("\n");
            let key = "11.222.333/0001-81 · Con";
            assert_eq!(lines.iter().filter(|line| line.contains(key)).count(), 2, "{at}");
            assert_eq!(at.contains(with_year), columns > 80, "{at}");
        }
        // There is room for the year if there are no nicknames and no long e-mail address. Remove
        // the row with such an address.
        let mut plain = model;
        plain.nicknames = Default::default();
        let short = plain.withdrawals.list.page.rows.iter().take(4).cloned();
        plain.withdrawals.list.page.rows = short.collect();
        let lines = listed(&plain, 80, 24).join("\n");
        assert!(lines.contains(with_year), "{lines}");
    }
}

#[test]
fn nickname_takes_precedence_over_key_kind() {
    for lang in Lang::ALL {
        let model = withdrawals::lately(lang);
        for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
            let at = listed(&model, columns, rows).join("\n");
            // The nickname may be cut off at 120 columns, because the details beside the list need
            // room.
            let nickname = match (columns, lang) {
                (120, Lang::Pt) => "11.222.333/0001-81 · Conta",
                (120, Lang::En) => "11.222.333/0001-81",
                _ => "11.222.333/0001-81 · Conta PJ",
            };
            let named = at.lines().filter(|line| line.contains(nickname));
            assert_eq!(named.count(), 2, "{at}");
        }
    }
}

/// Returns the texts for all states of payment links and direct payments.
fn states(lang: Lang) -> Vec<String> {
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
        let over = Catalogue::of(lang).text("charges-expired");
        let find = |name: &str| named(lang, name);
        for (name, is_over) in [("charge-expired", true), ("charge-running-out", false)] {
            let mut model = find(name);
            let Some(Layer::Charge(charge)) = model.layers.pop() else { panic!("{name}") };
            model.charges.page.rows = vec![charge.0].into();
            model.size = Size { columns: 80, rows: 24 };
            let rows = listed(&model, 80, 24).join("\n");
            assert_eq!(rows.contains(&over), is_over, "{name}:\n{rows}");
            assert_eq!(next_deadline(&model).is_some(), !is_over, "{name}");
        }
    }
}

#[test]
fn a_state_is_whole_before_a_description_is() {
    let mut seen = 0;
    for lang in Lang::ALL {
        let states = states(lang);
        for (name, model) in all(lang) {
            if !model.layers.is_empty() || ![Pane::Links, Pane::Charges].contains(&model.pane) {
                continue;
            }
            for (columns, rows) in [(60, 18), (80, 24), (100, 34), (120, 40), (200, 60)] {
                for line in listed(&model, columns, rows) {
                    let tag = line.rsplit("  ").next().unwrap_or_default();
                    seen += usize::from(states.iter().any(|state| state == tag));
                    let Some(begin) = tag.strip_suffix('…').filter(|tag| tag.len() > 3) else {
                        continue;
                    };
                    let cut = states.iter().find(|state| state.starts_with(begin));
                    assert_eq!(cut, None, "{name} at {columns}x{rows}, {}:\n{line}", lang.tag());
                }
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

/// Returns the links pane. All totals in it show this amount.
fn with_sums(lang: Lang, centavos: i64) -> Model {
    let mut model = payments::links_pane(lang, payments::URL);
    let mut figures = RecentTotals::on(NOW, OFFSET).unwrap();
    for is_paid in [true, false] {
        let sum = Money::from_centavos(centavos);
        figures.count(figures.today, is_paid, LinksTotal { count: 120, sum }).unwrap();
    }
    model.links.last_totals.as_mut().unwrap().figures = Some(Box::new(figures));
    model
}

#[test]
fn the_strip_has_all_its_columns() {
    for lang in Lang::ALL {
        let heads = ["strip-links", "strip-sum", "strip-marked", "strip-others"];
        let heads = heads.map(|id| Catalogue::of(lang).text(id));
        for (columns, rows) in [(100, 34), (110, 36), (120, 40), (200, 60)] {
            for sum in [5_000_000, 99_999_999, 999_999_999_999] {
                let lines = listed(&with_sums(lang, sum), columns, rows);
                let at = format!("{columns}x{rows}, {}:\n{}", lang.tag(), lines.join("\n"));
                let head =
                    lines.iter().find(|line| line.contains(&heads[0]) && line.contains(&heads[1]));
                let head = head.unwrap_or_else(|| panic!("{at}"));
                let has_all = heads.iter().all(|head_of| head.contains(head_of.as_str()));
                assert!(has_all, "{at}");
                let figure = Money::from_centavos(sum).figure();
                let count = lines.iter().filter(|line| line.matches(&figure).count() == 2).count();
                assert_eq!(count, 3, "{at}");
            }
        }
    }
}

#[test]
fn link_totals_are_shown_for_an_empty_result() {
    for lang in Lang::ALL {
        let head = Catalogue::of(lang).text("strip-marked");
        let mut model = with_sums(lang, 10_000);
        model.links.list.page = Default::default();
        let none_yet = listed(&model, 120, 40);
        assert!(!none_yet.iter().any(|line| line.contains(&head)), "{none_yet:?}");
        // The title of an empty list is further up, because such a list has no row for totals.
        let title = Catalogue::of(lang).text("links-empty-title");
        assert!(none_yet[6].contains(&title) || none_yet[5].contains(&title), "{none_yet:?}");
        model.links.list.query = "zzz".into();
        let searched = listed(&model, 120, 40);
        assert!(searched.iter().any(|line| line.contains(&head)), "{searched:?}");
        model.links.list.query = "".into();
        model.links.filter.paid = Some(true);
        let filtered = listed(&model, 120, 40);
        assert!(filtered.iter().any(|line| line.contains(&head)), "{filtered:?}");
    }
}

#[test]
fn list_with_hidden_rows_is_marked() {
    let mut seen = 0;
    for lang in Lang::ALL {
        let find = |name: &str| named(lang, name);
        let open = find("banner-unknown").withdrawals.open.clone();
        for (has_banner, cursor) in (0..13).flat_map(|row| [(false, row), (true, row)]) {
            let mut model = find("domains-listed");
            let mut domains = model.domains.listed.as_deref().unwrap().to_vec();
            let other =
                |n| CheckoutDomain { host: format!("loja-{n}").into(), ..domains[0].clone() };
            let others: Vec<_> = (0..8).map(other).collect();
            domains.splice(1..1, others);
            model.domains.listed = Some(domains.into());
            model.domains.cursor = cursor;
            if has_banner {
                model.withdrawals.open.clone_from(&open);
            }
            let lines = listed(&model, 60, 18);
            let rows = lines.iter().skip(4).filter(|line| line.contains(['○', '●', '↑', '↓']));
            let rows = rows.take_while(|line| !line.contains("PgDn"));
            let rows = rows.cloned().collect::<Vec<_>>().join("\n");
            let at = format!("{} with the cursor on {cursor}:\n{}", lang.tag(), lines.join("\n"));
            let hides = [("↑", !rows.contains("auto")), ("↓", !rows.contains("velha"))];
            for (sign, hides) in hides {
                assert!(!hides || rows.contains(sign), "no {sign} in {at}");
                assert!(hides || !rows.contains(sign), "{sign} in {at}");
            }
            seen += usize::from(hides[0].1 || hides[1].1);
        }
        // An arrow must mark hidden rows of the list of known Pix keys in the withdrawal form.
        let lines = listed(&find("withdraw-centavo-known"), 80, 21);
        let shown = lines.iter().filter(|line| line.contains('•')).count();
        let signs = lines.iter().any(|line| line.trim_start().starts_with(['↑', '↓']));
        assert!(signs, "{shown} shown:\n{}", lines.join("\n"));
    }
    assert!(seen > 15, "{seen}");
}

#[test]
fn domain_details_are_beside_list_in_wide_terminal() {
    for lang in Lang::ALL {
        let say = Catalogue::of(lang);
        let find = |name: &str| named(lang, name);
        for (columns, rows) in [(120, 40), (200, 60)] {
            let mut model = find("domains-listed");
            model.domains.cursor = 3;
            let screen = text(&buffer(&model, columns, rows));
            let lines: Vec<_> = screen.lines().collect();
            let row = lines.iter().position(|line| line.contains("○ ") && line.contains("auto"));
            let beside = lines[row.unwrap()].rsplit("  ").next().unwrap();
            assert_eq!(beside, "nova.localhost", "{screen}");
            assert!(lines[row.unwrap() + 1].contains("pending_dns"), "{screen}");
            // The list must show the complete state of each domain. The details must show what the
            // selected domain still lacks.
            let list = listed(&model, columns, rows).join("\n");
            assert!(!list.contains('…'), "{list}");
            assert!(screen.contains(&say.text("domain-lacks")[..20]), "{screen}");
            // Enter must select the domain, and must not open its details.
            press(&mut model, "Enter");
            assert!(model.layers.is_empty());
            assert_eq!(model.domains.choice, DomainChoice::Named("nova.localhost".into()));
        }
    }
}
