-- Who made a key, so that those it made end with it; null in keys from before this was written down.
ALTER TABLE "api_key" ADD COLUMN "created_by" TEXT, ADD COLUMN "rotated_from" TEXT;
CREATE INDEX "api_key_created_by_idx" ON "api_key"("created_by");
-- A casino has at most 100 keys that work, however many it has had. Prisma's schema language cannot say this one.
CREATE INDEX "api_key_not_revoked" ON "api_key"("casino_id") WHERE "revoked_at" IS NULL;
