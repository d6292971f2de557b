-- The highest revision that a deleted webhook endpoint of the casino had: one that is made again begins above it.
ALTER TABLE "casino" ADD COLUMN "endpoint_revisions" INTEGER NOT NULL DEFAULT 0;
