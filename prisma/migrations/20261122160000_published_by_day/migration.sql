-- How much a casino has published within a day: core/box/publish-box.ts.
CREATE INDEX "box_version_casino_id_created_at_idx" ON "box_version" ("casino_id", "created_at");
