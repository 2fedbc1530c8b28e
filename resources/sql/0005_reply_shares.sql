-- How much of what the device multiplies and reads at best a reply reached; 0 = not known.

ALTER TABLE messages ADD COLUMN prefill_arithmetic_share REAL;
ALTER TABLE messages ADD COLUMN decode_bandwidth_share   REAL;
