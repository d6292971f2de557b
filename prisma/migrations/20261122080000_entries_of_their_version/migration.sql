-- What a version can give is published with it: an entry that comes later would be drawn, and would contradict the hash
-- of the odds. A row's xmin is the transaction that made it, without the epoch; versions are never updated. The function
-- runs when the statement has ended, and sees what all its parts have written.
CREATE FUNCTION "box_entry_refuse_late"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (
        SELECT FROM "added"
          JOIN "box_version" AS "version"
            ON "version"."casino_id" = "added"."casino_id" AND "version"."box_id" = "added"."box_id"
           AND "version"."version" = "added"."version"
         WHERE "version".xmin::text::bigint <> pg_current_xact_id()::text::bigint % 4294967296
    ) THEN
        RAISE EXCEPTION 'an entry is refused: its version is published' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "box_entry_with_its_version" AFTER INSERT ON "box_entry" REFERENCING NEW TABLE AS "added"
    FOR EACH STATEMENT EXECUTE FUNCTION "box_entry_refuse_late"();
