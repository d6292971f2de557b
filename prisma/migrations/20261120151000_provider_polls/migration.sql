-- AlterTable
ALTER TABLE "prize_order" ADD COLUMN "next_poll_at" TIMESTAMPTZ(3);

-- From here on: what Prisma's schema language cannot say.

-- What was received and not looked at yet.
CREATE INDEX "partner_event_new_idx" ON "partner_event" ("casino_id", "order_id") WHERE "outcome" IS NULL;
