-- What people are alerted on: orders that their provider knows nothing of or says nothing about, and what contradicts orders.
CREATE INDEX "prize_order_doubtful_idx" ON "prize_order" ("problem") WHERE "problem" IN ('parcel_unknown', 'provider_silent');
CREATE INDEX "partner_event_noted_idx" ON "partner_event" ("received_at") WHERE "outcome" = 'noted';
