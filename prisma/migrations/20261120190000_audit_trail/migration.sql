-- CreateTable
CREATE TABLE "audit_entry" (
    "id" TEXT NOT NULL,
    "casino_id" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "address" TEXT,
    "action" TEXT NOT NULL,
    "params" TEXT NOT NULL,
    "reason" TEXT,
    "request_id" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "txid" BIGINT NOT NULL DEFAULT (((pg_current_xact_id())::text)::bigint + event_txid_offset()),

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_link" (
    "casino_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "entry_id" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_link_pkey" PRIMARY KEY ("casino_id","sequence")
);

-- CreateTable
CREATE TABLE "audit_chain" (
    "casino_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL DEFAULT 0,
    "hash" BYTEA NOT NULL DEFAULT '\x',
    "cursor_txid" BIGINT NOT NULL DEFAULT 0,
    "cursor_id" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "audit_chain_pkey" PRIMARY KEY ("casino_id")
);

-- CreateIndex
CREATE INDEX "audit_entry_casino_id_id_idx" ON "audit_entry"("casino_id", "id");
CREATE INDEX "audit_entry_casino_id_txid_id_idx" ON "audit_entry"("casino_id", "txid", "id");
CREATE UNIQUE INDEX "audit_link_entry_id_key" ON "audit_link"("entry_id");

-- From here on: what Prisma's schema language cannot say.

CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "audit_link_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_link"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
