-- CreateTable
CREATE TABLE "casino" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "casino_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" TEXT NOT NULL,
    "casino_id" TEXT NOT NULL,
    "name" TEXT,
    "scopes" TEXT[],
    "secret_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "item" (
    "casino_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "description" TEXT,
    "image_url" TEXT,
    "cashback_amount_minor" BIGINT,
    "cashback_currency" TEXT,
    "claim_days" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "item_pkey" PRIMARY KEY ("casino_id","id")
);

-- CreateTable
CREATE TABLE "box" (
    "casino_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "current_version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "box_pkey" PRIMARY KEY ("casino_id","id")
);

-- CreateTable
CREATE TABLE "box_version" (
    "casino_id" TEXT NOT NULL,
    "box_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "access" TEXT NOT NULL,
    "limit_count" INTEGER,
    "limit_period" TEXT,
    "active_from" TIMESTAMPTZ(3),
    "active_until" TIMESTAMPTZ(3),
    "fallback_item_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "box_version_pkey" PRIMARY KEY ("casino_id","box_id","version")
);

-- CreateTable
CREATE TABLE "box_entry" (
    "casino_id" TEXT NOT NULL,
    "box_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "item_id" TEXT NOT NULL,
    "weight" BIGINT NOT NULL,
    "stock" INTEGER,

    CONSTRAINT "box_entry_pkey" PRIMARY KEY ("casino_id","box_id","version","position")
);

-- CreateTable
CREATE TABLE "box_stock" (
    "casino_id" TEXT NOT NULL,
    "box_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "remaining" INTEGER NOT NULL,

    CONSTRAINT "box_stock_pkey" PRIMARY KEY ("casino_id","box_id","version","position")
);

-- CreateTable
CREATE TABLE "player" (
    "casino_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "opening_count" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "player_pkey" PRIMARY KEY ("casino_id","id")
);

-- CreateTable
CREATE TABLE "opening_grant" (
    "casino_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "box_id" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "used" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "opening_grant_pkey" PRIMARY KEY ("casino_id","id")
);

-- CreateTable
CREATE TABLE "opening" (
    "id" TEXT NOT NULL,
    "casino_id" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "box_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "item_id" TEXT NOT NULL,
    "substituted" BOOLEAN NOT NULL,
    "grant_id" TEXT,
    "prize_id" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "opened_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "opening_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "prize" (
    "casino_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "item_id" TEXT NOT NULL,
    "item_name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "cashback_amount_minor" BIGINT,
    "cashback_currency" TEXT,
    "state" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "opening_id" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "prize_pkey" PRIMARY KEY ("casino_id","id")
);

-- CreateTable
CREATE TABLE "prize_order" (
    "id" TEXT NOT NULL,
    "casino_id" TEXT NOT NULL,
    "prize_id" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "delivery_ciphertext" BYTEA NOT NULL,
    "delivery_key" BYTEA,
    "delivery_key_id" TEXT NOT NULL,
    "announced_at" TIMESTAMPTZ(3),
    "provider" TEXT,
    "carrier" TEXT,
    "tracking_number" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "prize_order_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cashback" (
    "id" TEXT NOT NULL,
    "casino_id" TEXT NOT NULL,
    "prize_id" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cashback_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event" (
    "id" BIGSERIAL NOT NULL,
    "casino_id" TEXT NOT NULL,
    "object_type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "from_state" TEXT,
    "to_state" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "reason" TEXT,
    "request_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "job_name" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "relayed" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_record" (
    "casino_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "response" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("casino_id","key")
);

-- CreateTable
CREATE TABLE "ledger_transaction" (
    "id" TEXT NOT NULL,
    "casino_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "cashback_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ledger_transaction_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_entry" (
    "transaction_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "casino_id" TEXT NOT NULL,
    "account" TEXT NOT NULL,
    "player_id" TEXT,
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("transaction_id","position")
);

-- CreateIndex
CREATE INDEX "api_key_casino_id_id_idx" ON "api_key"("casino_id", "id");

-- CreateIndex
CREATE INDEX "opening_casino_id_player_id_box_id_opened_at_idx" ON "opening"("casino_id", "player_id", "box_id", "opened_at");

-- CreateIndex
CREATE UNIQUE INDEX "opening_casino_id_player_id_sequence_key" ON "opening"("casino_id", "player_id", "sequence");

-- CreateIndex
CREATE INDEX "prize_casino_id_player_id_id_idx" ON "prize"("casino_id", "player_id", "id");

-- CreateIndex
CREATE INDEX "prize_order_casino_id_id_idx" ON "prize_order"("casino_id", "id");

-- CreateIndex
CREATE INDEX "prize_order_casino_id_state_id_idx" ON "prize_order"("casino_id", "state", "id");

-- CreateIndex
CREATE INDEX "prize_order_casino_id_player_id_id_idx" ON "prize_order"("casino_id", "player_id", "id");

-- CreateIndex
CREATE INDEX "cashback_casino_id_id_idx" ON "cashback"("casino_id", "id");

-- CreateIndex
CREATE INDEX "cashback_casino_id_state_id_idx" ON "cashback"("casino_id", "state", "id");

-- CreateIndex
CREATE UNIQUE INDEX "event_casino_id_object_type_object_id_sequence_key" ON "event"("casino_id", "object_type", "object_id", "sequence");

-- CreateIndex
CREATE INDEX "outbox_due_at_idx" ON "outbox"("due_at");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_transaction_cashback_id_kind_key" ON "ledger_transaction"("cashback_id", "kind");

-- CreateIndex
CREATE INDEX "ledger_entry_casino_id_player_id_currency_idx" ON "ledger_entry"("casino_id", "player_id", "currency");

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_casino_id_fkey" FOREIGN KEY ("casino_id") REFERENCES "casino"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "item" ADD CONSTRAINT "item_casino_id_fkey" FOREIGN KEY ("casino_id") REFERENCES "casino"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "box" ADD CONSTRAINT "box_casino_id_fkey" FOREIGN KEY ("casino_id") REFERENCES "casino"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "box_version" ADD CONSTRAINT "box_version_casino_id_box_id_fkey" FOREIGN KEY ("casino_id", "box_id") REFERENCES "box"("casino_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "box_entry" ADD CONSTRAINT "box_entry_casino_id_box_id_version_fkey" FOREIGN KEY ("casino_id", "box_id", "version") REFERENCES "box_version"("casino_id", "box_id", "version") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "box_entry" ADD CONSTRAINT "box_entry_casino_id_item_id_fkey" FOREIGN KEY ("casino_id", "item_id") REFERENCES "item"("casino_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_transaction_id_fkey" FOREIGN KEY ("transaction_id") REFERENCES "ledger_transaction"("id") ON DELETE RESTRICT ON UPDATE CASCADE;


-- From here on: what Prisma's schema language cannot say.

-- One prize, one fate: at most one live order and one live cashback for a prize. That the two exclude each other is
-- the prize row's own state, which both must move.
CREATE UNIQUE INDEX "prize_order_live_key" ON "prize_order" ("casino_id", "prize_id")
    WHERE "state" NOT IN ('rejected', 'cancelled');
CREATE UNIQUE INDEX "cashback_live_key" ON "cashback" ("casino_id", "prize_id")
    WHERE "state" NOT IN ('declined', 'reversed');

-- Only grants that can still be used are looked for.
CREATE INDEX "opening_grant_usable_idx" ON "opening_grant" ("casino_id", "player_id", "box_id", "created_at")
    WHERE "used" < "count";

ALTER TABLE "box_stock" ADD CONSTRAINT "box_stock_never_oversold" CHECK ("remaining" >= 0);
ALTER TABLE "opening_grant" ADD CONSTRAINT "opening_grant_never_overused" CHECK ("used" >= 0 AND "used" <= "count");
ALTER TABLE "box_entry" ADD CONSTRAINT "box_entry_weight" CHECK ("weight" >= 1), ADD CONSTRAINT "box_entry_stock" CHECK ("stock" >= 0);
ALTER TABLE "box_version" ADD CONSTRAINT "box_version_access" CHECK ("access" IN ('granted', 'limited')
    AND ("access" = 'limited') = ("limit_count" IS NOT NULL)
    AND ("access" = 'limited') = ("limit_period" IS NOT NULL));
ALTER TABLE "item" ADD CONSTRAINT "item_kind" CHECK ("kind" IN ('physical', 'cash', 'bonus', 'none'));
ALTER TABLE "item" ADD CONSTRAINT "item_cashback" CHECK (("cashback_amount_minor" IS NULL) = ("cashback_currency" IS NULL) AND "cashback_amount_minor" > 0);
ALTER TABLE "prize" ADD CONSTRAINT "prize_cashback" CHECK (("cashback_amount_minor" IS NULL) = ("cashback_currency" IS NULL) AND "cashback_amount_minor" > 0);
ALTER TABLE "cashback" ADD CONSTRAINT "cashback_amount" CHECK ("amount_minor" > 0);

ALTER TABLE "prize" ADD CONSTRAINT "prize_state" CHECK ("state" IN
    ('won', 'ordered', 'fulfilled', 'cashback_pending', 'cashed_back', 'expired', 'voided'));
ALTER TABLE "prize_order" ADD CONSTRAINT "prize_order_state" CHECK ("state" IN
    ('pending_confirmation', 'confirmed', 'rejected', 'cancelled', 'submitted', 'processing', 'shipped', 'delivered',
     'exception', 'cancel_requested'));
ALTER TABLE "cashback" ADD CONSTRAINT "cashback_state" CHECK ("state" IN
    ('requested', 'processing', 'credited', 'declined', 'unknown', 'manual_review', 'reversed'));
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_account" CHECK (
    ("account" = 'player_wallet' AND "player_id" IS NOT NULL) OR ("account" = 'casino_cashback' AND "player_id" IS NULL));
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_amount" CHECK ("amount_minor" <> 0);

-- Every statement that writes entries must leave each of its transactions balanced in each currency. Entries are never
-- changed or deleted, so what balances when it is written balances for ever.
CREATE FUNCTION "ledger_refuse_unbalanced"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM "written" GROUP BY "transaction_id", "currency" HAVING sum("amount_minor") <> 0
    ) THEN
        RAISE EXCEPTION 'ledger entries do not sum to zero' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "ledger_entry_balanced" AFTER INSERT ON "ledger_entry"
    REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_refuse_unbalanced"();

-- History is written once.
CREATE FUNCTION "refuse_rewriting_history"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER "event_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "event"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "opening_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "opening"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "box_version_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "box_version"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "box_entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "box_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "ledger_transaction_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_transaction"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "ledger_entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- Rows that are updated in place leave room on their page for it (heap-only updates); the outbox is written and emptied
-- all the time and must be vacuumed early, or scans of it slow down with its dead rows.
ALTER TABLE "prize" SET (fillfactor = 85);
ALTER TABLE "prize_order" SET (fillfactor = 80);
ALTER TABLE "cashback" SET (fillfactor = 80);
ALTER TABLE "player" SET (fillfactor = 70);
ALTER TABLE "box_stock" SET (fillfactor = 20, autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 500);
ALTER TABLE "outbox" SET (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 2000,
    autovacuum_vacuum_cost_delay = 0);
