-- The events of objects that have ended move here, if ARCHIVE_AFTER_DAYS is set (docs/operate/archive.md). A partition has
-- the events that were moved in one month: when the month is over, nothing is added to it any more.
CREATE TABLE "archived_event" (
    "id" BIGINT NOT NULL,
    "casino_id" TEXT NOT NULL,
    "object_type" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "from_state" TEXT,
    "to_state" TEXT NOT NULL,
    "actor" TEXT NOT NULL,
    "reason" TEXT,
    "request_id" TEXT,
    "data" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "txid" BIGINT NOT NULL,
    "trace_id" TEXT,
    -- The first day of the month in which it was moved, in UTC.
    "archived_month" DATE NOT NULL,

    CONSTRAINT "archived_event_pkey" PRIMARY KEY ("id", "archived_month")
) PARTITION BY RANGE ("archived_month");

CREATE INDEX "archived_event_object_idx" ON "archived_event" ("casino_id", "object_type", "object_id", "sequence");
CREATE INDEX "archived_event_request_idx" ON "archived_event" ("request_id", "casino_id") WHERE "request_id" IS NOT NULL;

CREATE TRIGGER "archived_event_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "archived_event"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

-- Live or archived. The live part comes first: a look-up of one row by its id (LIMIT 1) that finds it there goes no further.
CREATE VIEW "every_event" AS
SELECT "id", "casino_id", "object_type", "object_id", "sequence", "type", "from_state", "to_state", "actor", "reason",
       "request_id", "data", "created_at", "txid", "trace_id"
  FROM "event"
 UNION ALL
SELECT "id", "casino_id", "object_type", "object_id", "sequence", "type", "from_state", "to_state", "actor", "reason",
       "request_id", "data", "created_at", "txid", "trace_id"
  FROM "archived_event";

-- How far the archive has got with each casino's events.
CREATE TABLE "event_archive" (
    "casino_id" TEXT NOT NULL,
    -- Up to where the running sweep has looked, in the order of the feed.
    "cursor_txid" BIGINT NOT NULL DEFAULT 0,
    "cursor_event_id" BIGINT NOT NULL DEFAULT 0,
    -- When it is continued, or the next one begins.
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    -- The last event in the order of the feed that was archived, and the newest time of any: the feed has gaps before.
    "horizon_txid" BIGINT NOT NULL DEFAULT 0,
    "horizon_event_id" BIGINT NOT NULL DEFAULT 0,
    "horizon_at" TIMESTAMPTZ(3),

    CONSTRAINT "event_archive_pkey" PRIMARY KEY ("casino_id")
);

CREATE INDEX "event_archive_due_at_casino_id_idx" ON "event_archive" ("due_at", "casino_id");

-- The months' tables: the service's role reads them through their parent, and has no rights in this schema.
CREATE SCHEMA "archive";

-- An event may be deleted where the archive has the same row: a trigger that sees the rows insists. This one refuses all
-- else, and, since it names DELETE, the service's role gets no right to delete events itself.
CREATE OR REPLACE FUNCTION "refuse_rewriting_history"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND TG_RELID = 'public.event'::regclass THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION "event_refuse_loss"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM "removed"
         WHERE NOT EXISTS (
                   SELECT FROM public."archived_event" AS "kept"
                    WHERE "kept"."id" = "removed"."id"
                      AND to_jsonb("kept") - 'archived_month' = to_jsonb("removed"))
    ) THEN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER "event_kept" AFTER DELETE ON "event" REFERENCING OLD TABLE AS "removed"
    FOR EACH STATEMENT EXECUTE FUNCTION "event_refuse_loss"();

-- Makes the table of a month, which is not a partition yet, and returns its name. For the owner.
CREATE FUNCTION "make_event_month"("month" DATE) RETURNS TEXT LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "name" TEXT := 'event_' || to_char("month", 'YYYY_MM');
BEGIN
    EXECUTE format('CREATE TABLE archive.%I (LIKE public.archived_event INCLUDING ALL)', "name");
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON archive.%I
        FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_rewriting_history()', "name");
    EXECUTE format('ALTER TABLE archive.%I SET (autovacuum_vacuum_insert_scale_factor = 0.01,
        autovacuum_analyze_scale_factor = 0.01)', "name");
    RETURN "name";
END $$;

-- Makes that table a partition, which keeps no reader waiting. For the owner.
CREATE FUNCTION "attach_event_month"("month" DATE) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    EXECUTE format('ALTER TABLE public.archived_event ATTACH PARTITION archive.%I FOR VALUES FROM (%L) TO (%L)',
        'event_' || to_char("month", 'YYYY_MM'), "month", ("month" + interval '1 month')::date);
END $$;

-- Makes the partitions of this month and the next two, and the rows of new casinos. SECURITY DEFINER: the service's role
-- may make no tables, except these.
CREATE FUNCTION "prepare_event_archive"() RETURNS INTEGER LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "month" DATE := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
    "made" INTEGER := 0;
BEGIN
    -- Workers take turns: of two that look for the same partition, the second finds it.
    PERFORM pg_advisory_xact_lock(7236201917);
    FOR "ahead" IN 0..2 LOOP
        IF to_regclass('archive.event_' || to_char("month", 'YYYY_MM')) IS NULL THEN
            PERFORM make_event_month("month");
            PERFORM attach_event_month("month");
            "made" := "made" + 1;
        END IF;
        "month" := ("month" + interval '1 month')::date;
    END LOOP;
    INSERT INTO event_archive (casino_id)
    SELECT casino.id FROM casino
     WHERE NOT EXISTS (SELECT FROM event_archive WHERE event_archive.casino_id = casino.id)
        ON CONFLICT DO NOTHING;
    RETURN "made";
END $$;

-- Moves the next events of a casino's sweep, and returns how many it has looked at and moved. It moves the events of an
-- object that has ended and has been quiet since "before"; an object that comes back to life has its later events here and
-- the earlier ones there. It stays behind the transaction of every endpoint's cursor, since later events are still to be
-- delivered, and leaves the casino's last event, which new events must follow (prisma/event-order.ts). SECURITY DEFINER:
-- the service's role may delete no events, except so. Another worker's casino is left to it.
CREATE FUNCTION "archive_events"("of_casino" TEXT, "before" TIMESTAMPTZ, "most" INTEGER)
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
           AND CASE scanned.object_type
                 WHEN 'prize' THEN EXISTS (
                   SELECT FROM prize
                    WHERE prize.casino_id = "of_casino" AND prize.id = scanned.object_id
                      AND prize.state IN ('fulfilled', 'cashed_back', 'expired', 'voided')
                      AND prize.updated_at < "before")
                 WHEN 'prize_order' THEN EXISTS (
                   SELECT FROM prize_order
                    WHERE prize_order.id = scanned.object_id AND prize_order.casino_id = "of_casino"
                      AND prize_order.ended_at IS NOT NULL AND prize_order.updated_at < "before")
                 WHEN 'cashback' THEN EXISTS (
                   SELECT FROM cashback
                    WHERE cashback.id = scanned.object_id AND cashback.casino_id = "of_casino"
                      AND cashback.state IN ('credited', 'declined', 'reversed') AND cashback.updated_at < "before")
                 ELSE false
               END
    ),
    removed AS (
        DELETE FROM event WHERE event.id = ANY (ARRAY(SELECT ended.id FROM ended)) RETURNING event.*
    ),
    kept AS (
        INSERT INTO archived_event (id, casino_id, object_type, object_id, sequence, type, from_state, to_state, actor,
                                    reason, request_id, data, created_at, txid, trace_id, archived_month)
        SELECT id, casino_id, object_type, object_id, sequence, type, from_state, to_state, actor,
               reason, request_id, data, created_at, txid, trace_id,
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

REVOKE ALL ON FUNCTION "make_event_month"(DATE) FROM PUBLIC;
REVOKE ALL ON FUNCTION "attach_event_month"(DATE) FROM PUBLIC;
REVOKE ALL ON FUNCTION "prepare_event_archive"() FROM PUBLIC;
REVOKE ALL ON FUNCTION "archive_events"(TEXT, TIMESTAMPTZ, INTEGER) FROM PUBLIC;
