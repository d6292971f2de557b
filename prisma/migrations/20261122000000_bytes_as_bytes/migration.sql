-- Until now a batch whose first row had no value sent the bytes of the others as base64 text. What was stored that way
-- is turned back into bytes, and the lengths are checked from here on: 32 bytes of HMAC; 12 of nonce, 32 of data key and
-- 16 of tag.
UPDATE "idempotency_record" SET "fingerprint" = decode(convert_from("fingerprint", 'UTF8'), 'base64')
 WHERE octet_length("fingerprint") = 44;
ALTER TABLE "idempotency_record" ADD CONSTRAINT "idempotency_record_fingerprint_check"
    CHECK (octet_length("fingerprint") = 32);

UPDATE "prize_order" SET "delivery_key" = decode(convert_from("delivery_key", 'UTF8'), 'base64'),
                         "delivery_ciphertext" = decode(convert_from("delivery_ciphertext", 'UTF8'), 'base64')
 WHERE octet_length("delivery_key") = 80;
ALTER TABLE "prize_order" ADD CONSTRAINT "prize_order_delivery_key_check"
    CHECK (octet_length("delivery_key") = 60);
