-- CreateIndex
CREATE INDEX "opening_grant_casino_id_player_id_id_idx" ON "opening_grant"("casino_id", "player_id", "id");
