-- By what the provider calls it.
CREATE INDEX CONCURRENTLY "prize_order_provider_reference_idx" ON "prize_order" ("provider_reference", "casino_id") WHERE "provider_reference" IS NOT NULL;
