-- Acts: an action on a frozen selection of objects, and what came of it for each of them.

CREATE TABLE "act" (
    "id" TEXT NOT NULL,
    "casino_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "params" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "amounts" JSONB NOT NULL,
    "needs_approval" BOOLEAN NOT NULL,
    "object_count" INTEGER NOT NULL,
    "done_count" INTEGER NOT NULL DEFAULT 0,
    "refused_count" INTEGER NOT NULL DEFAULT 0,
    "skipped_count" INTEGER NOT NULL DEFAULT 0,
    "made_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT,
    "request_id" TEXT,
    "started_at" TIMESTAMPTZ(3),
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "decision_reason" TEXT,
    "stopped_by" TEXT,
    "stopped_at" TIMESTAMPTZ(3),
    "stop_reason" TEXT,
    "ended_at" TIMESTAMPTZ(3),
    CONSTRAINT "act_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "act_casino_id_fkey"
        FOREIGN KEY ("casino_id") REFERENCES "casino"("id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "act_state_check" CHECK ("state" IN
        ('previewed', 'pending_approval', 'running', 'stopping', 'done', 'stopped', 'declined', 'expired')),
    CONSTRAINT "act_counts_check"
        CHECK (LEAST("done_count", "refused_count", "skipped_count") >= 0
               AND "done_count" + "refused_count" + "skipped_count" <= "object_count"),
    -- The audit trail has two names for what a second person must agree to.
    CONSTRAINT "act_four_eyes_check" CHECK ("decided_by" IS DISTINCT FROM "made_by")
);
CREATE INDEX "act_casino_id_id_idx" ON "act"("casino_id", "id");
CREATE INDEX "act_casino_id_state_id_idx" ON "act"("casino_id", "state", "id");
-- Those that time ends, and those that are old.
CREATE INDEX "act_expires_at_idx" ON "act"("expires_at") WHERE "state" IN ('previewed', 'pending_approval');
CREATE INDEX "act_ended_at_idx" ON "act"("ended_at") WHERE "ended_at" IS NOT NULL;

CREATE TABLE "act_object" (
    "act_id" TEXT NOT NULL,
    "object_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "revision" INTEGER,
    "state" TEXT NOT NULL,
    "code" TEXT,
    "message" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "settled_at" TIMESTAMPTZ(3),
    CONSTRAINT "act_object_pkey" PRIMARY KEY ("act_id", "object_id"),
    CONSTRAINT "act_object_act_id_fkey"
        FOREIGN KEY ("act_id") REFERENCES "act"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "act_object_state_check" CHECK ("state" IN ('waiting', 'done', 'refused', 'skipped')),
    CONSTRAINT "act_object_settled_check" CHECK (("state" = 'waiting') = ("settled_at" IS NULL))
);
CREATE INDEX "act_object_act_id_state_object_id_idx" ON "act_object"("act_id", "state", "object_id");
