-- The triggers of the table of links, and with another name those of charges.
CREATE TRIGGER shared_link_made AFTER INSERT ON link BEGIN
    INSERT INTO shared_change VALUES ('link', NEW.id, 'sale');
    INSERT INTO shared_change SELECT 'link', NEW.id, 'paid' WHERE NEW.paid_at IS NOT NULL;
    INSERT INTO shared_change SELECT 'link', NEW.id, 'note' WHERE NEW.note IS NOT NULL;
    INSERT INTO shared_change SELECT 'link', NEW.id, 'put_away' WHERE NEW.put_away_at IS NOT NULL;
END;
CREATE TRIGGER shared_link_settled AFTER UPDATE OF outcome ON link
WHEN NEW.outcome <> OLD.outcome
BEGIN
    INSERT INTO shared_change VALUES ('link', NEW.id, 'sale');
END;
CREATE TRIGGER shared_link_paid AFTER UPDATE OF paid_at, sandbox_paid, statement_day ON link
WHEN NEW.paid_at IS NOT OLD.paid_at OR NEW.sandbox_paid <> OLD.sandbox_paid
    OR NEW.statement_day IS NOT OLD.statement_day
BEGIN
    INSERT INTO shared_change VALUES ('link', NEW.id, 'paid');
END;
CREATE TRIGGER shared_link_note AFTER UPDATE OF note ON link
WHEN NEW.note IS NOT OLD.note
BEGIN
    INSERT INTO shared_change VALUES ('link', NEW.id, 'note');
END;
CREATE TRIGGER shared_link_put_away AFTER UPDATE OF put_away_at ON link
WHEN NEW.put_away_at IS NOT OLD.put_away_at
BEGIN
    INSERT INTO shared_change VALUES ('link', NEW.id, 'put_away');
END;
CREATE TRIGGER shared_link_deleted AFTER DELETE ON link BEGIN
    DELETE FROM shared_pending WHERE kind = 'link' AND row = OLD.id;
    DELETE FROM shared_author WHERE kind = 'link' AND row = OLD.id;
    INSERT INTO shared_change
    SELECT 'link', id, 'deleted' FROM shared_row WHERE kind = 'link' AND row = OLD.id;
    UPDATE shared_row SET row = NULL WHERE kind = 'link' AND row = OLD.id;
END;
