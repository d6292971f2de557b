-- An order is changed by a worker right after it was placed, and its page was full of others placed with it: more than half of
-- these changes wrote all indexes. With half of the page free, all of them stay on it and write none. It applies to new pages.
ALTER TABLE "prize_order" SET (fillfactor = 50);
