-- Jobs are named after the ids of work. A sequence goes back when a backup is restored, and the queues, which know nothing
-- of that, would take new work for work that they have done. So an id begins with the time (milliseconds since 1970) and
-- ends with twenty bits of the sequence.
CREATE FUNCTION "new_outbox_id"() RETURNS BIGINT LANGUAGE SQL VOLATILE
RETURN floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint * 1048576 + nextval('outbox_id_seq'::regclass) % 1048576;

ALTER TABLE "outbox" ALTER COLUMN "id" SET DEFAULT "new_outbox_id"();
