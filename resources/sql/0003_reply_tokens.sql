-- How probable the tokens of a reply were, where the person asked for it: a JSON list of [text, logarithm of the probability,
-- [[text, logarithm], ...] of the most probable ones in its place].

CREATE TABLE reply_tokens (
    message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    tokens     TEXT    NOT NULL
);
