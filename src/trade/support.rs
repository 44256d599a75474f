//! The values that were masked in exported files.

/// The kind of a value that was masked in an exported file, such as a CPF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "a kind is its name")]
pub enum MaskedKind {
    Cpf,
    Cnpj,
    Phone,
    Email,
    Uuid,
    PixCode,
    Picture,
    Token,
    Host,
    Amount,
    Number,
    Text,
}
