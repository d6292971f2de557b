-- CreateTable
CREATE TABLE "casino" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "sandbox_of" TEXT,

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
    "mode" TEXT NOT NULL DEFAULT 'live',
    "allowed_addresses" TEXT[] NOT NULL DEFAULT ARRAY[]::text[],
    "last_used_at" TIMESTAMPTZ(3),
    "requires_idempotency_key" BOOLEAN NOT NULL DEFAULT false,
    "created_by" TEXT,
    "rotated_from" TEXT,
    "rotated_by" TEXT,

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

    CONSTRAINT "item_pkey" PRIMARY KEY ("casino_id", "id")
);

-- CreateTable
CREATE TABLE "box" (
    "casino_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "current_version" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "enabled" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "box_pkey" PRIMARY KEY ("casino_id", "id")
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
    "odds_hash" TEXT NOT NULL,
    "description" TEXT,
    "image_url" TEXT,
    "limit_time_zone" TEXT,

    CONSTRAINT "box_version_pkey" PRIMARY KEY ("casino_id", "box_id", "version")
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
    "stock_of_version" INTEGER,
    "stock_of_position" INTEGER,

    CONSTRAINT "box_entry_pkey" PRIMARY KEY ("casino_id", "box_id", "version", "position")
);

-- CreateTable
CREATE TABLE "box_stock" (
    "casino_id" TEXT NOT NULL,
    "box_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "remaining" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'open',
    "overdrawn" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "box_stock_pkey" PRIMARY KEY ("casino_id", "box_id", "version", "position")
);

-- CreateTable
CREATE TABLE "player" (
    "casino_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "opening_count" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seed_id" TEXT,
    "nonce" BIGINT NOT NULL DEFAULT 0,
    "client_seed" TEXT,
    "seed_client_seed" TEXT,
    "erase_requested_at" TIMESTAMPTZ(3),
    "erased_at" TIMESTAMPTZ(3),

    CONSTRAINT "player_pkey" PRIMARY KEY ("casino_id", "id")
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

    CONSTRAINT "opening_grant_pkey" PRIMARY KEY ("casino_id", "id")
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
    "odds_hash" TEXT NOT NULL,
    "seed_id" TEXT,
    "nonce" BIGINT,
    "client_seed" TEXT,
    "forced" BOOLEAN NOT NULL DEFAULT false,

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
    "expiry_warned_at" TIMESTAMPTZ(3),
    "stock_returned" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "prize_pkey" PRIMARY KEY ("casino_id", "id")
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
    "delivery_key_id" TEXT,
    "announced_at" TIMESTAMPTZ(3),
    "provider" TEXT,
    "carrier" TEXT,
    "tracking_number" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "shipment_number" INTEGER NOT NULL DEFAULT 1,
    "exception_reason" TEXT,
    "returns_prize" BOOLEAN,
    "cancelled_from" TEXT,
    "provider_reference" TEXT,
    "partner_occurred_at" TIMESTAMPTZ(3),
    "reminders_sent" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "attempt_until" TIMESTAMPTZ(3),
    "next_poll_at" TIMESTAMPTZ(3),
    "problem" TEXT,
    "provider_asked" TEXT,
    "ended_at" TIMESTAMPTZ(3),

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
    "wallet" TEXT NOT NULL DEFAULT 'ledger',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "attempt_until" TIMESTAMPTZ(3),
    "wallet_reference" TEXT,
    "problem" TEXT,
    "wallet_asked" TEXT,
    "reversal_prize" TEXT,
    "debit_number" INTEGER NOT NULL DEFAULT 1,
    "debit_attempts" INTEGER NOT NULL DEFAULT 0,

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
    "data" JSONB,
    "txid" BIGINT NOT NULL,

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
    "snoozed_until" TIMESTAMPTZ(3),
    "line" TEXT,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_record" (
    "casino_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "response" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempt_id" TEXT,
    "attempt_until" TIMESTAMPTZ(3),
    "carried_out_at" TIMESTAMPTZ(3),
    "sealed_key" BYTEA,
    "sealed_key_id" TEXT,
    "sealed_response" BYTEA,
    "status" SMALLINT,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("casino_id", "key")
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

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("transaction_id", "position")
);

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

-- CreateTable
CREATE TABLE "order_hold" (
    "id" TEXT NOT NULL,
    "casino_id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "placed_by" TEXT NOT NULL,
    "placed_at" TIMESTAMPTZ(3) NOT NULL,
    "released_by" TEXT,
    "released_at" TIMESTAMPTZ(3),

    CONSTRAINT "order_hold_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "partner_event" (
    "casino_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "shipment_number" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "reason" TEXT,
    "carrier" TEXT,
    "tracking_number" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,
    "outcome" TEXT,

    CONSTRAINT "partner_event_pkey" PRIMARY KEY ("casino_id", "id")
);

-- CreateTable
CREATE TABLE "casino_setting" (
    "casino_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "sealed_secret" BYTEA,
    "sealed_key" BYTEA,
    "sealed_key_id" TEXT,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "paused_at" TIMESTAMPTZ(3),
    "paused_reason" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "previous_expires_at" TIMESTAMPTZ(3),
    "previous_sealed_key" BYTEA,
    "previous_sealed_key_id" TEXT,
    "previous_sealed_secret" BYTEA,

    CONSTRAINT "casino_setting_pkey" PRIMARY KEY ("casino_id", "name")
);

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "casino_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "event_types" TEXT[],
    "state" TEXT NOT NULL,
    "disabled_reason" TEXT,
    "failing_since" TIMESTAMPTZ(3),
    "cursor_txid" BIGINT NOT NULL,
    "cursor_event_id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "resting_until" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("casino_id", "id")
);

-- CreateTable
CREATE TABLE "webhook_secret" (
    "id" TEXT NOT NULL,
    "casino_id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "sealed_secret" BYTEA NOT NULL,
    "sealed_key" BYTEA NOT NULL,
    "sealed_key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_secret_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" TEXT NOT NULL,
    "casino_id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "event_id" BIGINT NOT NULL,
    "object_type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "replay_number" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "attempt_until" TIMESTAMPTZ(3),
    "last_status" INTEGER,
    "last_problem" TEXT,
    "next_attempt_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "outbox_id" BIGINT,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

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
    "txid" BIGINT NOT NULL,
    "signature" BYTEA,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_link" (
    "casino_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "entry_id" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_link_pkey" PRIMARY KEY ("casino_id", "sequence")
);

-- CreateTable
CREATE TABLE "audit_chain" (
    "casino_id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL DEFAULT 0,
    "hash" BYTEA NOT NULL DEFAULT '\x',
    "cursor_txid" BIGINT NOT NULL DEFAULT 0,
    "cursor_id" TEXT NOT NULL DEFAULT '',
    "refused" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "audit_chain_pkey" PRIMARY KEY ("casino_id")
);

-- CreateTable
CREATE TABLE "wallet_answer" (
    "id" BIGSERIAL NOT NULL,
    "casino_id" TEXT NOT NULL,
    "cashback_id" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "transaction_id" TEXT NOT NULL,
    "wallet" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "code" TEXT,
    "amount_minor" BIGINT,
    "currency" TEXT,
    "reference" TEXT,
    "contradicts" BOOLEAN NOT NULL DEFAULT false,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "wallet_answer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "set_aside" (
    "loop" TEXT NOT NULL,
    "casino_id" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "problem" TEXT NOT NULL,
    "set_aside_at" TIMESTAMPTZ(3) NOT NULL,
    "retry_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "set_aside_pkey" PRIMARY KEY ("loop", "casino_id", "object_id")
);

-- CreateIndex
CREATE INDEX "api_key_casino_id_id_idx" ON "api_key"("casino_id", "id");
CREATE INDEX "opening_casino_id_player_id_box_id_opened_at_idx" ON "opening"("casino_id", "player_id", "box_id", "opened_at");
CREATE UNIQUE INDEX "opening_casino_id_player_id_sequence_key" ON "opening"("casino_id", "player_id", "sequence");
CREATE INDEX "prize_casino_id_player_id_id_idx" ON "prize"("casino_id", "player_id", "id");
CREATE INDEX "prize_order_casino_id_id_idx" ON "prize_order"("casino_id", "id");
CREATE INDEX "prize_order_casino_id_state_id_idx" ON "prize_order"("casino_id", "state", "id");
CREATE INDEX "prize_order_casino_id_player_id_id_idx" ON "prize_order"("casino_id", "player_id", "id");
CREATE INDEX "cashback_casino_id_id_idx" ON "cashback"("casino_id", "id");
CREATE INDEX "cashback_casino_id_state_id_idx" ON "cashback"("casino_id", "state", "id");
CREATE UNIQUE INDEX "event_casino_id_object_type_object_id_sequence_key" ON "event"("casino_id", "object_type", "object_id", "sequence");
CREATE INDEX "outbox_due_at_idx" ON "outbox"("due_at");
CREATE INDEX "cashback_casino_id_player_id_id_idx" ON "cashback"("casino_id", "player_id", "id");
CREATE INDEX "server_seed_casino_id_id_idx" ON "server_seed"("casino_id", "id");
CREATE UNIQUE INDEX "opening_casino_id_player_id_seed_id_nonce_key" ON "opening"("casino_id", "player_id", "seed_id", "nonce");
CREATE UNIQUE INDEX "casino_sandbox_of_key" ON "casino"("sandbox_of");
CREATE INDEX "opening_casino_id_seed_id_id_idx" ON "opening"("casino_id", "seed_id", "id");
CREATE INDEX "order_hold_casino_id_order_id_idx" ON "order_hold"("casino_id", "order_id");
CREATE INDEX "partner_event_casino_id_order_id_idx" ON "partner_event"("casino_id", "order_id");
CREATE INDEX "webhook_secret_casino_id_endpoint_id_idx" ON "webhook_secret"("casino_id", "endpoint_id");
CREATE UNIQUE INDEX "webhook_delivery_casino_id_endpoint_id_event_id_replay_num_key" ON "webhook_delivery"("casino_id", "endpoint_id", "event_id", "replay_number");
CREATE INDEX "webhook_delivery_casino_id_endpoint_id_id_idx" ON "webhook_delivery"("casino_id", "endpoint_id", "id");
CREATE INDEX "event_casino_id_txid_id_idx" ON "event" ("casino_id", "txid", "id");
CREATE INDEX "webhook_secret_expires_at_idx" ON "webhook_secret"("expires_at");
CREATE INDEX "opening_grant_casino_id_player_id_id_idx" ON "opening_grant"("casino_id", "player_id", "id");
CREATE INDEX "idempotency_record_created_at_idx" ON "idempotency_record"("created_at");
CREATE INDEX "audit_entry_casino_id_id_idx" ON "audit_entry"("casino_id", "id");
CREATE INDEX "audit_entry_casino_id_txid_id_idx" ON "audit_entry"("casino_id", "txid", "id");
CREATE INDEX "audit_entry_txid_idx" ON "audit_entry"("txid");
CREATE UNIQUE INDEX "audit_link_entry_id_key" ON "audit_link"("entry_id");
CREATE INDEX "wallet_answer_casino_id_cashback_id_idx" ON "wallet_answer"("casino_id", "cashback_id");
CREATE UNIQUE INDEX "server_seed_commitment_key" ON "server_seed"("commitment");
CREATE INDEX "api_key_created_by_idx" ON "api_key"("created_by");
CREATE INDEX "api_key_rotated_by_idx" ON "api_key"("rotated_by");
CREATE INDEX "api_key_casino_id_created_at_idx" ON "api_key"("casino_id", "created_at");
CREATE INDEX "box_version_casino_id_created_at_idx" ON "box_version" ("casino_id", "created_at");

-- AddForeignKey
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_casino_id_fkey" FOREIGN KEY ("casino_id") REFERENCES "casino"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "item" ADD CONSTRAINT "item_casino_id_fkey" FOREIGN KEY ("casino_id") REFERENCES "casino"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "box" ADD CONSTRAINT "box_casino_id_fkey" FOREIGN KEY ("casino_id") REFERENCES "casino"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "box_version" ADD CONSTRAINT "box_version_casino_id_box_id_fkey" FOREIGN KEY ("casino_id", "box_id") REFERENCES "box"("casino_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "box_entry" ADD CONSTRAINT "box_entry_casino_id_box_id_version_fkey" FOREIGN KEY ("casino_id", "box_id", "version") REFERENCES "box_version"("casino_id", "box_id", "version") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "box_entry" ADD CONSTRAINT "box_entry_casino_id_item_id_fkey" FOREIGN KEY ("casino_id", "item_id") REFERENCES "item"("casino_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "casino" ADD CONSTRAINT "casino_sandbox_of_fkey" FOREIGN KEY ("sandbox_of") REFERENCES "casino"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "order_hold" ADD CONSTRAINT "order_hold_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "prize_order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "casino_setting" ADD CONSTRAINT "casino_setting_casino_id_fkey" FOREIGN KEY ("casino_id") REFERENCES "casino"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_casino_id_fkey" FOREIGN KEY ("casino_id") REFERENCES "casino"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_secret" ADD CONSTRAINT "webhook_secret_casino_id_endpoint_id_fkey" FOREIGN KEY ("casino_id", "endpoint_id") REFERENCES "webhook_endpoint"("casino_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- From here on: what Prisma's schema language cannot say, table by table.

-- History is written once: the triggers named append_only of the tables below.
CREATE FUNCTION "refuse_rewriting_history"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

-- What is added to the server's own transaction numbers. A dump that is restored into another server brings events of
-- numbers which that server has not reached yet; `npm run migrate` then raises this, so that new events follow the old
-- ones (see docs/operate/backups.md). STABLE, so that no plan keeps an old value.
CREATE FUNCTION "event_txid_offset"() RETURNS BIGINT LANGUAGE sql STABLE PARALLEL SAFE AS 'SELECT 0::bigint';

-- The transaction that wrote an event. Whoever reads the feed takes only events of transactions below the oldest one
-- that is still running, in the order (txid, id): so no event can appear behind a cursor. Entries of the audit trail are
-- chained in the same way.
ALTER TABLE "event" ALTER COLUMN "txid" SET DEFAULT ((pg_current_xact_id())::text)::bigint + event_txid_offset();
ALTER TABLE "audit_entry" ALTER COLUMN "txid" SET DEFAULT ((pg_current_xact_id())::text)::bigint + event_txid_offset();

-- Jobs are named after the ids of work. A sequence goes back when a backup is restored, and the queues, which know nothing
-- of that, would take new work for work that they have done. So an id begins with the time (milliseconds since 1970) and
-- ends with twenty bits of the sequence.
CREATE FUNCTION "new_outbox_id"() RETURNS BIGINT LANGUAGE SQL VOLATILE
RETURN floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint * 1048576 + nextval('outbox_id_seq'::regclass) % 1048576;
ALTER TABLE "outbox" ALTER COLUMN "id" SET DEFAULT "new_outbox_id"();

-- Ends a transaction in which something was counted that is too much already.
CREATE FUNCTION "refuse_beyond_quota"("used" bigint, "most" bigint, "quota" text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF "used" > "most" THEN
        RAISE EXCEPTION 'beyond the quota: %', "quota" USING ERRCODE = 'RQ001';
    END IF;
END $$;

-- api_key

ALTER TABLE "api_key" ADD CONSTRAINT "api_key_mode" CHECK ("mode" IN ('live', 'test'));

-- Keys that work, without those that have ended. A casino has at most 100 of them, however many it has had.
CREATE INDEX "api_key_unended" ON "api_key"("casino_id", (COALESCE("expires_at", 'infinity'))) WHERE "revoked_at" IS NULL;

-- item

ALTER TABLE "item" ADD CONSTRAINT "item_kind" CHECK ("kind" IN ('physical', 'cash', 'bonus', 'none'));
ALTER TABLE "item" ADD CONSTRAINT "item_cashback" CHECK (("cashback_amount_minor" IS NULL) = ("cashback_currency" IS NULL) AND "cashback_amount_minor" > 0);

-- box_version

ALTER TABLE "box_version" ADD CONSTRAINT "box_version_access" CHECK ("access" IN ('granted', 'limited')
    AND ("access" = 'limited') = ("limit_count" IS NOT NULL)
    AND ("access" = 'limited') = ("limit_period" IS NOT NULL));
CREATE TRIGGER "box_version_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "box_version"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- box_entry

ALTER TABLE "box_entry" ADD CONSTRAINT "box_entry_weight" CHECK ("weight" >= 1), ADD CONSTRAINT "box_entry_stock" CHECK ("stock" >= 0);
ALTER TABLE "box_entry" ADD CONSTRAINT "box_entry_stock_of" CHECK (
    num_nulls("stock_of_version", "stock_of_position") IN (0, 2)
    AND ("stock_of_version" IS NULL OR ("stock" IS NOT NULL AND "stock_of_version" < "version")));

-- What an expired prize gives back goes to the entry that has the stock by now.
CREATE INDEX "box_entry_stock_of_idx" ON "box_entry" ("casino_id", "box_id", "stock_of_version", "stock_of_position")
 WHERE "stock_of_version" IS NOT NULL;
CREATE TRIGGER "box_entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "box_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- What a version can give is published with it: an entry that comes later would be drawn, and would contradict the hash
-- of the odds. A row's xmin is the transaction that made it, without the epoch; versions are never updated. The function
-- runs when the statement has ended, and sees what all its parts have written.
CREATE FUNCTION "box_entry_refuse_late"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM "added"
          JOIN "box_version" AS "version"
            ON "version"."casino_id" = "added"."casino_id" AND "version"."box_id" = "added"."box_id"
           AND "version"."version" = "added"."version"
         WHERE "version".xmin::text::bigint <> pg_current_xact_id()::text::bigint % 4294967296
    ) THEN
        RAISE EXCEPTION 'an entry is refused: its version is published' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "box_entry_with_its_version" AFTER INSERT ON "box_entry" REFERENCING NEW TABLE AS "added"
    FOR EACH STATEMENT EXECUTE FUNCTION "box_entry_refuse_late"();

-- box_stock

ALTER TABLE "box_stock" ADD CONSTRAINT "box_stock_never_oversold" CHECK ("remaining" >= 0);
ALTER TABLE "box_stock" ADD CONSTRAINT "box_stock_state" CHECK ("state" IN ('open', 'carried', 'ended'));
ALTER TABLE "box_stock" ADD CONSTRAINT "box_stock_overdrawn" CHECK ("overdrawn" >= 0);

-- player

-- Players who wait to be erased are looked at in pages, round after round.
CREATE INDEX "player_erasing_idx" ON "player" ("casino_id", "id")
    WHERE "erase_requested_at" IS NOT NULL AND "erased_at" IS NULL;

-- opening_grant

ALTER TABLE "opening_grant" ADD CONSTRAINT "opening_grant_never_overused" CHECK ("used" >= 0 AND "used" <= "count");

-- The grant to use is the one that expires first: found by its place, however many a player has.
CREATE INDEX "opening_grant_by_expiry_idx"
    ON "opening_grant" ("casino_id", "player_id", "box_id", "expires_at", "created_at", "id") WHERE "used" < "count";

-- opening

CREATE TRIGGER "opening_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "opening"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- An outcome can be chosen in a sandbox only, whatever a program means to store. The function runs for such openings
-- alone: others pay for looking at a column.
CREATE FUNCTION "opening_refuse_forced"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM "casino" WHERE "id" = NEW."casino_id" AND "sandbox_of" IS NOT NULL) THEN
        RAISE EXCEPTION 'an outcome was chosen outside of a sandbox' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "opening_forced_in_sandbox" BEFORE INSERT ON "opening"
    FOR EACH ROW WHEN (NEW."forced") EXECUTE FUNCTION "opening_refuse_forced"();

-- What an opening says of itself has to be true when it is stored: its seed is the casino's and still secret, its nonce
-- and its sequence follow the player's last, and its odds are those of the version. Once for each statement, with four
-- look-ups for each opening; those of the openings before it ask for an order that only the right index has, since a plan
-- made while there are few openings is kept.
CREATE FUNCTION "opening_refuse_untrue"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "reason" text;
BEGIN
    SELECT CASE
             WHEN "added"."seed_id" IS NULL THEN 'it has no seed'
             WHEN "seed"."state" IS NULL THEN 'its seed is not the casino''s'
             WHEN "seed"."state" NOT IN ('active', 'retired') THEN 'its seed is not in use'
             WHEN "version"."odds_hash" IS DISTINCT FROM "added"."odds_hash" THEN 'its odds are not those of the version'
             ELSE 'its nonce or its sequence does not follow'
           END
      INTO "reason"
      FROM "added"
      LEFT JOIN "server_seed" AS "seed" ON "seed"."id" = "added"."seed_id" AND "seed"."casino_id" = "added"."casino_id"
      LEFT JOIN "box_version" AS "version"
        ON "version"."casino_id" = "added"."casino_id" AND "version"."box_id" = "added"."box_id"
       AND "version"."version" = "added"."version"
     WHERE "added"."seed_id" IS NULL OR "seed"."state" IS NULL OR "seed"."state" NOT IN ('active', 'retired')
        OR "version"."odds_hash" IS DISTINCT FROM "added"."odds_hash"
        OR "added"."nonce" IS NULL OR "added"."nonce" < 1 OR "added"."sequence" < 1
        OR "added"."nonce" - 1 IS DISTINCT FROM coalesce((
              SELECT "last"."nonce" FROM "opening" AS "last"
               WHERE "last"."casino_id" = "added"."casino_id" AND "last"."player_id" = "added"."player_id"
                 AND "last"."seed_id" = "added"."seed_id" AND "last"."nonce" < "added"."nonce"
               ORDER BY "last"."nonce" DESC LIMIT 1), 0)
        OR "added"."sequence" - 1 IS DISTINCT FROM coalesce((
              SELECT "last"."sequence" FROM "opening" AS "last"
               WHERE "last"."casino_id" = "added"."casino_id" AND "last"."player_id" = "added"."player_id"
                 AND "last"."sequence" < "added"."sequence"
               ORDER BY "last"."sequence" DESC LIMIT 1), 0)
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'an opening is refused: %', "reason" USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "opening_true" AFTER INSERT ON "opening" REFERENCING NEW TABLE AS "added"
    FOR EACH STATEMENT EXECUTE FUNCTION "opening_refuse_untrue"();

-- prize

ALTER TABLE "prize" ADD CONSTRAINT "prize_cashback" CHECK (("cashback_amount_minor" IS NULL) = ("cashback_currency" IS NULL) AND "cashback_amount_minor" > 0);
ALTER TABLE "prize" ADD CONSTRAINT "prize_state" CHECK ("state" IN
    ('won', 'ordered', 'fulfilled', 'cashback_pending', 'cashed_back', 'expired', 'voided'));

-- Prizes of a casino that are still to be warned about before they expire.
CREATE INDEX "prize_unwarned_idx" ON "prize" ("casino_id", "expires_at")
    WHERE "state" = 'won' AND "kind" <> 'none' AND "expiry_warned_at" IS NULL AND "expires_at" IS NOT NULL;

-- Prizes expire by casino, so that one with many of them leaves others their share of each turn.
CREATE INDEX "prize_expirable_idx" ON "prize" ("casino_id", "expires_at")
    WHERE "state" = 'won' AND "expires_at" IS NOT NULL;

-- prize_order

ALTER TABLE "prize_order" ADD CONSTRAINT "prize_order_state" CHECK ("state" IN
    ('pending_confirmation', 'confirmed', 'rejected', 'cancelled', 'submitted', 'processing', 'shipped', 'delivered',
     'exception', 'cancel_requested'));
ALTER TABLE "prize_order" ADD CONSTRAINT "prize_order_exception_reason" CHECK (
    ("state" = 'exception') <= ("exception_reason" IS NOT NULL)
    AND "exception_reason" IN ('provider_rejected', 'address_invalid', 'delivery_failed', 'returned', 'lost', 'damaged'));

-- Without its data key a ciphertext means nothing; what is erased leaves neither.
ALTER TABLE "prize_order" ADD CONSTRAINT "prize_order_erased" CHECK (
    "delivery_key" IS NOT NULL OR length("delivery_ciphertext") = 0);
ALTER TABLE "prize_order" ADD CONSTRAINT "prize_order_ended" CHECK (
    ("ended_at" IS NOT NULL) = ("state" IN ('delivered', 'rejected', 'cancelled')));

-- 12 bytes of nonce, 32 of data key and 16 of tag.
ALTER TABLE "prize_order" ADD CONSTRAINT "prize_order_delivery_key_check"
    CHECK (octet_length("delivery_key") = 60);

-- At most one live order and one live cashback for a prize.
CREATE UNIQUE INDEX "prize_order_live_key" ON "prize_order" ("casino_id", "prize_id")
    WHERE "state" NOT IN ('rejected', 'cancelled');

-- The live order of a prize has its unique index; this one finds the ended ones. A row enters it only when it ends that
-- way, so that placing an order does not pay for it.
CREATE INDEX "prize_order_ended_idx" ON "prize_order" ("casino_id", "prize_id") WHERE "state" IN ('rejected', 'cancelled');

-- What a key-encryption key still opens is looked for when it is to be retired.
CREATE INDEX "prize_order_delivery_key_id_idx" ON "prize_order" ("delivery_key_id", "id") WHERE "delivery_key" IS NOT NULL;

-- For erasing delivery details; an index on updated_at would be written with every change of an order.
CREATE INDEX "prize_order_erasable_idx" ON "prize_order" ("casino_id", "ended_at")
    WHERE "ended_at" IS NOT NULL AND "delivery_key" IS NOT NULL;

-- Orders that people must settle are counted with each scrape of the metrics.
CREATE INDEX "prize_order_open_idx" ON "prize_order" ("state") WHERE "state" IN ('exception', 'cancel_requested');

-- What people are alerted on: orders that their provider knows nothing of or says nothing about.
CREATE INDEX "prize_order_doubtful_idx" ON "prize_order" ("problem") WHERE "problem" IN ('parcel_unknown', 'provider_silent');

-- What people have to send is counted with each scrape of the metrics: without going through all that providers have.
CREATE INDEX "prize_order_by_people_idx" ON "prize_order" ("id")
  WHERE "provider" = 'manual' AND "state" IN ('submitted', 'processing');

-- As for cashbacks.
CREATE FUNCTION "prize_order_refuse_second_fate"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "written"
       JOIN "prize" ON "prize"."casino_id" = "written"."casino_id" AND "prize"."id" = "written"."prize_id"
      WHERE "written"."state" NOT IN ('rejected', 'cancelled')
      ORDER BY "prize"."casino_id", "prize"."id"
        FOR NO KEY UPDATE OF "prize";
    IF EXISTS (
        SELECT FROM "written"
          JOIN "cashback" AS "other" ON "other"."casino_id" = "written"."casino_id"
           AND "other"."prize_id" = "written"."prize_id" AND "other"."state" NOT IN ('declined', 'reversed')
         WHERE "written"."state" NOT IN ('rejected', 'cancelled')
    ) THEN
        RAISE EXCEPTION 'the prize has a live cashback'
            USING ERRCODE = 'check_violation', TABLE = 'prize_order', CONSTRAINT = 'prize_order_one_fate';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "prize_order_one_fate" AFTER INSERT ON "prize_order"
    REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "prize_order_refuse_second_fate"();

-- As for cashbacks.
CREATE FUNCTION "prize_order_refuse_revival"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "prize" WHERE "casino_id" = NEW."casino_id" AND "id" = NEW."prize_id" FOR NO KEY UPDATE;
    IF EXISTS (
        SELECT FROM "cashback"
         WHERE "casino_id" = NEW."casino_id" AND "prize_id" = NEW."prize_id" AND "state" NOT IN ('declined', 'reversed')
    ) THEN
        RAISE EXCEPTION 'the prize has a live cashback'
            USING ERRCODE = 'check_violation', TABLE = 'prize_order', CONSTRAINT = 'prize_order_one_fate';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "prize_order_one_fate_revived" AFTER UPDATE OF "state", "casino_id", "prize_id" ON "prize_order"
    FOR EACH ROW WHEN (
        NEW."state" NOT IN ('rejected', 'cancelled') AND (
            OLD."state" IN ('rejected', 'cancelled')
            OR NEW."prize_id" <> OLD."prize_id" OR NEW."casino_id" <> OLD."casino_id"))
    EXECUTE FUNCTION "prize_order_refuse_revival"();

-- cashback

ALTER TABLE "cashback" ADD CONSTRAINT "cashback_amount" CHECK ("amount_minor" > 0);
ALTER TABLE "cashback" ADD CONSTRAINT "cashback_wallet" CHECK ("wallet" IN ('ledger', 'http'));

-- While a wallet is asked to take the money back, the player still has it, and the casino has not got it.
ALTER TABLE "cashback" ADD CONSTRAINT "cashback_state" CHECK ("state" IN
    ('requested', 'processing', 'credited', 'declined', 'unknown', 'manual_review', 'reversed',
     'reversing', 'reversal_unknown', 'reversal_review'));
ALTER TABLE "cashback" ADD CONSTRAINT "cashback_reversal" CHECK (
    "reversal_prize" IN ('return', 'void')
    AND ("reversal_prize" IS NOT NULL OR "state" NOT IN ('reversing', 'reversal_unknown', 'reversal_review')));
CREATE UNIQUE INDEX "cashback_live_key" ON "cashback" ("casino_id", "prize_id")
    WHERE "state" NOT IN ('declined', 'reversed');

-- As for orders.
CREATE INDEX "cashback_ended_idx" ON "cashback" ("casino_id", "prize_id") WHERE "state" IN ('declined', 'reversed');

-- Who is waited for: a wallet, or a person. Nearly all rows are in no such state, and so not in the index.
CREATE INDEX "cashback_open_idx" ON "cashback" ("state")
    WHERE "state" IN ('unknown', 'manual_review', 'reversal_unknown', 'reversal_review');

-- One prize, one fate, in the database itself: no cashback beside an order that is live or delivered, and the other way
-- round, also for two sessions at once and for rows that come back to life. (Two of the same kind are kept apart by the
-- unique indexes.) Whoever writes a live order or cashback locks its prize first and looks then: of two sessions the
-- second waits for the first, and sees what it has written (in READ COMMITTED, which everything here uses, each statement
-- of a function looks again). The service's own statements hold these locks already, in the same order, so they never
-- wait here.
CREATE FUNCTION "cashback_refuse_second_fate"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "written"
       JOIN "prize" ON "prize"."casino_id" = "written"."casino_id" AND "prize"."id" = "written"."prize_id"
      WHERE "written"."state" NOT IN ('declined', 'reversed')
      ORDER BY "prize"."casino_id", "prize"."id"
        FOR NO KEY UPDATE OF "prize";
    IF EXISTS (
        SELECT FROM "written"
          JOIN "prize_order" AS "other" ON "other"."casino_id" = "written"."casino_id"
           AND "other"."prize_id" = "written"."prize_id" AND "other"."state" NOT IN ('rejected', 'cancelled')
         WHERE "written"."state" NOT IN ('declined', 'reversed')
    ) THEN
        RAISE EXCEPTION 'the prize has a live order'
            USING ERRCODE = 'check_violation', TABLE = 'cashback', CONSTRAINT = 'cashback_one_fate';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "cashback_one_fate" AFTER INSERT ON "cashback"
    REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "cashback_refuse_second_fate"();

-- What has ended never lives again, and nothing goes over to another prize: no code does either. So these run for nothing
-- that the service does, and may look at each row by itself.
CREATE FUNCTION "cashback_refuse_revival"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "prize" WHERE "casino_id" = NEW."casino_id" AND "id" = NEW."prize_id" FOR NO KEY UPDATE;
    IF EXISTS (
        SELECT FROM "prize_order"
         WHERE "casino_id" = NEW."casino_id" AND "prize_id" = NEW."prize_id" AND "state" NOT IN ('rejected', 'cancelled')
    ) THEN
        RAISE EXCEPTION 'the prize has a live order'
            USING ERRCODE = 'check_violation', TABLE = 'cashback', CONSTRAINT = 'cashback_one_fate';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "cashback_one_fate_revived" AFTER UPDATE OF "state", "casino_id", "prize_id" ON "cashback"
    FOR EACH ROW WHEN (
        NEW."state" NOT IN ('declined', 'reversed') AND (
            OLD."state" IN ('declined', 'reversed')
            OR NEW."prize_id" <> OLD."prize_id" OR NEW."casino_id" <> OLD."casino_id"))
    EXECUTE FUNCTION "cashback_refuse_revival"();

-- event

CREATE TRIGGER "event_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "event"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- outbox

-- Work that rests can be found by what it is about, to be woken.
CREATE INDEX "outbox_snoozed_idx" ON "outbox" ("object_id") WHERE "snoozed_until" IS NOT NULL;

-- A line is in the order of since when its work waits: work that comes again and again, under the same id, would otherwise
-- always be first.
CREATE INDEX "outbox_line_waits_idx" ON "outbox" ("line", "created_at", "id") WHERE "line" IS NOT NULL;

-- idempotency_record

-- An HMAC of 32 bytes.
ALTER TABLE "idempotency_record" ADD CONSTRAINT "idempotency_record_fingerprint_check"
    CHECK (octet_length("fingerprint") = 32);

-- A row holds one of three: an answer in the clear, a sealed one, or a claim.
ALTER TABLE "idempotency_record" ADD CONSTRAINT "idempotency_record_one_kind" CHECK (
    num_nonnulls("response", "sealed_response", "attempt_id") = 1
    AND num_nonnulls("sealed_response", "sealed_key", "sealed_key_id", "status") IN (0, 4)
    AND num_nonnulls("attempt_id", "attempt_until") IN (0, 2));

-- ledger_transaction

ALTER TABLE "ledger_transaction" ADD CONSTRAINT "ledger_transaction_kind" CHECK ("kind" IN
    ('cashback_reserve', 'cashback_credit', 'cashback_void', 'cashback_reversal'));

-- What was reserved for a cashback is posted or given back, once and never both; so the two share their place.
CREATE UNIQUE INDEX "ledger_transaction_step_key" ON "ledger_transaction"
    ("cashback_id", (CASE "kind" WHEN 'cashback_void' THEN 'cashback_credit' ELSE "kind" END));
CREATE TRIGGER "ledger_transaction_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_transaction"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- ledger_entry

ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_amount" CHECK ("amount_minor" <> 0);

-- What a player is promised but has not got yet stands in an account of its own: reserved with the request, moved on
-- with the credit, given back with a refusal.
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_account" CHECK (
    ("account" IN ('player_wallet', 'player_pending') AND "player_id" IS NOT NULL)
 OR ("account" = 'casino_cashback' AND "player_id" IS NULL));

-- What a player has got is asked for; no other account is looked up by player.
CREATE INDEX "ledger_entry_wallet_idx" ON "ledger_entry" ("casino_id", "player_id", "currency")
    WHERE "account" = 'player_wallet';
CREATE TRIGGER "ledger_entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- Every statement that writes entries must leave each of its transactions balanced in each currency. Entries are never
-- changed or deleted, so what balances when it is written balances for ever.
-- Each entry is of a transaction that exists. Neither is ever changed or deleted, so it is enough to look once, for all
-- entries of a statement together: a foreign key would look, and lock, for each entry.
CREATE FUNCTION "ledger_refuse_unbalanced"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM "written" GROUP BY "transaction_id", "currency" HAVING sum("amount_minor") <> 0
    ) THEN
        RAISE EXCEPTION 'ledger entries do not sum to zero' USING ERRCODE = 'check_violation';
    END IF;
    IF EXISTS (
        SELECT FROM "written" WHERE NOT EXISTS (
            SELECT FROM "ledger_transaction" WHERE "ledger_transaction"."id" = "written"."transaction_id"
        )
    ) THEN
        RAISE EXCEPTION 'a ledger entry is of no transaction' USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "ledger_entry_balanced" AFTER INSERT ON "ledger_entry"
    REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_refuse_unbalanced"();

-- server_seed

ALTER TABLE "server_seed" ADD CONSTRAINT "server_seed_state" CHECK (
    ("state" = 'next' AND "activated_at" IS NULL AND "revealed_seed" IS NULL)
 OR ("state" = 'active' AND "activated_at" IS NOT NULL AND "revealed_seed" IS NULL)
 OR ("state" = 'retired' AND "retired_at" IS NOT NULL AND "revealed_seed" IS NULL)
 OR ("state" = 'revealed' AND "revealed_at" IS NOT NULL AND "revealed_seed" IS NOT NULL));

-- What a commitment says is checked by the database too, so that nothing else can ever be revealed under it.
ALTER TABLE "server_seed" ADD CONSTRAINT "server_seed_commitment" CHECK (
    "revealed_seed" IS NULL OR encode(sha256(decode("revealed_seed", 'hex')), 'hex') = "commitment");

-- A casino draws from one seed at a time, and knows the commitment of the next one before it is used.
CREATE UNIQUE INDEX "server_seed_active_key" ON "server_seed" ("casino_id") WHERE "state" = 'active';
CREATE UNIQUE INDEX "server_seed_next_key" ON "server_seed" ("casino_id") WHERE "state" = 'next';
CREATE INDEX "server_seed_retired_idx" ON "server_seed" ("retired_at") WHERE "state" = 'retired';
CREATE TRIGGER "server_seed_never_deleted" BEFORE DELETE OR TRUNCATE ON "server_seed"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- A seed begins as a promise: as the next one, or as the first that a casino has. Whatever would begin in use, or later,
-- was promised to nobody. Runs for rows that were really inserted, when the statement has ended: two processes may make a
-- casino's first seeds at once.
CREATE FUNCTION "server_seed_refuse_late"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM "added"
         WHERE "retired_at" IS NOT NULL OR "revealed_at" IS NOT NULL OR "state" NOT IN ('next', 'active')
            OR ("state" = 'active' AND EXISTS (
                  SELECT FROM "server_seed" AS "other"
                   WHERE "other"."casino_id" = "added"."casino_id" AND "other"."id" <> "added"."id"
                     AND "other"."state" <> 'next'))
    ) THEN
        RAISE EXCEPTION 'a server seed begins as the next one' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "server_seed_promised" AFTER INSERT ON "server_seed" REFERENCING NEW TABLE AS "added"
    FOR EACH STATEMENT EXECUTE FUNCTION "server_seed_refuse_late"();

-- A promise cannot be exchanged for another: openings know their seed by its id. One step at a time, and each time is
-- written once, with its step. A next seed that cannot be opened is retired without having been used. What is sealed
-- stays; only the key around it is exchanged.
CREATE FUNCTION "server_seed_refuse_exchange"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "step" CONSTANT text := OLD."state" || ' ' || NEW."state";
BEGIN
    IF (NEW."id", NEW."casino_id", NEW."commitment", NEW."created_at", NEW."sealed_seed")
           IS DISTINCT FROM (OLD."id", OLD."casino_id", OLD."commitment", OLD."created_at", OLD."sealed_seed")
       OR (NEW."state" <> OLD."state"
           AND "step" NOT IN ('next active', 'next retired', 'active retired', 'retired revealed'))
       OR (NEW."activated_at" IS DISTINCT FROM OLD."activated_at" AND "step" <> 'next active')
       OR (NEW."retired_at" IS DISTINCT FROM OLD."retired_at" AND "step" NOT IN ('next retired', 'active retired'))
       OR ((NEW."revealed_at", NEW."revealed_seed") IS DISTINCT FROM (OLD."revealed_at", OLD."revealed_seed")
           AND "step" <> 'retired revealed') THEN
        RAISE EXCEPTION 'a server seed cannot be exchanged' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "server_seed_kept" BEFORE UPDATE ON "server_seed"
    FOR EACH ROW EXECUTE FUNCTION "server_seed_refuse_exchange"();

-- order_hold

ALTER TABLE "order_hold" ADD CONSTRAINT "order_hold_reason" CHECK ("reason" IN
    ('incorrect_address', 'fraud_risk', 'kyc_pending', 'player_restricted', 'out_of_stock', 'customs', 'other'));

-- One open hold for each reason.
CREATE UNIQUE INDEX "order_hold_open_key" ON "order_hold" ("order_id", "reason") WHERE "released_at" IS NULL;

-- The list of held orders is read in the order of their ids. There are few open holds, so it costs little to keep.
CREATE INDEX "order_hold_waiting_idx" ON "order_hold" ("casino_id", "order_id") WHERE "released_at" IS NULL;

-- partner_event

-- What was received and not looked at yet.
CREATE INDEX "partner_event_new_idx" ON "partner_event" ("casino_id", "order_id") WHERE "outcome" IS NULL;

-- News that contradicts its order, which people are alerted on.
CREATE INDEX "partner_event_noted_idx" ON "partner_event" ("received_at") WHERE "outcome" = 'noted';

-- casino_setting

ALTER TABLE "casino_setting" ADD CONSTRAINT "casino_setting_secret" CHECK (
    ("sealed_secret" IS NULL) = ("sealed_key" IS NULL) AND ("sealed_secret" IS NULL) = ("sealed_key_id" IS NULL));

-- The secret before the present one goes on for a while, and there is none without a present one.
ALTER TABLE "casino_setting" ADD CONSTRAINT "casino_setting_previous_secret" CHECK (
    num_nulls("previous_sealed_secret", "previous_sealed_key", "previous_sealed_key_id", "previous_expires_at") IN (0, 4)
    AND ("previous_sealed_secret" IS NULL OR "sealed_secret" IS NOT NULL));

-- A worker drops those that have expired.
CREATE INDEX "casino_setting_previous_idx" ON "casino_setting" ("previous_expires_at") WHERE "previous_expires_at" IS NOT NULL;

-- webhook_endpoint

ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_state" CHECK ("state" IN ('enabled', 'disabled'));
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_txid" CHECK ("cursor_txid" >= 0 AND "cursor_event_id" >= 0);

-- webhook_delivery

ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_state" CHECK ("state" IN ('pending', 'delivered', 'failed'));

-- What is still to be delivered to an endpoint, in the order of each object.
CREATE INDEX "webhook_delivery_pending_idx" ON "webhook_delivery"
    ("casino_id", "endpoint_id", "object_type", "object_id", "sequence") WHERE "state" = 'pending';
CREATE INDEX "webhook_delivery_failed_idx" ON "webhook_delivery" ("casino_id", "endpoint_id", "id") WHERE "state" = 'failed';

-- Deliveries that rest, without work in the outbox: their endpoint was off, or they were asked for again.
CREATE INDEX "webhook_delivery_resting_idx" ON "webhook_delivery" ("casino_id", "endpoint_id", "id")
    WHERE "state" = 'pending' AND "outbox_id" IS NULL;

-- Deliveries that are over, for removing old ones.
CREATE INDEX "webhook_delivery_over_idx" ON "webhook_delivery" ("state", "updated_at") WHERE "state" <> 'pending';

-- audit_entry

CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_entry"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- An entry has the number of the transaction that writes it, whatever the writer says: one with an older number would stand
-- behind the end of its trail, where nobody looks for what is to be chained.
CREATE FUNCTION "number_audit_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."txid" := ((pg_current_xact_id())::text)::bigint + event_txid_offset();
    RETURN NEW;
END $$;
CREATE TRIGGER "audit_entry_number" BEFORE INSERT ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION "number_audit_entry"();

-- audit_link

CREATE TRIGGER "audit_link_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_link"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- audit_chain

-- Which trails there are is not forgotten: the ends of chains are changed, and never removed.
CREATE TRIGGER "audit_chain_stays" BEFORE DELETE OR TRUNCATE ON "audit_chain"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- wallet_answer

ALTER TABLE "wallet_answer" ADD CONSTRAINT "wallet_answer_amount" CHECK (("amount_minor" IS NULL) = ("currency" IS NULL));

-- Wallets use one word for what they have not done and never will.
ALTER TABLE "wallet_answer" ADD CONSTRAINT "wallet_answer_outcome" CHECK (
    ("operation" = 'credit' AND "outcome" IN ('credited', 'already_processed', 'declined'))
 OR ("operation" = 'debit' AND "outcome" IN ('debited', 'already_processed', 'declined')));

-- Few answers contradict what we have on record; the gauge counts the latest of them.
CREATE INDEX "wallet_answer_contradicting_idx" ON "wallet_answer" ("received_at") WHERE "contradicts";

-- What somebody else's system has said cannot be taken back by ours.
CREATE TRIGGER "wallet_answer_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "wallet_answer"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- How rows are stored

-- Rows that are updated in place leave room on their page for it (heap-only updates); the outbox is written and emptied
-- all the time and must be vacuumed early, or scans of it slow down with its dead rows.
ALTER TABLE "prize" SET (fillfactor = 85);
ALTER TABLE "prize_order" SET (fillfactor = 80);
ALTER TABLE "cashback" SET (fillfactor = 80);
ALTER TABLE "player" SET (fillfactor = 70);
ALTER TABLE "box_stock" SET (fillfactor = 20, autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 500);
ALTER TABLE "outbox" SET (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 2000,
    autovacuum_vacuum_cost_delay = 0);
-- A thirtieth of the table is deleted every day. By default vacuum would wait until a fifth of it is dead.
ALTER TABLE "idempotency_record" SET (autovacuum_vacuum_scale_factor = 0.02);

-- What the planner is told

-- Statements are planned for any casino, player and state, by how many there are on average. With few casinos, or with all
-- rows in one state, the server would rather go through the rows of all in the order of their ids; that takes long for a
-- casino with little, and for a state or player that is rare. So it is told that there are many.
ALTER TABLE "prize_order" ALTER COLUMN "casino_id" SET (n_distinct = 1000),
                          ALTER COLUMN "player_id" SET (n_distinct = 100000),
                          ALTER COLUMN "state" SET (n_distinct = 20);
ALTER TABLE "cashback" ALTER COLUMN "casino_id" SET (n_distinct = 1000),
                       ALTER COLUMN "player_id" SET (n_distinct = 100000),
                       ALTER COLUMN "state" SET (n_distinct = 20);
ALTER TABLE "audit_entry" ALTER COLUMN "casino_id" SET (n_distinct = 1000);
ALTER TABLE "api_key" ALTER COLUMN "casino_id" SET (n_distinct = 1000);
ALTER TABLE "server_seed" ALTER COLUMN "casino_id" SET (n_distinct = 1000);
ALTER TABLE "webhook_delivery" ALTER COLUMN "casino_id" SET (n_distinct = 1000),
                               ALTER COLUMN "endpoint_id" SET (n_distinct = 1000);
ALTER TABLE "order_hold" ALTER COLUMN "casino_id" SET (n_distinct = 1000);

-- Statements are planned for any line, by how many there are on average. When all that waits is in one line, the server
-- would rather go through the whole table in the order of its ids, for every other line. So it is told that there are many.
ALTER TABLE "outbox" ALTER COLUMN "line" SET (n_distinct = 1000);
