-- The full-text index over messages. Not a numbered step: it holds nothing of its own and is rebuilt when it is missing.
CREATE VIRTUAL TABLE message_index USING fts5 (
    content, content = 'messages', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
CREATE TRIGGER message_index_added AFTER INSERT ON messages BEGIN
    INSERT INTO message_index (rowid, content) VALUES (new.id, new.content);
END;
CREATE TRIGGER message_index_removed AFTER DELETE ON messages BEGIN
    INSERT INTO message_index (message_index, rowid, content) VALUES ('delete', old.id, old.content);
END;
CREATE TRIGGER message_index_changed AFTER UPDATE OF content ON messages WHEN old.content <> new.content BEGIN
    INSERT INTO message_index (message_index, rowid, content) VALUES ('delete', old.id, old.content);
    INSERT INTO message_index (rowid, content) VALUES (new.id, new.content);
END;
INSERT INTO message_index (message_index) VALUES ('rebuild');
