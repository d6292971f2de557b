-- DropIndex
DROP INDEX "ledger_transaction_cashback_id_kind_key";

-- From here on: what Prisma's schema language cannot say.

-- What was reserved for a cashback is posted or given back, once and never both; so the two share their place.
CREATE UNIQUE INDEX "ledger_transaction_step_key" ON "ledger_transaction"
    ("cashback_id", (CASE "kind" WHEN 'cashback_void' THEN 'cashback_credit' ELSE "kind" END));

-- Who crediting waits for: a wallet, or a person. Nearly all rows are in no such state, and so not in the index.
CREATE INDEX "cashback_open_idx" ON "cashback" ("state") WHERE "state" IN ('unknown', 'manual_review');
ALTER TABLE "cashback" ADD CONSTRAINT "cashback_wallet" CHECK ("wallet" IN ('ledger', 'http'));

-- Work that rests can be found by what it is about, to be woken.
CREATE INDEX "outbox_snoozed_idx" ON "outbox" ("object_id") WHERE "snoozed_until" IS NOT NULL;
