-- AlterTable
ALTER TABLE "prize_order" ADD COLUMN "problem" TEXT,
ADD COLUMN "provider_asked" TEXT;
