import type { S3ClientConfig } from '@aws-sdk/client-s3'
import { UsageError } from '../../core/platform/main-program.ts'

/** Of `s3://bucket/prefix`. The prefix is empty or ends with a slash. */
export interface S3Place {
  bucket: string
  prefix: string
}

export interface S3Settings extends Pick<S3ClientConfig, 'endpoint' | 'region' | 'credentials'> {
  /** The bucket's name is in the path of requests, not in the name of the host. */
  forcePathStyle: boolean
  /** How much is written or read by a request. A file has at most 10,000 parts, so this limits it to 156 GiB. */
  partBytes: number
  /** For an answer, and for each pause within it. */
  timeoutMs: number
}

/** Of `--store`. The prefix may end with a slash or not. */
export function parseS3Place(text: string): S3Place {
  const [, bucket, path = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text) ?? []
  const prefix = path.replace(/\/$/, '')
  if (bucket === undefined || !/^(?:[\w.=-]+(?:\/[\w.=-]+)*)?$/.test(prefix) || prefix.length > 900)
    throw new UsageError(
      '--store needs a bucket, and a prefix if you want, such as s3://bucket/casino/archive',
    )
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/` }
}

/**
 * Settings that the AWS client does not find in its variables by itself. Stores with an endpoint of their own seldom have a name for
 * each bucket, and most of them have no regions.
 */
export function readS3Settings(env: Record<string, string | undefined>): S3Settings {
  const pathStyle = env['AWS_S3_FORCE_PATH_STYLE'] || undefined
  if (pathStyle !== undefined && pathStyle !== 'true' && pathStyle !== 'false')
    throw new UsageError('AWS_S3_FORCE_PATH_STYLE must be true or false')
  const endpoint = env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || undefined
  const region = env['AWS_REGION'] || undefined
  return {
    forcePathStyle: pathStyle === undefined ? endpoint !== undefined : pathStyle === 'true',
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(region === undefined ? (endpoint === undefined ? {} : { region: 'us-east-1' }) : { region }),
    partBytes: 16 * 1024 * 1024,
    timeoutMs: 60_000,
  }
}
