import { graph, number, quantiles, rate } from './panel.ts'
import type { DashboardSource } from './panel.ts'

/** Where a player's money or parcel is, and how wallets, providers and webhook endpoints answer. */
export const moneyAndPartners: DashboardSource = {
  uid: 'rewards-money-and-partners',
  title: 'Rewards: money and partners',
  description: 'Whether cashbacks and orders come to an end, and how the systems of casinos answer.',
  rows: [
    {
      title: 'Now',
      panels: [
        number('Oldest cashback', 's', 'max(rewards_cashback_unsettled_oldest_age_seconds)', { limit: 900 }),
        number('Oldest order', 's', 'max(rewards_order_unsubmitted_oldest_age_seconds)', { limit: 3_600 }),
        number(
          'Cashbacks for operators',
          'none',
          'sum(max by (state) (rewards_cashbacks_open{state=~"manual_review|reversal_review"}))',
          { redFrom: 1 },
        ),
        number('Orders for operators', 'none', 'sum(max by (state) (rewards_orders_open))'),
        number('Paused partners', 'none', 'sum(max by (setting) (rewards_settings_paused))', { limit: 0 }),
        number('Contradicted cashbacks', 'none', 'max(rewards_cashbacks_contradicted)', { limit: 0 }),
      ],
    },
    {
      title: 'Cashbacks and wallets',
      panels: [
        graph(
          'Oldest unsettled cashback',
          's',
          { '{{casino}}': 'max by (casino) (rewards_cashback_unsettled_oldest_age_seconds)' },
          { limit: 900, description: 'Of all casinos, and of the ten that wait longest.' },
        ),
        graph('Open cashbacks', 'short', { '{{state}}': 'max by (state) (rewards_cashbacks_open)' }),
        graph('Calls to wallets', 'ops', {
          '{{outcome}}': rate('rewards_wallet_call_duration_seconds_count', 'outcome'),
        }),
        graph('Duration of calls to wallets', 's', quantiles('rewards_wallet_call_duration_seconds')),
        graph('Cashbacks that went into review', 'short', {
          '{{problem}}': 'sum by (problem) (increase(rewards_cashbacks_reviewed_total[1h]))',
        }),
      ],
    },
    {
      title: 'Orders and providers',
      panels: [
        graph(
          'Oldest confirmed order that is not submitted',
          's',
          { '{{casino}}': 'max by (casino) (rewards_order_unsubmitted_oldest_age_seconds)' },
          { limit: 3_600, description: 'Of all casinos, and of the ten that wait longest.' },
        ),
        graph('Orders for operators', 'short', { '{{state}}': 'max by (state) (rewards_orders_open)' }),
        graph('Calls to providers', 'ops', {
          '{{outcome}}': rate('rewards_provider_call_duration_seconds_count', 'outcome'),
        }),
        graph('Duration of calls to providers', 's', quantiles('rewards_provider_call_duration_seconds')),
        graph('Contradictory shipment updates', 'short', {
          '{{status}}': 'sum by (status) (increase(rewards_shipment_updates_ignored_total[1h]))',
        }),
      ],
    },
    {
      title: 'Webhooks',
      panels: [
        graph('From event to delivery', 's', quantiles('rewards_webhook_event_to_delivery_seconds')),
        graph('Calls to endpoints', 'ops', {
          '{{outcome}}': rate('rewards_webhook_call_duration_seconds_count', 'outcome'),
        }),
        graph('Duration of calls to endpoints', 's', quantiles('rewards_webhook_call_duration_seconds')),
        graph('Endpoints', 'short', { '{{state}}': 'max by (state) (rewards_webhook_endpoints)' }),
        graph('Endpoints that were switched off', 'short', {
          '{{reason}}': 'sum by (reason) (increase(rewards_webhook_endpoints_disabled_total[1h]))',
        }),
        graph(
          'Oldest event without deliveries',
          's',
          { age: 'max(rewards_webhook_feed_oldest_age_seconds)' },
          { limit: 60 },
        ),
      ],
    },
  ],
}
