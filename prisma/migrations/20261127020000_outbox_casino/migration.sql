-- The casino of the work: workers share their time fairly among casinos. Null for work that an earlier release causes.
ALTER TABLE "outbox" ADD COLUMN "casino_id" TEXT;
