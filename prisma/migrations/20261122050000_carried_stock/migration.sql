-- A version may go on with the stock of the version before. The entry that the stock was given out with; null where it
-- was with this one.
ALTER TABLE "box_entry" ADD COLUMN "stock_of_version" INTEGER,
ADD COLUMN "stock_of_position" INTEGER;

ALTER TABLE "box_entry" ADD CONSTRAINT "box_entry_stock_of" CHECK (
    num_nulls("stock_of_version", "stock_of_position") IN (0, 2)
    AND ("stock_of_version" IS NULL OR ("stock" IS NOT NULL AND "stock_of_version" < "version"))) NOT VALID;
ALTER TABLE "box_entry" VALIDATE CONSTRAINT "box_entry_stock_of";

-- open: openings take from it. carried: a later version has what was left. ended: nobody can win any more of it.
ALTER TABLE "box_stock" ADD COLUMN "state" TEXT NOT NULL DEFAULT 'open',
ADD COLUMN "overdrawn" INTEGER NOT NULL DEFAULT 0;

ALTER TABLE "box_stock" ADD CONSTRAINT "box_stock_state" CHECK ("state" IN ('open', 'carried', 'ended')) NOT VALID;
ALTER TABLE "box_stock" VALIDATE CONSTRAINT "box_stock_state";
ALTER TABLE "box_stock" ADD CONSTRAINT "box_stock_overdrawn" CHECK ("overdrawn" >= 0) NOT VALID;
ALTER TABLE "box_stock" VALIDATE CONSTRAINT "box_stock_overdrawn";

-- What an expired prize gives back goes to the entry that has the stock by now.
CREATE INDEX "box_entry_stock_of_idx" ON "box_entry" ("casino_id", "box_id", "stock_of_version", "stock_of_position")
 WHERE "stock_of_version" IS NOT NULL;
