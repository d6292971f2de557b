import { isAddress, isPublicAddress } from './public-address.ts'

/** Longer URLs are not real addresses; also the limit of a database index or a log line. */
export const outboundUrlLengthMax = 2_048

/** Why a URL cannot be called; the messages continue its name: "url must …". */
export type OutboundUrlProblem =
  | 'must be an absolute URL'
  | `must not be longer than ${typeof outboundUrlLengthMax} characters`
  | 'must start with https://'
  | 'must start with https:// or http://'
  | 'must use port 443, or one from 1024 up'
  | 'must not contain a user name or a password'
  | 'must be a public internet address, not this machine or a private network'

/** The parsed URL, or why it cannot be called. Whether its host may be called is decided at the time of the call. */
export function parseOutboundUrl(
  text: string,
  { allowPrivateAddresses }: { allowPrivateAddresses: boolean },
): { url: URL } | { problem: OutboundUrlProblem } {
  if (text.length > outboundUrlLengthMax) {
    return { problem: `must not be longer than ${outboundUrlLengthMax} characters` }
  }
  // URL would silently drop tabs and line ends, and spaces around it.
  if (/[\s\p{Cc}\p{Surrogate}\\]/u.test(text)) return { problem: 'must be an absolute URL' }
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return { problem: 'must be an absolute URL' }
  }
  // Between machines of one private network there may be no TLS; over the internet it is required.
  if (allowPrivateAddresses ? !/^https?:$/.test(url.protocol) : url.protocol !== 'https:') {
    return {
      problem: allowPrivateAddresses ? 'must start with https:// or http://' : 'must start with https://',
    }
  }
  if (!allowPrivateAddresses && !isUsualPort(url))
    return { problem: 'must use port 443, or one from 1024 up' }
  if (url.username !== '' || url.password !== '') {
    return { problem: 'must not contain a user name or a password' }
  }
  return { url }
}

/** Ports below 1024 belong to other protocols' servers (mail, shells, files), which must not be probed through us. */
const systemPortsEnd = 1024

/** Where private addresses are allowed, services may use any port. */
function isUsualPort({ port }: URL): boolean {
  return port === '' || Number(port) >= systemPortsEnd // URL omits the default port of https
}

/**
 * The same for a URL to store: hosts that can never be called are refused now, and not only when the first call fails.
 * The addresses of a name are checked with each call, because they can change every day.
 */
export function parseKeptUrl(
  text: string,
  rules: { allowPrivateAddresses: boolean },
): { url: URL } | { problem: OutboundUrlProblem } {
  const parsed = parseOutboundUrl(text, rules)
  if ('problem' in parsed || rules.allowPrivateAddresses || !isNeverPublic(parsed.url)) return parsed
  return {
    problem: 'must be a public internet address, not this machine or a private network',
  }
}

/** The host as an address or a name. URL has normalised all spellings of an address (0x7f.1, 2130706433). */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

function isNeverPublic(url: URL): boolean {
  const host = hostOf(url)
  if (isAddress(host)) return !isPublicAddress(host)
  return /(^|\.)localhost\.?$/.test(host) // RFC 6761 §6.3: this name and those below it
}
