-- What a reply took since the engine serves several at once: finding what the cache holds, guessing ahead, what was left out.

ALTER TABLE messages ADD COLUMN reuse_ms            REAL;
ALTER TABLE messages ADD COLUMN guesses_asked       INTEGER; -- guessing ahead was on
ALTER TABLE messages ADD COLUMN guess_steps         INTEGER; -- that had guesses to check
ALTER TABLE messages ADD COLUMN guessed_tokens      INTEGER;
ALTER TABLE messages ADD COLUMN accepted_tokens     INTEGER;
ALTER TABLE messages ADD COLUMN looked_up_tokens    INTEGER; -- of the guessed ones
ALTER TABLE messages ADD COLUMN looked_up_accepted  INTEGER;
ALTER TABLE messages ADD COLUMN draft_ms            REAL;
ALTER TABLE messages ADD COLUMN guess_problem       TEXT;    -- why nothing could be guessed
ALTER TABLE messages ADD COLUMN dropped_messages    INTEGER; -- left out because the context was full
ALTER TABLE messages ADD COLUMN dropped_tokens      INTEGER;
ALTER TABLE messages ADD COLUMN would_drop_messages INTEGER; -- of a reply that found the context full
ALTER TABLE messages ADD COLUMN would_drop_tokens   INTEGER;
