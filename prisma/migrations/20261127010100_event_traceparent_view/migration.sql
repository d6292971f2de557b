-- By itself: a reader of the view locks it before its tables, so no other change may lock these first.
CREATE OR REPLACE VIEW "every_event" AS
SELECT "id", "casino_id", "object_type", "object_id", "sequence", "type", "from_state", "to_state", "actor", "reason",
       "request_id", "data", "created_at", "txid", "trace_id", "traceparent"
  FROM "event"
 UNION ALL
SELECT "id", "casino_id", "object_type", "object_id", "sequence", "type", "from_state", "to_state", "actor", "reason",
       "request_id", "data", "created_at", "txid", "trace_id", "traceparent"
  FROM "archived_event";
