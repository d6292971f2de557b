-- The grant to use is the one that expires first: found by its place, however many a player has.
CREATE INDEX "opening_grant_by_expiry_idx"
    ON "opening_grant" ("casino_id", "player_id", "box_id", "expires_at", "created_at", "id") WHERE "used" < "count";
DROP INDEX "opening_grant_usable_idx";
