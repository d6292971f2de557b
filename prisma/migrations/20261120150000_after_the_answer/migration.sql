-- AlterTable
ALTER TABLE "prize" ADD COLUMN "expiry_warned_at" TIMESTAMPTZ(3);
ALTER TABLE "prize" ADD COLUMN "stock_returned" BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE "prize_order" ADD COLUMN "shipment_number" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "prize_order" ADD COLUMN "exception_reason" TEXT;
ALTER TABLE "prize_order" ADD COLUMN "returns_prize" BOOLEAN;
ALTER TABLE "prize_order" ADD COLUMN "cancelled_from" TEXT;
ALTER TABLE "prize_order" ADD COLUMN "provider_reference" TEXT;
ALTER TABLE "prize_order" ADD COLUMN "partner_occurred_at" TIMESTAMPTZ(3);
ALTER TABLE "prize_order" ADD COLUMN "reminders_sent" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "prize_order" ADD COLUMN "attempts" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "prize_order" ADD COLUMN "attempt_until" TIMESTAMPTZ(3);

ALTER TABLE "cashback" ADD COLUMN "wallet" TEXT NOT NULL DEFAULT 'ledger';
ALTER TABLE "cashback" ADD COLUMN "attempts" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "cashback" ADD COLUMN "attempt_until" TIMESTAMPTZ(3);
ALTER TABLE "cashback" ADD COLUMN "wallet_reference" TEXT;
ALTER TABLE "cashback" ADD COLUMN "problem" TEXT;

ALTER TABLE "event" ADD COLUMN "data" JSONB;

ALTER TABLE "outbox" ADD COLUMN "snoozed_until" TIMESTAMPTZ(3);

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

    CONSTRAINT "partner_event_pkey" PRIMARY KEY ("casino_id","id")
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

    CONSTRAINT "casino_setting_pkey" PRIMARY KEY ("casino_id","name")
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

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("casino_id","id")
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

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "order_hold_casino_id_order_id_idx" ON "order_hold"("casino_id", "order_id");
CREATE INDEX "partner_event_casino_id_order_id_idx" ON "partner_event"("casino_id", "order_id");
CREATE INDEX "webhook_secret_casino_id_endpoint_id_idx" ON "webhook_secret"("casino_id", "endpoint_id");
CREATE UNIQUE INDEX "webhook_delivery_casino_id_endpoint_id_event_id_replay_num_key" ON "webhook_delivery"("casino_id", "endpoint_id", "event_id", "replay_number");
CREATE INDEX "webhook_delivery_casino_id_endpoint_id_id_idx" ON "webhook_delivery"("casino_id", "endpoint_id", "id");

-- AddForeignKey
ALTER TABLE "order_hold" ADD CONSTRAINT "order_hold_order_id_fkey" FOREIGN KEY ("order_id") REFERENCES "prize_order"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "casino_setting" ADD CONSTRAINT "casino_setting_casino_id_fkey" FOREIGN KEY ("casino_id") REFERENCES "casino"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_casino_id_fkey" FOREIGN KEY ("casino_id") REFERENCES "casino"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "webhook_secret" ADD CONSTRAINT "webhook_secret_casino_id_endpoint_id_fkey" FOREIGN KEY ("casino_id", "endpoint_id") REFERENCES "webhook_endpoint"("casino_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- From here on: what Prisma's schema language cannot say.

-- The transaction that wrote an event. Whoever reads the feed takes only events of transactions below the oldest one
-- that is still running, in the order (txid, id): so no event can appear behind a cursor.
ALTER TABLE "event" ADD COLUMN "txid" BIGINT NOT NULL DEFAULT ((pg_current_xact_id())::text)::bigint;
CREATE INDEX "event_casino_id_txid_id_idx" ON "event" ("casino_id", "txid", "id");

-- Prizes whose time runs out.
CREATE INDEX "prize_expiring_idx" ON "prize" ("expires_at") WHERE "state" = 'won' AND "expires_at" IS NOT NULL;

-- One open hold for each reason.
CREATE UNIQUE INDEX "order_hold_open_key" ON "order_hold" ("order_id", "reason") WHERE "released_at" IS NULL;
ALTER TABLE "order_hold" ADD CONSTRAINT "order_hold_reason" CHECK ("reason" IN
    ('incorrect_address', 'fraud_risk', 'kyc_pending', 'player_restricted', 'out_of_stock', 'customs', 'other'));
ALTER TABLE "prize_order" ADD CONSTRAINT "prize_order_exception_reason" CHECK (
    ("state" = 'exception') <= ("exception_reason" IS NOT NULL)
    AND "exception_reason" IN ('provider_rejected', 'address_invalid', 'delivery_failed', 'returned', 'lost', 'damaged'));

-- What is still to be delivered to an endpoint, in the order of each object.
CREATE INDEX "webhook_delivery_pending_idx" ON "webhook_delivery"
    ("casino_id", "endpoint_id", "object_type", "object_id", "sequence") WHERE "state" = 'pending';
CREATE INDEX "webhook_delivery_failed_idx" ON "webhook_delivery" ("casino_id", "endpoint_id", "id") WHERE "state" = 'failed';
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_state" CHECK ("state" IN ('pending', 'delivered', 'failed'));
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_state" CHECK ("state" IN ('enabled', 'disabled'));
ALTER TABLE "webhook_endpoint" ADD CONSTRAINT "webhook_endpoint_txid" CHECK ("cursor_txid" >= 0 AND "cursor_event_id" >= 0);
ALTER TABLE "casino_setting" ADD CONSTRAINT "casino_setting_secret" CHECK (
    ("sealed_secret" IS NULL) = ("sealed_key" IS NULL) AND ("sealed_secret" IS NULL) = ("sealed_key_id" IS NULL));

-- What a player is promised but has not got yet stands in an account of its own: reserved with the request, moved on
-- with the credit, given back with a refusal.
ALTER TABLE "ledger_entry" DROP CONSTRAINT "ledger_entry_account";
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_account" CHECK (
    ("account" IN ('player_wallet', 'player_pending') AND "player_id" IS NOT NULL)
 OR ("account" = 'casino_cashback' AND "player_id" IS NULL));
ALTER TABLE "ledger_transaction" ADD CONSTRAINT "ledger_transaction_kind" CHECK ("kind" IN
    ('cashback_reserve', 'cashback_credit', 'cashback_void', 'cashback_reversal'));

-- Cashbacks that are under way get the reservation that new ones are born with.
INSERT INTO "ledger_transaction" ("id", "casino_id", "kind", "cashback_id", "created_at")
SELECT 'rsv_' || "id", "casino_id", 'cashback_reserve', "id", now() FROM "cashback"
 WHERE "state" NOT IN ('credited', 'declined', 'reversed');
INSERT INTO "ledger_entry" ("transaction_id", "position", "casino_id", "account", "player_id", "amount_minor", "currency")
SELECT 'rsv_' || "id", 1, "casino_id", 'casino_cashback', NULL, -"amount_minor", "currency" FROM "cashback"
 WHERE "state" NOT IN ('credited', 'declined', 'reversed')
UNION ALL
SELECT 'rsv_' || "id", 2, "casino_id", 'player_pending', "player_id", "amount_minor", "currency" FROM "cashback"
 WHERE "state" NOT IN ('credited', 'declined', 'reversed');
