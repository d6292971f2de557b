-- Who writes an entry of the audit trail signs it, so that the database alone cannot. Null in entries from before, and in
-- those that a process of the release before writes meanwhile.
ALTER TABLE "audit_entry" ADD COLUMN "signature" BYTEA;
-- How many entries of the trail were not chained, because the service has not signed them.
ALTER TABLE "audit_chain" ADD COLUMN "refused" BIGINT NOT NULL DEFAULT 0;
