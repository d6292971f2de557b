-- "audit_entry_request_id_casino_id_id_idx" replaces it.
DROP INDEX CONCURRENTLY "audit_entry_request_id_casino_id_idx";
