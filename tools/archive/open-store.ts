import { stat } from 'node:fs/promises'
import { UsageError } from '../../core/platform/main-program.ts'
import { createFolderStore } from './folder-store.ts'
import { parseS3Place, readS3Settings } from './s3-settings.ts'
import type { Store } from './store.ts'

/**
 * Either a folder, which must be there, or `s3://bucket/prefix`. The client of S3 is loaded only for the latter; `env` is the
 * process's, where it looks for its variables.
 */
export async function openStore(
  { folder, store }: { folder: string | undefined; store: string | undefined },
  env: Record<string, string | undefined>,
): Promise<Store> {
  if (folder !== undefined && store !== undefined)
    throw new UsageError('--folder and --store exclude each other')
  if (store !== undefined) {
    const [place, settings] = [parseS3Place(store), readS3Settings(env)]
    // The client warns operators of the Node that its later releases will need: developers choose its release.
    env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
    const { createS3Store } = await import('./s3-store.ts')
    return createS3Store(place, settings)
  }
  if (folder === undefined) throw new UsageError('--folder or --store is needed')
  if (folder.startsWith('s3://')) throw new UsageError('a bucket is named by --store, not by --folder')
  if ((await stat(folder).catch(() => undefined)) === undefined) throw new UsageError(`there is no ${folder}`)
  return createFolderStore(folder)
}
