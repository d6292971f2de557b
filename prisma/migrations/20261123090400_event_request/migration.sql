-- By the request that changed something.
CREATE INDEX CONCURRENTLY "event_request_idx" ON "event" ("request_id", "casino_id") WHERE "request_id" IS NOT NULL;
