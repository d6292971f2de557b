import type { World } from './world.ts'

/** Sends the request with this number and returns its status, or 0 for a broken connection. */
type Request = (number: number) => Promise<number>

/** Something that a casino may do repeatedly, or that may happen to it. */
export interface Act {
  name: string
  /** The number of its simultaneous requests. With 0, the act is only the effect of `begin`. */
  connections: number
  begin: (world: World) => Promise<Request> | Request
}

const entriesMax = 1_000
const itemOf = (index: number) => `noisy-${index}`
const longText = 'A long text about what can be won here. '.repeat(40)

const largeBox = (weight: number) => ({
  name: 'Large box',
  description: longText,
  access: 'limited',
  limit: { count: 1_000_000, period: 'day' },
  entries: Array.from({ length: entriesMax }, (_, index) => ({
    item_id: itemOf(index % 100),
    weight: 1 + ((index + weight) % 1_000),
  })),
})

async function publishLargeBox(world: World): Promise<void> {
  for (let index = 0; index < 100; index++) {
    const item = { name: `Item ${index}`, kind: 'bonus', description: longText.slice(0, 400) }
    await expectOk(world.send('PUT', `/items/${itemOf(index)}`, item))
  }
  await expectOk(world.send('PUT', '/boxes/large', largeBox(0)))
}

async function expectOk(sent: Promise<number>): Promise<void> {
  const status = await sent
  if (status < 200 || status > 299) throw new Error(`an act could not be prepared: status ${status}`)
}

const lists = [
  '/orders?limit=100',
  '/orders?limit=100&state=delivered&order=asc',
  '/cashbacks?limit=100&state=credited',
  '/players/player_7/prizes?limit=100',
  '/events?limit=100',
  '/audit?limit=100',
]

const openLarge = (world: World) => (number: number) =>
  world.send('POST', '//play/box/open', { player_id: `noisy-${number}`, box_id: 'large' })

function beginLargeLists(world: World): Request {
  return (number) => world.send('GET', lists[number % lists.length] ?? '/orders')
}

async function beginLargeBoxes(world: World): Promise<Request> {
  await publishLargeBox(world)
  const open = openLarge(world)
  return (number) => (number % 8 === 0 ? world.send('GET', '//play/boxes') : open(number))
}

async function beginCatalogue(world: World): Promise<Request> {
  await publishLargeBox(world)
  return () => world.send('GET', '//play/boxes')
}

async function beginPublications(world: World): Promise<Request> {
  await publishLargeBox(world)
  return (number) => world.send('PUT', `/boxes/large-${number % 50}`, largeBox(number))
}

async function beginGrants(world: World): Promise<Request> {
  await publishLargeBox(world)
  return (number) =>
    world.send('POST', '/grants', {
      grants: Array.from({ length: 1_000 }, (_, index) => ({
        player_id: `noisy-${number}-${index}`,
        box_id: 'large',
        count: 1,
      })),
    })
}

async function beginEndpointChanges(world: World): Promise<Request> {
  const url = await world.startSlowReceiver(0)
  const put = (number: number) => world.send('PUT', '/webhook-endpoints/changed', { url: `${url}/${number}` })
  world.atEnd(() => world.send('DELETE', '/webhook-endpoints/changed'))
  await expectOk(put(0))
  return put
}

function beginDocuments(world: World): Request {
  return (number) => world.send('GET', number % 2 === 0 ? '//docs' : '//openapi.json')
}

function beginScrapes(world: World): Request {
  return () => world.send('GET', '//metrics')
}

async function beginSlowReceivers(world: World): Promise<Request> {
  await publishLargeBox(world)
  const url = await world.startSlowReceiver(9_000)
  await putEndpoints(world, (index) => `${url}/${index}`)
  return openLarge(world)
}

/** The benchmark's name server never answers. */
async function beginSlowNames(world: World): Promise<Request> {
  await publishLargeBox(world)
  await putEndpoints(world, (index) => `https://receiver-${index}.example.com/webhooks`)
  return openLarge(world)
}

async function putEndpoints(world: World, urlOf: (index: number) => string): Promise<void> {
  for (let index = 0; index < 20; index++) {
    const path = `/webhook-endpoints/many-${index}`
    world.atEnd(() => world.send('DELETE', path))
    await expectOk(world.send('PUT', path, { url: urlOf(index) }))
  }
}

async function beginSimulations(world: World): Promise<Request> {
  await publishLargeBox(world)
  return () => world.send('POST', '/boxes/large/simulate', { draws: 100_000 })
}

async function beginLockedRows(world: World): Promise<Request> {
  await publishLargeBox(world)
  const open = (number: number) =>
    world.send('POST', '//play/box/open', { player_id: `locked-${number % 8}`, box_id: 'large' })
  for (let number = 0; number < 8; number++) await expectOk(open(number))
  await world.database.query('BEGIN')
  world.atEnd(() => world.database.query('ROLLBACK'))
  await world.database.query(`SELECT FROM player WHERE id LIKE 'locked-%' FOR UPDATE`)
  return open
}

async function beginManyGrants(world: World): Promise<Request> {
  await publishLargeBox(world)
  const { entries, ...large } = largeBox(0)
  const box = { ...large, access: 'granted', limit: undefined, entries: entries.slice(0, 10) }
  await expectOk(world.send('PUT', '/boxes/granted', box))
  const grants = Array.from({ length: 1_000 }, () => ({
    player_id: 'granted',
    box_id: 'granted',
    count: 100,
  }))
  for (let page = 0; page < 20; page++) await expectOk(world.send('POST', '/grants', { grants }))
  return () => world.send('POST', '//play/box/open', { player_id: 'granted', box_id: 'granted' })
}

async function beginWaitingErasures(world: World): Promise<Request> {
  await world.database.query(`
    INSERT INTO player (casino_id, id, erase_requested_at)
    SELECT 'earlier', 'waiting-' || n, now() FROM generate_series(1, 60000) AS n`)
  await world.database.query(`
    INSERT INTO prize_order (id, casino_id, prize_id, player_id, state, revision, delivery_ciphertext, delivery_key,
                             delivery_key_id, announced_at, created_at, updated_at)
    SELECT 'ord_waiting_' || n, 'earlier', 'prz_waiting_' || n, 'waiting-' || n, 'confirmed', 2,
           decode(repeat('00', 350), 'hex'), decode(repeat('00', 60), 'hex'),
           'bench', now(), now() - interval '1 day', now()
      FROM generate_series(1, 60000) AS n`)
  return () => Promise.reject(new Error('nothing is asked for'))
}

/** The acts that other casinos must not feel. */
export const acts: readonly Act[] = [
  { name: 'large lists', connections: 16, begin: beginLargeLists },
  { name: 'large boxes', connections: 16, begin: beginLargeBoxes },
  { name: 'catalogue', connections: 32, begin: beginCatalogue },
  { name: 'publications', connections: 16, begin: beginPublications },
  { name: 'grants', connections: 16, begin: beginGrants },
  { name: 'endpoint changes', connections: 32, begin: beginEndpointChanges },
  { name: 'documents', connections: 16, begin: beginDocuments },
  { name: 'scrapes', connections: 16, begin: beginScrapes },
  { name: 'slow names', connections: 8, begin: beginSlowNames },
  { name: 'slow receivers', connections: 8, begin: beginSlowReceivers },
  { name: 'simulations', connections: 16, begin: beginSimulations },
  { name: 'locked rows', connections: 64, begin: beginLockedRows },
  { name: 'many grants of one player', connections: 8, begin: beginManyGrants },
  { name: 'many waiting erasures', connections: 0, begin: beginWaitingErasures },
]
