use super::*;

/// Common given names and surnames in Brazil, and names of companies that are ordinary words.
const NAMES: &str = "\
    Adriana Adriano Afonso Alan Albuquerque Alcantara Alessandra Alexandre Alice Aline Almeida \
    Alves Alvaro Amanda Amaral Amaro Amorim Ana Anderson Andrade Andre Andrea Andreia Angela \
    Antonia Antonio Aparecida Aparecido Aquino Araujo Arthur Assis Augusto Azevedo Barbara Barbosa \
    Barreto Barros Bastos Batista Beatriz Benedito Benicio Bento Bernardes Bernardo Bezerra \
    Bianca Borges Brandao Braga Brito Bruna Bruno Bueno Caio Caldeira Camargo Camila Campos \
    Cardoso Carla Carlos Carmo Carneiro Carolina Carvalho Castro Cavalcante Cavalcanti Cecilia \
    Celia Celso Cesar Chagas Chaves Cicero Claro Claudia Claudio Coelho Conceicao Cordeiro Correa \
    Correia Costa Coutinho Couto Cristiane Cristina Cruz Cunha Dantas Daniel Daniela Davi Debora \
    Denise Dias Diego Diogo Domingos Douglas Duarte Dutra Edilson Edson Eduarda Eduardo Elaine \
    Eliane Elias Elisa Elza Emanuel Enzo Erica Esperanca Ester Esteves Eva Evandro Fabiana Fabio \
    Farias Felipe Felix Fernanda Fernandes Fernando Ferraz Ferreira Figueiredo Flavia Flavio \
    Fonseca Fontes Francisca Francisco Franco Freire Freitas Furtado Gabriel Gabriela Garcia \
    Geraldo Gilberto Giovana Gloria Godoy Gomes Goncalves Graca Guerra Guilherme Guimaraes \
    Gustavo Helena Helio Henrique Heitor Heloisa Hugo Igor Ines Irene Isaac Isabel Isabela Isadora \
    Ivan Ivone Jaqueline Jardim Jesus Joana Joao Joaquim Jorge Jose Josefa Julia Juliana Juliano \
    Julio Junior Kelly Lago Laura Lara Leal Leandro Leite Leo Leonardo Leticia Lima Lins Livia \
    Lopes Lorena Lourdes Lucas Lucia Luciana Luciano Lucio Luis Luisa Luiz Luiza Luna Luz Macedo \
    Machado Maia Manoel Manuel Manuela Mara Marcela Marcelo Marcia Marcio Marco Marcos Margarida \
    Maria Mariana Mario Marina Marinho Marques Marta Martins Mata Mateus Matheus Matos Mauricio \
    Mauro Melo Mello Mendes Mendonca Menezes Mesquita Miguel Milena Miranda Moises Monica Monte \
    Monteiro Montes Moraes Morais Moreira Mota Moura Murilo Nascimento Natalia Nathalia Neves \
    Nair Neide Neto Nicolas Nicole Nogueira Nonato Nunes Oliveira Olivia Osvaldo Otavio Pacheco \
    Padilha Paiva Passos Patricia Paula Paulo Paz Pedro Peixoto Pereira Pessoa Pinheiro Pinto \
    Pires Ponte Pontes Porto Prado Prata Priscila Queiroz Rafael Rafaela Raimunda Raimundo Ramos \
    Raquel Raul Rebeca Regina Reginaldo Reis Renan Renata Renato Resende Ribeiro Ricardo Rita \
    Roberta Roberto Rocha Rodrigo Rodrigues Roger Rogerio Roman Ronaldo Rosa Rosana Rosangela \
    Rubens Rui Sa Sabrina Salles Sales Salvador Samuel Sandra Santana Santiago Santos Sara \
    Saraiva Sebastiao Sergio Serra Severino Silva Silvana Silveira Silvia Silvio Simone Siqueira \
    Soares Sobral Solange Sonia Sofia Souza Sousa Suely Tania Tavares Tatiana Teixeira Teles \
    Tereza Terezinha Thais Thiago Tiago Toledo Torres Trindade Vale Valente Valentina Valeria \
    Vanessa Vargas Vasconcelos Vaz Vera Veras Viana Vicente Victor Vidal Vieira Vilela Vinicius \
    Vitor Vitoria Viviane Wagner Wallace Wellington Wesley William Wilson Xavier Yara Yasmin Zelia \
    Art Bill Dale Drew Frank Grace Grant Hope Jack King Lane Mark May Max Page Pat Price Ray Rich \
    Rob Rose Sue Will Young \
    Amazon Bradesco Caixa Cielo Inter Itau Magalu Natura Neon Nubank Oi Original Pague Renner Rede \
    Safra Santander Stone Sicredi Tim Vivo";

fn parts(text: &str) -> Vec<&str> {
    let parts = text_parts(text);
    assert_eq!(parts.iter().map(|part| part.text).collect::<String>(), text);
    parts
        .iter()
        .filter(|part| part.is_private)
        .map(|part| part.text)
        .collect()
}

#[test]
fn list_has_no_common_name() {
    let known: Vec<&str> = NAMES
        .split_whitespace()
        .filter(|name| is_known_name(name))
        .collect();
    assert_eq!(known, [""; 0]);
}

#[test]
fn name_is_known_only_if_each_part_is() {
    for name in [
        "INSUFFICIENT_FUNDS",
        "DNS",
        "pixKeyType",
        "requested",
        "inválido",
        "NOT_FOUND",
        "in_progress",
        "queued",
        "e-mail",
    ] {
        assert!(is_known_name(name), "{name}");
    }
    for name in [
        "",
        "MARIA_SOUZA",
        "BLOCKED_MARIA",
        "MariaSouza",
        "saldoMaria",
        "conta@loja",
        "conta1",
        "loja.com.br",
        "token expired",
        "pagamento.com",
        "aEoA",
        "não",
        "de-para",
    ] {
        assert!(!is_known_name(name), "{name}");
    }
}

#[test]
fn names_of_messages_are_found_by_their_last_word() {
    for name in [
        "message",
        "errorMessage",
        "error_description",
        "Motivo",
        "failure-reason",
    ] {
        assert!(is_message_name(name), "{name}");
    }
    for name in ["description", "name", "messageId", "", "errorUrl"] {
        assert!(!is_message_name(name), "{name}");
    }
}

#[test]
fn only_unknown_words_of_a_sentence_are_private() {
    for (text, private) in [
        ("Saldo insuficiente.", &[][..]),
        ("Cliente Maria da Silva bloqueado", &["Maria da Silva"]),
        ("A conta do Banco do Acre foi encerrada", &["Banco do Acre"]),
        ("Conta Azul está fora do ar", &["Conta Azul"]),
        ("Titular Azul não existe", &["Azul"]),
        ("cliente maria bloqueado", &["maria"]),
        ("CLIENTE SOLANGE DE JESUS BLOQUEADO", &["SOLANGE DE JESUS"]),
        ("CPF 529.982.247-25 inválido", &["529.982.247-25"]),
        ("Telefone (11) 91234-5678, Ana", &["11) 91234-5678", "Ana"]),
        ("Valor R$ 10,00 maior que R$20,00", &["10,00", "20,00"]),
        ("502 Bad Gateway", &[]),
        ("502 de Ana", &["502", "Ana"]),
        ("HTTP 404: Not Found", &[]),
        ("A chave Pix ana@loja.example existe", &["ana@loja.example"]),
        ("The server didn’t respond", &[]),
        ("Recusado. Olá Bia!", &["Olá Bia"]),
    ] {
        assert_eq!(parts(text), private, "{text}");
    }
    let long = "erro ".repeat(30);
    assert_eq!(parts(&long), [long.trim_end()]);
    assert!(parts(&"Erro. ".repeat(30)).is_empty());
}

proptest::proptest! {
    #[test]
    fn parts_are_the_whole_text(text in "[\\PC\n]{0,60}") {
        let parts = text_parts(&text);
        proptest::prop_assert_eq!(parts.iter().map(|part| part.text).collect::<String>(), text);
    }
}
