-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "requires_idempotency_key" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE INDEX "idempotency_record_created_at_idx" ON "idempotency_record"("created_at");

-- From here on: what Prisma's schema language cannot say.

-- A thirtieth of the table is deleted every day. By default vacuum would wait until a fifth of it is dead.
ALTER TABLE "idempotency_record" SET (autovacuum_vacuum_scale_factor = 0.02);
