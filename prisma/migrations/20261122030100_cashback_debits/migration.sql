-- AlterTable
ALTER TABLE "cashback" ADD COLUMN "reversal_prize" TEXT,
ADD COLUMN "debit_number" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN "debit_attempts" INTEGER NOT NULL DEFAULT 0;

-- From here on: what Prisma's schema language cannot say.

-- While a wallet is asked to take the money back, the player still has it, and the casino has not got it.
ALTER TABLE "cashback" DROP CONSTRAINT "cashback_state";
ALTER TABLE "cashback" ADD CONSTRAINT "cashback_state" CHECK ("state" IN
    ('requested', 'processing', 'credited', 'declined', 'unknown', 'manual_review', 'reversed',
     'reversing', 'reversal_unknown', 'reversal_review')) NOT VALID;
ALTER TABLE "cashback" VALIDATE CONSTRAINT "cashback_state";
ALTER TABLE "cashback" ADD CONSTRAINT "cashback_reversal" CHECK (
    "reversal_prize" IN ('return', 'void')
    AND ("reversal_prize" IS NOT NULL OR "state" NOT IN ('reversing', 'reversal_unknown', 'reversal_review'))) NOT VALID;
ALTER TABLE "cashback" VALIDATE CONSTRAINT "cashback_reversal";

-- Who is waited for: a wallet, or a person. Nearly all rows are in no such state, and so not in the index.
DROP INDEX "cashback_open_idx";
CREATE INDEX "cashback_open_idx" ON "cashback" ("state")
    WHERE "state" IN ('unknown', 'manual_review', 'reversal_unknown', 'reversal_review');

-- Wallets use one word for what they have not done and never will.
ALTER TABLE "wallet_answer" DROP CONSTRAINT "wallet_answer_outcome";
ALTER TABLE "wallet_answer" ADD CONSTRAINT "wallet_answer_outcome" CHECK (
    ("operation" = 'credit' AND "outcome" IN ('credited', 'already_processed', 'declined'))
 OR ("operation" = 'debit' AND "outcome" IN ('debited', 'already_processed', 'declined'))) NOT VALID;
ALTER TABLE "wallet_answer" VALIDATE CONSTRAINT "wallet_answer_outcome";
