INSERT INTO link (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, expires_at, host, request, outcome)
    VALUES (1, 10, 'https://pay.example', 'ana', 4990, 0, 1, NULL, 0, NULL, 'loja-da-ana.example', '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":49.90,"description":"Camiseta azul","domain":"loja-da-ana.example"}', '"unknown"');
INSERT INTO link (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, expires_at, host, request, outcome)
    VALUES (2, 20, 'https://pay.example', 'ana', 4990, 0, 3, NULL, 0, NULL, 'loja-da-ana.example', '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":49.90,"description":"Camiseta azul","domain":"loja-da-ana.example"}', '"not_sent"');
INSERT INTO link (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, expires_at, host, request, outcome)
    VALUES (3, 30, 'https://pay.example', 'ana', 100, 0, 2, NULL, 0, NULL, 'loja-da-ana.example', '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":1.00,"description":"Vaso","domain":"loja-da-ana.example"}', '{"refused":{"status":400,"message":"Domínio \"inativo\".","hint":"Ative-o."}}');
INSERT INTO link (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, expires_at, host, request, outcome)
    VALUES (4, 40, 'https://pay.example', 'ana', 100, 0, 2, NULL, 0, NULL, 'loja-da-ana.example', '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":1.00,"description":"Vaso","domain":"loja-da-ana.example"}', '{"refused":{"status":422,"message":null,"hint":null}}');
INSERT INTO link (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, expires_at, host, request, outcome)
    VALUES (5, 50, 'https://pay.example', 'ana', 100, 1, NULL, NULL, 0, NULL, 'loja.example', '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":1.00,"description":"Vaso","domain":"loja-da-ana.example"}', '{"created":{"url":"https://loja.example/checkout/link-1"}}');
INSERT INTO link (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, expires_at, host, request, outcome)
    VALUES (6, 60, 'https://pay.example', 'ana', 123456, 1, 0, 70, 0, NULL, 'loja.example', '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":1234.56,"description":"Boné 100% algodão","domain":null}', '{"created":{"url":"https://loja.example/checkout/link-2"}}');
INSERT INTO link (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, expires_at, host, request, outcome)
    VALUES (7, 70, 'https://pay.example', 'ana', 123456, 1, 0, 80, 1, NULL, 'loja.example', '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":1234.56,"description":"Boné 100% algodão","domain":null}', '{"created":{"url":"https://loja.example/checkout/link-3"}}');
INSERT INTO link (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, expires_at, host, request, outcome)
    VALUES (8, 80, 'https://pay.example', 'ana', NULL, 1, NULL, NULL, 0, NULL, 'loja.example', '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":0.125,"description":"Bala","domain":"loja-da-ana.example"}', '{"created":{"url":"https://loja.example/checkout/link-4?a=\"b\""}}');
INSERT INTO link_words (rowid, folded)
    VALUES (1, 'camiseta azul r$ 49,90 r$ 49,90 49.90 loja-da-ana.example  ');
INSERT INTO link_words (rowid, folded)
    VALUES (2, 'camiseta azul r$ 49,90 r$ 49,90 49.90 loja-da-ana.example  ');
INSERT INTO link_words (rowid, folded)
    VALUES (3, 'vaso r$ 1,00 r$ 1,00 1.00 loja-da-ana.example  ');
INSERT INTO link_words (rowid, folded)
    VALUES (4, 'vaso r$ 1,00 r$ 1,00 1.00 loja-da-ana.example  ');
INSERT INTO link_words (rowid, folded)
    VALUES (5, 'vaso r$ 1,00 r$ 1,00 1.00 loja-da-ana.example https://loja.example/checkout/link-1  ');
INSERT INTO link_words (rowid, folded)
    VALUES (6, 'bone 100% algodao r$ 1.234,56 r$ 1234,56 1234.56 https://loja.example/checkout/link-2  ');
INSERT INTO link_words (rowid, folded)
    VALUES (7, 'bone 100% algodao r$ 1.234,56 r$ 1234,56 1234.56 https://loja.example/checkout/link-3  ');
INSERT INTO link_words (rowid, folded)
    VALUES (8, 'bala r$ 0,125 r$ 0,125 0.125 loja-da-ana.example https://loja.example/checkout/link-4?a="b"  ');
INSERT INTO charge (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, expires_at, host, request, outcome)
    VALUES (1, 10, 'https://pay.example', 'ana', 500, 0, 1, NULL, 0, NULL, NULL, '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":5.00,"description":"Café","customer":null}', '"unknown"');
INSERT INTO charge (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, expires_at, host, request, outcome)
    VALUES (2, 20, 'https://pay.example', 'ana', 500, 0, 3, NULL, 0, NULL, NULL, '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":5.00,"description":"Café","customer":null}', '"not_sent"');
INSERT INTO charge (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, expires_at, host, request, outcome)
    VALUES (3, 30, 'https://pay.example', 'ana', 500, 0, 2, NULL, 0, NULL, NULL, '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":5.00,"description":"Café","customer":"Bia Souza","buyer":{"email":"bia@loja.example"}}', '{"refused":{"status":400,"message":"Domínio \"inativo\".","hint":"Ative-o."}}');
INSERT INTO charge (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, expires_at, host, request, outcome)
    VALUES (4, 40, 'https://pay.example', 'ana', 500, 1, 4, 90, 0, 60000, NULL, '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":5.00,"description":"Café","customer":"Bia Souza","buyer":{"email":"bia@loja.example"}}', '{"created":{"id":"ch-1","status":"PENDING","pix_code":"00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986540549.905802BR5911LOJA DA ANA6008BRASILIA62070503***6304CA90","expires":"1970-01-01T00:01:00Z"}}');
INSERT INTO charge (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, expires_at, host, request, outcome)
    VALUES (5, 50, 'https://pay.example', 'ana', 500, 1, 0, NULL, 0, NULL, NULL, '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":5.00,"description":"Café","customer":"Bia Souza","buyer":{"email":"bia@loja.example"}}', '{"created":{"id":"ch-1","status":null,"pix_code":"a code","expires":"soon"}}');
INSERT INTO charge (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, expires_at, host, request, outcome)
    VALUES (6, 60, 'https://pay.example', 'ana', 500, 1, NULL, NULL, 0, NULL, NULL, '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":5.00,"description":"Café","customer":"Bia Souza","buyer":{"email":"bia@loja.example"}}', '{"created":{"id":"ch-1","status":"PENDING","pix_code":null,"expires":null}}');
INSERT INTO charge (id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, expires_at, host, request, outcome)
    VALUES (7, 70, 'https://pay.example', 'ana', 500, 1, 0, NULL, 0, NULL, NULL, '{"account":{"origin":"https://pay.example","identity":"ana"},"amount":5.00,"description":"Café","customer":null}', '{"created":{"id":null,"status":null,"pix_code":null,"expires":null}}');
INSERT INTO charge_words (rowid, folded)
    VALUES (1, 'cafe r$ 5,00 r$ 5,00 5.00  ');
INSERT INTO charge_words (rowid, folded)
    VALUES (2, 'cafe r$ 5,00 r$ 5,00 5.00  ');
INSERT INTO charge_words (rowid, folded)
    VALUES (3, 'cafe r$ 5,00 r$ 5,00 5.00 bia souza  ');
INSERT INTO charge_words (rowid, folded)
    VALUES (4, 'cafe r$ 5,00 r$ 5,00 5.00 bia souza ch-1 pending  ');
INSERT INTO charge_words (rowid, folded)
    VALUES (5, 'cafe r$ 5,00 r$ 5,00 5.00 bia souza ch-1  ');
INSERT INTO charge_words (rowid, folded)
    VALUES (6, 'cafe r$ 5,00 r$ 5,00 5.00 bia souza ch-1 pending  ');
INSERT INTO charge_words (rowid, folded)
    VALUES (7, 'cafe r$ 5,00 r$ 5,00 5.00  ');
