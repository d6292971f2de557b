-- CreateTable
CREATE TABLE "server_seed" (
    "id" TEXT NOT NULL,
    "casino_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "commitment" TEXT NOT NULL,
    "sealed_seed" BYTEA NOT NULL,
    "sealed_key" BYTEA NOT NULL,
    "sealed_key_id" TEXT NOT NULL,
    "revealed_seed" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "activated_at" TIMESTAMPTZ(3),
    "retired_at" TIMESTAMPTZ(3),
    "revealed_at" TIMESTAMPTZ(3),

    CONSTRAINT "server_seed_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "server_seed_casino_id_id_idx" ON "server_seed"("casino_id", "id");

-- AlterTable
ALTER TABLE "player" ADD COLUMN "seed_id" TEXT;
ALTER TABLE "player" ADD COLUMN "nonce" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "opening" ADD COLUMN "seed_id" TEXT;
ALTER TABLE "opening" ADD COLUMN "nonce" BIGINT;

-- CreateIndex
CREATE UNIQUE INDEX "opening_casino_id_player_id_seed_id_nonce_key" ON "opening"("casino_id", "player_id", "seed_id", "nonce");

-- From here on: what Prisma's schema language cannot say.

-- A casino draws from one seed at a time, and knows the commitment of the next one before it is used.
CREATE UNIQUE INDEX "server_seed_active_key" ON "server_seed" ("casino_id") WHERE "state" = 'active';
CREATE UNIQUE INDEX "server_seed_next_key" ON "server_seed" ("casino_id") WHERE "state" = 'next';
CREATE INDEX "server_seed_retired_idx" ON "server_seed" ("retired_at") WHERE "state" = 'retired';
ALTER TABLE "server_seed" ADD CONSTRAINT "server_seed_state" CHECK (
    ("state" = 'next' AND "activated_at" IS NULL AND "revealed_seed" IS NULL)
 OR ("state" = 'active' AND "activated_at" IS NOT NULL AND "revealed_seed" IS NULL)
 OR ("state" = 'retired' AND "retired_at" IS NOT NULL AND "revealed_seed" IS NULL)
 OR ("state" = 'revealed' AND "revealed_at" IS NOT NULL AND "revealed_seed" IS NOT NULL));

-- What a commitment says is checked by the database too, so that nothing else can ever be revealed under it.
ALTER TABLE "server_seed" ADD CONSTRAINT "server_seed_commitment" CHECK (
    "revealed_seed" IS NULL OR encode(sha256(decode("revealed_seed", 'hex')), 'hex') = "commitment");
