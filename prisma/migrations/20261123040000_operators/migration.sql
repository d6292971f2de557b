-- People who work with the console, and the browsers in which they are signed in.

CREATE TABLE "operator" (
    "id" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "has_all_casinos" BOOLEAN NOT NULL,
    "casino_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "disabled_at" TIMESTAMPTZ(3),
    "password_hash" TEXT,
    "invitation_hash" BYTEA,
    "invitation_expires_at" TIMESTAMPTZ(3),
    "is_second_factor_required" BOOLEAN NOT NULL DEFAULT false,
    "sealed_secret" BYTEA,
    "sealed_key" BYTEA,
    "sealed_key_id" TEXT,
    "second_factor_confirmed_at" TIMESTAMPTZ(3),
    "last_code_step" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "created_by" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "operator_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "operator_role_check" CHECK ("role" IN ('viewer', 'support', 'finance', 'admin')),
    CONSTRAINT "operator_casinos_check" CHECK (NOT "has_all_casinos" OR cardinality("casino_ids") = 0),
    CONSTRAINT "operator_secret_check"
        CHECK (num_nulls("sealed_secret", "sealed_key", "sealed_key_id") IN (0, 3)
               AND ("second_factor_confirmed_at" IS NULL OR "sealed_secret" IS NOT NULL))
);
CREATE UNIQUE INDEX "operator_username_key" ON "operator"("username");
-- A username belongs to one person for ever: the audit trail names it.
CREATE TRIGGER "operator_kept" BEFORE DELETE OR TRUNCATE ON "operator"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

CREATE TABLE "operator_session" (
    "id" TEXT NOT NULL,
    "operator_id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "address" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,
    CONSTRAINT "operator_session_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "operator_session_operator_id_fkey"
        FOREIGN KEY ("operator_id") REFERENCES "operator"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "operator_session_operator_id_id_idx" ON "operator_session"("operator_id", "id");
CREATE INDEX "operator_session_expires_at_idx" ON "operator_session"("expires_at");
