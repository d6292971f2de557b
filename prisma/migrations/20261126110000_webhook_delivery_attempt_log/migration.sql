-- The last attempts of a delivery: the number, time and result of each. Written by the statement that records the result.
ALTER TABLE "webhook_delivery" ADD COLUMN "attempt_log" JSONB NOT NULL DEFAULT '[]';
