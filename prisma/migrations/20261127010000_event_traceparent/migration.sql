-- Where the work that follows from the event continues the trace of its cause, or keeps it excluded.
ALTER TABLE "event" ADD COLUMN "traceparent" TEXT;
ALTER TABLE "archived_event" ADD COLUMN "traceparent" TEXT;

-- Tables of months that are no partitions become partitions again, so they need it too.
DO $$
DECLARE
    "name" TEXT;
BEGIN
    FOR "name" IN SELECT relname FROM pg_class
                   WHERE relnamespace = 'archive'::regnamespace AND relkind = 'r' AND NOT relispartition
                     AND relname LIKE 'event\_%'
    LOOP
        EXECUTE format('ALTER TABLE archive.%I ADD COLUMN traceparent TEXT', "name");
    END LOOP;
END $$;

-- As before (20261126150000_archived_event), with the new column, and with look-ups that cost the same in a large table.
CREATE OR REPLACE FUNCTION "archive_events"("of_casino" TEXT, "before" TIMESTAMPTZ, "most" INTEGER)
RETURNS TABLE ("looked_at" INTEGER, "moved" INTEGER) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "sweep" event_archive%ROWTYPE;
    "newest" RECORD;
    "delivered" RECORD;
    "batch" RECORD;
BEGIN
    IF "before" > now() - interval '30 days' THEN
        RAISE EXCEPTION 'only events that are older than 30 days can be archived';
    END IF;
    SELECT * INTO "sweep" FROM event_archive
     WHERE casino_id = "of_casino" AND due_at <= now() FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 0, 0;
        RETURN;
    END IF;

    SELECT event.txid, event.id INTO "newest" FROM event WHERE event.casino_id = "of_casino"
     ORDER BY event.txid DESC, event.id DESC LIMIT 1;
    SELECT coalesce(min(endpoint.cursor_txid), 9223372036854775807) AS txid INTO "delivered"
      FROM webhook_endpoint AS endpoint WHERE endpoint.casino_id = "of_casino";

    WITH scanned AS MATERIALIZED (
        SELECT event.id, event.txid, event.object_type, event.object_id, event.created_at
          FROM event
         WHERE event.casino_id = "of_casino"
           AND (event.txid, event.id) > ("sweep".cursor_txid, "sweep".cursor_event_id)
           AND (event.txid, event.id) < ("newest".txid, "newest".id)
           AND event.txid < "delivered".txid
         ORDER BY event.txid, event.id LIMIT "most"
    ),
    ended AS MATERIALIZED (
        SELECT scanned.id FROM scanned
         WHERE scanned.created_at < "before"
           -- LIMIT: with EXISTS, the server would read all orders and cashbacks of the casino into a hash table first.
           AND CASE scanned.object_type
                 WHEN 'prize' THEN (
                   SELECT true FROM prize
                    WHERE prize.casino_id = "of_casino" AND prize.id = scanned.object_id
                      AND prize.state IN ('fulfilled', 'cashed_back', 'expired', 'voided')
                      AND prize.updated_at < "before" LIMIT 1)
                 WHEN 'prize_order' THEN (
                   SELECT true FROM prize_order
                    WHERE prize_order.id = scanned.object_id AND prize_order.casino_id = "of_casino"
                      AND prize_order.ended_at IS NOT NULL AND prize_order.updated_at < "before" LIMIT 1)
                 WHEN 'cashback' THEN (
                   SELECT true FROM cashback
                    WHERE cashback.id = scanned.object_id AND cashback.casino_id = "of_casino"
                      AND cashback.state IN ('credited', 'declined', 'reversed') AND cashback.updated_at < "before" LIMIT 1)
                 ELSE false
               END
    ),
    removed AS (
        DELETE FROM event WHERE event.id = ANY (ARRAY(SELECT ended.id FROM ended)) RETURNING event.*
    ),
    kept AS (
        INSERT INTO archived_event (id, casino_id, object_type, object_id, sequence, type, from_state, to_state, actor,
                                    reason, request_id, data, created_at, txid, trace_id,
                                    traceparent, archived_month)
        SELECT id, casino_id, object_type, object_id, sequence, type, from_state, to_state, actor,
               reason, request_id, data, created_at, txid, trace_id, traceparent,
               date_trunc('month', now() AT TIME ZONE 'UTC')::date
          FROM removed
        RETURNING txid, id, created_at
    )
    SELECT (SELECT count(*) FROM scanned)::int AS looked_at,
           (SELECT count(*) FROM kept)::int AS moved,
           -- Events are roughly in the order of time: the sweep ends at the first that is too young.
           coalesce((SELECT bool_or(scanned.created_at >= "before") FROM scanned), false) AS is_young,
           (SELECT max(kept.created_at) FROM kept) AS newest_at,
           last.txid, last.id, horizon.txid AS horizon_txid, horizon.id AS horizon_id
      INTO "batch"
      FROM (SELECT) AS one
      LEFT JOIN (SELECT scanned.txid, scanned.id FROM scanned ORDER BY txid DESC, id DESC LIMIT 1) AS last ON true
      LEFT JOIN (SELECT kept.txid, kept.id FROM kept ORDER BY txid DESC, id DESC LIMIT 1) AS horizon ON true;

    IF "batch".looked_at < "most" OR "batch".is_young THEN
        -- The next sweep is for objects that have ended since, and looks at all others again.
        UPDATE event_archive SET cursor_txid = 0, cursor_event_id = 0, due_at = now() + interval '1 day'
         WHERE casino_id = "of_casino";
    ELSE
        UPDATE event_archive
           SET cursor_txid = "batch".txid, cursor_event_id = "batch".id, due_at = date_trunc('milliseconds', now())
         WHERE casino_id = "of_casino";
    END IF;
    IF "batch".moved > 0 THEN
        UPDATE event_archive
           SET horizon_at = greatest(horizon_at, "batch".newest_at),
               horizon_txid = greatest(horizon_txid, "batch".horizon_txid),
               horizon_event_id = CASE WHEN "batch".horizon_txid > horizon_txid THEN "batch".horizon_id
                                       WHEN "batch".horizon_txid = horizon_txid
                                       THEN greatest(horizon_event_id, "batch".horizon_id)
                                       ELSE horizon_event_id END
         WHERE casino_id = "of_casino";
    END IF;
    RETURN QUERY SELECT "batch".looked_at, "batch".moved;
END $$;

-- As before (20261126161000_archive_months). The file of a month from before the new column has rows without it, and a
-- restored row must give the same line: where the column is null, it is left out.
CREATE OR REPLACE FUNCTION "read_archive_month"("kind" TEXT, "month" DATE, "after_casino" TEXT, "after_id" TEXT, "most" INTEGER)
RETURNS TABLE ("casino_id" TEXT, "id" TEXT, "line" TEXT) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "name" TEXT := archive_table("kind", "month");
BEGIN
    IF to_regclass('archive.' || "name") IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY EXECUTE format('SELECT kept.casino_id, kept.id::text, (%s || jsonb_build_object(''table'', %L))::text
                                   FROM archive.%I AS kept ',
            CASE "kind" WHEN 'event' THEN 'CASE WHEN kept.traceparent IS NULL THEN to_jsonb(kept) - ''traceparent'' ELSE to_jsonb(kept) END'
                 ELSE 'to_jsonb(kept)' END, "kind", "name")
        || CASE "kind" WHEN 'event' THEN 'WHERE kept.id > coalesce($2, ''-1'')::bigint ORDER BY kept.id LIMIT $3'
                ELSE 'WHERE (kept.casino_id, kept.id) > (coalesce($1, ''''), coalesce($2, '''')) ORDER BY kept.casino_id, kept.id LIMIT $3'
           END
        USING "after_casino", "after_id", "most";
END $$;
