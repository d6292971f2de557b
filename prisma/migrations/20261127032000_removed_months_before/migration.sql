-- The months that earlier releases have removed, by the audit trail: the last run that was done is a removal.
INSERT INTO "removed_month" ("first_day")
SELECT last.first_day
  FROM (
    SELECT DISTINCT ON (params) (params::jsonb ->> 'month' || '-01')::date AS first_day, action FROM audit_entry
     WHERE casino_id = '' AND actor = 'cli' AND action IN ('archive --remove', 'archive --restore')
       AND (outcome LIKE 'removed % rows, %' OR outcome LIKE 'restored % rows, %')
     ORDER BY params, id DESC
  ) AS last
 WHERE last.action = 'archive --remove'
    ON CONFLICT DO NOTHING;
