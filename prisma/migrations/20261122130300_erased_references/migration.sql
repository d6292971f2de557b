-- What fulfilment providers call parcels and news leads to people at them: it goes with the delivery details, also of
-- orders whose details are gone already. Of the ids of news a hash stays, so that none is taken twice.
UPDATE "prize_order" SET "provider_reference" = NULL
 WHERE "delivery_key" IS NULL AND "provider_reference" IS NOT NULL;
UPDATE "partner_event"
   SET "id" = 'erased/' || encode(sha256(convert_to("partner_event"."id", 'UTF8')), 'hex')
  FROM "prize_order"
 WHERE "prize_order"."id" = "partner_event"."order_id" AND "prize_order"."casino_id" = "partner_event"."casino_id"
   AND "prize_order"."delivery_key" IS NULL AND "partner_event"."id" NOT LIKE 'erased/%';
