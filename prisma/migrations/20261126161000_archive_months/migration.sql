-- The ids under which a casino gave prizes that have left the database with their month: they are not given again.
CREATE TABLE "removed_prize" (
    "casino_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,

    CONSTRAINT "removed_prize_pkey" PRIMARY KEY ("casino_id", "id")
);

-- For `npm run archive`, which works as the owner: the service's role gets none of these. Each is for all tables of a month,
-- partitions or not, in the order of archived_kinds(). They take the place of those for events only.

-- The rows of one of the tables that follow a row, each as a line of JSON that names the table. Events are in the order of
-- their numbers, the others in that of their keys.
CREATE FUNCTION "read_archive_month"("kind" TEXT, "month" DATE, "after_casino" TEXT, "after_id" TEXT, "most" INTEGER)
RETURNS TABLE ("casino_id" TEXT, "id" TEXT, "line" TEXT) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "name" TEXT := archive_table("kind", "month");
BEGIN
    IF to_regclass('archive.' || "name") IS NULL THEN
        RETURN;
    END IF;
    RETURN QUERY EXECUTE format('SELECT kept.casino_id, kept.id::text, (to_jsonb(kept) || jsonb_build_object(''table'', %L))::text
                                   FROM archive.%I AS kept ', "kind", "name")
        || CASE "kind" WHEN 'event' THEN 'WHERE kept.id > coalesce($2, ''-1'')::bigint ORDER BY kept.id LIMIT $3'
                ELSE 'WHERE (kept.casino_id, kept.id) > (coalesce($1, ''''), coalesce($2, '''')) ORDER BY kept.casino_id, kept.id LIMIT $3'
           END
        USING "after_casino", "after_id", "most";
END $$;

-- How many rows the tables have together. Rows only ever leave them, so equal numbers mean equal rows.
CREATE FUNCTION "count_archive_month"("month" DATE) RETURNS BIGINT LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "kind" TEXT;
    "count" BIGINT;
    "sum" BIGINT := 0;
BEGIN
    FOREACH "kind" IN ARRAY archived_kinds() LOOP
        CONTINUE WHEN to_regclass('archive.' || archive_table("kind", "month")) IS NULL;
        EXECUTE format('SELECT count(*) FROM archive.%I', archive_table("kind", "month")) INTO "count";
        "sum" := "sum" + "count";
    END LOOP;
    RETURN "sum";
END $$;

-- Ends the partitions of a month that is over, all or none; their tables stay. The ids that casinos chose are kept first:
-- from here on nobody finds their prizes. While a dump or a long report reads a parent, it fails soon, since other readers
-- queue behind it. The parents are locked in the order in which decisions read them.
CREATE FUNCTION "detach_archive_month"("month" DATE) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '200ms' AS $$
DECLARE
    "kind" TEXT;
BEGIN
    IF is_archive_partition('prize', "month") THEN
        EXECUTE format('INSERT INTO removed_prize (casino_id, id) SELECT casino_id, id FROM archive.%I
                         WHERE opening_id IS NULL ON CONFLICT DO NOTHING', archive_table('prize', "month"));
    END IF;
    LOCK TABLE ONLY archived_prize_order, ONLY archived_cashback, ONLY archived_prize, ONLY archived_opening,
        ONLY archived_event IN ACCESS EXCLUSIVE MODE;
    FOREACH "kind" IN ARRAY archived_kinds() LOOP
        CONTINUE WHEN NOT is_archive_partition("kind", "month");
        EXECUTE format('ALTER TABLE public.%I DETACH PARTITION archive.%I',
            'archived_' || "kind", archive_table("kind", "month"));
    END LOOP;
END $$;

-- Removes tables that are not partitions, all or none.
CREATE FUNCTION "drop_archive_month"("month" DATE) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "kind" TEXT;
BEGIN
    FOREACH "kind" IN ARRAY archived_kinds() LOOP
        IF is_archive_partition("kind", "month") THEN
            RAISE EXCEPTION '% is still a partition', archive_table("kind", "month");
        END IF;
        EXECUTE format('DROP TABLE IF EXISTS archive.%I', archive_table("kind", "month"));
    END LOOP;
END $$;

-- Whether a delivery still needs an event of the month, or the object of an event.
CREATE FUNCTION "archive_month_is_needed"("month" DATE) RETURNS BOOLEAN LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "kind" TEXT;
    "is_needed" BOOLEAN := false;
BEGIN
    FOREACH "kind" IN ARRAY ARRAY['event', 'prize', 'prize_order', 'cashback'] LOOP
        CONTINUE WHEN to_regclass('archive.' || archive_table("kind", "month")) IS NULL;
        EXECUTE format('SELECT EXISTS (SELECT FROM public.webhook_delivery AS delivery JOIN archive.%I AS kept ON %s)',
            archive_table("kind", "month"),
            CASE "kind" WHEN 'event' THEN 'kept.id = delivery.event_id'
                 ELSE format('kept.casino_id = delivery.casino_id AND kept.id = delivery.object_id AND delivery.object_type = %L', "kind")
            END) INTO "is_needed";
        EXIT WHEN "is_needed";
    END LOOP;
    RETURN "is_needed";
END $$;

-- Adds rows of a file to a table that is not a partition yet, each once, and returns how many were added.
CREATE FUNCTION "fill_archive_month"("kind" TEXT, "month" DATE, "rows" JSONB) RETURNS INTEGER LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "added" INTEGER;
BEGIN
    EXECUTE format('INSERT INTO archive.%I SELECT * FROM jsonb_populate_recordset(NULL::public.%I, $1)
                        ON CONFLICT DO NOTHING', archive_table("kind", "month"), 'archived_' || "kind") USING "rows";
    GET DIAGNOSTICS "added" = ROW_COUNT;
    RETURN "added";
END $$;

REVOKE ALL ON FUNCTION "read_archive_month"(TEXT, DATE, TEXT, TEXT, INTEGER) FROM PUBLIC;
REVOKE ALL ON FUNCTION "count_archive_month"(DATE) FROM PUBLIC;
REVOKE ALL ON FUNCTION "detach_archive_month"(DATE) FROM PUBLIC;
REVOKE ALL ON FUNCTION "drop_archive_month"(DATE) FROM PUBLIC;
REVOKE ALL ON FUNCTION "archive_month_is_needed"(DATE) FROM PUBLIC;
REVOKE ALL ON FUNCTION "fill_archive_month"(TEXT, DATE, JSONB) FROM PUBLIC;
