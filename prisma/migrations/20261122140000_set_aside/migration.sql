-- What a loop of the workers cannot work on, because of what is in its row. It goes around it, and tries again later.
CREATE TABLE "set_aside" (
    "loop" TEXT NOT NULL,
    "casino_id" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "problem" TEXT NOT NULL,
    "set_aside_at" TIMESTAMPTZ(3) NOT NULL,
    "retry_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "set_aside_pkey" PRIMARY KEY ("loop", "casino_id", "object_id")
);

-- Players who wait to be erased are looked at in pages, round after round.
DROP INDEX "player_erasing_idx";
CREATE INDEX "player_erasing_idx" ON "player" ("casino_id", "id")
    WHERE "erase_requested_at" IS NOT NULL AND "erased_at" IS NULL;
