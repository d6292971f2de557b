-- One prize, one fate, also for two sessions at once and for rows that come back to life.
--
-- Whoever writes a live order or cashback locks its prize first and looks then: of two sessions the second waits for the
-- first, and sees what it has written (in READ COMMITTED, which everything here uses, each statement of a function looks
-- anew). The service's own statements hold these locks already, in the same order, so they never wait here.

-- CREATE OR REPLACE keeps the triggers after INSERT, which run once for each statement.
CREATE OR REPLACE FUNCTION "cashback_refuse_second_fate"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "written"
       JOIN "prize" ON "prize"."casino_id" = "written"."casino_id" AND "prize"."id" = "written"."prize_id"
      WHERE "written"."state" NOT IN ('declined', 'reversed')
      ORDER BY "prize"."casino_id", "prize"."id"
        FOR NO KEY UPDATE OF "prize";
    IF EXISTS (
        SELECT FROM "written"
          JOIN "prize_order" AS "other" ON "other"."casino_id" = "written"."casino_id"
           AND "other"."prize_id" = "written"."prize_id" AND "other"."state" NOT IN ('rejected', 'cancelled')
         WHERE "written"."state" NOT IN ('declined', 'reversed')
    ) THEN
        RAISE EXCEPTION 'the prize has a live order'
            USING ERRCODE = 'check_violation', TABLE = 'cashback', CONSTRAINT = 'cashback_one_fate';
    END IF;
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "prize_order_refuse_second_fate"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "written"
       JOIN "prize" ON "prize"."casino_id" = "written"."casino_id" AND "prize"."id" = "written"."prize_id"
      WHERE "written"."state" NOT IN ('rejected', 'cancelled')
      ORDER BY "prize"."casino_id", "prize"."id"
        FOR NO KEY UPDATE OF "prize";
    IF EXISTS (
        SELECT FROM "written"
          JOIN "cashback" AS "other" ON "other"."casino_id" = "written"."casino_id"
           AND "other"."prize_id" = "written"."prize_id" AND "other"."state" NOT IN ('declined', 'reversed')
         WHERE "written"."state" NOT IN ('rejected', 'cancelled')
    ) THEN
        RAISE EXCEPTION 'the prize has a live cashback'
            USING ERRCODE = 'check_violation', TABLE = 'prize_order', CONSTRAINT = 'prize_order_one_fate';
    END IF;
    RETURN NULL;
END $$;

-- What has ended never lives again, and nothing goes over to another prize: no code does either. So these run for nothing
-- that the service does, and may look at each row by itself.
CREATE FUNCTION "cashback_refuse_revival"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "prize" WHERE "casino_id" = NEW."casino_id" AND "id" = NEW."prize_id" FOR NO KEY UPDATE;
    IF EXISTS (
        SELECT FROM "prize_order"
         WHERE "casino_id" = NEW."casino_id" AND "prize_id" = NEW."prize_id" AND "state" NOT IN ('rejected', 'cancelled')
    ) THEN
        RAISE EXCEPTION 'the prize has a live order'
            USING ERRCODE = 'check_violation', TABLE = 'cashback', CONSTRAINT = 'cashback_one_fate';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "cashback_one_fate_revived" AFTER UPDATE OF "state", "casino_id", "prize_id" ON "cashback"
    FOR EACH ROW WHEN (
        NEW."state" NOT IN ('declined', 'reversed') AND (
            OLD."state" IN ('declined', 'reversed')
            OR NEW."prize_id" <> OLD."prize_id" OR NEW."casino_id" <> OLD."casino_id"))
    EXECUTE FUNCTION "cashback_refuse_revival"();

CREATE FUNCTION "prize_order_refuse_revival"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "prize" WHERE "casino_id" = NEW."casino_id" AND "id" = NEW."prize_id" FOR NO KEY UPDATE;
    IF EXISTS (
        SELECT FROM "cashback"
         WHERE "casino_id" = NEW."casino_id" AND "prize_id" = NEW."prize_id" AND "state" NOT IN ('declined', 'reversed')
    ) THEN
        RAISE EXCEPTION 'the prize has a live cashback'
            USING ERRCODE = 'check_violation', TABLE = 'prize_order', CONSTRAINT = 'prize_order_one_fate';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "prize_order_one_fate_revived" AFTER UPDATE OF "state", "casino_id", "prize_id" ON "prize_order"
    FOR EACH ROW WHEN (
        NEW."state" NOT IN ('rejected', 'cancelled') AND (
            OLD."state" IN ('rejected', 'cancelled')
            OR NEW."prize_id" <> OLD."prize_id" OR NEW."casino_id" <> OLD."casino_id"))
    EXECUTE FUNCTION "prize_order_refuse_revival"();
