-- A line is in the order of since when its work waits: work that comes again and again, under the same id, would otherwise
-- always be first.
CREATE INDEX "outbox_line_waits_idx" ON "outbox" ("line", "created_at", "id") WHERE "line" IS NOT NULL;
DROP INDEX "outbox_line_idx";
