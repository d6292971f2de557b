-- What Prisma's schema language cannot say: ends a transaction in which something was counted that is too much already.
CREATE FUNCTION "refuse_beyond_quota"("used" bigint, "most" bigint, "quota" text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF "used" > "most" THEN
        RAISE EXCEPTION 'beyond the quota: %', "quota" USING ERRCODE = 'RQ001';
    END IF;
END $$;
