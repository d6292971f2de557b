-- The boxes that have an item as their fallback. Most have none.
CREATE INDEX CONCURRENTLY "box_version_fallback_idx" ON "box_version" ("casino_id", "fallback_item_id", "box_id", "version") WHERE "fallback_item_id" IS NOT NULL;
