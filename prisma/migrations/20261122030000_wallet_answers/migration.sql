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

-- CreateIndex
CREATE INDEX "wallet_answer_casino_id_cashback_id_idx" ON "wallet_answer"("casino_id", "cashback_id");

-- From here on: what Prisma's schema language cannot say.

ALTER TABLE "wallet_answer" ADD CONSTRAINT "wallet_answer_outcome" CHECK (
    ("operation" = 'credit' AND "outcome" IN ('credited', 'already_processed', 'declined'))
 OR ("operation" = 'debit' AND "outcome" IN ('debited', 'already_processed', 'refused')));
ALTER TABLE "wallet_answer" ADD CONSTRAINT "wallet_answer_amount" CHECK (("amount_minor" IS NULL) = ("currency" IS NULL));

-- What somebody else's system has said cannot be taken back by ours.
CREATE TRIGGER "wallet_answer_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "wallet_answer"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- Few answers contradict what we have on record; the gauge counts the latest of them.
CREATE INDEX "wallet_answer_contradicting_idx" ON "wallet_answer" ("received_at") WHERE "contradicts";

-- Of cashbacks that wait for a person, the history says where a wallet has credited another amount; which one it was is
-- not on record. So they cannot be mistaken for cashbacks that nobody has paid.
INSERT INTO "wallet_answer" ("casino_id", "cashback_id", "operation", "transaction_id", "wallet", "attempt", "outcome",
                             "received_at")
SELECT "cashback"."casino_id", "cashback"."id", 'credit', "cashback"."id", coalesce("cashback"."wallet_asked", 'unknown'),
       ("event"."data" ->> 'attempt')::int, 'credited', "event"."created_at"
  FROM "cashback"
  JOIN "event" ON "event"."casino_id" = "cashback"."casino_id" AND "event"."object_type" = 'cashback'
   AND "event"."object_id" = "cashback"."id"
 WHERE "cashback"."state" IN ('unknown', 'manual_review') AND "event"."type" = 'cashback.manual_review'
   AND "event"."data" ->> 'problem' = 'amount_mismatch' AND "event"."data" ->> 'attempt' IS NOT NULL;
