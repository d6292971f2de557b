-- Counts the changes of the definition of a webhook endpoint, so that a change can be refused if there was another one in between.
ALTER TABLE "webhook_endpoint" ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 1;
