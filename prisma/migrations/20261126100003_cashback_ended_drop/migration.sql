-- "cashback_ended_newest_idx" replaces it.
DROP INDEX CONCURRENTLY "cashback_ended_idx";
