-- By the prize, order or cashback that an operator acted on. The hash keeps long ids out of the index; reads, of which there
-- are many, are not in it.
CREATE INDEX CONCURRENTLY "audit_entry_object_idx" ON "audit_entry" ("casino_id", hashtextextended("params", 0), "id") WHERE "action" ~ '^(POST|PUT) /admin/casinos/:casino_id/(prizes|orders|cashbacks)/:';
