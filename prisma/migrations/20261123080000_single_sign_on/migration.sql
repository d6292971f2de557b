-- Operators who sign in at an identity provider (OpenID Connect) instead of with a password.

ALTER TABLE "operator"
    ADD COLUMN "issuer" TEXT,
    ADD COLUMN "subject" TEXT;
-- Nobody becomes the one from the other: there is no password beside an identity.
ALTER TABLE "operator" ADD CONSTRAINT "operator_identity_check"
    CHECK (num_nulls("issuer", "subject") IN (0, 2)
           AND ("subject" IS NULL OR num_nonnulls("password_hash", "invitation_hash", "sealed_secret") = 0))
    NOT VALID;

ALTER TABLE "operator_session" ADD COLUMN "sign_on_hash" BYTEA;
