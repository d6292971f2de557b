import { graph, number, quantileBy, rate, up } from './panel.ts'
import type { DashboardSource } from './panel.ts'

const operations = 'route=~"/box/open|/prize/order|/prize/cashback"'
const requests = `rewards_http_requests_total{${operations}}`
const failed = `rewards_http_requests_total{${operations},status=~"5.."}`
const durations = `rewards_http_request_duration_seconds`

/** The share of requests that may fail. */
const budget = 0.001

/** The share of the error budget that a window uses, as the rules of operations.rules.yml count it. */
const burn = (window: string) =>
  `sum by (route) (rate(${failed}[${window}])) / sum by (route) (rate(${requests}[${window}])) / ${budget}`

/** The service as casinos see it, and whether their requests are carried out. */
export const service: DashboardSource = {
  uid: 'rewards-service',
  title: 'Rewards: service',
  description: 'Whether casinos get answers, and whether the work that follows is done.',
  rows: [
    {
      title: 'Now',
      panels: [
        number('Requests', 'reqps', `sum(rate(${requests}[$__rate_interval]))`),
        number(
          'Failed',
          'percentunit',
          `sum(rate(${failed}[$__rate_interval])) / sum(rate(${requests}[$__rate_interval]))`,
          { redFrom: budget, description: 'Red where it uses up the error budget.' },
        ),
        number(
          'Slowest 1 %',
          's',
          `histogram_quantile(0.99, sum by (le) (rate(${durations}_bucket{${operations}}[$__rate_interval])))`,
        ),
        number('Oldest work', 's', 'max(rewards_outbox_oldest_age_seconds)', { limit: 60 }),
        up('Database', 'min(rewards_database_up)'),
        up('Queue backend', 'min(rewards_queue_up)'),
        number(
          'Firing alerts',
          'none',
          'count(ALERTS{alertname=~"Rewards.+",alertstate="firing"}) or vector(0)',
          { redFrom: 1 },
        ),
      ],
    },
    {
      title: 'The three operations',
      panels: [
        graph('Requests', 'reqps', { '{{route}}': rate(requests, 'route') }),
        graph('Answers', 'reqps', { '{{route}} {{status}}': rate(requests, 'route', 'status') }),
        graph('Median duration', 's', {
          '{{route}}': quantileBy(0.5, durations, 'route').replace('_bucket', `_bucket{${operations}}`),
        }),
        graph('Duration of the slowest 1 %', 's', {
          '{{route}}': quantileBy(0.99, durations, 'route').replace('_bucket', `_bucket{${operations}}`),
        }),
        graph(
          'Use of the error budget',
          'none',
          { '{{route}}, 1 hour': burn('1h'), '{{route}}, 6 hours': burn('6h') },
          {
            description:
              'How many times faster than allowed failed requests use up the error budget of 30 days. At 1 the budget lasts just as long.',
          },
        ),
        graph('Requests stored together', 'none', {
          '{{operation}}': `${rate('rewards_batch_size_sum', 'operation')} / ${rate('rewards_batch_size_count', 'operation')}`,
        }),
        graph('Connections that wait to be read', 'short', {
          waiting: 'sum(rewards_http_connections_paused)',
        }),
      ],
    },
    {
      title: 'Work that follows',
      panels: [
        graph('Work that is due', 'short', { 'outbox rows': 'max(rewards_outbox_depth)' }),
        graph(
          'Oldest work that is due',
          's',
          { age: 'max(rewards_outbox_oldest_age_seconds)' },
          { limit: 60 },
        ),
        graph('Jobs', 'ops', { '{{job_name}}': rate('rewards_job_duration_seconds_count', 'job_name') }),
        graph('Failed attempts of jobs', 'ops', {
          '{{job_name}}': rate('rewards_job_duration_seconds_count{outcome="failed"}', 'job_name'),
        }),
      ],
    },
    {
      title: 'Everything else that is requested',
      panels: [
        graph('Requests for other routes', 'reqps', {
          '{{method}} {{route}}': `${rate(`rewards_http_requests_total{route!~"/box/open|/prize/order|/prize/cashback"}`, 'method', 'route')} > 0`,
        }),
        graph('Refused connections', 'cps', { refused: rate('rewards_http_connections_refused_total') }),
        graph('Processes', 'short', {
          '{{program}} {{version}}, Node {{node}}': 'sum by (program, version, node) (rewards_build_info)',
        }),
      ],
    },
  ],
}
