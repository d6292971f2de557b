import { isAddress, isPublicAddress } from './public-address.ts'

/** Longer ones are no addresses of anything; also what a database's index or a log line can hold. */
export const outboundUrlLengthMax = 2_048

/** What is wrong with an URL that we are to call; the messages continue its name: "url must …". */
export type OutboundUrlProblem =
  | 'must be an absolute URL'
  | `must not be longer than ${typeof outboundUrlLengthMax} characters`
  | 'must start with https://'
  | 'must start with https:// or http://'
  | 'must use port 443, or one from 1024 up'
  | 'must not contain a user name or a password'
  | 'must not lead to this machine, a private network or another address that is not of the internet'

/** The parsed URL, or why we would not call it. Whether its host may be called is decided when it is. */
export function parseOutboundUrl(
  text: string,
  { allowPrivateAddresses }: { allowPrivateAddresses: boolean },
): { url: URL } | { problem: OutboundUrlProblem } {
  if (text.length > outboundUrlLengthMax) {
    return { problem: `must not be longer than ${outboundUrlLengthMax} characters` }
  }
  // URL would leave tabs and line ends out and take blanks around it for granted.
  if (/[\s\p{Cc}\p{Surrogate}\\]/u.test(text)) return { problem: 'must be an absolute URL' }
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return { problem: 'must be an absolute URL' }
  }
  // Between machines of one private network there may be no TLS; over the internet there must be.
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

/** Below 1024 are other protocols' servers (mail, shells, files), which nobody should look for through us. */
const systemPortsEnd = 1024

/** Where private addresses may be called, services are wherever their owners want them. */
function isUsualPort({ port }: URL): boolean {
  return port === '' || Number(port) >= systemPortsEnd // URL leaves the port out that belongs to https
}

/**
 * The same for an URL that is to be kept: also what can be seen to lead nowhere, now or ever, is refused then, and not
 * only when the first call fails. What a name leads to is decided with each call, for names lead elsewhere every day.
 */
export function parseKeptUrl(
  text: string,
  rules: { allowPrivateAddresses: boolean },
): { url: URL } | { problem: OutboundUrlProblem } {
  const parsed = parseOutboundUrl(text, rules)
  if ('problem' in parsed || rules.allowPrivateAddresses || !isNeverPublic(parsed.url)) return parsed
  return {
    problem:
      'must not lead to this machine, a private network or another address that is not of the internet',
  }
}

/** The host as an address or a name. URL has turned all spellings of an address (0x7f.1, 2130706433) into one. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

function isNeverPublic(url: URL): boolean {
  const host = hostOf(url)
  if (isAddress(host)) return !isPublicAddress(host)
  return /(^|\.)localhost\.?$/.test(host) // RFC 6761 §6.3: this name and those below it
}
