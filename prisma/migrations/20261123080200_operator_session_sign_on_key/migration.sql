CREATE UNIQUE INDEX CONCURRENTLY "operator_session_sign_on_hash_key" ON "operator_session"("sign_on_hash");
