-- What people have to send is counted with each scrape of the metrics: without going through all that providers have.
CREATE INDEX "prize_order_by_people_idx" ON "prize_order" ("id")
  WHERE "provider" = 'manual' AND "state" IN ('submitted', 'processing');
