-- The trace of the request or job that wrote it; null while tracing is off.
ALTER TABLE "event" ADD COLUMN "trace_id" TEXT;
