-- What Prisma's schema language cannot say.

-- An outcome can be chosen in a sandbox only, whatever a program means to store. The function runs for such openings
-- alone: others pay for looking at a column.
CREATE FUNCTION "opening_refuse_forced"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM "casino" WHERE "id" = NEW."casino_id" AND "sandbox_of" IS NOT NULL) THEN
        RAISE EXCEPTION 'an outcome was chosen outside of a sandbox' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "opening_forced_in_sandbox" BEFORE INSERT ON "opening"
    FOR EACH ROW WHEN (NEW."forced") EXECUTE FUNCTION "opening_refuse_forced"();

-- A promise cannot be exchanged for another: openings know their seed by its id. Its state goes one way, a seed that is
-- revealed stays as it is, and none goes away. The encryption around a secret seed may be renewed.
CREATE FUNCTION "server_seed_refuse_exchange"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "states" CONSTANT text[] := ARRAY['next', 'active', 'retired', 'revealed'];
BEGIN
    IF (NEW."id", NEW."casino_id", NEW."commitment", NEW."created_at")
           IS DISTINCT FROM (OLD."id", OLD."casino_id", OLD."commitment", OLD."created_at")
       OR array_position("states", NEW."state") < array_position("states", OLD."state")
       OR (OLD."state" = 'revealed' AND NEW."revealed_seed" IS DISTINCT FROM OLD."revealed_seed") THEN
        RAISE EXCEPTION 'a server seed cannot be exchanged' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER "server_seed_kept" BEFORE UPDATE ON "server_seed"
    FOR EACH ROW EXECUTE FUNCTION "server_seed_refuse_exchange"();
CREATE TRIGGER "server_seed_never_deleted" BEFORE DELETE OR TRUNCATE ON "server_seed"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
