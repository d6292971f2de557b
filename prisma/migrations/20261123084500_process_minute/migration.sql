-- What the processes of the service do: each writes a row a minute, which is also the sign that it lives.

CREATE TABLE "process_minute" (
    "minute" TIMESTAMPTZ(3) NOT NULL,
    "process_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "stopped" BOOLEAN NOT NULL,
    "counts" JSONB NOT NULL,
    CONSTRAINT "process_minute_pkey" PRIMARY KEY ("minute", "process_id"),
    CONSTRAINT "process_minute_kind_check" CHECK ("kind" IN ('api', 'manage', 'worker'))
);
