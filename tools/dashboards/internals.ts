import { graph, number, quantileBy, quantiles, rate } from './panel.ts'
import type { DashboardSource } from './panel.ts'

/** Of the processes of the service alone: others may run on Node too. */
const ofService = (metric: string) => `${metric} and on (instance, job) rewards_build_info`

/** The processes, the database, the queues, and the evidence for auditors. */
export const internals: DashboardSource = {
  uid: 'rewards-internals',
  title: 'Rewards: internals',
  description: 'The processes, the database, the queues, and what players and auditors rely on.',
  rows: [
    {
      title: 'Queues',
      panels: [
        graph('Jobs in queues', 'short', {
          '{{queue}} {{state}}':
            'max by (queue, state) (rewards_queue_jobs{state=~"waiting|active|delayed|failed"})',
        }),
        graph('Outcomes of jobs', 'ops', {
          '{{job_name}} {{outcome}}': rate('rewards_job_duration_seconds_count', 'job_name', 'outcome'),
        }),
        graph('Duration of the slowest 1 % of jobs', 's', {
          '{{job_name}}': quantileBy(0.99, 'rewards_job_duration_seconds', 'job_name'),
        }),
        graph('Work added by the relay', 'ops', { relayed: rate('rewards_outbox_relayed_total') }),
        graph('Lag of the relay', 's', quantiles('rewards_outbox_relay_lag_seconds'), {
          description: 'How long the oldest work of each claim had been due.',
        }),
      ],
    },
    {
      title: 'Database',
      panels: [
        graph('Busy connections', 'percentunit', {
          '{{instance}} {{pool}}':
            'sum by (instance, pool) (rewards_pool_connections{state="busy"}) / sum by (instance, pool) (rewards_pool_connections_limit)',
        }),
        graph(
          'Waiting statements',
          'short',
          { '{{instance}} {{pool}}': 'max by (instance, pool) (rewards_pool_waiting_statements)' },
          { limit: 0 },
        ),
        graph('Requests stored together, 95 %', 'none', {
          '{{operation}}': quantileBy(0.95, 'rewards_batch_size', 'operation'),
        }),
        graph('Dead rows', 'short', {
          '{{table}}': 'topk(10, max by (table) (rewards_database_rows{state="dead"}))',
        }),
        graph('Live rows', 'short', {
          '{{table}}': 'topk(10, max by (table) (rewards_database_rows{state="live"}))',
        }),
        graph(
          'Oldest snapshot',
          's',
          { age: 'max(rewards_database_oldest_snapshot_age_seconds)' },
          { limit: 3_600 },
        ),
        graph('Answered questions of gauges', 'none', {
          '{{question}}': 'min by (question) (rewards_state_question_up)',
        }),
      ],
    },
    {
      title: 'Processes',
      panels: [
        graph('CPU', 'percentunit', {
          '{{instance}}': ofService('rate(process_cpu_seconds_total[$__rate_interval])'),
        }),
        graph('Resident memory', 'bytes', { '{{instance}}': ofService('process_resident_memory_bytes') }),
        graph('Used heap', 'bytes', { '{{instance}}': ofService('nodejs_heap_size_used_bytes') }),
        graph(
          'Longest block of the event loop',
          's',
          { '{{instance}}': ofService('nodejs_eventloop_lag_max_seconds') },
          { limit: 1.2 },
        ),
        graph(
          'Difference of clocks',
          's',
          { '{{instance}}': 'max by (instance) (abs(rewards_clock_skew_seconds))' },
          { limit: 2 },
        ),
        graph('Failed turns of loops', 'ops', {
          '{{instance}} {{loop}}': rate('rewards_loop_failures_total', 'instance', 'loop'),
        }),
        graph('Time since the last success of a loop', 's', {
          '{{loop}}': 'time() - max by (loop) (rewards_loop_last_success_timestamp_seconds)',
        }),
        graph('Lag of the replica', 's', { lag: 'max(rewards_replica_lag_seconds)' }),
        graph('Processes that do not use the replica', 'short', {
          processes: 'sum(1 - rewards_replica_up)',
        }),
        graph('Lists read', 'reqps', {
          '{{server}}': rate('rewards_replica_reads_total', 'server'),
        }),
        graph('Starts within an hour', 'short', {
          '{{instance}}': ofService('changes(process_start_time_seconds[1h])'),
        }),
      ],
    },
    {
      title: 'What players and auditors rely on',
      panels: [
        number('Overdue seeds', 'none', 'max(rewards_seeds_overdue)', { limit: 0 }),
        number('Unopened seeds', 'none', 'sum(max by (state) (rewards_seeds_unopened))', { limit: 0 }),
        number('Damaged rows', 'none', 'sum(max by (loop) (rewards_objects_set_aside))', { limit: 0 }),
        number(
          'Audit entries refused within a day',
          'none',
          'max(max by (namespace) (rewards_audit_entries_refused) - min by (namespace) (min_over_time(rewards_audit_entries_refused[1d])))',
          { limit: 0 },
        ),
        number('Broken audit trails', 'none', 'max(rewards_audit_chains_broken)', { limit: 0 }),
        number('Audit trails without their end', 'none', 'max(rewards_audit_heads_lost)', { limit: 0 }),
        number(
          'Oldest unchained audit entry',
          's',
          'max(min by (namespace) (rewards_audit_unchained_oldest_age_seconds))',
          {
            limit: 300,
          },
        ),
      ],
    },
  ],
}
