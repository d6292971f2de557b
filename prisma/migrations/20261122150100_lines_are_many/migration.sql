-- Statements are planned for any line, by how many there are on average. When all that waits is in one line, the server
-- would rather go through the whole table in the order of its ids, for every other line. So it is told that there are many.
ALTER TABLE "outbox" ALTER COLUMN "line" SET (n_distinct = 1000);
