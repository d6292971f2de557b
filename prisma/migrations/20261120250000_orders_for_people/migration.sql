-- Orders that people must settle are counted with each scrape of the metrics.
CREATE INDEX "prize_order_open_idx" ON "prize_order" ("state") WHERE "state" IN ('exception', 'cancel_requested');
