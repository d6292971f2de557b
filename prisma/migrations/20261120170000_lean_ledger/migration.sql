-- DropForeignKey
ALTER TABLE "ledger_entry" DROP CONSTRAINT "ledger_entry_transaction_id_fkey";

-- DropIndex
DROP INDEX "ledger_entry_casino_id_player_id_currency_idx";

-- From here on: what Prisma's schema language cannot say.

-- What a player has got is asked for; no other account is looked up by player.
CREATE INDEX "ledger_entry_wallet_idx" ON "ledger_entry" ("casino_id", "player_id", "currency")
    WHERE "account" = 'player_wallet';

-- Each entry is of a transaction that exists. Neither is ever changed or deleted, so it is enough to look once, for all
-- entries of a statement together: a foreign key would look, and lock, for each entry.
CREATE OR REPLACE FUNCTION "ledger_refuse_unbalanced"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM "written" GROUP BY "transaction_id", "currency" HAVING sum("amount_minor") <> 0
    ) THEN
        RAISE EXCEPTION 'ledger entries do not sum to zero' USING ERRCODE = 'check_violation';
    END IF;
    IF EXISTS (
        SELECT FROM "written" WHERE NOT EXISTS (
            SELECT FROM "ledger_transaction" WHERE "ledger_transaction"."id" = "written"."transaction_id"
        )
    ) THEN
        RAISE EXCEPTION 'a ledger entry is of no transaction' USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END $$;
