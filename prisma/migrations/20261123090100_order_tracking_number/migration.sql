-- Operators look for a parcel by what the carrier calls it.
CREATE INDEX CONCURRENTLY "prize_order_tracking_number_idx" ON "prize_order" ("tracking_number", "casino_id") WHERE "tracking_number" IS NOT NULL;
