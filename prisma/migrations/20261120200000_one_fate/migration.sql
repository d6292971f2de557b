-- One prize, one fate, in the database itself: no cashback beside an order that is live or delivered, and the other way
-- round. (Two of the same kind are kept apart by the partial unique indexes, and whoever comes at the same moment by the
-- prize's row, which both must move.)
CREATE FUNCTION "cashback_refuse_second_fate"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM "written"
          JOIN "prize_order" AS "other" ON "other"."casino_id" = "written"."casino_id"
           AND "other"."prize_id" = "written"."prize_id" AND "other"."state" NOT IN ('rejected', 'cancelled')
         WHERE "written"."state" NOT IN ('declined', 'reversed')
    ) THEN
        RAISE EXCEPTION 'the prize has a live order' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "cashback_one_fate" AFTER INSERT ON "cashback"
    REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "cashback_refuse_second_fate"();

CREATE FUNCTION "prize_order_refuse_second_fate"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM "written"
          JOIN "cashback" AS "other" ON "other"."casino_id" = "written"."casino_id"
           AND "other"."prize_id" = "written"."prize_id" AND "other"."state" NOT IN ('declined', 'reversed')
         WHERE "written"."state" NOT IN ('rejected', 'cancelled')
    ) THEN
        RAISE EXCEPTION 'the prize has a live cashback' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "prize_order_one_fate" AFTER INSERT ON "prize_order"
    REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "prize_order_refuse_second_fate"();
