import { expect } from 'chai'
import { consoleOfSuite, expectUsable } from '../support/console.ts'
import type { ConsoleWorld } from '../support/console.ts'
import { itInLongForm } from '../support/runs.ts'

describe('the list of casinos in the console', function () {
  this.timeout(90_000)
  let world: ConsoleWorld
  const open = consoleOfSuite(async (started) => {
    world = started
    const casinos = [
      { id: 'north', name: 'Lucky North' },
      { id: 'south', name: 'Lucky South' },
      { id: 'lucky', name: 'Third' },
      { id: 'other', name: 'Unlucky' },
      { id: 'hidden', name: 'Lucky Hidden' },
    ]
    await world.service.database.casino.createMany({ data: casinos })
  })

  it('finds the casinos of an operator by the beginning of an id or a name, which is part of the address', async () => {
    const window = await open('/casinos', { role: 'viewer', casinoIds: ['north', 'south', 'lucky', 'other'] })
    const { page, complaints } = window
    const names = page.getByRole('main').getByRole('row').getByRole('link')
    await names.nth(3).waitFor()
    await page.getByLabel('Id or name begins with').fill('LUCKY ')
    await page.getByRole('button', { name: 'Filter' }).click()
    await names.nth(3).waitFor({ state: 'detached' })
    await names.nth(2).waitFor()
    expect(page.url()).to.match(/\?starts_with=LUCKY$/)
    expect((await names.allTextContents()).sort()).to.deep.equal(['Lucky North', 'Lucky South', 'Third'])
    await page.getByLabel('Id or name begins with').fill('lucky n')
    await page.getByRole('button', { name: 'Filter' }).click()
    await names.nth(1).waitFor({ state: 'detached' })
    await names.first().waitFor()
    expect(await names.allTextContents()).to.deep.equal(['Lucky North'])
    await expectUsable(window, 'casinos by their beginning')
    await page.reload()
    await names.first().waitFor()
    expect(await page.getByLabel('Id or name begins with').inputValue()).to.equal('lucky n')
    expect(complaints).to.deep.equal([])
  })

  itInLongForm('is where a search leads that has found nothing', async () => {
    const { page, complaints } = await open('/')
    await page.keyboard.press('/')
    await page.keyboard.type('Lucky S\n')
    await page.getByRole('link', { name: 'look for casinos' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Lucky South' }).waitFor()
    expect(await page.getByRole('main').getByRole('row').count()).to.equal(2)
    expect(complaints).to.deep.equal([])
  })
})
