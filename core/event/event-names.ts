/**
 * What happens, by what the type of the event begins with; test/docs/webhooks.test.ts compares it with code and
 * document.
 */
export const eventNames = {
  prize: [
    ...['won', 'ordered', 'returned', 'fulfilled', 'cashback_pending', 'cashed_back', 'expiring', 'expired'],
    'voided',
  ],
  prize_order: [
    ...[
      'placed',
      'confirmation_requested',
      'confirmation_reminder',
      'address_corrected',
      'confirmed',
      'rejected',
    ],
    ...['held', 'released', 'submission_attempted', 'submission_unknown', 'submitted', 'submission_accepted'],
    ...['submission_rejected', 'processing', 'shipped', 'delivered', 'exception', 'cancel_requested'],
    ...['cancellation_attempted', 'cancellation_unknown', 'cancellation_reminder', 'cancellation_pending'],
    ...['cancel_refused', 'cancelled', 'delivery_erased', 'shipment_updated', 'news_ignored'],
  ],
  cashback: [
    ...['requested', 'processing', 'credited', 'declined', 'unknown', 'manual_review'],
    ...['reversing', 'reversal_unknown', 'reversal_review', 'reversal_declined', 'reversed'],
    ...['wallet_released', 'wallet_contradicted'],
  ],
  webhook_endpoint: ['disabled', 'enabled'],
  wallet: ['changed', 'paused', 'resumed'],
  fulfilment: ['changed', 'paused', 'resumed'],
  reminders: ['changed'],
  expiry: ['changed'],
  privacy: ['changed'],
  limits: ['changed'],
  quotas: ['changed'],
} as const

/** The name of an event without what it begins with: a step of a name that is not listed does not compile. */
export type EventName<Sort extends keyof typeof eventNames> = (typeof eventNames)[Sort][number]
