import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { createScrape } from '../../api/scrape.ts'

describe('scraping metrics', () => {
  const create = () => {
    const world = { nowMs: 0, count: 0, answer: () => Promise.resolve('') }
    world.answer = () => Promise.resolve(`rendered ${world.count}`)
    const registry = {
      metrics: () => {
        world.count += 1
        return world.answer()
      },
    }
    return { world, scrape: createScrape(registry, { nowMs: () => world.nowMs }) }
  }

  it('renders them once for all scrapes within a second, and then again', async () => {
    const { world, scrape } = create()
    const texts = async () =>
      (await Promise.all([scrape(), scrape()])).map(({ identity }) => String(identity))
    expect(await texts()).to.deep.equal(['rendered 1', 'rendered 1'])
    world.nowMs = 999
    expect(await texts()).to.deep.equal(['rendered 1', 'rendered 1'])
    world.nowMs = 1_000
    expect(await texts()).to.deep.equal(['rendered 2', 'rendered 2'])
    expect(world.count).to.equal(2)
  })

  it('compresses the same text', async () => {
    const { scrape } = create()
    const { identity, gzip } = await scrape()
    expect(gunzipSync(gzip)).to.deep.equal(identity)
  })

  it('renders them again after a failure', async () => {
    const { world, scrape } = create()
    world.answer = () => Promise.reject(new Error('broken'))
    expect(await scrape().catch(String)).to.equal('Error: broken')
    world.answer = () => Promise.resolve('well')
    expect(String((await scrape()).identity)).to.equal('well')
  })
})
