import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { createAdminRoutes } from '../../api/admin/routes.ts'
import { settingNames } from '../../core/casino/setting-values.ts'
import { atEndOfSuite } from '../support/at-end.ts'
import { adminApiKey } from '../support/config.ts'
import { needProgram } from '../support/need-program.ts'
import { startService } from '../support/service.ts'
import type { TestService } from '../support/service.ts'
import { readBlocks, readDocument, readSection, readTable } from './markdown.ts'

const document = readDocument('docs/integrate/management-api.md')

describe('docs/integrate/management-api.md', () => {
  let service: TestService

  const atEnd = atEndOfSuite()
  before(async () => {
    service = await startService()
    atEnd(() => service.stop())
  })

  it('has a row for every route, and no others', () => {
    const routes = createAdminRoutes(service.deps).map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    const endpoints = readSection(document, '## Endpoints')
    const rows = (endpoints.match(/^### .*$/gm) ?? []).flatMap((heading) => readTable(endpoints, heading))
    expect(rows.map(([method = '', path = '']) => `${method} ${path}`)).to.have.members(routes)
    for (const [, path, , gives] of rows) expect(gives, path).to.match(/\w{3}/)
  })

  it('has a row for every setting, and no others', () => {
    const rows = readTable(readDocument('docs/integrate/settings.md'), '# Settings').map(([name]) => name)
    expect(rows).to.have.members([...settingNames])
  })

  it('has an example that sets up a casino whose players can open a box', async function () {
    for (const name of ['curl', 'bash']) needProgram(this, [name], name)
    const [example = ''] = readBlocks(document, 'bash')
    const { stdout } = await promisify(execFile)('bash', ['-c', example], {
      env: { PATH: process.env['PATH'], BASE_URL: service.url, ADMIN_API_KEY: adminApiKey },
    })
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { status: string; data: { api_key?: string } })
    expect(answers.map(({ status }) => status)).to.deep.equal(Array.from({ length: 5 }, () => 'success'))
    const body = { player_id: 'anybody', box_id: 'daily' }
    const opened = await service.client.post('/box/open', answers.at(-1)?.data.api_key, body)
    expect(opened.status).to.equal(200)
  })
})
