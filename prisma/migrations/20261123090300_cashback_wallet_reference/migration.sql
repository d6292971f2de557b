-- By what the wallet calls its booking.
CREATE INDEX CONCURRENTLY "cashback_wallet_reference_idx" ON "cashback" ("wallet_reference", "casino_id") WHERE "wallet_reference" IS NOT NULL;
