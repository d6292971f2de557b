-- AlterTable
ALTER TABLE "webhook_endpoint" ADD COLUMN "resting_until" TIMESTAMPTZ(3);
