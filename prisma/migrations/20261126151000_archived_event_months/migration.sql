-- For `npm run archive`, which works as the owner: the service's role gets none of these.

-- The rows of a month's table, a partition or not, that follow an id, each as a line of JSON.
CREATE FUNCTION "read_event_month"("month" DATE, "after" BIGINT, "most" INTEGER)
RETURNS TABLE ("id" BIGINT, "line" TEXT) LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT kept.id, to_jsonb(kept)::text FROM archive.%I AS kept
                                  WHERE kept.id > $1 ORDER BY kept.id LIMIT $2',
        'event_' || to_char("month", 'YYYY_MM')) USING "after", "most";
END $$;

-- Ends the partition of a month that is over; its table stays. While a dump or a long report reads the parent, it fails
-- soon: other readers queue behind it.
CREATE FUNCTION "detach_event_month"("month" DATE) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '2s' AS $$
BEGIN
    EXECUTE format('ALTER TABLE public.archived_event DETACH PARTITION archive.%I',
        'event_' || to_char("month", 'YYYY_MM'));
END $$;

-- Removes a table that is not a partition.
CREATE FUNCTION "drop_event_month"("month" DATE) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "name" TEXT := 'event_' || to_char("month", 'YYYY_MM');
BEGIN
    IF EXISTS (SELECT FROM pg_inherits WHERE inhrelid = to_regclass('archive.' || "name")) THEN
        RAISE EXCEPTION '% is still a partition', "name";
    END IF;
    EXECUTE format('DROP TABLE archive.%I', "name");
END $$;

-- Whether a delivery still needs an event of a month's table, a partition or not.
CREATE FUNCTION "event_month_is_needed"("month" DATE) RETURNS BOOLEAN LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "is_needed" BOOLEAN;
BEGIN
    EXECUTE format('SELECT EXISTS (SELECT FROM public.webhook_delivery AS delivery
                                     JOIN archive.%I AS kept ON kept.id = delivery.event_id)',
        'event_' || to_char("month", 'YYYY_MM')) INTO "is_needed";
    RETURN "is_needed";
END $$;

-- Adds rows of a file to a table that is not a partition yet, each once, and returns how many were added.
CREATE FUNCTION "fill_event_month"("month" DATE, "rows" JSONB) RETURNS INTEGER LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "added" INTEGER;
BEGIN
    EXECUTE format('INSERT INTO archive.%I SELECT * FROM jsonb_populate_recordset(NULL::public.archived_event, $1)
                        ON CONFLICT DO NOTHING', 'event_' || to_char("month", 'YYYY_MM')) USING "rows";
    GET DIAGNOSTICS "added" = ROW_COUNT;
    RETURN "added";
END $$;

REVOKE ALL ON FUNCTION "read_event_month"(DATE, BIGINT, INTEGER) FROM PUBLIC;
REVOKE ALL ON FUNCTION "detach_event_month"(DATE) FROM PUBLIC;
REVOKE ALL ON FUNCTION "drop_event_month"(DATE) FROM PUBLIC;
REVOKE ALL ON FUNCTION "event_month_is_needed"(DATE) FROM PUBLIC;
REVOKE ALL ON FUNCTION "fill_event_month"(DATE, JSONB) FROM PUBLIC;
