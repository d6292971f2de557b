-- The archive finds ended prizes by their age. A row enters the index only when its prize ends.
CREATE INDEX CONCURRENTLY "prize_ended_oldest_idx" ON "prize" ("casino_id", "created_at", "id") WHERE "state" IN ('fulfilled', 'cashed_back', 'expired', 'voided');
