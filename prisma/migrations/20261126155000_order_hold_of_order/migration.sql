-- By itself: dropping a key locks both of its tables, and no other table may be locked meanwhile.
-- Released holds stay when their order moves. A hold is placed on a live order: as the foreign key did, this locks it.
ALTER TABLE "order_hold" DROP CONSTRAINT "order_hold_order_id_fkey";

CREATE FUNCTION "order_hold_refuse_unknown"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM public."prize_order" WHERE "prize_order"."id" = NEW."order_id" FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'a hold without its order'
            USING ERRCODE = 'foreign_key_violation', TABLE = 'order_hold', CONSTRAINT = 'order_hold_of_order';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "order_hold_of_order" AFTER INSERT ON "order_hold"
    FOR EACH ROW EXECUTE FUNCTION "order_hold_refuse_unknown"();
