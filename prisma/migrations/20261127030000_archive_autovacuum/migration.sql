-- The archive removes rows of these, and brings some back: dead rows are vacuumed as those of tables that change.
ALTER TABLE "event" SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE "opening" SET (autovacuum_vacuum_scale_factor = 0.01);
