-- CreateIndex
CREATE INDEX "cashback_casino_id_player_id_id_idx" ON "cashback"("casino_id", "player_id", "id");

-- From here on: what Prisma's schema language cannot say.

-- The live order and cashback of a prize have their unique indexes; these find the ended ones. A row enters them only when
-- it ends that way, so that placing an order does not pay for them.
CREATE INDEX "prize_order_ended_idx" ON "prize_order" ("casino_id", "prize_id") WHERE "state" IN ('rejected', 'cancelled');
CREATE INDEX "cashback_ended_idx" ON "cashback" ("casino_id", "prize_id") WHERE "state" IN ('declined', 'reversed');
