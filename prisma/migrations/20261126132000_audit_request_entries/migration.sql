-- The entries of a request in their order. The index without the id is dropped after this.
CREATE INDEX CONCURRENTLY "audit_entry_request_id_casino_id_id_idx" ON "audit_entry" ("request_id", "casino_id", "id");
