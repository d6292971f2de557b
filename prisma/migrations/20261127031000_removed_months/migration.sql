-- The months of the archive whose rows are in files only, by their first day. Exports name them.
CREATE TABLE "removed_month" (
    "first_day" DATE NOT NULL,

    CONSTRAINT "removed_month_pkey" PRIMARY KEY ("first_day")
);

CREATE FUNCTION "is_removed_month"("month" DATE) RETURNS BOOLEAN LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp
AS $$ SELECT EXISTS (SELECT FROM removed_month WHERE first_day = "month") $$;

-- As before (20261126150000_archived_event, 20261126160000_archived_prize), but for removed months, which a clock that was
-- put back would make again, without their rows: there, the archive waits for the right time.
CREATE OR REPLACE FUNCTION "prepare_event_archive"() RETURNS INTEGER LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "month" DATE := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
    "made" INTEGER := 0;
BEGIN
    -- Workers take turns: of two that look for the same partition, the second finds it.
    PERFORM pg_advisory_xact_lock(7236201917);
    FOR "ahead" IN 0..2 LOOP
        IF to_regclass('archive.event_' || to_char("month", 'YYYY_MM')) IS NULL AND NOT is_removed_month("month") THEN
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
CREATE OR REPLACE FUNCTION "prepare_prize_archive"() RETURNS INTEGER LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "month" DATE := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
    "made" INTEGER := 0;
    "new" INTEGER;
BEGIN
    -- It takes turns with other workers, and with those that make the partitions of events only.
    PERFORM pg_advisory_xact_lock(7236201917);
    FOR "ahead" IN 0..2 LOOP
        "new" := CASE WHEN is_removed_month("month") THEN 0 ELSE make_archive_month("month") END;
        IF "new" > 0 THEN
            PERFORM attach_archive_month("month");
            "made" := "made" + "new";
        END IF;
        "month" := ("month" + interval '1 month')::date;
    END LOOP;
    INSERT INTO prize_archive (casino_id, due_at)
    SELECT casino.id, date_trunc('milliseconds', now()) FROM casino
     WHERE NOT EXISTS (SELECT FROM prize_archive WHERE prize_archive.casino_id = casino.id)
        ON CONFLICT DO NOTHING;
    RETURN "made";
END $$;

-- As before (20261126161000_archive_months, 20261126160000_archived_prize), and the list of removed months follows.
-- In two steps: the first reads all prizes of the month, the second is repeated until it gets its locks.
CREATE FUNCTION "keep_given_ids"("month" DATE) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF is_archive_partition('prize', "month") THEN
        -- Sorted, so that all prizes are read before the first is written: from there on, nothing is delivered or chained.
        EXECUTE format('INSERT INTO removed_prize (casino_id, id) SELECT casino_id, id FROM archive.%I
                         WHERE opening_id IS NULL ORDER BY casino_id, id ON CONFLICT DO NOTHING', archive_table('prize', "month"));
    END IF;
END $$;

CREATE FUNCTION "end_archive_partitions"("month" DATE) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
    "kind" TEXT;
BEGIN
    LOCK TABLE ONLY archived_prize_order, ONLY archived_cashback, ONLY archived_prize, ONLY archived_opening,
        ONLY archived_event IN ACCESS EXCLUSIVE MODE;
    FOREACH "kind" IN ARRAY archived_kinds() LOOP
        CONTINUE WHEN NOT is_archive_partition("kind", "month");
        EXECUTE format('ALTER TABLE public.%I DETACH PARTITION archive.%I',
            'archived_' || "kind", archive_table("kind", "month"));
    END LOOP;
    INSERT INTO removed_month (first_day) VALUES ("month") ON CONFLICT DO NOTHING;
END $$;

CREATE OR REPLACE FUNCTION "detach_archive_month"("month" DATE) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM keep_given_ids("month");
    PERFORM end_archive_partitions("month");
END $$;

CREATE OR REPLACE FUNCTION "attach_archive_month"("month" DATE) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "kind" TEXT;
    "is_double" BOOLEAN;
BEGIN
    FOREACH "kind" IN ARRAY archived_kinds() LOOP
        CONTINUE WHEN is_archive_partition("kind", "month");
        EXECUTE format('SELECT EXISTS (SELECT FROM archive.%1$I AS added JOIN public.%2$I AS other
                                           ON other.casino_id = added.casino_id AND other.id = added.id)
                            OR EXISTS (SELECT FROM archive.%1$I AS added JOIN public.%3$I AS other
                                           ON other.casino_id = added.casino_id AND other.id = added.id)',
            archive_table("kind", "month"), "kind", 'archived_' || "kind") INTO "is_double";
        IF "is_double" THEN
            RAISE EXCEPTION 'rows of % are live, or in another month: they would be there twice', archive_table("kind", "month")
                USING ERRCODE = 'unique_violation';
        END IF;
        EXECUTE format('ALTER TABLE public.%I ATTACH PARTITION archive.%I FOR VALUES FROM (%L) TO (%L)',
            'archived_' || "kind", archive_table("kind", "month"), "month", ("month" + interval '1 month')::date);
    END LOOP;
    DELETE FROM removed_month WHERE first_day = "month";
END $$;

-- As before (20261126161000_archive_months), but never into a partition.
CREATE OR REPLACE FUNCTION "fill_archive_month"("kind" TEXT, "month" DATE, "rows" JSONB) RETURNS INTEGER LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "added" INTEGER;
BEGIN
    -- Another run may have made it a partition, and its prizes may be back among the live ones.
    EXECUTE format('LOCK TABLE archive.%I IN ROW EXCLUSIVE MODE', archive_table("kind", "month"));
    IF is_archive_partition("kind", "month") THEN
        RAISE EXCEPTION '% is a partition', archive_table("kind", "month");
    END IF;
    EXECUTE format('INSERT INTO archive.%I SELECT * FROM jsonb_populate_recordset(NULL::public.%I, $1)
                        ON CONFLICT DO NOTHING', archive_table("kind", "month"), 'archived_' || "kind") USING "rows";
    GET DIAGNOSTICS "added" = ROW_COUNT;
    RETURN "added";
END $$;

-- Prizes move after their events, which may be in an earlier month, or the prize may be live again. This looks at the next
-- events of a month that is over, in the order of their ids, and moves those to the month of their prize, order or cashback,
-- or to the current month if that is live, so that a month is removed and restored with whole histories. Readers see each
-- event in one of the two. Short, since nothing is delivered or chained while a transaction runs. "last_id" is null when no
-- event follows.
CREATE FUNCTION "move_early_events"("month" DATE, "after_id" BIGINT, "most" INTEGER)
RETURNS TABLE ("last_id" BIGINT, "moved" INTEGER) LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "current" DATE := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
    "page" RECORD;
BEGIN
    IF NOT is_archive_partition('event', "month") OR "month" >= "current" THEN
        RAISE EXCEPTION 'the events of % are not those of a month that is over', "month";
    END IF;
    -- LIMIT: these are look-ups by a key, however large the tables are.
    EXECUTE format('
        WITH next AS MATERIALIZED (
            SELECT kept.id, kept.casino_id, kept.object_type, kept.object_id FROM archive.%1$I AS kept
             WHERE kept.id > $1 ORDER BY kept.id LIMIT $2
        ),
        apart AS MATERIALIZED (
            SELECT next.* FROM next
             WHERE CASE next.object_type
                     WHEN ''prize'' THEN (SELECT true FROM archive.%2$I AS one
                       WHERE one.casino_id = next.casino_id AND one.id = next.object_id LIMIT 1)
                     WHEN ''prize_order'' THEN (SELECT true FROM archive.%3$I AS one
                       WHERE one.casino_id = next.casino_id AND one.id = next.object_id LIMIT 1)
                     WHEN ''cashback'' THEN (SELECT true FROM archive.%4$I AS one
                       WHERE one.casino_id = next.casino_id AND one.id = next.object_id LIMIT 1)
                   END IS NULL
        ),
        found AS MATERIALIZED (
            SELECT apart.id,
                   CASE apart.object_type
                     WHEN ''prize'' THEN coalesce(
                       (SELECT archived_month FROM archived_prize AS one
                         WHERE one.casino_id = apart.casino_id AND one.id = apart.object_id LIMIT 1),
                       (SELECT $4 FROM prize AS one
                         WHERE one.casino_id = apart.casino_id AND one.id = apart.object_id LIMIT 1))
                     WHEN ''prize_order'' THEN coalesce(
                       (SELECT archived_month FROM archived_prize_order AS one
                         WHERE one.casino_id = apart.casino_id AND one.id = apart.object_id LIMIT 1),
                       (SELECT $4 FROM prize_order AS one
                         WHERE one.casino_id = apart.casino_id AND one.id = apart.object_id LIMIT 1))
                     WHEN ''cashback'' THEN coalesce(
                       (SELECT archived_month FROM archived_cashback AS one
                         WHERE one.casino_id = apart.casino_id AND one.id = apart.object_id LIMIT 1),
                       (SELECT $4 FROM cashback AS one
                         WHERE one.casino_id = apart.casino_id AND one.id = apart.object_id LIMIT 1))
                   END AS later_month
              FROM apart
        )
        SELECT (SELECT max(next.id) FROM next) AS last_id,
               coalesce(array_agg(found.id) FILTER (WHERE found.later_month > $3), ''{}'') AS ids,
               coalesce(array_agg(found.later_month) FILTER (WHERE found.later_month > $3), ''{}'') AS months
          FROM found',
        archive_table('event', "month"), archive_table('prize', "month"), archive_table('prize_order', "month"),
        archive_table('cashback', "month")) INTO "page" USING "after_id", "most", "month", "current";
    IF cardinality("page".ids) > 0 THEN
        EXECUTE format('ALTER TABLE archive.%I DISABLE TRIGGER append_only', archive_table('event', "month"));
        EXECUTE format('
            WITH removed AS (
                DELETE FROM archive.%1$I AS kept USING unnest($1, $2) AS early (id, later_month)
                 WHERE kept.id = early.id RETURNING kept.*, early.later_month
            )
            INSERT INTO archived_event (%2$s, archived_month) SELECT %2$s, later_month FROM removed',
            archive_table('event', "month"), columns_of('event')) USING "page".ids, "page".months;
        EXECUTE format('ALTER TABLE archive.%I ENABLE TRIGGER append_only', archive_table('event', "month"));
    END IF;
    RETURN QUERY SELECT "page".last_id, cardinality("page".ids);
END $$;

REVOKE ALL ON FUNCTION "keep_given_ids"(DATE) FROM PUBLIC;
REVOKE ALL ON FUNCTION "end_archive_partitions"(DATE) FROM PUBLIC;
REVOKE ALL ON FUNCTION "move_early_events"(DATE, BIGINT, INTEGER) FROM PUBLIC;
