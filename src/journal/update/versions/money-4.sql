-- A journal of withdrawals as version 4 of its schema stored it.
CREATE TABLE event (
    n INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    plain TEXT NOT NULL,
    personal TEXT,
    personal_sum BLOB,
    sum BLOB NOT NULL,
    who TEXT,
    written_by TEXT
) STRICT;
INSERT INTO event VALUES (1, 1772377200000, '00000000-0000-0000-0000-000000000001', 'prepared', '{"agreement":{"key":"00000000-0000-0000-0000-000000000001","account":{"origin":"https://pay.example","identity":"ana"},"profile":"loja","method":"POST","url":"https://pay.example/withdrawals","key_header":"00000000-0000-0000-0000-000000000001","key_header_name":"Idempotency-Key","body":"","untyped":[],"amount":100.00,"destination":null,"quote":null,"agreed":{"wall":1772377200000,"boot_ms":0,"boot_id":"boot"}},"beside":[]}', '{"salt":"a22fa705-0856-4226-bbd8-c2698fd1ed03","body":"{\"amount\":100.00,\"pixKey\":\"11144477735\"}","destination":{"kind":"cpf","text":"11144477735"}}', X'1d0d43fbd31067a37defb73b8d2311dc13cb98fb3d0f065c7768938234af972b', X'539b4c3b646164c3c334de7644ade6174e5031e408b2f5787ebe86f6473bf3c4', NULL, NULL);
INSERT INTO event VALUES (2, 1772377201000, '00000000-0000-0000-0000-000000000001', 'discarded', 'null', NULL, NULL, X'c801ef891dfb29e71bfa99335733946cdc1a0d75c5cde88f2acc813e9f9c7d61', NULL, NULL);
INSERT INTO event VALUES (3, 1772377200000, '00000000-0000-0000-0000-000000000002', 'prepared', '{"agreement":{"key":"00000000-0000-0000-0000-000000000002","account":{"origin":"https://pay.example","identity":"ana"},"profile":"loja","method":"POST","url":"https://pay.example/withdrawals","key_header":"00000000-0000-0000-0000-000000000002","key_header_name":"Idempotency-Key","body":"","untyped":[],"amount":200.00,"destination":null,"quote":null,"agreed":{"wall":1772377200000,"boot_ms":0,"boot_id":"boot"}},"beside":[]}', '{"salt":"9b794824-a459-454f-aec9-99d14ced59bd","body":"{\"amount\":200.00,\"pixKey\":\"52998224725\"}","destination":{"kind":"cpf","text":"52998224725"}}', X'a690ad92d9b7c0ccbe5f7d88ff495034c68c3c2852d32aae5d8f1f6a5c9d9618', X'a3ea565d31e6d02a43bdde49dd5ccfcd16652ab525599693f008d039f46d48e7', NULL, NULL);
INSERT INTO event VALUES (4, 1772377202000, '00000000-0000-0000-0000-000000000002', 'attempt_began', '{"n":1,"began":{"wall":1772377202000,"boot_ms":2000,"boot_id":"boot"}}', NULL, NULL, X'e8c74682889ab17cc8ca25ce67496c520d468aba0591b4c4d9cae9392b471a43', NULL, NULL);
PRAGMA application_id = 1650551907;
PRAGMA user_version = 4;
