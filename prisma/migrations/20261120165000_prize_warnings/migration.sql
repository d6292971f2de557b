-- What Prisma's schema language cannot say.

-- Prizes of a casino that are still to be warned about before they expire.
CREATE INDEX "prize_unwarned_idx" ON "prize" ("casino_id", "expires_at")
    WHERE "state" = 'won' AND "kind" <> 'none' AND "expiry_warned_at" IS NULL AND "expires_at" IS NOT NULL;
