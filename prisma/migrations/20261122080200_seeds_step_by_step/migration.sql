-- A seed begins as a promise: as the next one, or as the first that a casino has. Whatever would begin in use, or later,
-- was promised to nobody. Runs for rows that were really inserted, when the statement has ended: two processes may make a
-- casino's first seeds at once.
CREATE FUNCTION "server_seed_refuse_late"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM "added"
         WHERE "retired_at" IS NOT NULL OR "revealed_at" IS NOT NULL OR "state" NOT IN ('next', 'active')
            OR ("state" = 'active' AND EXISTS (
                  SELECT FROM "server_seed" AS "other"
                   WHERE "other"."casino_id" = "added"."casino_id" AND "other"."id" <> "added"."id"
                     AND "other"."state" <> 'next'))
    ) THEN
        RAISE EXCEPTION 'a server seed begins as the next one' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "server_seed_promised" AFTER INSERT ON "server_seed" REFERENCING NEW TABLE AS "added"
    FOR EACH STATEMENT EXECUTE FUNCTION "server_seed_refuse_late"();

-- One step at a time, and each time is written once, with its step. A next seed that cannot be opened is retired without
-- having been used. What is sealed stays; only the key around it is exchanged.
CREATE OR REPLACE FUNCTION "server_seed_refuse_exchange"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "step" CONSTANT text := OLD."state" || ' ' || NEW."state";
BEGIN
    IF (NEW."id", NEW."casino_id", NEW."commitment", NEW."created_at", NEW."sealed_seed")
           IS DISTINCT FROM (OLD."id", OLD."casino_id", OLD."commitment", OLD."created_at", OLD."sealed_seed")
       OR (NEW."state" <> OLD."state"
           AND "step" NOT IN ('next active', 'next retired', 'active retired', 'retired revealed'))
       OR (NEW."activated_at" IS DISTINCT FROM OLD."activated_at" AND "step" <> 'next active')
       OR (NEW."retired_at" IS DISTINCT FROM OLD."retired_at" AND "step" NOT IN ('next retired', 'active retired'))
       OR ((NEW."revealed_at", NEW."revealed_seed") IS DISTINCT FROM (OLD."revealed_at", OLD."revealed_seed")
           AND "step" <> 'retired revealed') THEN
        RAISE EXCEPTION 'a server seed cannot be exchanged' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
