-- Who rotated a key was shown its successor, which ends with that key; null in keys from before this was written down.
ALTER TABLE "api_key" ADD COLUMN "rotated_by" TEXT;
CREATE INDEX "api_key_rotated_by_idx" ON "api_key"("rotated_by");
-- How many keys were made within a day.
CREATE INDEX "api_key_casino_id_created_at_idx" ON "api_key"("casino_id", "created_at");
-- Keys that work, without those that have ended. Prisma's schema language cannot say this one.
CREATE INDEX "api_key_unended" ON "api_key"("casino_id", (COALESCE("expires_at", 'infinity'))) WHERE "revoked_at" IS NULL;
DROP INDEX "api_key_not_revoked";
