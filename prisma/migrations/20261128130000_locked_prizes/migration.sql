-- Each statement that writes live orders, live cashbacks or ledger entries pays for its guards. They refuse the same as before.

-- A prize whose row this transaction has written is locked by it already. The service's own statements write the prize first.
-- A write in a savepoint has an id of its own, and the prize is locked again; one that was rolled back is not seen. (An id has
-- 32 bits: a row that was last written exactly 4,294,967,296 transactions ago looks like one of this transaction.)
CREATE OR REPLACE FUNCTION "cashback_refuse_second_fate"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM "written"
       JOIN "prize" ON "prize"."casino_id" = "written"."casino_id" AND "prize"."id" = "written"."prize_id"
      WHERE "written"."state" NOT IN ('declined', 'reversed') AND "prize"."xmin" <> pg_current_xact_id()::xid
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
      WHERE "written"."state" NOT IN ('rejected', 'cancelled') AND "prize"."xmin" <> pg_current_xact_id()::xid
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

-- Each transaction is looked up once, not once for each of its entries.
CREATE OR REPLACE FUNCTION "ledger_refuse_unbalanced"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM "written" GROUP BY "transaction_id", "currency" HAVING sum("amount_minor") <> 0
    ) THEN
        RAISE EXCEPTION 'ledger entries do not sum to zero' USING ERRCODE = 'check_violation';
    END IF;
    IF EXISTS (
        SELECT FROM (SELECT DISTINCT "transaction_id" FROM "written") AS "named"
         WHERE NOT EXISTS (SELECT FROM "ledger_transaction" WHERE "ledger_transaction"."id" = "named"."transaction_id")
    ) THEN
        RAISE EXCEPTION 'a ledger entry is of no transaction' USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END $$;
