-- Which trails there are is not forgotten: the ends of chains are changed, and never removed.
CREATE TRIGGER "audit_chain_stays" BEFORE DELETE OR TRUNCATE ON "audit_chain"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rewriting_history"();
