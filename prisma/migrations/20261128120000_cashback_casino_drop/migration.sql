-- Lists of all states are merged from "cashback_casino_id_state_id_idx". This one was written with each request and each credit.
DROP INDEX CONCURRENTLY "cashback_casino_id_id_idx";
