-- Where a reply's pages came from and went: the disk, the system's memory, another device; what left a full cache unread.

ALTER TABLE messages ADD COLUMN reused_from_disk   INTEGER; -- of the reused tokens
ALTER TABLE messages ADD COLUMN reused_from_memory INTEGER; -- of the reused tokens
ALTER TABLE messages ADD COLUMN moved_tokens       INTEGER; -- whose pages left and came back while the reply ran
ALTER TABLE messages ADD COLUMN transfer_ms        REAL;    -- another device read the prompt and handed it over
ALTER TABLE messages ADD COLUMN transfer_tokens    INTEGER;
ALTER TABLE messages ADD COLUMN transfer_bytes     INTEGER;
ALTER TABLE messages ADD COLUMN shifted_tokens     INTEGER; -- left the cache without reading again: the reply is approximate
