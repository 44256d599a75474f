//! Lines that a seller teaches: where a value of a reply was pointed to, and what would be read
//! there.

use serde_json::Value;

use super::reply_tree::ReplyTree;
use super::settings::{ContractError, ContractSettings, Setting, SettingValue};
use super::sought::{SoughtKind, SoughtLine};
use super::{Contract, DomainsSpec, JsonPaths, Pointer, operations, read_domains};
use crate::trade::{CheckoutDomain, DomainState, Money, Untrusted};

/// A line as it is taught: its name, such as `fee_preview.net`, and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaughtLine {
    /// The name.
    pub name: String,
    /// The value.
    pub value: SettingValue,
}

/// The value that one line reads in a reply.
#[derive(Debug, Clone, PartialEq)]
pub enum ReadValue {
    /// Nothing.
    Nothing,
    /// A text that is not shown.
    Hidden,
    /// A text.
    Text(Untrusted),
    /// An amount.
    Amount(Money),
    /// A list of so many.
    Entries(usize),
    /// These domains.
    Domains(Vec<CheckoutDomain>),
}

impl Contract {
    /// The same contract with these lines in place of its own; an error says what one takes.
    ///
    /// As any line of the seller's they are assumed.
    pub fn taught(&self, lines: &[TaughtLine]) -> Result<Contract, ContractError> {
        let mut settings = ContractSettings::in_force(&self.settings, self.claims);
        for line in lines {
            settings.teach(&line.name, &line.value);
        }
        let read = operations::read(settings)?;
        let (of_profile, confirmed) = (self.of_profile.clone(), self.confirmed.clone());
        Ok(Contract { needs_consent: true, of_profile, confirmed, ..read })
    }

    /// Returns the same contract in the place of another one: what the profile adds is the same,
    /// and what was confirmed stays so.
    pub fn in_place_of(self, other: &Contract) -> Contract {
        self.of_profile(&other.of_profile).confirmed_by(&other.confirmed)
    }

    /// Returns the value of a line in force.
    pub fn value(&self, name: &str) -> Option<&SettingValue> {
        self.settings.get(name).map(|setting| &setting.value)
    }

    /// Returns the lines by which what this pointer points to is read from now on.
    ///
    /// `None` where that line cannot point there: an entry's host outside the list, for example.
    pub fn pointed(&self, name: &str, pointer: &str, reply: &ReplyTree) -> Option<Vec<TaughtLine>> {
        let reply = &reply.json;
        let line = |name: &str, value| TaughtLine { name: name.to_owned(), value };
        let texts = |name: &str, all: Vec<String>| line(name, SettingValue::Texts(all));
        let (operation, _) = name.split_once('.')?;
        if name == "domains.under" {
            let entries = match reply.pointer(pointer)? {
                Value::Array(_) => "items",
                Value::Object(_) => "members",
                _ => return None,
            };
            let entries = line("domains.entries", SettingValue::Text(entries.to_owned()));
            return Some(vec![texts(name, vec![pointer.to_owned()]), entries]);
        }
        if operation == "domains" {
            let (list, _) = self.domains.found_list(reply)?;
            let inside = pointer.strip_prefix(list.as_str())?.strip_prefix('/')?;
            let (_, inside) = inside.split_once('/')?;
            return Some(vec![texts(name, vec![format!("/{inside}")])]);
        }
        let under = format!("{operation}.under");
        let mut bases = self.settings.get(&under).map_or(vec![], |bases| bases.texts().to_vec());
        if bases.is_empty() {
            bases.push(String::new());
        }
        let below = |base: &String| {
            let inside = pointer.strip_prefix(base.as_str())?;
            inside.starts_with('/').then(|| inside.to_owned())
        };
        if let Some(inside) = bases.iter().find_map(below) {
            return Some(vec![texts(name, vec![inside])]);
        }
        bases.insert(0, String::new());
        Some(vec![texts(&under, bases), texts(name, vec![pointer.to_owned()])])
    }

    /// Returns what one line reads in a reply.
    pub fn reads(&self, line: &SoughtLine, reply: &ReplyTree) -> ReadValue {
        let reply = &reply.json;
        let places = self.places(line.name);
        let amounts = match line.name.starts_with("fee_preview.") {
            true => self.fee_preview.amounts,
            false => self.withdrawal.form.amounts,
        };
        let domains = || read_domains(&self.domains, reply);
        let read = match line.kind {
            SoughtKind::Secret => places.str(reply).map(|_| ReadValue::Hidden),
            SoughtKind::Text | SoughtKind::Address => places.text(reply).map(ReadValue::Text),
            SoughtKind::PixCode => places.pix_code(reply).map(ReadValue::Text),
            SoughtKind::Amount => places.money(reply, amounts).map(ReadValue::Amount),
            SoughtKind::List => {
                self.domains.found_list(reply).map(|(_, list)| ReadValue::Entries(list.len()))
            }
            SoughtKind::Host => domains().map(ReadValue::Domains),
            // Without a word about it every one can be used, and nothing was read.
            SoughtKind::State => domains()
                .filter(|all| all.iter().any(|one| one.state != DomainState::Usable))
                .map(ReadValue::Domains),
        };
        read.unwrap_or(ReadValue::Nothing)
    }

    /// The places at which a line looks.
    fn places(&self, name: &str) -> JsonPaths {
        let pointers = |name: &str| -> Vec<Pointer> {
            let texts = self.settings.get(name).map(Setting::texts).unwrap_or_default();
            texts.iter().filter_map(|text| Pointer::parse(text)).collect()
        };
        let mut bases = pointers(&format!("{}.under", name.split('.').next().unwrap_or_default()));
        if bases.is_empty() {
            bases.extend(Pointer::root());
        }
        JsonPaths::new(&bases, &pointers(name))
    }
}

impl DomainsSpec {
    /// The list in a reply, and where it stands.
    fn found_list<'v>(&self, reply: &'v Value) -> Option<(&Pointer, Vec<&'v Value>)> {
        self.list.found(reply, |value| self.entries.of(value)).map(|(pointer, entries)| {
            (pointer, entries.into_iter().map(|(_, entry)| entry).collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::Operation;

    fn tree(body: &str) -> ReplyTree {
        ReplyTree::read(&body.into()).unwrap()
    }

    /// What is read once this line was pointed there, and the lines that it took.
    fn pointed(contract: &Contract, name: &str, pointer: &str, body: &str) -> (ReadValue, String) {
        let all = [
            Operation::Login,
            Operation::Domains,
            Operation::CreateLink,
            Operation::FeePreview,
            Operation::Withdrawal,
        ];
        let line = all.into_iter().flat_map(SoughtLine::of).find(|line| line.name == name).unwrap();
        let tree = tree(body);
        let Some(lines) = contract.pointed(name, pointer, &tree) else {
            return (ReadValue::Nothing, String::new());
        };
        let told: Vec<_> =
            lines.iter().map(|line| format!("{}={}", line.name, line.value.text())).collect();
        (contract.taught(&lines).unwrap().reads(line, &tree), told.join(" "))
    }

    fn brl(text: &str) -> ReadValue {
        ReadValue::Amount(Money::parse_wire(text).unwrap())
    }

    #[test]
    fn what_was_pointed_to_is_read_wherever_it_stands() {
        let built_in = Contract::built_in();
        let body = r#"{"resumo": {"liquido": "97.95"}, "data": {"sobra": 97.9}}"#;
        assert_eq!(
            pointed(&built_in, "fee_preview.net", "/resumo/liquido", body),
            (brl("97.95"), r#"fee_preview.net=["/resumo/liquido"]"#.into())
        );
        // Under one of the bases the rest is enough.
        let enveloped = Contract::with(&[("c", "fee_preview.under = ['/data']")]).unwrap();
        assert_eq!(
            pointed(&enveloped, "fee_preview.net", "/data/sobra", body),
            (brl("97.9"), r#"fee_preview.net=["/sobra"]"#.into())
        );
        // Beside all of them the reply itself becomes one.
        assert_eq!(
            pointed(&enveloped, "fee_preview.net", "/resumo/liquido", body),
            (
                brl("97.95"),
                r#"fee_preview.under=["", "/data"] fee_preview.net=["/resumo/liquido"]"#.into()
            )
        );
        let centavos = Contract::with(&[("c", "fee_preview.unit = 'centavos'")]).unwrap();
        let read = pointed(&centavos, "fee_preview.net", "/n", r#"{"n": 9795}"#);
        assert_eq!(read.0, brl("97.95"));
        assert_eq!(
            pointed(&built_in, "login.token", "/acesso/chave", r#"{"acesso": {"chave": "…"}}"#).0,
            ReadValue::Hidden
        );
        assert_eq!(
            pointed(&built_in, "create_link.url", "/a~1b", r#"{"a/b": "https://x/"}"#).0,
            ReadValue::Text("https://x/".into())
        );
    }

    #[test]
    fn a_list_of_domains_is_taught_as_it_is() {
        let built_in = Contract::built_in();
        let body = r#"{"lojas": {"a.example": {"situacao": "ok"}}, "v": [{"u": "b.example"}]}"#;
        let (read, lines) = pointed(&built_in, "domains.under", "/lojas", body);
        assert_eq!(read, ReadValue::Entries(1));
        assert_eq!(lines, r#"domains.under=["/lojas"] domains.entries="members""#);
        let lines = built_in.pointed("domains.under", "/v", &tree(body)).unwrap();
        let listed = built_in.taught(&lines).unwrap();
        let (read, lines) = pointed(&listed, "domains.host", "/v/0/u", body);
        assert_eq!(lines, r#"domains.host=["/u"]"#);
        let ReadValue::Domains(domains) = read else { panic!("{read:?}") };
        assert_eq!(domains[0].host.shown(), "b.example");
        // An entry's host stands in an entry.
        for elsewhere in ["/v", "/v/0", "/lojas/a.example/situacao", ""] {
            assert_eq!(pointed(&listed, "domains.host", elsewhere, body).1, "", "{elsewhere}");
        }
        assert_eq!(pointed(&built_in, "domains.under", "/v/0/u", body).1, "");
    }

    /// A reply with this number under these keys, and something else beside each of them.
    fn nested(keys: &[String], leaf: &str) -> (String, String) {
        let mut value: Value = serde_json::from_str(leaf).unwrap();
        let mut pointer = String::new();
        for key in keys.iter().rev() {
            value = serde_json::json!({ key.as_str(): value, format!("{key}+"): 1 });
            let escaped = key.replace('~', "~0").replace('/', "~1");
            pointer = format!("/{escaped}{pointer}");
        }
        (value.to_string(), pointer)
    }

    proptest::proptest! {
        #[test]
        fn an_amount_is_read_where_it_was_pointed_to_in_every_unit(
            keys in proptest::collection::vec("[a-z~/0]{0,6}", 1..5),
            under in proptest::collection::vec("(/[a-z]{1,3}){0,2}", 0..3),
            centavos in 0..10_000_000_i64,
        ) {
            let bases = serde_json::json!(under).to_string();
            for (unit, wire) in [
                ("reais", Money::from_centavos(centavos).wire()),
                ("centavos", centavos.to_string()),
            ] {
                let lines = format!("fee_preview.under = {bases}\nfee_preview.unit = '{unit}'");
                let contract = Contract::with(&[("c", &lines)]);
                // A base that stands there twice is refused, whatever is taught.
                let Ok(contract) = contract else { continue };
                let (body, pointer) = nested(&keys, &wire);
                let (read, lines) = pointed(&contract, "fee_preview.net", &pointer, &body);
                let net = ReadValue::Amount(Money::from_centavos(centavos));
                proptest::prop_assert_eq!(read, net, "{} {}", body, lines);
            }
        }

        #[test]
        fn lines_that_are_taught_are_those_that_a_file_says(
            net in proptest::collection::vec("(/[a-z]{1,4}){1,3}", 1..4),
            header in "X-[A-Z][a-z]{1,6}",
            unit in proptest::sample::select(vec!["reais", "centavos"]),
            turned in proptest::bool::ANY,
        ) {
            let text = |name: &str, value: &str| TaughtLine {
                name: name.into(),
                value: SettingValue::Text(value.into()),
            };
            let mut lines = vec![
                TaughtLine { name: "fee_preview.net".into(), value: SettingValue::Texts(net) },
                text("withdrawal.key_header", &header),
                text("withdrawal.unit", unit),
            ];
            let file: Vec<_> =
                lines.iter().map(|line| format!("{} = {}", line.name, line.value.text())).collect();
            if turned {
                lines.reverse();
            }
            let base = Contract::with(&[("one", "create_link.success = [200]")]).unwrap();
            let taught = base.taught(&lines);
            let all = [("one", "create_link.success = [200]"), ("two", &file.join("\n"))];
            let written = Contract::with(&all);
            match (taught, written) {
                (Ok(taught), Ok(written)) => {
                    proptest::prop_assert_eq!(taught.lines(), written.lines());
                    for name in written.settings.keys() {
                        proptest::prop_assert_eq!(taught.value(name), written.value(name));
                    }
                }
                (Err(_), Err(_)) => {}
                (taught, written) => {
                    proptest::prop_assert!(false, "{:?} {:?}", taught.err(), written.err());
                }
            }
        }
    }
}
