-- 20261122030000 has written down which cashbacks a wallet had credited with another amount, for the wallet that was on
-- record at that moment. This may have been the wallet after it. So the same is said of a wallet that no casino has: then
-- no wallet is asked about these cashbacks any more, and only a person can settle them. Answers are never changed.
INSERT INTO "wallet_answer" ("casino_id", "cashback_id", "operation", "transaction_id", "wallet", "attempt", "outcome",
                             "received_at")
SELECT "answer"."casino_id", "answer"."cashback_id", "answer"."operation", "answer"."transaction_id", 'unknown',
       "answer"."attempt", "answer"."outcome", "answer"."received_at"
  FROM "wallet_answer" AS "answer"
  JOIN "cashback" ON "cashback"."casino_id" = "answer"."casino_id" AND "cashback"."id" = "answer"."cashback_id"
  JOIN "event" ON "event"."casino_id" = "cashback"."casino_id" AND "event"."object_type" = 'cashback'
   AND "event"."object_id" = "cashback"."id" AND "event"."created_at" = "answer"."received_at"
 WHERE "cashback"."state" IN ('processing', 'unknown', 'manual_review')
   AND "answer"."operation" = 'credit' AND "answer"."outcome" = 'credited' AND "answer"."wallet" <> 'unknown'
   -- Answers that came later have the amount: without it, it would have been no other one.
   AND "answer"."amount_minor" IS NULL
   AND "event"."type" = 'cashback.manual_review' AND "event"."data" ->> 'problem' = 'amount_mismatch'
   AND "event"."data" ->> 'attempt' = "answer"."attempt"::text;
