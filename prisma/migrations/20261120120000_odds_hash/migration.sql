-- The hash of the odds table that a version publishes and an opening was drawn from. Versions and openings from before
-- this migration have none: history is not rewritten.
ALTER TABLE "box_version" ADD COLUMN "odds_hash" TEXT NOT NULL DEFAULT '';
ALTER TABLE "box_version" ALTER COLUMN "odds_hash" DROP DEFAULT;
ALTER TABLE "opening" ADD COLUMN "odds_hash" TEXT NOT NULL DEFAULT '';
ALTER TABLE "opening" ALTER COLUMN "odds_hash" DROP DEFAULT;
