-- Counts the changes of a casino, so that a change can be refused if there was another one in between.
ALTER TABLE "casino" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 1;
