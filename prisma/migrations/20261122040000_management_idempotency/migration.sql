-- Requests of the management API claim their key first and store their answer, sealed, when they are done.
ALTER TABLE "idempotency_record" ALTER COLUMN "response" DROP NOT NULL,
ADD COLUMN     "attempt_id" TEXT,
ADD COLUMN     "attempt_until" TIMESTAMPTZ(3),
ADD COLUMN     "carried_out_at" TIMESTAMPTZ(3),
ADD COLUMN     "sealed_key" BYTEA,
ADD COLUMN     "sealed_key_id" TEXT,
ADD COLUMN     "sealed_response" BYTEA,
ADD COLUMN     "status" SMALLINT;

-- A row holds one of three: an answer in the clear, a sealed one, or a claim. What is there already holds the first.
ALTER TABLE "idempotency_record" ADD CONSTRAINT "idempotency_record_one_kind" CHECK (
    num_nonnulls("response", "sealed_response", "attempt_id") = 1
    AND num_nonnulls("sealed_response", "sealed_key", "sealed_key_id", "status") IN (0, 4)
    AND num_nonnulls("attempt_id", "attempt_until") IN (0, 2)) NOT VALID;
