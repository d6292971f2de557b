-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "allowed_addresses" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3);
