CREATE UNIQUE INDEX CONCURRENTLY "operator_issuer_subject_key" ON "operator"("issuer", "subject");
