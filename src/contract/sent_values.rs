//! Compares a reply with what its request sent, so that no row is suggested that contradicts it.

use url::Url;

use super::domains::next_page_pointer;
use super::members::members;
use super::reply_places::name_words;
use super::reply_setting::{
    ECHO_AMOUNT, ECHO_DESTINATION, FEE, JWT, NET, ReplySetting, ReplyValueKind, fits_kind,
};
use super::reply_tree::{ReplyTree, TreeRow};
use super::teaching::TaughtSetting;
use super::{AmountFormat, Contract, FieldKind};
use crate::trade::{Exchange, Money, Operation, Quote, QuoteFault, Wall};

/// Words in the name of a value, or of an object around it, that is no amount of money.
const NOT_AMOUNTS: [&str; 9] = [
    "id", "type", "tipo", "code", "codigo", "código", "page", "pagina", "página",
];

/// The values that a request sent.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SentValues {
    /// The amount; `None` if the request has no amount that can be read.
    pub amount: Option<Money>,
    /// The Pix key of a withdrawal.
    pub(super) destination: Option<String>,
    /// All values, as text.
    pub(super) texts: Vec<String>,
}

/// How a fee preview fits the amount that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureFit {
    /// The figures add up, or there is nothing to compare.
    Fits,
    /// The figures add up only if amounts are in the other unit.
    FitsInOtherUnit,
    /// The figures do not add up.
    Contradicts,
}

/// The values in the query of the URL and in the request body, with their names.
fn named_values(url: &str, body: Option<&str>) -> Vec<(String, String)> {
    let body = body.map(members).unwrap_or_default();
    let body = body
        .iter()
        .map(|member| (member.name(), member.value.text().to_owned()));
    let url = Url::parse(url).ok();
    let query = url.iter().flat_map(Url::query_pairs);
    let query = query.map(|(name, value)| (name.into_owned(), value.into_owned()));
    query.chain(body).collect()
}

impl Contract {
    /// Reads what a request sent. The API contract must be the one that shaped the request.
    pub fn sent_values(&self, exchange: &Exchange) -> SentValues {
        let values = named_values(&exchange.url, exchange.request_body.as_deref());
        let amount = self.find_amount(exchange.operation, &values);
        let fields = self
            .body_of(exchange.operation)
            .map_or(&[][..], |form| &form.fields);
        let key = fields.iter().find(|field| field.kind == FieldKind::PixKey);
        let destination = key
            .and_then(|key| {
                values
                    .iter()
                    .find(|(own, _)| own == &key.name)
                    .map(|(_, text)| text)
            })
            .cloned();
        SentValues {
            amount,
            destination,
            texts: values.into_iter().map(|(_, text)| text).collect(),
        }
    }

    /// The description in the body of a withdrawal; `None` if the body has none.
    pub fn withdrawal_description(&self, body: &str) -> Option<String> {
        let field = self.withdrawal.form.field("description")?;
        let members = members(body);
        let member = members
            .iter()
            .find(|member| member.pointer() == field.pointer())?;
        Some(member.value.text().to_owned()).filter(|text| !text.is_empty())
    }

    /// The amount in a request of this operation; `None` if it has no amount that can be read.
    pub fn requested_amount(
        &self,
        operation: Operation,
        url: &str,
        body: Option<&str>,
    ) -> Option<Money> {
        self.find_amount(operation, &named_values(url, body))
    }

    fn find_amount(&self, operation: Operation, values: &[(String, String)]) -> Option<Money> {
        let (name, format) = self.amount_name_and_format(operation)?;
        let (_, text) = values.iter().find(|(own, _)| own == name)?;
        format.read_sent(text)
    }

    /// The index of the row at which the seller probably finds the value of this setting. Returns
    /// `None` if no row fits, or if several rows fit equally well.
    pub fn suggest_row(
        &self,
        setting: &ReplySetting,
        reply: &ReplyTree,
        sent: &SentValues,
    ) -> Option<usize> {
        match (setting.kind, sent.amount) {
            (ReplyValueKind::Amount, _) if setting == ECHO_AMOUNT => {
                let echoes = reply.amounts(self.withdrawal.form.amounts);
                echoes
                    .into_iter()
                    .find(|(_, echo)| Some(*echo) == sent.amount)
                    .map(|(row, _)| row)
            }
            (ReplyValueKind::Amount, Some(amount)) => self.suggest_figure(setting, reply, amount),
            (ReplyValueKind::State, _) if self.is_unread(setting, reply) => {
                let path = self.unread_state(reply)?;
                reply
                    .rows
                    .iter()
                    .position(|row| row.pointer.ends_with(&path))
            }
            (ReplyValueKind::NextPage, _) if self.is_unread(setting, reply) => {
                let pointer = next_page_pointer(&reply.json)?;
                reply.rows.iter().position(|row| row.pointer == pointer)
            }
            _ => {
                let token = self.token_pointer(reply).filter(|_| setting == JWT);
                reply.suggest_row(setting, token.as_deref(), |text| sent.allows(setting, text))
            }
        }
    }

    /// True if the seller should be asked for this optional value, because a row of the reply
    /// probably has it.
    pub fn is_suggested(
        &self,
        setting: &ReplySetting,
        reply: &ReplyTree,
        sent: &SentValues,
    ) -> bool {
        match setting.kind {
            ReplyValueKind::Amount if sent.amount.is_some() => {
                self.suggest_row(setting, reply, sent).is_some()
            }
            _ => {
                reply.has_matching_name(setting) && self.suggest_row(setting, reply, sent).is_some()
            }
        }
    }

    /// The row of the fee or of the net amount. If exactly one pair of rows adds up to the amount,
    /// it is in this pair.
    fn suggest_figure(
        &self,
        setting: &ReplySetting,
        reply: &ReplyTree,
        amount: Money,
    ) -> Option<usize> {
        let format = self.fee_preview.amounts;
        let is_net = setting == NET;
        let known_row = setting
            .alternative()
            .and_then(|other| self.row_read_by(other, reply));
        let other_format = AmountFormat {
            unit: format.unit.other(),
            ..format
        };
        for format in [format, other_format, format.with_comma()] {
            let mut figures = reply.amounts(format);
            if format == other_format {
                // Any number can be read in centavos, but only a whole number is meant so.
                figures.retain(|(_, figure)| figure.centavos().is_some());
            }
            let mut pairs = pairs_of(&figures, amount).filter(|pair| {
                known_row.is_none_or(|known| pair.iter().any(|(row, _)| *row == known))
            });
            let Some(pair) = pairs.next() else { continue };
            if pairs.next().is_some() || pair[0].1 == pair[1].1 {
                return None;
            }
            if let Some(known) = known_row {
                return pair.iter().map(|(row, _)| *row).find(|row| *row != known);
            }
            let [fee, net] = reply.fee_and_net(pair);
            return Some(if is_net { net } else { fee });
        }
        // No pair adds up, so at most one figure is in the reply.
        if known_row.is_some() {
            return None;
        }
        let figures = reply
            .amounts(format)
            .into_iter()
            .filter(|(_, figure)| *figure < amount);
        let scored = figures.map(|(row, _)| (setting.hint_score(reply.rows[row].name.raw()), row));
        let best = scored
            .filter(|(score, _)| *score > 0)
            .max_by_key(|(score, row)| (*score, std::cmp::Reverse(*row)));
        best.map(|(_, row)| row)
    }

    fn row_read_by(&self, setting: &ReplySetting, reply: &ReplyTree) -> Option<usize> {
        let amounts = self.fee_preview.amounts;
        let paths = self.paths(setting);
        let (pointer, _) = paths.find_with_pointer(&reply.json, |value| amounts.read(value))?;
        reply
            .rows
            .iter()
            .position(|row| row.pointer == pointer.as_str())
    }

    /// Compares the fee and the net amount in this reply to a fee preview with the amount that was
    /// sent.
    pub fn figure_fit(&self, reply: &ReplyTree, amount: Money) -> FigureFit {
        if self.figures_add_up(reply, amount) {
            return FigureFit::Fits;
        }
        let unit = self.fee_preview.amounts.unit.other().name();
        let unit = TaughtSetting::text("fee_preview.unit", unit);
        let fits = self.with_taught(&[unit]).is_ok_and(|other| {
            let figures = other.figures_read(reply);
            let are_whole = figures
                .iter()
                .flatten()
                .all(|figure| figure.centavos().is_some());
            are_whole && other.figures_add_up(reply, amount)
        });
        if fits {
            FigureFit::FitsInOtherUnit
        } else {
            FigureFit::Contradicts
        }
    }

    fn figures_add_up(&self, reply: &ReplyTree, amount: Money) -> bool {
        let [fee, net] = self.figures_read(reply);
        matches!(
            Quote::new(amount, fee, net, Wall(0)),
            Ok(_) | Err(QuoteFault::Missing)
        )
    }

    /// The fee and the net amount that are read from this reply to a fee preview.
    pub fn figures_read(&self, reply: &ReplyTree) -> [Option<Money>; 2] {
        let amounts = self.fee_preview.amounts;
        [FEE, NET].map(|setting| self.paths(setting).money(&reply.json, amounts))
    }
}

impl SentValues {
    /// True if a row with this text may be suggested. An id or a state is never a value that was
    /// sent, and a repeated Pix key is exactly the one that was sent.
    fn allows(&self, setting: &ReplySetting, text: &str) -> bool {
        match setting.kind {
            ReplyValueKind::Text if setting == ECHO_DESTINATION => {
                self.destination.as_deref() == Some(text)
            }
            ReplyValueKind::Text => !self.texts.iter().any(|sent| sent == text),
            _ => true,
        }
    }
}

impl ReplyTree {
    /// The rows that may be amounts of money, with their amounts.
    fn amounts(&self, format: AmountFormat) -> Vec<(usize, Money)> {
        self.rows
            .iter()
            .enumerate()
            .filter_map(|(index, row)| {
                let is_amount = fits_kind(ReplyValueKind::Amount, &row.value) && names_no_code(row);
                let value = self.json.pointer(&row.pointer).filter(|_| is_amount)?;
                Some((index, format.read(value)?))
            })
            .collect()
    }

    /// The number of names that hint at these roles of the two rows.
    fn hint_count(&self, fee: usize, net: usize) -> usize {
        let names = [FEE, NET].into_iter().zip([fee, net]);
        let hits = names.filter(|(figure, row)| figure.hint_score(self.rows[*row].name.raw()) > 0);
        hits.count()
    }

    /// Orders a pair of rows: first the fee, then the net amount. If the names do not tell them
    /// apart, the fee is the smaller amount.
    fn fee_and_net(&self, pair: [(usize, Money); 2]) -> [usize; 2] {
        let [(first, first_amount), (second, second_amount)] = pair;
        let score = self.hint_count(first, second);
        let is_in_order = match score.cmp(&self.hint_count(second, first)) {
            std::cmp::Ordering::Equal => first_amount < second_amount,
            order => order.is_gt(),
        };
        if is_in_order {
            [first, second]
        } else {
            [second, first]
        }
    }
}

/// Yields all pairs of different rows that add up to the amount.
fn pairs_of(
    figures: &[(usize, Money)],
    amount: Money,
) -> impl Iterator<Item = [(usize, Money); 2]> {
    figures.iter().enumerate().flat_map(move |(n, first)| {
        let rest = amount.checked_sub(first.1);
        let partners = figures[n + 1..]
            .iter()
            .filter(move |second| Some(second.1) == rest);
        partners.map(|second| [*first, *second])
    })
}

/// True if no name on the path of the row says that it is an id, a code or a page number.
fn names_no_code(row: &TreeRow) -> bool {
    let mut names = row.pointer.split('/').flat_map(name_words);
    !names.any(|word| NOT_AMOUNTS.contains(&&*word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};
    use serde_json::json;

    use super::*;
    use crate::contract::{TreeValue, Unit};
    use crate::trade::{Failure, MaskedReply, Operation};

    fn tree(body: &str) -> ReplyTree {
        ReplyTree::read(&body.into()).unwrap()
    }

    fn sent(centavos: i64) -> SentValues {
        SentValues {
            amount: Some(Money::from_centavos(centavos)),
            ..SentValues::default()
        }
    }

    /// The pointers of the suggested rows, first of the net amount, then of the fee. `-` means that
    /// no row is suggested.
    fn suggested(contract: &Contract, body: &str) -> [String; 2] {
        let tree = tree(body);
        [NET, FEE].map(|setting| {
            let row = contract.suggest_row(setting, &tree, &sent(10_000));
            row.map_or("-".into(), |row| tree.rows()[row].pointer.clone())
        })
    }

    #[test]
    fn pair_that_adds_up_is_suggested() {
        for (body, net, fee) in [
            (r#"{"x":2.05,"y":97.95}"#, "/y", "/x"),
            (r#"{"y":97.95,"x":2.05}"#, "/y", "/x"),
            (
                r#"{"bruto":"100.00","custo":"2.05","a_receber":"97.95"}"#,
                "/a_receber",
                "/custo",
            ),
            (r#"{"net":2.05,"taxa":97.95}"#, "/net", "/taxa"),
            (
                r#"{"net":98,"data":{"x":2.05,"y":97.95}}"#,
                "/data/y",
                "/data/x",
            ),
            (r#"{"a":0,"b":100}"#, "/b", "/a"),
            // The figures add up only in centavos, and the program asks for the unit.
            (r#"{"x":205,"y":9795}"#, "/y", "/x"),
            // One figure is enough.
            (r#"{"cost":2.05}"#, "-", "/cost"),
            (r#"{"gross":100,"receivable":97.95}"#, "/receivable", "-"),
        ] {
            let built_in = Contract::built_in();
            let settings = "fee_preview.fee = []\nfee_preview.net = []";
            let contract = Contract::with(&[("c", settings)]).unwrap();
            assert_eq!(suggested(&contract, body), [net, fee], "{body}");
            // The row of a figure that is read already is not suggested for the other figure.
            let [read_fee, read_net] = built_in.figures_read(&tree(body));
            if read_fee.is_none() && read_net.is_none() {
                assert_eq!(suggested(&built_in, body), [net, fee], "{body}");
            }
        }
    }

    #[test]
    fn nothing_suggested_without_one_clear_pair() {
        let settings = "fee_preview.fee = []\nfee_preview.net = []";
        let contract = Contract::with(&[("c", settings)]).unwrap();
        for body in [
            r#"{"a":2.05,"b":97.95,"c":3,"d":97}"#,
            r#"{"a":2.05,"b":97.95,"c":97.95}"#,
            r#"{"a":50,"b":50}"#,
            r#"{"gross":100,"fee":0,"net":100}"#,
            r#"{"valor_liquido":100}"#,
            r#"{"net":9795}"#,
            r#"{"id":2.05,"net_code":97.95}"#,
            r#"{"page":{"fee":2.05},"tipo":{"net":97.95}}"#,
            r#"{"paid":"2026-11-21"}"#,
            "{}",
        ] {
            assert_eq!(suggested(&contract, body), ["-", "-"], "{body}");
        }
        // The other figure is read already, and only one row adds up with it.
        let read = Contract::with(&[("c", "fee_preview.fee = ['/taxa']")]).unwrap();
        let body = r#"{"taxa":2.05,"a":97.95,"net_total":97.94}"#;
        assert_eq!(suggested(&read, body)[0], "/a");
        assert_eq!(suggested(&read, r#"{"taxa":2.05,"liquido":97.94}"#)[0], "-");
    }

    #[test]
    fn figures_are_compared_with_the_sent_amount() {
        use FigureFit::{Contradicts, Fits, FitsInOtherUnit};
        let amount = Money::from_centavos(10_000);
        for (fee, net, fit) in [
            ("2.05", "97.95", Fits),
            ("2.05", "97.955", Fits),
            ("2.05", "97.94", Contradicts),
            ("2.05", "97.96", Contradicts),
            ("205", "9795", FitsInOtherUnit),
            ("205", "9794", Contradicts),
            ("null", "97.95", Fits),
            ("null", "9795", FitsInOtherUnit),
            ("null", "100.01", Contradicts),
            ("null", "null", Fits),
        ] {
            let reply = tree(&format!(r#"{{"fee":{fee},"net":{net}}}"#));
            assert_eq!(
                Contract::built_in().figure_fit(&reply, amount),
                fit,
                "{fee} {net}"
            );
        }
        let centavos = Contract::with(&[("c", "fee_preview.unit = 'centavos'")]).unwrap();
        let reais = tree(r#"{"fee":2.05,"net":97.95}"#);
        assert_eq!(centavos.figure_fit(&reais, amount), FitsInOtherUnit);
    }

    fn exchange(operation: Operation, url: &str, body: Option<&str>) -> Exchange {
        let request_body = body.map(str::to_owned);
        Exchange {
            request_body,
            ..Exchange::new(operation, "GET", url, Err(Failure::Cancelled))
        }
    }

    #[test]
    fn sent_amount_is_read_from_query_or_body() {
        let with = |lines: &str| Contract::with(&[("c", lines)]).unwrap();
        let preview = |contract: &Contract, query: &str, body| {
            let url = format!("https://x.example/fee{query}");
            let exchange = exchange(Operation::FeePreview, &url, body);
            contract.sent_values(&exchange).amount.map(Money::wire)
        };
        let built_in = Contract::built_in();
        assert_eq!(
            preview(&built_in, "?amount=100.00", None).as_deref(),
            Some("100.00")
        );
        assert_eq!(preview(&built_in, "?valor=100.00", None), None);
        let centavos = with("fee_preview.unit = 'centavos'\nfee_preview.amount = 'valor'");
        assert_eq!(
            preview(&centavos, "?a=1&valor=10000", None).as_deref(),
            Some("100.00")
        );
        let comma = with("fee_preview.amount_sent = 'text-comma'");
        assert_eq!(
            preview(&comma, "?amount=100%2C50", None).as_deref(),
            Some("100.50")
        );
        let post = preview(&built_in, "", Some(r#"{"amount":100.5}"#));
        assert_eq!(post.as_deref(), Some("100.5"));
    }

    #[test]
    fn id_and_echo_are_compared_with_the_request() {
        let body = r#"{"amount":100.00,"pixKeyType":"cpf","pixKey":"11144477735"}"#;
        let exchange = exchange(Operation::Withdrawal, "https://x.example/w", Some(body));
        let contract = Contract::built_in();
        let sent = contract.sent_values(&exchange);
        let pointer = |name: &str, reply: serde_json::Value| {
            let mut settings = ReplySetting::of(Operation::Withdrawal);
            let setting = settings.find(|setting| setting.name == name).unwrap();
            let tree = tree(&reply.to_string());
            let row = contract.suggest_row(setting, &tree, &sent);
            row.map_or("-".into(), |row| tree.rows()[row].pointer.clone())
        };
        let reply = json!({"chave": "x", "chave_pix": "11144477735", "id_chave": "11144477735"});
        assert_eq!(pointer("withdrawal.id", reply.clone()), "/chave");
        assert_eq!(pointer("withdrawal.echo_destination", reply), "/chave_pix");
        assert_eq!(
            pointer("withdrawal.echo_destination", json!({"chave": "***"})),
            "-"
        );
        let reply = json!({"amount_net": 97.95, "valor": 100, "total": 100.5});
        assert_eq!(pointer("withdrawal.echo_amount", reply), "/valor");
        assert_eq!(
            pointer("withdrawal.echo_amount", json!({"amount": 97.95})),
            "-"
        );
    }

    /// A reply to a fee preview as a service might send it.
    #[derive(Debug, Clone)]
    struct GeneratedReply {
        body: serde_json::Value,
        unit: Unit,
        amount: i64,
    }

    fn generated_reply() -> impl Strategy<Value = GeneratedReply> {
        let names = prop::sample::subsequence(
            vec![
                "taxa",
                "liquido",
                "custo",
                "valor",
                "total",
                "fee",
                "net_value",
                "receber",
                "a",
                "b",
                "amount_gross",
                "repasse",
                "requestId",
                "page",
                "codigo_taxa",
                "saldo",
            ],
            2..7,
        );
        let envelope = prop::sample::select(vec!["", "data", "resultado", "simulacao"]);
        let unit = prop::sample::select(vec![Unit::Reais, Unit::Centavos]);
        let noise = prop::collection::vec(0..20_000_i64, 5);
        (
            names.prop_shuffle(),
            envelope,
            unit,
            1..1_000_000_i64,
            0..100_i64,
            noise,
            any::<[bool; 3]>(),
        )
            .prop_map(
                |(names, envelope, unit, amount, percent, noise, [has_pair, echoes, texts])| {
                    let fee = amount * percent / 100;
                    let mut figures = if has_pair {
                        vec![fee, amount - fee]
                    } else {
                        vec![]
                    };
                    figures.extend(echoes.then_some(amount));
                    figures.extend(noise);
                    let value = |centavos: i64| match (unit, texts) {
                        (Unit::Centavos, false) => json!(centavos),
                        (Unit::Centavos, true) => json!(centavos.to_string()),
                        (Unit::Reais, false) => {
                            serde_json::from_str(&Money::from_centavos(centavos).wire()).unwrap()
                        }
                        (Unit::Reais, true) => json!(Money::from_centavos(centavos).wire()),
                    };
                    let members = names
                        .iter()
                        .zip(figures)
                        .map(|(name, it)| ((*name).into(), value(it)));
                    let object = serde_json::Value::Object(members.collect());
                    let body = if envelope.is_empty() {
                        object
                    } else {
                        json!({envelope: object})
                    };
                    GeneratedReply { body, unit, amount }
                },
            )
    }

    /// All pairs of pointers whose figures add up, computed in whole centavos.
    fn pairs_by_hand(reply: &GeneratedReply) -> Vec<[String; 2]> {
        let tree = tree(&reply.body.to_string());
        let centavos = |row: &TreeRow| {
            let (TreeValue::Text(text) | TreeValue::Literal(text)) = &row.value else {
                return None;
            };
            let is_code = ["requestId", "page", "codigo_taxa"].contains(&row.name.raw());
            let digits = text.raw().replace('.', "");
            digits.parse::<i64>().ok().filter(|_| !is_code)
        };
        let rows: Vec<_> = tree
            .rows()
            .iter()
            .filter_map(|row| Some((row.pointer.clone(), centavos(row)?)))
            .collect();
        let mut pairs = vec![];
        for (n, first) in rows.iter().enumerate() {
            let partners = rows[n + 1..]
                .iter()
                .filter(|it| first.1 + it.1 == reply.amount);
            pairs.extend(partners.map(|it| [first.0.clone(), it.0.clone()]));
        }
        pairs
    }

    #[test]
    fn generated_replies_get_no_contradicting_lesson() {
        let [reais, centavos] = [Unit::Reais, Unit::Centavos].map(|unit| {
            let unit = unit.name();
            let lines =
                format!("fee_preview.fee = []\nfee_preview.net = []\nfee_preview.unit = '{unit}'");
            Contract::with(&[("c", &lines)]).unwrap()
        });
        let mut suggested_pairs = 0;
        let mut single_pairs = 0;
        let config = Config {
            cases: 3_000,
            failure_persistence: None,
            ..Config::default()
        };
        let mut runner = TestRunner::new_with_rng(
            config,
            proptest::test_runner::TestRng::deterministic_rng(
                proptest::test_runner::RngAlgorithm::ChaCha,
            ),
        );
        let cell = std::cell::RefCell::new((&mut suggested_pairs, &mut single_pairs));
        runner
            .run(&generated_reply(), |reply| {
                let contract = if reply.unit == Unit::Reais {
                    &reais
                } else {
                    &centavos
                };
                let amount = Money::from_centavos(reply.amount);
                let tree = tree(&reply.body.to_string());
                let sent = sent(reply.amount);
                let mut taught = contract.clone();
                let mut pointers = vec![];
                for setting in [NET, FEE] {
                    let Some(row) = taught.suggest_row(setting, &tree, &sent) else {
                        continue;
                    };
                    let pointer = &tree.rows()[row].pointer;
                    let lines = taught
                        .settings_to_read_at(setting.name, pointer, &tree)
                        .unwrap();
                    taught = taught.with_taught(&lines).unwrap();
                    prop_assert_ne!(taught.figure_fit(&tree, amount), FigureFit::Contradicts);
                    pointers.push(pointer.clone());
                }
                let pairs = pairs_by_hand(&reply);
                let is_equal_pair =
                    |pair: &[String; 2]| tree.json.pointer(&pair[0]) == tree.json.pointer(&pair[1]);
                if let [pair] = &pairs[..]
                    && !is_equal_pair(pair)
                {
                    let mut counts = cell.borrow_mut();
                    *counts.1 += 1;
                    pointers.sort();
                    let mut pair = pair.to_vec();
                    pair.sort();
                    *counts.0 += usize::from(pointers == pair);
                }
                if pairs.len() > 1 {
                    prop_assert_eq!(pointers, Vec::<String>::new());
                }
                Ok(())
            })
            .unwrap();
        assert!(single_pairs > 800, "{single_pairs}");
        assert!(
            suggested_pairs * 100 >= single_pairs * 95,
            "{suggested_pairs} of {single_pairs}"
        );
    }

    #[test]
    fn masked_or_failed_reply_has_nothing_to_compare() {
        let reply = MaskedReply::new(200, vec![], r#"{"fee":"\ufdef","net":"\ufdef"}"#);
        let tree = ReplyTree::read(&reply.body).unwrap();
        let amount = Money::from_centavos(10_000);
        assert_eq!(
            Contract::built_in().figure_fit(&tree, amount),
            FigureFit::Fits
        );
    }
}
