-- AlterTable
ALTER TABLE "webhook_delivery" ADD COLUMN "outbox_id" BIGINT;

-- CreateIndex
CREATE INDEX "webhook_secret_expires_at_idx" ON "webhook_secret"("expires_at");

-- From here on: what Prisma's schema language cannot say.

-- What is added to the server's own transaction numbers. A dump that is restored into another server brings events of
-- numbers which that server has not reached yet; `npm run migrate` then raises this, so that new events follow the old
-- ones (see "Backups" in docs/operations.md). STABLE, so that no plan keeps an old value.
CREATE FUNCTION "event_txid_offset"() RETURNS BIGINT LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT 0::bigint';
ALTER TABLE "event" ALTER COLUMN "txid" SET DEFAULT (((pg_current_xact_id())::text)::bigint + event_txid_offset());

-- Deliveries that rest, without work in the outbox: their endpoint was off, or they were asked for again.
CREATE INDEX "webhook_delivery_resting_idx" ON "webhook_delivery" ("casino_id", "endpoint_id", "id")
    WHERE "state" = 'pending' AND "outbox_id" IS NULL;

-- Deliveries that are over, for removing old ones.
CREATE INDEX "webhook_delivery_over_idx" ON "webhook_delivery" ("state", "updated_at") WHERE "state" <> 'pending';
