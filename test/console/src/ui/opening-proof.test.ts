import { expect } from 'chai'
import { createWorld } from '../../../support/casino-world.ts'
import type { World } from '../../../support/casino-world.ts'
import { consoleOfSuite, keepPicture } from '../../../support/console.ts'
import type { ConsoleWorld } from '../../../support/console.ts'
import { casesOf } from '../../../support/runs.ts'

describe('the proof of an opening in the console', () => {
  let world: ConsoleWorld
  let acme: World
  const open = consoleOfSuite(async (started) => {
    world = started
    const casino = await world.service.factory.casino()
    acme = await createWorld(world.service, casino.id, casino.apiKey)
  })

  for (const widthPx of casesOf([1280], [390]))
    it(`is computed on the page of the prize: ${widthPx} pixels`, async () => {
      const opening = await world.service.database.opening.findFirstOrThrow({
        where: { casinoId: acme.casinoId, id: acme.ids['opening_id'] ?? '' },
      })
      const opened = await open(`/casinos/${acme.casinoId}/prizes/${opening.prizeId}`, { widthPx })
      const proof = opened.page.locator('.proof')
      await proof.waitFor()
      expect(await proof.locator('.verdict strong').innerText()).to.equal('Cannot be checked yet.')
      expect(await proof.locator('.steps .answer').allInnerTexts()).to.deep.equal([
        'Yes',
        'Not yet',
        'Yes',
        'Not yet',
      ])
      expect(await opened.findBarriers()).to.deep.equal([])
      expect(await opened.page.evaluate('document.documentElement.scrollWidth')).to.equal(widthPx)
      expect(opened.complaints).to.deep.equal([])
      await keepPicture(opened, `prize proof ${widthPx}`)
    })
})
