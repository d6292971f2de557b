import type { Page } from 'playwright-core'
import { eventually } from '../support/eventually.ts'

/** A picture of docs/operate/console.md: how the page gets to what is shown, from the work list. */
export interface Picture {
  name: string
  /** The part of the page to show; without it, the window. */
  part?: string
  /** A phone, in the dark. */
  isPhone?: boolean
  goTo: (page: Page, ops: string) => Promise<void>
}

const demo = '/casinos/demo'

export const pictures: readonly Picture[] = [
  {
    name: 'work-list',
    goTo: async (page, ops) => {
      await eventually('everything waits that the demo brings', async () => {
        await page.goto(`${ops}/`)
        await page.locator('tbody tr').first().waitFor()
        const text = await page.locator('main').innerText()
        return ['Held orders', 'whose outcome is unknown', 'that fail'].every((part) => text.includes(part))
      })
    },
  },
  {
    name: 'prize',
    goTo: async (page, ops) => {
      await goToHeldOrder(page, ops)
      await page.locator('main dl a[href*="/prizes/"]').click()
      await page.locator('.timeline p.note').waitFor()
    },
    part: 'main',
  },
  {
    name: 'action',
    goTo: async (page, ops) => {
      await goToHeldOrder(page, ops)
      await page.getByRole('button', { name: 'Cancel', exact: true }).click()
      await page.getByRole('dialog').getByLabel('Reason').fill('The player no longer wants it')
    },
  },
  {
    name: 'cashback',
    goTo: async (page, ops) => {
      await page.goto(`${ops}/casinos/demo-wallet/cashbacks`)
      await page.locator('tbody a').first().click()
      await page.getByRole('button', { name: 'Resolve' }).waitFor()
    },
    part: 'main',
  },
  {
    name: 'webhook',
    goTo: async (page, ops) => {
      await page.goto(`${ops}${demo}/webhooks/unreachable`)
      await page.locator('tbody tr').first().waitFor()
    },
  },
  {
    name: 'box',
    goTo: async (page, ops) => {
      await page.goto(`${ops}${demo}/boxes/welcome-box`)
      await page.getByRole('heading', { name: /drawn/ }).first().waitFor()
      await page.locator('tbody tr').first().waitFor()
      await showFromTop(page, 'Odds, and what was drawn')
    },
  },
  {
    name: 'box-editor',
    goTo: async (page, ops) => {
      await page.goto(`${ops}${demo}/boxes/welcome-box/edit`)
      await page.getByLabel('Weight').first().fill('5')
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByRole('button', { name: 'Publish' }).waitFor()
      await showFromTop(page, 'What changes against version 1')
    },
  },
  {
    name: 'phone',
    isPhone: true,
    goTo: async (page, ops) => {
      await page.goto(`${ops}${demo}/orders`)
      await page.locator('tbody tr').first().waitFor()
    },
  },
]

/** Below the bar, which stays at the top of the window. */
async function showFromTop(page: Page, heading: string): Promise<void> {
  const top = await page.getByRole('heading', { name: heading }).boundingBox()
  await page.evaluate(`scrollTo(0, scrollY + ${(top?.y ?? 0) - barPx})`)
}

const barPx = 90

async function goToHeldOrder(page: Page, ops: string): Promise<void> {
  await page.goto(`${ops}/?casino_id=demo`)
  await page.getByRole('link', { name: 'Held orders' }).click()
  await page.locator('tbody a[href*="/orders/"]').first().click()
  await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor()
}
