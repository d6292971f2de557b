-- Counts the changes of an item, so that a change can be refused if there was another one in between.
ALTER TABLE "item" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 1;
