/** The unit of counting: a casino's wallet, its provider, or one of its endpoints. */
export interface CallLine {
  /** Starts with the kind and the casino, each on a line of its own. */
  key: string
  casinoId: string
}

export type LineKind = 'wallet' | 'provider' | 'webhook'

/** The line of the kind at a casino, or of one endpoint. */
export function lineOf(kind: LineKind, casinoId: string, of?: string): CallLine {
  return { key: [kind, casinoId, ...(of === undefined ? [] : [of])].join('\n'), casinoId }
}

export function parseLine(key: string): { kind: string; line: CallLine } {
  const [kind = '', casinoId = ''] = key.split('\n')
  return { kind, line: { key, casinoId } }
}
