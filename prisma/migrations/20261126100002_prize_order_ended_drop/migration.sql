-- "prize_order_ended_newest_idx" replaces it.
DROP INDEX CONCURRENTLY "prize_order_ended_idx";
