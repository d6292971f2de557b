-- Counts the changes of an operator's rights, so that a change can be refused if there was another one in between.
ALTER TABLE "operator" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 1;
