-- AlterTable
ALTER TABLE "prize_order" ADD COLUMN "ended_at" TIMESTAMPTZ(3);

-- From here on: what Prisma's schema language cannot say.

UPDATE "prize_order" SET "ended_at" = "updated_at" WHERE "state" IN ('delivered', 'rejected', 'cancelled');
ALTER TABLE "prize_order" ADD CONSTRAINT "prize_order_ended" CHECK (
    ("ended_at" IS NOT NULL) = ("state" IN ('delivered', 'rejected', 'cancelled')));

-- An index on updated_at would be written with every change of an order.
DROP INDEX "prize_order_erasable_idx";
CREATE INDEX "prize_order_erasable_idx" ON "prize_order" ("casino_id", "ended_at")
    WHERE "ended_at" IS NOT NULL AND "delivery_key" IS NOT NULL;
