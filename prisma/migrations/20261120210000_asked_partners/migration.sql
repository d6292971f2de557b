-- AlterTable
ALTER TABLE "cashback" ADD COLUMN "wallet_asked" TEXT;
