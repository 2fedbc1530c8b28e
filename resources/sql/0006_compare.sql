-- Comparisons that were run side by side, and votes that were cast without knowing the names.

CREATE TABLE comparisons (
    id           INTEGER PRIMARY KEY,
    title        TEXT    NOT NULL DEFAULT '',
    title_is_own INTEGER NOT NULL DEFAULT 0,  -- renamed by the person
    content      TEXT    NOT NULL DEFAULT '', -- JSON: columns, prompts, answers with their figures, the same text
    report       TEXT    NOT NULL DEFAULT '', -- JSON of the report, as it is exported; empty while nothing was measured
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    deleted_at   INTEGER
);

CREATE INDEX comparisons_by_time ON comparisons (updated_at DESC);

-- A vote for one of several columns is a vote of it against each of the others. A pair is one, whichever was shown first.
CREATE TABLE comparison_votes (
    id            INTEGER PRIMARY KEY,
    comparison_id INTEGER REFERENCES comparisons (id) ON DELETE SET NULL,
    first_level   TEXT    NOT NULL, -- the names of both columns, in their order by code points
    second_level  TEXT    NOT NULL,
    winner        INTEGER NOT NULL CHECK (winner IN (0, 1, 2)), -- 0 = no difference
    created_at    INTEGER NOT NULL,
    CHECK (first_level < second_level)
);

CREATE INDEX comparison_votes_by_pair ON comparison_votes (first_level, second_level);
