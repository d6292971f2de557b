/** Longer ones are no addresses of anything; also what a database's index or a log line can hold. */
export const outboundUrlLengthMax = 2_048

/** What is wrong with an URL that we are to call; the messages continue its name: "url must …". */
export type OutboundUrlProblem =
  | 'must be an absolute URL'
  | `must not be longer than ${typeof outboundUrlLengthMax} characters`
  | 'must start with https://'
  | 'must start with https:// or http://'
  | 'must not contain a user name or a password'

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
  if (url.username !== '' || url.password !== '') {
    return { problem: 'must not contain a user name or a password' }
  }
  return { url }
}
