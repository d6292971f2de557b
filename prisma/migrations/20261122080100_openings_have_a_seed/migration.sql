-- Openings without a seed are from before draws were verifiable. A new one would prove nothing, and nobody would miss it.
CREATE OR REPLACE FUNCTION "opening_refuse_untrue"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "reason" text;
BEGIN
    SELECT CASE
             WHEN "added"."seed_id" IS NULL THEN 'it has no seed'
             WHEN "seed"."state" IS NULL THEN 'its seed is not the casino''s'
             WHEN "seed"."state" NOT IN ('active', 'retired') THEN 'its seed is not in use'
             WHEN "version"."odds_hash" IS DISTINCT FROM "added"."odds_hash" THEN 'its odds are not those of the version'
             ELSE 'its nonce or its sequence does not follow'
           END
      INTO "reason"
      FROM "added"
      LEFT JOIN "server_seed" AS "seed" ON "seed"."id" = "added"."seed_id" AND "seed"."casino_id" = "added"."casino_id"
      LEFT JOIN "box_version" AS "version"
        ON "version"."casino_id" = "added"."casino_id" AND "version"."box_id" = "added"."box_id"
       AND "version"."version" = "added"."version"
     WHERE "added"."seed_id" IS NULL OR "seed"."state" IS NULL OR "seed"."state" NOT IN ('active', 'retired')
        OR "version"."odds_hash" IS DISTINCT FROM "added"."odds_hash"
        OR "added"."nonce" IS NULL OR "added"."nonce" < 1 OR "added"."sequence" < 1
        OR "added"."nonce" - 1 IS DISTINCT FROM coalesce((
              SELECT "last"."nonce" FROM "opening" AS "last"
               WHERE "last"."casino_id" = "added"."casino_id" AND "last"."player_id" = "added"."player_id"
                 AND "last"."seed_id" = "added"."seed_id" AND "last"."nonce" < "added"."nonce"
               ORDER BY "last"."nonce" DESC LIMIT 1), 0)
        OR "added"."sequence" - 1 IS DISTINCT FROM coalesce((
              SELECT "last"."sequence" FROM "opening" AS "last"
               WHERE "last"."casino_id" = "added"."casino_id" AND "last"."player_id" = "added"."player_id"
                 AND "last"."sequence" < "added"."sequence"
               ORDER BY "last"."sequence" DESC LIMIT 1), 0)
     LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'an opening is refused: %', "reason" USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;
