ALTER TABLE "operator" VALIDATE CONSTRAINT "operator_identity_check";
