-- A history as version 10 of its schema stored it.
CREATE TABLE link (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    centavos INTEGER,
    created INTEGER NOT NULL,
    label INTEGER,
    paid_at INTEGER,
    sandbox_paid INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER,
    host TEXT,
    request TEXT NOT NULL,
    outcome TEXT NOT NULL
) STRICT;
CREATE INDEX link_by_time ON link (at);
CREATE INDEX link_by_host ON link (host);
CREATE INDEX link_by_label ON link (label) WHERE label IS NOT NULL;
CREATE INDEX link_by_mark ON link (id) WHERE paid_at IS NOT NULL AND NOT sandbox_paid;
CREATE INDEX link_by_sandbox ON link (id) WHERE sandbox_paid;
CREATE INDEX link_totals ON link (id, paid_at, centavos, created) WHERE created;
CREATE INDEX link_time_totals ON link (at, paid_at, centavos, created) WHERE created;
CREATE INDEX link_host_totals ON link (host, paid_at, centavos, created) WHERE created;
CREATE VIRTUAL TABLE link_words USING fts5 (folded, tokenize = 'trigram case_sensitive 1');
CREATE VIRTUAL TABLE link_grams USING fts5vocab ('link_words', 'instance');
CREATE TABLE charge (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    centavos INTEGER,
    created INTEGER NOT NULL,
    label INTEGER,
    paid_at INTEGER,
    sandbox_paid INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER,
    host TEXT,
    request TEXT NOT NULL,
    outcome TEXT NOT NULL
) STRICT;
CREATE INDEX charge_by_time ON charge (at);
CREATE INDEX charge_by_label ON charge (label) WHERE label IS NOT NULL;
CREATE INDEX charge_by_expiry ON charge (id, expires_at)
    WHERE expires_at IS NOT NULL AND paid_at IS NULL;
CREATE INDEX charge_by_mark ON charge (id) WHERE paid_at IS NOT NULL AND NOT sandbox_paid;
CREATE VIRTUAL TABLE charge_words USING fts5 (folded, tokenize = 'trigram case_sensitive 1');
CREATE VIRTUAL TABLE charge_grams USING fts5vocab ('charge_words', 'instance');
CREATE TABLE nickname (
    at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    destination TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (origin, identity, destination)
) STRICT, WITHOUT ROWID;
CREATE TABLE domain_seen (
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    host TEXT NOT NULL,
    state TEXT NOT NULL,
    since INTEGER NOT NULL,
    PRIMARY KEY (origin, identity, host)
) STRICT, WITHOUT ROWID;
CREATE TABLE batch (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    origin TEXT NOT NULL,
    identity TEXT NOT NULL,
    source TEXT NOT NULL
) STRICT;

CREATE TABLE batch_line (
    batch INTEGER NOT NULL,
    number INTEGER NOT NULL,
    state TEXT NOT NULL,
    cells TEXT NOT NULL,
    request TEXT,
    reason TEXT NOT NULL,
    link INTEGER,
    PRIMARY KEY (batch, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX batch_line_by_state ON batch_line (batch, state, number);
INSERT INTO link VALUES (1, 1772377200000, 'https://pay.example', 'ana', 100, 0, 3, NULL, 0, NULL, NULL, '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":1.00,"description":"Serviço número 0 para 11144477735","domain":null}', '"not_sent"');
INSERT INTO link VALUES (2, 1789657200000, 'https://pay.example', 'ana', 100, 0, 3, NULL, 0, NULL, NULL, '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":1.00,"description":"Serviço número 1 para 11144477735","domain":null}', '"not_sent"');
INSERT INTO charge VALUES (1, 1772377200000, 'https://pay.example', 'ana', 10000, 0, 3, NULL, 0, NULL, NULL, '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":100.00,"description":"Bolo","customer":"Bia Silva","buyer":{"email":"bia@example.com"}}', '"not_sent"');
INSERT INTO nickname VALUES (1772377200000, 'https://pay.example', 'ana', '{"kind":"cpf","text":"11144477735"}', 'Conta PJ');
INSERT INTO link_words (rowid, folded) VALUES (1, 'servico numero 0 para 11144477735 r$ 1,00 r$ 1,00 1.00  ');
INSERT INTO link_words (rowid, folded) VALUES (2, 'servico numero 1 para 11144477735 r$ 1,00 r$ 1,00 1.00  ');
INSERT INTO charge_words (rowid, folded) VALUES (1, 'bolo r$ 100,00 r$ 100,00 100.00 bia silva  ');
INSERT INTO batch VALUES (1, 1772377200000, 'https://pay.example', 'ana', '{"file":"/srv/ana/precos.csv","result":"/srv/ana/precos-resultado.csv","header":["valor","descrição"],"delimiter":59}');
INSERT INTO batch_line VALUES (1, 2, 'waiting', '["49,90","Boné"]', '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":49.90,"description":"Boné","domain":null}', '', NULL);
INSERT INTO batch_line VALUES (1, 3, 'skipped', '["",""]', NULL, 'empty line', NULL);
ALTER TABLE link ADD COLUMN note TEXT;
ALTER TABLE link ADD COLUMN put_away_at INTEGER;
ALTER TABLE link ADD COLUMN statement_day INTEGER;
ALTER TABLE charge ADD COLUMN note TEXT;
ALTER TABLE charge ADD COLUMN put_away_at INTEGER;
ALTER TABLE charge ADD COLUMN statement_day INTEGER;
ALTER TABLE batch_line ADD COLUMN note TEXT;

CREATE TABLE statement_line (
    id TEXT PRIMARY KEY,
    import INTEGER NOT NULL,
    sale TEXT NOT NULL,
    row INTEGER NOT NULL,
    day INTEGER NOT NULL,
    centavos INTEGER NOT NULL,
    paid_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX statement_line_by_import ON statement_line (import);
CREATE INDEX statement_line_by_row ON statement_line (sale, row);
CREATE INDEX link_put_away ON link (id, put_away_at, at, host, paid_at, centavos, created)
    WHERE put_away_at IS NOT NULL;
UPDATE link SET note = 'Ana, retirada sexta', put_away_at = 1789657200001 WHERE id = 1;
UPDATE charge SET statement_day = 20514, paid_at = 1789657200002 WHERE id = 1;
INSERT INTO statement_line VALUES ('8c7f2d', 1, 'charge', 1, 20514, 10000, 1789657200002);
PRAGMA user_version = 10;
