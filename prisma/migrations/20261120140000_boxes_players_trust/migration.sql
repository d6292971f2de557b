-- AlterTable
ALTER TABLE "casino" ADD COLUMN "sandbox_of" TEXT;
ALTER TABLE "api_key" ADD COLUMN "mode" TEXT NOT NULL DEFAULT 'live';
ALTER TABLE "box" ADD COLUMN "enabled" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "box_version" ADD COLUMN "description" TEXT;
ALTER TABLE "box_version" ADD COLUMN "image_url" TEXT;
ALTER TABLE "box_version" ADD COLUMN "limit_time_zone" TEXT;
ALTER TABLE "player" ADD COLUMN "client_seed" TEXT;
ALTER TABLE "player" ADD COLUMN "seed_client_seed" TEXT;
ALTER TABLE "opening" ADD COLUMN "client_seed" TEXT;
ALTER TABLE "opening" ADD COLUMN "forced" BOOLEAN NOT NULL DEFAULT false;

-- CreateIndex
CREATE UNIQUE INDEX "casino_sandbox_of_key" ON "casino"("sandbox_of");
CREATE INDEX "opening_casino_id_seed_id_id_idx" ON "opening"("casino_id", "seed_id", "id");

-- AddForeignKey
ALTER TABLE "casino" ADD CONSTRAINT "casino_sandbox_of_fkey" FOREIGN KEY ("sandbox_of") REFERENCES "casino"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- From here on: what Prisma's schema language cannot say.

ALTER TABLE "api_key" ADD CONSTRAINT "api_key_mode" CHECK ("mode" IN ('live', 'test'));
