-- The newest ended ones of a prize, of which a page shows a hundred. The index without the id is dropped after this.
CREATE INDEX CONCURRENTLY "prize_order_ended_newest_idx" ON "prize_order" ("casino_id", "prize_id", "id") WHERE "state" IN ('rejected', 'cancelled');
