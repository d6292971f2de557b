import type { Demo } from './demo.ts'

/** The text that `npm start` prints when everything runs. */
export function describeStart(about: {
  baseUrl: string
  /** One line that says where the queues are. */
  queues: string
  /** Where the admin key is found. */
  adminKeyPlace: string
  localDir: string
  demo: Demo
}): string {
  const { baseUrl, demo } = about
  const curl = (path: string, body: object) =>
    [
      `curl ${baseUrl}${path} \\`,
      `  -H 'Authorization: Bearer ${demo.apiKey}' \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '${JSON.stringify(body)}'`,
    ].join('\n')
  const signIn =
    demo.signIn === undefined
      ? 'sign in first at /ops/setup: the admin key makes you an operator'
      : `sign in as ${demo.signIn.username}; the password is in ${demo.signIn.passwordFile}`
  return `
The rewards service runs.

  API        ${baseUrl}
  Console    ${baseUrl}/ops (${signIn})
  Verify     ${baseUrl}/verify (where players check their openings)
  Health     ${baseUrl}/readyz
  Queues     ${about.queues}
  Admin key  ${about.adminKeyPlace}
  Demo key   ${demo.apiKey} (casino demo, player ${demo.playerId})
  Data, logs ${about.localDir}

Open a box:

${curl('/box/open', { player_id: demo.playerId, box_id: demo.boxId })}

Order a prize:

${curl('/prize/order', {
  player_id: demo.playerId,
  prize_id: demo.orderPrizeId,
  recipient_name: 'Ada Lovelace',
  street: '12 St James Square',
  city: 'London',
  postal_code: 'SW1Y 4JH',
  country: 'GB',
})}

Take a prize as cashback:

${curl('/prize/cashback', { player_id: demo.playerId, prize_id: demo.cashbackPrizeId })}

Ctrl-C stops everything; the data stay.
`
}
