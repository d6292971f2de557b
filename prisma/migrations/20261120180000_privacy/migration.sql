-- AlterTable
ALTER TABLE "player" ADD COLUMN "erase_requested_at" TIMESTAMPTZ(3);
ALTER TABLE "player" ADD COLUMN "erased_at" TIMESTAMPTZ(3);
ALTER TABLE "prize_order" ALTER COLUMN "delivery_key_id" DROP NOT NULL;

-- From here on: what Prisma's schema language cannot say.

-- Delivery details that are needed no more.
CREATE INDEX "prize_order_erasable_idx" ON "prize_order" ("casino_id", "updated_at")
    WHERE "state" IN ('delivered', 'rejected', 'cancelled') AND "delivery_key" IS NOT NULL;
CREATE INDEX "player_erasing_idx" ON "player" ("erase_requested_at")
    WHERE "erase_requested_at" IS NOT NULL AND "erased_at" IS NULL;

-- Without its data key a ciphertext means nothing; what is erased leaves neither.
ALTER TABLE "prize_order" ADD CONSTRAINT "prize_order_erased" CHECK (
    "delivery_key" IS NOT NULL OR length("delivery_ciphertext") = 0);

-- What a key-encryption key still opens is looked for when it is to be retired.
CREATE INDEX "prize_order_delivery_key_id_idx" ON "prize_order" ("delivery_key_id", "id") WHERE "delivery_key" IS NOT NULL;
