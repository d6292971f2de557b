-- AlterTable
ALTER TABLE "casino_setting" ADD COLUMN     "previous_expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "previous_sealed_key" BYTEA,
ADD COLUMN     "previous_sealed_key_id" TEXT,
ADD COLUMN     "previous_sealed_secret" BYTEA;

-- The secret before the present one goes on for a while, and there is none without a present one.
ALTER TABLE "casino_setting" ADD CONSTRAINT "casino_setting_previous_secret" CHECK (
    num_nulls("previous_sealed_secret", "previous_sealed_key", "previous_sealed_key_id", "previous_expires_at") IN (0, 4)
    AND ("previous_sealed_secret" IS NULL OR "sealed_secret" IS NOT NULL));

-- A worker drops those that have expired.
CREATE INDEX "casino_setting_previous_idx" ON "casino_setting" ("previous_expires_at") WHERE "previous_expires_at" IS NOT NULL;
