-- The newest ended ones of a prize, of which a page shows a hundred. The index without the id is dropped after this.
CREATE INDEX CONCURRENTLY "cashback_ended_newest_idx" ON "cashback" ("casino_id", "prize_id", "id") WHERE "state" IN ('declined', 'reversed');
