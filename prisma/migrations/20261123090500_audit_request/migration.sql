-- By the request that an operator sent.
CREATE INDEX CONCURRENTLY "audit_entry_request_id_casino_id_idx" ON "audit_entry" ("request_id", "casino_id");
