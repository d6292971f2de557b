-- Counts the switches of a box, so that a switch can be refused if there was another one in between.
ALTER TABLE "box" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 1;
