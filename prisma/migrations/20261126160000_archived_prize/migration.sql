-- Whole prizes that have ended move here with their orders, cashbacks and openings, if ARCHIVE_AFTER_DAYS is set
-- (docs/operate/archive.md). As for events, a partition has what was moved in one month. "archived_month" is the first day
-- of that month, in UTC. Ids alone are looked for by hash indexes: an index in the order of all ids would be taken for lists.

CREATE TABLE "archived_prize" (
    LIKE "prize",
    "archived_month" DATE NOT NULL,

    CONSTRAINT "archived_prize_pkey" PRIMARY KEY ("casino_id", "id", "archived_month")
) PARTITION BY RANGE ("archived_month");
CREATE INDEX "archived_prize_player_idx" ON "archived_prize" ("casino_id", "player_id", "id");

CREATE TABLE "archived_prize_order" (
    LIKE "prize_order",
    "archived_month" DATE NOT NULL,

    CONSTRAINT "archived_prize_order_pkey" PRIMARY KEY ("casino_id", "id", "archived_month")
) PARTITION BY RANGE ("archived_month");
CREATE INDEX "archived_prize_order_id_idx" ON "archived_prize_order" USING hash ("id");
CREATE INDEX "archived_prize_order_state_idx" ON "archived_prize_order" ("casino_id", "state", "id");
CREATE INDEX "archived_prize_order_player_idx" ON "archived_prize_order" ("casino_id", "player_id", "id");
CREATE INDEX "archived_prize_order_prize_idx" ON "archived_prize_order" ("casino_id", "prize_id", "id");

CREATE TABLE "archived_cashback" (
    LIKE "cashback",
    "archived_month" DATE NOT NULL,

    CONSTRAINT "archived_cashback_pkey" PRIMARY KEY ("casino_id", "id", "archived_month")
) PARTITION BY RANGE ("archived_month");
CREATE INDEX "archived_cashback_id_idx" ON "archived_cashback" USING hash ("id");
CREATE INDEX "archived_cashback_state_idx" ON "archived_cashback" ("casino_id", "state", "id");
CREATE INDEX "archived_cashback_player_idx" ON "archived_cashback" ("casino_id", "player_id", "id");
CREATE INDEX "archived_cashback_prize_idx" ON "archived_cashback" ("casino_id", "prize_id", "id");
CREATE INDEX "archived_cashback_wallet_reference_idx" ON "archived_cashback" ("wallet_reference", "casino_id") WHERE "wallet_reference" IS NOT NULL;

CREATE TABLE "archived_opening" (
    LIKE "opening",
    "archived_month" DATE NOT NULL,

    CONSTRAINT "archived_opening_pkey" PRIMARY KEY ("casino_id", "id", "archived_month")
) PARTITION BY RANGE ("archived_month");
CREATE INDEX "archived_opening_id_idx" ON "archived_opening" USING hash ("id");
CREATE INDEX "archived_opening_player_idx" ON "archived_opening" ("casino_id", "player_id", "sequence");
CREATE INDEX "archived_opening_seed_idx" ON "archived_opening" ("casino_id", "seed_id", "id");

-- Live or archived: each row is in one of the two. The live part comes first: a look-up of one row (LIMIT 1) that finds it
-- there goes no further.
CREATE VIEW "every_prize" AS
SELECT "casino_id", "id", "player_id", "item_id", "item_name", "kind", "cashback_amount_minor",
       "cashback_currency", "state", "revision", "opening_id", "expires_at", "created_at", "updated_at",
       "expiry_warned_at", "stock_returned"
  FROM "prize"
 UNION ALL
SELECT "casino_id", "id", "player_id", "item_id", "item_name", "kind", "cashback_amount_minor",
       "cashback_currency", "state", "revision", "opening_id", "expires_at", "created_at", "updated_at",
       "expiry_warned_at", "stock_returned"
  FROM "archived_prize";

CREATE VIEW "every_prize_order" AS
SELECT "id", "casino_id", "prize_id", "player_id", "state", "revision", "delivery_ciphertext", "delivery_key",
       "delivery_key_id", "announced_at", "provider", "carrier", "tracking_number", "created_at", "updated_at",
       "shipment_number", "exception_reason", "returns_prize", "cancelled_from", "provider_reference",
       "partner_occurred_at", "reminders_sent", "attempts", "attempt_until", "next_poll_at", "problem",
       "provider_asked", "ended_at"
  FROM "prize_order"
 UNION ALL
SELECT "id", "casino_id", "prize_id", "player_id", "state", "revision", "delivery_ciphertext", "delivery_key",
       "delivery_key_id", "announced_at", "provider", "carrier", "tracking_number", "created_at", "updated_at",
       "shipment_number", "exception_reason", "returns_prize", "cancelled_from", "provider_reference",
       "partner_occurred_at", "reminders_sent", "attempts", "attempt_until", "next_poll_at", "problem",
       "provider_asked", "ended_at"
  FROM "archived_prize_order";

CREATE VIEW "every_cashback" AS
SELECT "id", "casino_id", "prize_id", "player_id", "amount_minor", "currency", "state", "revision",
       "created_at", "updated_at", "wallet", "attempts", "attempt_until", "wallet_reference", "problem",
       "wallet_asked", "reversal_prize", "debit_number", "debit_attempts"
  FROM "cashback"
 UNION ALL
SELECT "id", "casino_id", "prize_id", "player_id", "amount_minor", "currency", "state", "revision",
       "created_at", "updated_at", "wallet", "attempts", "attempt_until", "wallet_reference", "problem",
       "wallet_asked", "reversal_prize", "debit_number", "debit_attempts"
  FROM "archived_cashback";

CREATE VIEW "every_opening" AS
SELECT "id", "casino_id", "player_id", "sequence", "box_id", "version", "position", "item_id", "substituted",
       "grant_id", "prize_id", "request_id", "opened_at", "odds_hash", "seed_id", "nonce", "client_seed",
       "forced"
  FROM "opening"
 UNION ALL
SELECT "id", "casino_id", "player_id", "sequence", "box_id", "version", "position", "item_id", "substituted",
       "grant_id", "prize_id", "request_id", "opened_at", "odds_hash", "seed_id", "nonce", "client_seed",
       "forced"
  FROM "archived_opening";

-- How far the running sweep has looked at each casino's ended prizes, in the order of their age.
CREATE TABLE "prize_archive" (
    "casino_id" TEXT NOT NULL,
    "cursor_at" TIMESTAMPTZ(3),
    "cursor_id" TEXT,
    -- When it is continued, or the next one begins.
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "prize_archive_pkey" PRIMARY KEY ("casino_id")
);

CREATE INDEX "prize_archive_due_at_casino_id_idx" ON "prize_archive" ("due_at", "casino_id");

-- A player's archived openings of a box, which limits of a lifetime count, and the last of them. They stay when a month
-- leaves the database.
CREATE TABLE "archived_opening_count" (
    "casino_id" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "box_id" TEXT NOT NULL,
    "openings" BIGINT NOT NULL,
    "last_sequence" BIGINT NOT NULL,

    CONSTRAINT "archived_opening_count_pkey" PRIMARY KEY ("casino_id", "player_id", "box_id")
);

-- The results of archived openings, by the drawn entry: for statistics and for the check of stocks. "returned" counts
-- those whose item went back into its stock. They stay too.
CREATE TABLE "archived_draw_count" (
    "casino_id" TEXT NOT NULL,
    "box_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "item_id" TEXT NOT NULL,
    "substituted" BOOLEAN NOT NULL,
    "forced" BOOLEAN NOT NULL,
    "openings" BIGINT NOT NULL,
    "returned" BIGINT NOT NULL,

    CONSTRAINT "archived_draw_count_pkey" PRIMARY KEY ("casino_id", "box_id", "version", "position", "item_id", "substituted", "forced")
);

-- A live row may be deleted where the archive has the same one, and an archived row where the live table has it: triggers
-- that see the rows insist. This one refuses all else. Since it names DELETE, the service's role gets no right to it.
CREATE OR REPLACE FUNCTION "refuse_rewriting_history"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND TG_RELID IN (
        'public.event'::regclass, 'public.prize'::regclass, 'public.prize_order'::regclass, 'public.cashback'::regclass,
        'public.opening'::regclass, 'public.archived_prize'::regclass, 'public.archived_prize_order'::regclass,
        'public.archived_cashback'::regclass, 'public.archived_opening'::regclass
    ) THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;

-- The argument is the table that has to have the removed rows.
CREATE FUNCTION "refuse_loss"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "is_lost" BOOLEAN;
BEGIN
    -- The LIMIT keeps this a look-up by the key.
    EXECUTE format($statement$
        SELECT EXISTS (
          SELECT FROM removed
           WHERE to_jsonb(removed) - 'archived_month' IS DISTINCT FROM (
                   SELECT to_jsonb(kept) - 'archived_month' FROM public.%I AS kept
                    WHERE kept.casino_id = removed.casino_id AND kept.id = removed.id LIMIT 1))
        $statement$, TG_ARGV[0]) INTO "is_lost";
    IF "is_lost" THEN
        RAISE EXCEPTION '% never loses rows', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER "prize_never_deleted" BEFORE DELETE OR TRUNCATE ON "prize"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "prize_order_never_deleted" BEFORE DELETE OR TRUNCATE ON "prize_order"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "cashback_never_deleted" BEFORE DELETE OR TRUNCATE ON "cashback"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "archived_prize_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "archived_prize"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "archived_prize_order_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "archived_prize_order"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "archived_cashback_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "archived_cashback"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
CREATE TRIGGER "archived_opening_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "archived_opening"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();

CREATE TRIGGER "prize_kept" AFTER DELETE ON "prize" REFERENCING OLD TABLE AS "removed"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_loss"('archived_prize');
CREATE TRIGGER "prize_order_kept" AFTER DELETE ON "prize_order" REFERENCING OLD TABLE AS "removed"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_loss"('archived_prize_order');
CREATE TRIGGER "cashback_kept" AFTER DELETE ON "cashback" REFERENCING OLD TABLE AS "removed"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_loss"('archived_cashback');
CREATE TRIGGER "opening_kept" AFTER DELETE ON "opening" REFERENCING OLD TABLE AS "removed"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_loss"('archived_opening');
CREATE TRIGGER "archived_prize_kept" AFTER DELETE ON "archived_prize" REFERENCING OLD TABLE AS "removed"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_loss"('prize');
CREATE TRIGGER "archived_prize_order_kept" AFTER DELETE ON "archived_prize_order" REFERENCING OLD TABLE AS "removed"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_loss"('prize_order');
CREATE TRIGGER "archived_cashback_kept" AFTER DELETE ON "archived_cashback" REFERENCING OLD TABLE AS "removed"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_loss"('cashback');
CREATE TRIGGER "archived_opening_kept" AFTER DELETE ON "archived_opening" REFERENCING OLD TABLE AS "removed"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_loss"('opening');

-- As before, with two additions. The player's last opening may be archived: the counts know its number. The openings under
-- a seed are live until it is revealed, so nonces need none. And an opening comes back as it was: the archive still has the
-- same row then. Only openings that do not simply follow a live one pay for either.
CREATE OR REPLACE FUNCTION "opening_refuse_untrue"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "reason" text;
BEGIN
    SELECT CASE
             WHEN "added"."seed_id" IS NULL THEN 'it has no seed'
             WHEN "seed"."state" IS NULL THEN 'its seed is not the casino''s'
             WHEN "seed"."state" NOT IN ('active', 'retired') THEN 'its seed is not in use'
             WHEN "version"."odds_hash" IS DISTINCT FROM "added"."odds_hash" THEN 'its odds are not those of the version'
             ELSE 'its nonce or its sequence does not follow'
           END
      INTO "reason"
      FROM "added"
      LEFT JOIN "server_seed" AS "seed" ON "seed"."id" = "added"."seed_id" AND "seed"."casino_id" = "added"."casino_id"
      LEFT JOIN "box_version" AS "version"
        ON "version"."casino_id" = "added"."casino_id" AND "version"."box_id" = "added"."box_id"
       AND "version"."version" = "added"."version"
     WHERE CASE
             WHEN "added"."seed_id" IS NULL OR "seed"."state" IS NULL OR "seed"."state" NOT IN ('active', 'retired')
               OR "version"."odds_hash" IS DISTINCT FROM "added"."odds_hash"
               OR "added"."nonce" IS NULL OR "added"."nonce" < 1 OR "added"."sequence" < 1
               OR "added"."nonce" - 1 IS DISTINCT FROM coalesce((
                     SELECT "last"."nonce" FROM "opening" AS "last"
                      WHERE "last"."casino_id" = "added"."casino_id" AND "last"."player_id" = "added"."player_id"
                        AND "last"."seed_id" = "added"."seed_id" AND "last"."nonce" < "added"."nonce"
                      ORDER BY "last"."nonce" DESC LIMIT 1), 0)
               OR CASE coalesce((
                     SELECT "last"."sequence" FROM "opening" AS "last"
                      WHERE "last"."casino_id" = "added"."casino_id" AND "last"."player_id" = "added"."player_id"
                        AND "last"."sequence" < "added"."sequence"
                      ORDER BY "last"."sequence" DESC LIMIT 1), -1)
                    WHEN "added"."sequence" - 1 THEN false
                    ELSE "added"."sequence" - 1 IS DISTINCT FROM greatest(0, (
                           SELECT "last"."sequence" FROM "opening" AS "last"
                            WHERE "last"."casino_id" = "added"."casino_id" AND "last"."player_id" = "added"."player_id"
                              AND "last"."sequence" < "added"."sequence"
                            ORDER BY "last"."sequence" DESC LIMIT 1), (
                           SELECT max("archived"."last_sequence") FROM "archived_opening_count" AS "archived"
                            WHERE "archived"."casino_id" = "added"."casino_id"
                              AND "archived"."player_id" = "added"."player_id"))
                  END
             THEN to_jsonb("added") IS DISTINCT FROM (
                    SELECT to_jsonb("kept") - 'archived_month' FROM "archived_opening" AS "kept"
                     WHERE "kept"."casino_id" = "added"."casino_id" AND "kept"."id" = "added"."id" LIMIT 1)
             ELSE false
           END
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'an opening is refused: %', "reason" USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;

-- The tables of a month, by the tables that they archive. For the owner.
CREATE FUNCTION "archived_kinds"() RETURNS TEXT[] LANGUAGE sql IMMUTABLE
RETURN ARRAY['event', 'prize', 'prize_order', 'cashback', 'opening'];

CREATE FUNCTION "archive_table"("kind" TEXT, "month" DATE) RETURNS TEXT LANGUAGE sql IMMUTABLE
RETURN "kind" || '_' || lpad(date_part('year', "month")::text, 4, '0') || '_' || lpad(date_part('month', "month")::text, 2, '0');

CREATE FUNCTION "is_archive_partition"("kind" TEXT, "month" DATE) RETURNS BOOLEAN LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM pg_inherits
                    WHERE inhrelid = to_regclass('archive.' || archive_table("kind", "month")))
$$;

-- Makes the tables of a month that are not there, which are not partitions yet.
CREATE FUNCTION "make_archive_month"("month" DATE) RETURNS INTEGER LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "kind" TEXT;
    "name" TEXT;
    "column" RECORD;
    "made" INTEGER := 0;
BEGIN
    FOREACH "kind" IN ARRAY archived_kinds() LOOP
        "name" := archive_table("kind", "month");
        CONTINUE WHEN to_regclass('archive.' || "name") IS NOT NULL;
        EXECUTE format('CREATE TABLE archive.%I (LIKE public.%I INCLUDING ALL)', "name", 'archived_' || "kind");
        EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON archive.%I
            FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_rewriting_history()', "name");
        EXECUTE format('ALTER TABLE archive.%I SET (autovacuum_vacuum_insert_scale_factor = 0.01,
            autovacuum_analyze_scale_factor = 0.01)', "name");
        -- The planner is told the same about the columns as for the live table.
        FOR "column" IN
            SELECT attname AS name, array_to_string(attoptions, ', ') AS options FROM pg_attribute
             WHERE attrelid = ('public.' || "kind")::regclass AND attnum > 0 AND NOT attisdropped
               AND attoptions IS NOT NULL
        LOOP
            EXECUTE format('ALTER TABLE archive.%I ALTER COLUMN %I SET (%s)', "name", "column".name, "column".options);
        END LOOP;
        "made" := "made" + 1;
    END LOOP;
    RETURN "made";
END $$;

-- Makes the tables of a month partitions, all or none, which keeps no reader waiting.
CREATE FUNCTION "attach_archive_month"("month" DATE) RETURNS void LANGUAGE plpgsql
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
END $$;

-- Makes the partitions of this month and the next two, and the rows of new casinos. SECURITY DEFINER: the service's role
-- may make no tables, except these.
CREATE FUNCTION "prepare_prize_archive"() RETURNS INTEGER LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "month" DATE := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
    "made" INTEGER := 0;
    "new" INTEGER;
BEGIN
    -- It takes turns with other workers, and with those that make the partitions of events only.
    PERFORM pg_advisory_xact_lock(7236201917);
    FOR "ahead" IN 0..2 LOOP
        "new" := make_archive_month("month");
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

-- The columns of a live table, which its archive has too.
CREATE FUNCTION "columns_of"("name" TEXT) RETURNS TEXT LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
     WHERE attrelid = ('public.' || quote_ident("name"))::regclass AND attnum > 0 AND NOT attisdropped
$$;

-- Adds the openings of the prizes to the counts, or takes them off (by -1). In the order of the keys, so that no two
-- transactions wait for each other in turns.
CREATE FUNCTION "count_archived_openings"("of_casino" TEXT, "prizes" TEXT[], "by" INTEGER) RETURNS void LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO archived_opening_count AS counted (casino_id, player_id, box_id, openings, last_sequence)
    SELECT "of_casino", opening.player_id, opening.box_id, "by" * count(*), max(opening.sequence)
      FROM prize JOIN opening ON opening.id = prize.opening_id AND opening.casino_id = prize.casino_id
     WHERE prize.casino_id = "of_casino" AND prize.id = ANY ("prizes")
     GROUP BY opening.player_id, opening.box_id
     ORDER BY opening.player_id, opening.box_id
        ON CONFLICT (casino_id, player_id, box_id) DO UPDATE
       SET openings = counted.openings + excluded.openings,
           last_sequence = greatest(counted.last_sequence, excluded.last_sequence);
    INSERT INTO archived_draw_count AS counted
           (casino_id, box_id, version, position, item_id, substituted, forced, openings, returned)
    SELECT "of_casino", opening.box_id, opening.version, opening.position, opening.item_id, opening.substituted,
           opening.forced, "by" * count(*), "by" * count(*) FILTER (WHERE prize.stock_returned)
      FROM prize JOIN opening ON opening.id = prize.opening_id AND opening.casino_id = prize.casino_id
     WHERE prize.casino_id = "of_casino" AND prize.id = ANY ("prizes")
     GROUP BY opening.box_id, opening.version, opening.position, opening.item_id, opening.substituted, opening.forced
     ORDER BY opening.box_id, opening.version, opening.position, opening.item_id, opening.substituted, opening.forced
        ON CONFLICT (casino_id, box_id, version, position, item_id, substituted, forced) DO UPDATE
       SET openings = counted.openings + excluded.openings, returned = counted.returned + excluded.returned;
END $$;

-- Moves the next ended prizes of a casino's sweep, each with its orders, its cashbacks and its opening, and returns how
-- many it has looked at and moved. A prize stays while anything can still happen to a part of it, or needs it:
-- - a part has not ended, has changed since "before", is locked, or is being worked on (an attempt, the outbox, a hold, an
--   update that is not applied yet);
-- - the delivery details of an order are not erased;
-- - an event of it is live: events move first, after every endpoint has passed them;
-- - the seed of its opening is still secret.
-- SECURITY DEFINER: the service's role may delete none of these rows, except so. Another worker's casino is left to it.
CREATE FUNCTION "archive_prizes"("of_casino" TEXT, "before" TIMESTAMPTZ, "most" INTEGER)
RETURNS TABLE ("looked_at" INTEGER, "moved" INTEGER) LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "sweep" prize_archive%ROWTYPE;
    "month" DATE := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
    "scanned" RECORD;
    "prizes" TEXT[];
    "locked_orders" TEXT[];
    "locked_cashbacks" TEXT[];
    "working" TEXT[] := '{}';
    "kind" TEXT;
BEGIN
    IF "before" > now() - interval '30 days' THEN
        RAISE EXCEPTION 'only prizes that are older than 30 days can be archived';
    END IF;
    SELECT * INTO "sweep" FROM prize_archive
     WHERE casino_id = "of_casino" AND due_at <= now() FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN QUERY SELECT 0, 0;
        RETURN;
    END IF;

    SELECT count(*)::int AS count, (array_agg(next.created_at ORDER BY next.created_at DESC, next.id DESC))[1] AS last_at,
           (array_agg(next.id ORDER BY next.created_at DESC, next.id DESC))[1] AS last_id,
           coalesce(array_agg(next.id) FILTER (WHERE next.updated_at < "before"), '{}') AS quiet
      INTO "scanned"
      FROM (
        SELECT prize.id, prize.created_at, prize.updated_at FROM prize
         WHERE prize.casino_id = "of_casino" AND prize.state IN ('fulfilled', 'cashed_back', 'expired', 'voided')
           AND prize.created_at < "before"
           AND (prize.created_at, prize.id) > (coalesce("sweep".cursor_at, '-infinity'), coalesce("sweep".cursor_id, ''))
         ORDER BY prize.created_at, prize.id LIMIT "most"
      ) AS next;
    IF "scanned".count < "most" THEN
        -- The next sweep is for prizes that have ended since, and looks at all others again.
        UPDATE prize_archive SET cursor_at = NULL, cursor_id = NULL, due_at = now() + interval '1 day'
         WHERE casino_id = "of_casino";
    ELSE
        UPDATE prize_archive
           SET cursor_at = "scanned".last_at, cursor_id = "scanned".last_id, due_at = date_trunc('milliseconds', now())
         WHERE casino_id = "of_casino";
    END IF;

    -- Prizes first, then orders, then cashbacks, as everywhere. What another transaction has locked is left to a later sweep.
    WITH locked AS (
        SELECT prize.id FROM prize
         WHERE prize.casino_id = "of_casino" AND prize.id = ANY ("scanned".quiet)
           AND prize.state IN ('fulfilled', 'cashed_back', 'expired', 'voided') AND prize.updated_at < "before"
           -- Prizes that stay for long, for the reasons below, are not locked every day: each lock is a write.
           AND (SELECT true FROM event
                 WHERE event.casino_id = "of_casino" AND event.object_type = 'prize' AND event.object_id = prize.id
                 LIMIT 1) IS NULL
           AND (SELECT true FROM prize_order AS one
                 WHERE one.casino_id = "of_casino" AND one.prize_id = prize.id AND one.state NOT IN ('rejected', 'cancelled')
                   AND one.delivery_key IS NOT NULL LIMIT 1) IS NULL
           AND (SELECT true FROM prize_order AS one
                 WHERE one.casino_id = "of_casino" AND one.prize_id = prize.id AND one.state IN ('rejected', 'cancelled')
                   AND one.delivery_key IS NOT NULL LIMIT 1) IS NULL
           AND coalesce((SELECT seed.state FROM opening JOIN server_seed AS seed ON seed.id = opening.seed_id
                          WHERE opening.id = prize.opening_id LIMIT 1), 'revealed') = 'revealed'
         ORDER BY prize.id FOR UPDATE SKIP LOCKED
    )
    SELECT coalesce(array_agg(locked.id), '{}') INTO "prizes" FROM locked;
    -- Each in two parts, since each has an index.
    WITH live AS (
        SELECT one.id FROM prize_order AS one
         WHERE one.casino_id = "of_casino" AND one.prize_id = ANY ("prizes") AND one.state NOT IN ('rejected', 'cancelled')
         ORDER BY one.id FOR UPDATE SKIP LOCKED
    ),
    given_up AS (
        SELECT one.id FROM prize_order AS one
         WHERE one.casino_id = "of_casino" AND one.prize_id = ANY ("prizes") AND one.state IN ('rejected', 'cancelled')
         ORDER BY one.id FOR UPDATE SKIP LOCKED
    )
    SELECT coalesce(array_agg(locked.id), '{}') INTO "locked_orders"
      FROM (SELECT live.id FROM live UNION ALL SELECT given_up.id FROM given_up) AS locked;
    WITH live AS (
        SELECT one.id FROM cashback AS one
         WHERE one.casino_id = "of_casino" AND one.prize_id = ANY ("prizes") AND one.state NOT IN ('declined', 'reversed')
         ORDER BY one.id FOR UPDATE SKIP LOCKED
    ),
    given_up AS (
        SELECT one.id FROM cashback AS one
         WHERE one.casino_id = "of_casino" AND one.prize_id = ANY ("prizes") AND one.state IN ('declined', 'reversed')
         ORDER BY one.id FOR UPDATE SKIP LOCKED
    )
    SELECT coalesce(array_agg(locked.id), '{}') INTO "locked_cashbacks"
      FROM (SELECT live.id FROM live UNION ALL SELECT given_up.id FROM given_up) AS locked;

    -- These statements see all that was committed before the locks.
    IF cardinality("locked_orders" || "locked_cashbacks") > 0 THEN
        SELECT coalesce(array_agg(outbox.object_id), '{}') INTO "working"
          FROM outbox WHERE outbox.object_id = ANY ("locked_orders" || "locked_cashbacks");
    END IF;
    WITH part AS MATERIALIZED (
        SELECT 'prize_order' AS type, one.id, one.prize_id,
               one.ended_at IS NOT NULL AND one.delivery_key IS NULL AND one.updated_at < "before"
                 AND coalesce(one.attempt_until < now(), true) AND one.id = ANY ("locked_orders") AS is_over
          FROM prize_order AS one
         WHERE one.casino_id = "of_casino" AND one.prize_id = ANY ("prizes") AND one.state NOT IN ('rejected', 'cancelled')
         UNION ALL
        SELECT 'prize_order', one.id, one.prize_id,
               one.delivery_key IS NULL AND one.updated_at < "before"
                 AND coalesce(one.attempt_until < now(), true) AND one.id = ANY ("locked_orders")
          FROM prize_order AS one
         WHERE one.casino_id = "of_casino" AND one.prize_id = ANY ("prizes") AND one.state IN ('rejected', 'cancelled')
         UNION ALL
        SELECT 'cashback', one.id, one.prize_id,
               one.state = 'credited' AND one.updated_at < "before"
                 AND coalesce(one.attempt_until < now(), true) AND one.id = ANY ("locked_cashbacks")
          FROM cashback AS one
         WHERE one.casino_id = "of_casino" AND one.prize_id = ANY ("prizes") AND one.state NOT IN ('declined', 'reversed')
         UNION ALL
        SELECT 'cashback', one.id, one.prize_id,
               one.updated_at < "before"
                 AND coalesce(one.attempt_until < now(), true) AND one.id = ANY ("locked_cashbacks")
          FROM cashback AS one
         WHERE one.casino_id = "of_casino" AND one.prize_id = ANY ("prizes") AND one.state IN ('declined', 'reversed')
         UNION ALL
        SELECT 'prize', one.id, one.id,
               one.opening_id IS NULL OR coalesce((
                 SELECT opening.opened_at < "before" AND opening.prize_id = one.id
                        AND (opening.seed_id IS NULL OR coalesce((
                              SELECT seed.state = 'revealed' FROM server_seed AS seed WHERE seed.id = opening.seed_id), false))
                   FROM opening WHERE opening.id = one.opening_id AND opening.casino_id = "of_casino"), false)
          FROM prize AS one
         WHERE one.casino_id = "of_casino" AND one.id = ANY ("prizes")
    ),
    -- The LIMITs keep these look-ups by a key.
    needed AS (
        SELECT part.prize_id FROM part
         WHERE NOT part.is_over OR part.id = ANY ("working")
            OR (SELECT true FROM event
                 WHERE event.casino_id = "of_casino" AND event.object_type = part.type AND event.object_id = part.id
                 LIMIT 1)
            OR part.type = 'prize_order' AND (
                 (SELECT true FROM order_hold
                   WHERE order_hold.casino_id = "of_casino" AND order_hold.order_id = part.id
                     AND order_hold.released_at IS NULL LIMIT 1)
              OR (SELECT true FROM partner_event
                   WHERE partner_event.casino_id = "of_casino" AND partner_event.order_id = part.id
                     AND partner_event.outcome IS NULL LIMIT 1))
    )
    SELECT coalesce(array_agg(DISTINCT part.prize_id), '{}') INTO "prizes"
      FROM part WHERE part.prize_id NOT IN (SELECT needed.prize_id FROM needed);

    IF cardinality("prizes") > 0 THEN
        PERFORM count_archived_openings("of_casino", "prizes", 1);
        FOREACH "kind" IN ARRAY ARRAY['prize_order', 'cashback', 'opening', 'prize'] LOOP
            EXECUTE format('INSERT INTO public.%I (%s, archived_month) SELECT %2$s, $3 FROM public.%I
                             WHERE ctid = ANY (ARRAY(SELECT parts_of_prizes(%3$L, $1, $2)))',
                'archived_' || "kind", columns_of("kind"), "kind") USING "of_casino", "prizes", "month";
        END LOOP;
        -- A prize is the last to go: it leads to the others.
        FOREACH "kind" IN ARRAY ARRAY['prize_order', 'cashback', 'opening', 'prize'] LOOP
            EXECUTE format('DELETE FROM public.%I WHERE ctid = ANY (ARRAY(SELECT parts_of_prizes(%1$L, $1, $2)))', "kind")
              USING "of_casino", "prizes";
        END LOOP;
    END IF;
    RETURN QUERY SELECT "scanned".count, cardinality("prizes");
END $$;

-- Where the live rows of prizes are, by their indexes.
CREATE FUNCTION "parts_of_prizes"("kind" TEXT, "of_casino" TEXT, "prizes" TEXT[]) RETURNS SETOF TID LANGUAGE plpgsql
SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    CASE "kind"
      WHEN 'prize' THEN RETURN QUERY
        SELECT one.ctid FROM prize AS one WHERE one.casino_id = "of_casino" AND one.id = ANY ("prizes");
      WHEN 'opening' THEN RETURN QUERY
        SELECT opening.ctid FROM prize AS one JOIN opening ON opening.id = one.opening_id
         WHERE one.casino_id = "of_casino" AND one.id = ANY ("prizes") AND opening.casino_id = "of_casino";
      WHEN 'prize_order' THEN RETURN QUERY
        SELECT one.ctid FROM prize_order AS one
         WHERE one.casino_id = "of_casino" AND one.prize_id = ANY ("prizes") AND one.state NOT IN ('rejected', 'cancelled')
         UNION ALL
        SELECT one.ctid FROM prize_order AS one
         WHERE one.casino_id = "of_casino" AND one.prize_id = ANY ("prizes") AND one.state IN ('rejected', 'cancelled');
      WHEN 'cashback' THEN RETURN QUERY
        SELECT one.ctid FROM cashback AS one
         WHERE one.casino_id = "of_casino" AND one.prize_id = ANY ("prizes") AND one.state NOT IN ('declined', 'reversed')
         UNION ALL
        SELECT one.ctid FROM cashback AS one
         WHERE one.casino_id = "of_casino" AND one.prize_id = ANY ("prizes") AND one.state IN ('declined', 'reversed');
    END CASE;
END $$;

-- Brings the prizes back that these ids lead to ("kind" is prize, prize_order or cashback), each with all that belongs to
-- it, and returns how many of the ids exist, archived or live. A decision about an archived object needs it live. The
-- unit moves again in a later sweep. SECURITY DEFINER: the service's role may not change the archive, except so.
CREATE FUNCTION "bring_back_prizes"("of_casino" TEXT, "kind" TEXT, "ids" TEXT[]) RETURNS INTEGER LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    "found" RECORD;
    "prizes" TEXT[];
BEGIN
    IF "kind" NOT IN ('prize', 'prize_order', 'cashback') THEN
        RAISE EXCEPTION 'nothing is brought back by %', "kind";
    END IF;
    -- One snapshot: an id that is in neither table does not exist.
    EXECUTE format('SELECT count(*)::int AS count, coalesce(array_agg(DISTINCT one.%1$I) FILTER (WHERE one.is_archived), ''{}'') AS archived
                      FROM (SELECT %1$I, false AS is_archived FROM public.%2$I WHERE casino_id = $1 AND id = ANY ($2)
                             UNION ALL
                            SELECT %1$I, true FROM public.%3$I WHERE casino_id = $1 AND id = ANY ($2)) AS one',
        CASE "kind" WHEN 'prize' THEN 'id' ELSE 'prize_id' END, "kind", 'archived_' || "kind")
      INTO "found" USING "of_casino", "ids";
    -- Of two transactions, the second finds that they are no longer here.
    WITH locked AS (
        SELECT archived_prize.id FROM archived_prize
         WHERE archived_prize.casino_id = "of_casino" AND archived_prize.id = ANY ("found".archived)
         ORDER BY archived_prize.id FOR UPDATE
    )
    SELECT coalesce(array_agg(locked.id), '{}') INTO "prizes" FROM locked;
    IF cardinality("prizes") > 0 THEN
        EXECUTE format('INSERT INTO prize (%s) SELECT %1$s FROM archived_prize WHERE casino_id = $1 AND id = ANY ($2)',
            columns_of('prize')) USING "of_casino", "prizes";
        EXECUTE format('INSERT INTO opening (%s) SELECT %1$s FROM archived_opening
                         WHERE casino_id = $1 AND id = ANY (ARRAY(SELECT opening_id FROM prize WHERE casino_id = $1 AND id = ANY ($2)))',
            columns_of('opening')) USING "of_casino", "prizes";
        EXECUTE format('INSERT INTO prize_order (%s) SELECT %1$s FROM archived_prize_order WHERE casino_id = $1 AND prize_id = ANY ($2)',
            columns_of('prize_order')) USING "of_casino", "prizes";
        EXECUTE format('INSERT INTO cashback (%s) SELECT %1$s FROM archived_cashback WHERE casino_id = $1 AND prize_id = ANY ($2)',
            columns_of('cashback')) USING "of_casino", "prizes";
        PERFORM count_archived_openings("of_casino", "prizes", -1);
        DELETE FROM archived_prize_order WHERE casino_id = "of_casino" AND prize_id = ANY ("prizes");
        DELETE FROM archived_cashback WHERE casino_id = "of_casino" AND prize_id = ANY ("prizes");
        DELETE FROM archived_opening
         WHERE casino_id = "of_casino"
           AND id = ANY (ARRAY(SELECT prize.opening_id FROM prize
                                WHERE prize.casino_id = "of_casino" AND prize.id = ANY ("prizes")));
        DELETE FROM archived_prize WHERE casino_id = "of_casino" AND id = ANY ("prizes");
    END IF;
    RETURN "found".count;
END $$;

REVOKE ALL ON FUNCTION "make_archive_month"(DATE) FROM PUBLIC;
REVOKE ALL ON FUNCTION "attach_archive_month"(DATE) FROM PUBLIC;
REVOKE ALL ON FUNCTION "prepare_prize_archive"() FROM PUBLIC;
REVOKE ALL ON FUNCTION "count_archived_openings"(TEXT, TEXT[], INTEGER) FROM PUBLIC;
REVOKE ALL ON FUNCTION "archive_prizes"(TEXT, TIMESTAMPTZ, INTEGER) FROM PUBLIC;
REVOKE ALL ON FUNCTION "parts_of_prizes"(TEXT, TEXT, TEXT[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION "bring_back_prizes"(TEXT, TEXT, TEXT[]) FROM PUBLIC;
