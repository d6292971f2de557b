-- Operators' notes about prizes. The text may say anything about a player: it is encrypted, and erased with its key.

CREATE TABLE "prize_note" (
    "id" TEXT NOT NULL,
    "casino_id" TEXT NOT NULL,
    "prize_id" TEXT NOT NULL,
    "player_id" TEXT NOT NULL,
    "text_ciphertext" BYTEA NOT NULL,
    "text_key" BYTEA,
    "text_key_id" TEXT,
    "actor" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    CONSTRAINT "prize_note_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "prize_note_erased_check"
        CHECK (("text_key" IS NULL) = ("text_key_id" IS NULL) AND ("text_key" IS NULL) = (octet_length("text_ciphertext") = 0)),
    -- 12 bytes of nonce, 32 of data key and 16 of tag: bytes sent as text fail here.
    CONSTRAINT "prize_note_text_key_check" CHECK (octet_length("text_key") = 60)
);
CREATE INDEX "prize_note_casino_id_prize_id_id_idx" ON "prize_note"("casino_id", "prize_id", "id");
CREATE INDEX "prize_note_casino_id_player_id_id_idx" ON "prize_note"("casino_id", "player_id", "id");
-- Which key-encryption key opens what is not erased.
CREATE INDEX "prize_note_text_key_id_idx" ON "prize_note" ("text_key_id", "id") WHERE "text_key" IS NOT NULL;
