-- Chats, their messages as a tree, known model files, settings.
-- Times are milliseconds since 1970 UTC; 0 and NULL mean "none" as records.h says.

CREATE TABLE chats (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    title         TEXT    NOT NULL DEFAULT '',
    title_is_own  INTEGER NOT NULL DEFAULT 0,
    system_prompt TEXT    NOT NULL DEFAULT '',
    sampling      TEXT    NOT NULL DEFAULT '{}',   -- a JSON object
    model_path    TEXT    NOT NULL DEFAULT '',
    pinned        INTEGER NOT NULL DEFAULT 0,
    folder        TEXT,
    selected_leaf INTEGER REFERENCES messages (id) ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED,
    draft         TEXT    NOT NULL DEFAULT '',
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    deleted_at    INTEGER
);
CREATE INDEX chats_by_use ON chats (pinned, updated_at) WHERE deleted_at IS NULL;
CREATE INDEX chats_by_selected_leaf ON chats (selected_leaf); -- for ON DELETE SET NULL

CREATE TABLE messages (
    id                        INTEGER PRIMARY KEY AUTOINCREMENT,
    chat_id                   INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    -- No cascade here: SQLite follows one only 1000 levels deep, and a long chat is deeper.
    parent_id                 INTEGER REFERENCES messages (id) DEFERRABLE INITIALLY DEFERRED,
    role                      TEXT    NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
    content                   TEXT    NOT NULL DEFAULT '',
    reasoning                 TEXT    NOT NULL DEFAULT '',
    reasoning_ms              INTEGER NOT NULL DEFAULT 0,
    model_path                TEXT    NOT NULL DEFAULT '',
    model_name                TEXT    NOT NULL DEFAULT '',
    stop_reason               INTEGER,               -- the engine's number; NULL while it streams
    stop_sentence             TEXT    NOT NULL DEFAULT '',
    created_at                INTEGER NOT NULL,
    tokens                    INTEGER,               -- NULL = no figures
    prompt_tokens             INTEGER,
    reused_tokens             INTEGER,
    ttft_ms                   REAL,
    itl_p50_ms                REAL,
    itl_p95_ms                REAL,
    prefill_tokens_per_second REAL,
    decode_tokens_per_second  REAL,
    prefill_ms                REAL,
    queue_ms                  REAL,
    tokenize_ms               REAL,
    seed                      INTEGER,               -- the 64 bits, read as signed
    reuse_reason              TEXT
);
CREATE INDEX messages_by_chat ON messages (chat_id, parent_id);
CREATE INDEX messages_by_parent ON messages (parent_id);

CREATE TABLE models (
    path              TEXT    PRIMARY KEY,
    sha256            TEXT    NOT NULL DEFAULT '',
    size_bytes        INTEGER NOT NULL DEFAULT 0,
    modified_at       INTEGER NOT NULL DEFAULT 0,
    name              TEXT    NOT NULL DEFAULT '',
    architecture      TEXT    NOT NULL DEFAULT '',
    quantization      TEXT    NOT NULL DEFAULT '',
    trained_context   INTEGER NOT NULL DEFAULT 0,
    parameters        INTEGER NOT NULL DEFAULT 0,
    bits_per_weight   REAL    NOT NULL DEFAULT 0,
    has_chat_template INTEGER NOT NULL DEFAULT 0,
    problem           TEXT    NOT NULL DEFAULT '',
    source            TEXT    NOT NULL DEFAULT '',
    hidden            INTEGER NOT NULL DEFAULT 0,
    added_alone       INTEGER NOT NULL DEFAULT 0,    -- chosen as a file, not found in a folder
    added_at          INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE settings (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL                               -- a JSON value
) WITHOUT ROWID;
