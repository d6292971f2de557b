-- A casino's grants in the order of time. Their ids are not: casinos choose them.
CREATE INDEX CONCURRENTLY "opening_grant_casino_id_created_at_id_idx" ON "opening_grant" ("casino_id", "created_at", "id");
