-- The boxes that have an item.
CREATE INDEX CONCURRENTLY "box_entry_casino_id_item_id_box_id_version_position_idx" ON "box_entry" ("casino_id", "item_id", "box_id", "version", "position");
