-- The list of held orders is read in the order of their ids. There are few open holds, so it costs little to keep.
CREATE INDEX "order_hold_waiting_idx" ON "order_hold" ("casino_id", "order_id") WHERE "released_at" IS NULL;

-- Statements are planned for any casino, player and state, by how many there are on average. With few casinos, or with all
-- rows in one state, the server would rather go through the rows of all in the order of their ids; that takes long for a
-- casino with little, and for a state or player that is rare. So it is told that there are many.
ALTER TABLE "prize_order" ALTER COLUMN "casino_id" SET (n_distinct = 1000),
                          ALTER COLUMN "player_id" SET (n_distinct = 100000),
                          ALTER COLUMN "state" SET (n_distinct = 20);
ALTER TABLE "cashback" ALTER COLUMN "casino_id" SET (n_distinct = 1000),
                       ALTER COLUMN "player_id" SET (n_distinct = 100000),
                       ALTER COLUMN "state" SET (n_distinct = 20);
ALTER TABLE "audit_entry" ALTER COLUMN "casino_id" SET (n_distinct = 1000);
ALTER TABLE "api_key" ALTER COLUMN "casino_id" SET (n_distinct = 1000);
ALTER TABLE "server_seed" ALTER COLUMN "casino_id" SET (n_distinct = 1000);
ALTER TABLE "webhook_delivery" ALTER COLUMN "casino_id" SET (n_distinct = 1000),
                               ALTER COLUMN "endpoint_id" SET (n_distinct = 1000);
ALTER TABLE "order_hold" ALTER COLUMN "casino_id" SET (n_distinct = 1000);
