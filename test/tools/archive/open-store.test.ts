import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openStore } from '../../../tools/archive/open-store.ts'
import { atEndOfTest } from '../../support/at-end.ts'

describe('The store that options name', () => {
  const atEnd = atEndOfTest()
  const outcomeOf = async (options: { folder?: string; store?: string }) => {
    try {
      return (await openStore({ folder: options.folder, store: options.store }, {})).placeOf('file')
    } catch (error) {
      return String(error)
    }
  }

  it('is a folder that is there, or a bucket', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'open-store-test-'))
    atEnd(() => rm(folder, { recursive: true }))
    expect(await outcomeOf({ folder })).to.equal(join(folder, 'file'))
    expect(await outcomeOf({ folder: join(folder, 'none') })).to.equal(
      `UsageError: there is no ${join(folder, 'none')}`,
    )
    expect(await outcomeOf({ store: 's3://a-bucket/prefix' })).to.equal('s3://a-bucket/prefix/file')
  })

  it('is refused if there are two, none, or a bucket in the place of a folder', async () => {
    const refusals = {
      'UsageError: --folder and --store exclude each other': { folder: '/tmp', store: 's3://a-bucket' },
      'UsageError: --folder or --store is needed': {},
      'UsageError: a bucket is named by --store, not by --folder': { folder: 's3://a-bucket/prefix' },
    }
    for (const [error, options] of Object.entries(refusals)) expect(await outcomeOf(options)).to.equal(error)
  })
})
