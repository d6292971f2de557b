-- Work that found no slot for its call stands in a line in the order of its ids, until a slot is free.
ALTER TABLE "outbox" ADD COLUMN "line" TEXT;
CREATE INDEX "outbox_line_idx" ON "outbox" ("line", "id") WHERE "line" IS NOT NULL;
