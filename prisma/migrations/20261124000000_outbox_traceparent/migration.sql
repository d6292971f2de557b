-- Where the work was caused, as W3C Trace Context has it; null while tracing is off.
ALTER TABLE "outbox" ADD COLUMN "traceparent" TEXT;
